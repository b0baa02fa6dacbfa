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
from typing import Any

import gast
import numpy as np

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.scope import assigned_names
from sourcegrad.frontend.statements import Statements
from sourcegrad.frontend.structs import Abstract, leaves
from sourcegrad.ir import Expr, Lit, Obj, Op, Plain, Ref, Region, Scoped, Value, refs
from sourcegrad.kinds import BOOL, UNKNOWN

# Context managers that never swallow an exception.
_HONEST = (np.errstate, warnings.catch_warnings, contextlib.nullcontext, open,
           contextlib.closing, contextlib.redirect_stdout, threading.Lock)  # fmt: skip
_COMPOUND = (gast.For, gast.While, gast.If, gast.Try, gast.With)


class Blocks(Statements):
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
        made = gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
        self.stmt_Try(gast.copy_location(made, stmt))
        return True

    # --------------------------------------------------------------------- try

    def stmt_Try(self, stmt: Any) -> None:
        if stmt.finalbody:
            self.with_final(stmt)
            return
        types = [self.exception_types(h) for h in stmt.handlers]
        every = [t for group in types for t in group]
        self.attempts(list(stmt.body), stmt, types, every)

    def with_final(self, stmt: Any) -> None:
        """`try: … finally: …`: what follows runs on every way out."""
        body, final = Region(), Region()
        where = self.where
        with self.inside(body):
            if stmt.handlers:
                inner = gast.copy_location(
                    gast.Try(
                        body=stmt.body,
                        handlers=stmt.handlers,
                        orelse=stmt.orelse,
                        finalbody=[],
                    ),
                    stmt,
                )
                self.stmt_Try(inner)
            else:
                self.block(stmt.body)
        with self.inside(final):
            self.block(stmt.finalbody)
        self.where = where
        self.append(Scoped("finally", [], [], body, final, where=where))
        self.region.ends = self.region.ends or body.ends or final.ends

    def exception_types(self, handler: Any) -> list[Expr]:
        """The exception classes of a handler."""
        if handler.type is None:
            return [self.binder.bind(BaseException, "BaseException")]
        nodes = (
            handler.type.elts
            if isinstance(handler.type, gast.Tuple)
            else [handler.type]
        )
        return [self.passive_expr(n) for n in nodes]

    def attempts(
        self, stmts: list[Any], stmt: Any, types: Any, every: list[Expr]
    ) -> None:
        """The body statement by statement, then `else`."""
        if not stmts:
            self.block(stmt.orelse)
            return
        first, rest = stmts[0], stmts[1:]
        self.where = self.locate(first)
        if _cannot_raise(first):
            self.block([first])
            self.attempts(rest, stmt, types, every)
            return
        self.refuse_unbound(first)
        start = dict(self.env)
        flag = Value("caught", BOOL, False, self.where)
        error = Value("error", UNKNOWN, False, self.where)
        error.key = "exception"
        region, where = Region(), self.where
        with self.inside(region):
            self.block([first])
        self.where = where
        ended, region.ends = region.ends, False
        self.append(Scoped("attempt", every, [flag, error], region, where=where))
        after = self.env

        def caught() -> None:
            self.env = dict(start)
            self.refuse_partial(first, where)
            self.handlers(stmt.handlers, types, error)

        def completed() -> None:
            self.env = dict(after)
            if ended:
                self.region.ends = True
            else:
                self.attempts(rest, stmt, types, every)

        self.env = start
        self.branch(Ref(flag), caught, completed)

    def refuse_partial(self, first: Any, where: Any) -> None:
        """An exception in the midst of a compound statement that binds names leaves
        them at values the reverse sweep cannot know."""
        if not isinstance(first, _COMPOUND) or not assigned_names([first]):
            return
        raised = self.binder.bind(NonDifferentiableError, "NonDifferentiableError")
        text = Lit(
            f"{where}: an exception was caught inside a loop or branch of a try block "
            "that binds names; move the loop into a function of its own"
        )
        node = gast.parse("raise kind(text)").body[0]
        self.append(Plain(node, ("kind", "text"), (raised, text), raises=True))
        self.region.ends = True

    def refuse_unbound(self, first: Any) -> None:
        """A `finally` on the way to a handler runs where its `try` left off, and must
        not read what that would have bound."""
        for node in gast.walk(first):
            if not isinstance(node, gast.Try) or not node.finalbody:
                continue
            bound = assigned_names(node.body)
            for inner in node.finalbody:
                for name in gast.walk(inner):
                    read = isinstance(name, gast.Name) and name.id in bound
                    if read and isinstance(name.ctx, gast.Load):
                        raise self.unsupported(
                            name,
                            f"a finally block that reads {name.id!r}, bound in a try "
                            "inside another try,",
                        )

    def handlers(self, nodes: list[Any], types: Any, error: Value) -> None:
        """The handler that fits the exception."""
        if self.region.ends or not nodes:
            return
        handler, rest = nodes[0], nodes[1:]

        def run() -> None:
            if handler.name is not None:
                name = getattr(handler.name, "id", handler.name)
                self.bind_name(name, Ref(error))
            outer, self.caught = self.caught, error
            self.block(handler.body)
            self.caught = outer

        if not rest:
            run()
            return
        group = types[len(types) - len(nodes)]
        kinds: Expr = group[0] if len(group) == 1 else Op("tuple", tuple(group))
        test = Op(
            "call", (self.binder.bind(isinstance, "isinstance"), Ref(error), kinds), ()
        )
        self.branch(test, run, lambda: self.handlers(rest, types, error))

    context: Any
    caught: Value | None = None

    def stmt_Raise(self, stmt: Any) -> None:
        if stmt.exc is None and self.caught is not None:
            node = gast.parse("raise error").body[0]
            self.append(Plain(node, ("error",), (Ref(self.caught),), raises=True))
            self.region.ends = True
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


def _cannot_raise(stmt: Any) -> bool:
    """Statements that only bind a literal or name."""
    return isinstance(stmt, gast.Pass) or (
        isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Constant)
        and all(isinstance(t, gast.Name) for t in stmt.targets)
    )  # fmt: skip
