"""Blocks: `with`, `try … except … else … finally`.

A `try` is built statement by statement: each is an attempt with a flag, the rest of
the body runs if none raised, the handler if one did, with the names as they were
before the statement that raised.
"""

from __future__ import annotations

import contextlib
import copy
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.attempts import COMPOUND, Midway
from sourcegrad.frontend.purity import CALM
from sourcegrad.frontend.scope import assigned_names
from sourcegrad.frontend.structs import Abstract, Struct, leaves
from sourcegrad.frontend.throws import Throws
from sourcegrad.ir import Expr, Lit, Obj, Op, Plain, Ref, Region, Scoped, Value
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import BOOL, UNKNOWN

# Context managers that never swallow an exception.
_HONEST = (np.errstate, warnings.catch_warnings, contextlib.nullcontext, open,
           contextlib.closing, contextlib.redirect_stdout, threading.Lock)  # fmt: skip


class Blocks(Throws):
    """Builds `with` and `try`."""

    # -------------------------------------------------------------------- with

    def stmt_With(self, stmt: Any) -> None:
        self.managed(stmt.items, stmt)

    def managed(self, items: list[Any], stmt: Any) -> None:
        if not items:
            self.block(stmt.body)
            return
        item = items[0]
        if self.suppressed(item, items[1:], stmt):
            return
        manager = self.passive_expr(item.context_expr)
        if item.optional_vars is not None and any(v.varied for v in refs(manager)):
            raise self.unsupported(
                item.context_expr,
                "a context manager of active values",
                "compute the value before the with statement",
            )
        honest = isinstance(manager, Op) and manager.op == "call" and isinstance(
            manager.args[0], Obj) and manager.args[0].obj in _HONEST  # fmt: skip
        target = Value("manager", UNKNOWN, False, self.where, temp=True)
        through = Value("through", BOOL, False, self.where)
        where, body = self.where, Region()
        with self.inside(body):
            if item.optional_vars is not None:
                self.bind(item.optional_vars, Ref(target))
            self.managed(items[1:], stmt)
        self.where = where
        self.append(Scoped("with", [manager], [target, through], body, where=where))
        if not honest:
            text = "assert through, 'the context manager swallowed an exception'"
            self.append(Plain(gast.parse(text).body[0], ("through",), (Ref(through),)))
        self.region.ends = self.region.ends or body.ends

    def is_harmless_with(self, stmt: Any) -> bool:
        """Whether entering and leaving a `with` cannot raise."""
        for item in stmt.items:
            call = item.context_expr
            if not isinstance(call, gast.Call):
                return False
            with self.passively():
                fn = self.expr(call.func)
            if not isinstance(fn, Obj) or fn.obj not in (*CALM, contextlib.suppress):
                return False
        return True

    def suppressed(self, item: Any, rest: list[Any], stmt: Any) -> bool:
        """`suppress(E)` is a `try`, `nullcontext(x)` is `x`."""
        call = item.context_expr
        if not isinstance(call, gast.Call):
            return False
        fn = self.expr(call.func)
        if not isinstance(fn, Obj) or fn.obj not in (
            contextlib.suppress,
            contextlib.nullcontext,
        ):
            return False
        inner = copy.copy(stmt)
        inner.items = rest
        body = [inner] if rest else stmt.body
        if fn.obj is contextlib.nullcontext:
            if item.optional_vars is not None:
                held = self.expr(call.args[0]) if call.args else Lit(None)
                self.bind(item.optional_vars, held)
            self.block(body)
            return True
        kinds = (
            call.args[0] if len(call.args) == 1 else gast.Tuple(call.args, gast.Load())
        )
        nothing = gast.copy_location(gast.Pass(), stmt)
        handler = gast.copy_location(gast.ExceptHandler(kinds, None, [nothing]), stmt)
        self.stmt_Try(self.made_try(item, body, [handler], []))
        return True

    def made_try(self, of: Any, body: Any, handlers: Any, orelse: Any) -> Any:
        """A `try` that another statement stands for, the same one at every build."""
        key = ("try of", of)
        if key not in self.context.derived:
            made = gast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=[])
            self.context.derived[key] = gast.copy_location(made, handlers[0])
        return self.context.derived[key]

    # --------------------------------------------------------------------- try

    def stmt_Try(self, stmt: Any) -> None:
        if stmt.finalbody:
            self.with_final(stmt)
        else:
            self.tried(stmt, [self.exception_types(h) for h in stmt.handlers])

    def with_final(self, stmt: Any) -> None:
        """`try: … finally: …`: what follows runs on every way out."""
        body, final = Region(), Region()
        where = self.where
        with self.inside(body):
            if stmt.handlers:
                self.stmt_Try(
                    self.made_try(stmt, stmt.body, stmt.handlers, stmt.orelse)
                )
            else:
                self.block(stmt.body)
        with self.inside(final), self.undisturbed():
            self.block(stmt.finalbody)
        self.where = where
        self.append(Scoped("finally", [], [], body, final, where=where))
        self.region.ends = self.region.ends or body.ends or final.ends

    @contextlib.contextmanager
    def undisturbed(self) -> Iterator[None]:
        """What runs here does so whether or not an exception is on its way."""
        if self.catcher is None:
            yield
            return
        key = (self.catcher, "raised")
        pending, self.env[key] = self.env[key], Lit(False)
        yield
        if self.env[key] == Lit(False):
            self.env[key] = pending
        elif pending != Lit(False):
            raised = self.env[key]
            assert isinstance(raised, Expr) and isinstance(pending, Expr)
            self.env[key] = self.atom(Op("or", (raised, pending)))

    def exception_types(self, handler: Any) -> list[Expr]:
        """The exception classes of a handler."""
        if handler.type is None:
            return [self.binder.bind(BaseException, "BaseException")]
        nodes = (
            handler.type.elts
            if isinstance(handler.type, gast.Tuple)
            else [handler.type]
        )
        found: list[Expr] = []
        for tree in map(self.passive_expr, nodes):
            grouped = isinstance(tree, Op) and tree.op == "tuple"
            found += tree.args if grouped else [tree]  # type: ignore[attr-defined]
        return found

    def partly(self, first: Any, where: Any) -> None:
        """An exception in the midst of a compound statement that binds names leaves
        them at values the reverse sweep cannot know."""
        if not isinstance(first, COMPOUND) or not assigned_names([first]):
            return
        raised = self.binder.bind(NonDifferentiableError, "NonDifferentiableError")
        text = Lit(
            f"{where}: an exception was caught inside a loop or branch of a try block "
            "that binds names; move the loop into a function of its own"
        )
        node = gast.parse("raise kind(text)").body[0]
        self.append(Plain(node, ("kind", "text"), (raised, text), raises=True))
        self.region.ends = True

    def stmt_Raise(self, stmt: Any) -> None:
        error = None
        if self.attempting is not None or stmt.exc is None:
            error = self.exception(stmt.exc, stmt)
        if self.attempting is not None and isinstance(error, Struct):
            raise Midway
        if stmt.exc is None and error is not None:
            self.throw(error, stmt)
            return
        if isinstance(stmt.exc, gast.Call):
            held = [
                self.expr(a) for a in stmt.exc.args if not isinstance(a, gast.Starred)
            ]
            if any(self.is_varied(e) for t in held for e in leaves(t)):
                self.context.active_exceptions = True
        super().stmt_Raise(stmt)

    def attribute(self, base: Abstract, name: str, node: Any) -> Abstract:
        held = isinstance(base, Ref) and base.value.key == "exception"
        if held and self.context.active_exceptions and not self.passive:
            raise self.unsupported(
                node,
                "reading an active value from an exception",
                "keep the value in a variable of the function",
            )
        return super().attribute(base, name, node)
