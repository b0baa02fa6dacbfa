"""Statements: branches, exits, effects."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.frontend import imports
from sourcegrad.frontend.bindings import Bindings
from sourcegrad.frontend.decorators import decorated
from sourcegrad.frontend.hoisting import has_calls, hoisted
from sourcegrad.frontend.hooks import calls_hook
from sourcegrad.frontend.scope import RETURN, STOP
from sourcegrad.frontend.structs import Closure
from sourcegrad.ir import UNDEF, Effect, Lit, Op, Plain


class Statements(Bindings):
    """Builds statements into the current region."""

    def block(self, stmts: list[Any]) -> None:
        """Build statements in order, until one ends the region."""
        for k, stmt in enumerate(stmts):
            if self.region.ends:
                return
            if not self.deriving:
                self.where = self.locate(stmt)
            stmt = imports.settled(stmt, self.scope.fn)
            method = getattr(self, f"stmt_{type(stmt).__name__}", None)
            if method is None:
                raise self.unsupported(
                    stmt, _KEYWORD.get(type(stmt).__name__, type(stmt).__name__)
                )
            if self.catcher is not None and not self.deriving:
                self.guarded(stmt, method, stmts[k + 1 :])
                return
            method(stmt)

    catcher: Any = None

    def guarded(
        self, stmt: Any, method: Callable[[Any], None], rest: list[Any]
    ) -> None:
        """A statement inside a `try`, and those behind it (see `Throws`)."""
        raise AssertionError

    # ---------------------------------------------------------------- control

    def stmt_If(self, stmt: Any) -> None:
        cond = self.condition(stmt.test)
        known = self.static_truth(cond)
        if known is not None:
            self.block(stmt.body if known else stmt.orelse)
            return
        self.branch(
            cond, lambda: self.block(stmt.body), lambda: self.block(stmt.orelse)
        )

    # ----------------------------------------------------------------- leaving

    def stmt_Return(self, stmt: Any) -> None:
        tree = Lit(None) if stmt.value is None else self.expr(stmt.value)
        held = tree if self.deriving else self.settle(tree)
        self.env[(self.scope, RETURN)] = held

    def stmt_Break(self, stmt: Any) -> None:
        self.env[STOP] = Lit(True)

    def stmt_Continue(self, stmt: Any) -> None:
        pass

    stmt_Pass = stmt_Nonlocal = stmt_Continue

    def stmt_Raise(self, stmt: Any) -> None:
        self.keep(stmt, raises=True)
        self.region.ends = True

    def stmt_Assert(self, stmt: Any) -> None:
        if has_calls(self, stmt):
            self.stmt_If(_as_branch(stmt))
        else:
            self.keep(stmt)

    def calls_first(self, node: Any) -> Any:
        return hoisted(self, node)

    def keep(self, stmt: Any, raises: bool = False) -> None:
        """A statement kept as the user wrote it, on inactive operands."""
        with self.passively():
            tree = self.raw(stmt)
        stmt = tree.data[0] if isinstance(tree, Op) else stmt
        assert isinstance(tree, Op)
        self.append(Plain(stmt, tree.data[1], tree.args, raises))

    # ------------------------------------------------------------------ others

    def stmt_Expr(self, stmt: Any) -> None:
        if isinstance(stmt.value, gast.Constant):
            return
        with self.passively() if calls_hook(self, stmt.value) else nullcontext():
            tree = self.expr(stmt.value)
        if isinstance(tree, Op):  # it may raise, which is an effect
            self.append(Effect(tree))

    def stmt_FunctionDef(self, stmt: Any) -> None:
        self.scope.has_closures = True
        defaults = [self.settle(self.expr(d)) for d in stmt.args.defaults]
        kw = [
            None if d is None else self.settle(self.expr(d))
            for d in stmt.args.kw_defaults
        ]
        closure = Closure(stmt, self.scope, defaults, kw, stmt.name)
        held = decorated(self, closure, stmt.decorator_list, stmt)
        self.env[(self.owner(stmt.name), stmt.name)] = held

    def stmt_Delete(self, stmt: Any) -> None:
        for target in stmt.targets:
            if isinstance(target, (gast.Tuple, gast.List)):
                self.stmt_Delete(gast.Delete(targets=target.elts))
            elif isinstance(target, gast.Attribute):
                raise self.unsupported(
                    target, "del of an attribute", "leave it, or let it hold None"
                )
            elif not isinstance(target, gast.Name):
                self.delete_item(target)
            else:
                self.lookup(target.id, target)
                self.env[(self.owner(target.id), target.id)] = UNDEF

    def delete_item(self, target: Any) -> None:
        """`del a[i]` (see `Stores`)."""
        raise self.unsupported(target, "del of an item")

    def stmt_Import(self, stmt: Any) -> None:
        if stmt.names[0].name == "*":
            raise self.unsupported(stmt, "import *")
        for name, found in imports.names(stmt, self.scope.fn).items():
            self.env[(self.scope, name)] = self.binder.bind(found, name)

    stmt_ImportFrom = stmt_Import

    def stmt_Global(self, stmt: Any) -> None:
        raise self.unsupported(stmt, "a global statement", "return the value instead")


_KEYWORD = {
    "Try": "try", "With": "with", "Match": "match", "AsyncFor": "async for",
    "AsyncWith": "async with", "ClassDef": "a class defined inside the function",
    "TryStar": "try with except*", "AsyncFunctionDef": "async functions",
}  # fmt: skip


def _as_branch(stmt: gast.Assert) -> gast.If:
    """An assertion as the `if` it stands for."""
    message = [] if stmt.msg is None else [stmt.msg]
    error = gast.Call(func=syntax.name("AssertionError"), args=message, keywords=[])
    test = gast.UnaryOp(op=gast.Not(), operand=stmt.test)
    made = gast.If(test=test, body=[gast.Raise(exc=error, cause=None)], orelse=[])
    for part in gast.walk(made):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, stmt)
    return made
