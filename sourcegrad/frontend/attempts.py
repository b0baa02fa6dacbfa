"""Statements inside a `try`: attempts, each with a flag that says whether it raised."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from typing import Any

import gast

from sourcegrad.frontend.midway import (
    Held,
    calls_unseen,
    cannot_raise,
    harmless,
    quiet,
    writes_midway,
)
from sourcegrad.frontend.parts import is_single, parts
from sourcegrad.frontend.raising import Catcher, Raising
from sourcegrad.frontend.structs import Bound, Closure
from sourcegrad.frontend.writers import WRITES, WRITES_MIDWAY
from sourcegrad.ir import CallFn, Expr, Obj, Ref, Region, Scoped, Value
from sourcegrad.ir_walk import walk
from sourcegrad.kinds import BOOL, UNKNOWN
from sourcegrad.names import fresh

COMPOUND = (gast.For, gast.While, gast.If, gast.Try, gast.With, gast.Match)


def _binds(node: Any) -> bool:
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)


class Midway(Exception):
    """An attempt may raise after it has written, or with active values."""


class Attempts(Raising):
    """Builds one statement inside a `try`, and what follows if it did not raise."""

    attempting: Catcher | None = None
    stack: list[Any]

    # -------------------------------------------------------------- statements

    def guarded(
        self, stmt: Any, method: Callable[[Any], None], rest: list[Any]
    ) -> None:
        """One statement inside a `try`, and those behind it."""
        if isinstance(stmt, gast.Raise):
            self.thrown(stmt, method)
        elif _is_yield(stmt) or isinstance(stmt, COMPOUND) and self.can_enter(stmt):
            first = self.headers(stmt)
            if first is not None:
                self.block([*first, *rest])
                return
            method(stmt)
            self.go_on(rest)
        elif isinstance(stmt, Held) and self.calls_own(stmt.node):
            self.precisely(stmt, method, rest)
        elif cannot_raise(stmt) or self.allocates(stmt):
            method(stmt)
            self.go_on(rest)
        elif ("precise", stmt, *self.stack) in self.context.derived:
            self.precisely(stmt, method, rest)
        else:
            self.attempt(stmt, method, rest)

    def can_enter(self, stmt: Any) -> bool:
        """Whether what a compound statement does by itself cannot raise."""
        return not isinstance(stmt, gast.With) or self.is_harmless_with(stmt)

    def calls_own(self, node: Any) -> bool:
        """Whether an expression calls functions of the user's."""
        for call in gast.walk(node):
            if isinstance(call, gast.Call) and quiet(call.func):
                with self.passively():
                    fn = self.expr(call.func)
                if isinstance(fn, (Closure, Bound)):
                    return True
                own = isinstance(fn, Obj) and isinstance(fn.obj, types.FunctionType)
                if own and not self.is_library(fn.obj):  # type: ignore[union-attr]
                    return True
        return False

    def allocates(self, stmt: Any) -> bool:
        """Whether a statement only makes an array: that it raises is not foreseen."""
        if not isinstance(stmt, gast.Assign) or not isinstance(stmt.value, gast.Call):
            return False
        if not all(isinstance(t, gast.Name) for t in stmt.targets):
            return False
        call = stmt.value
        if not quiet(call.func) or not all(map(quiet, call.args)):
            return False
        with self.passively():
            fn = self.expr(call.func)
        name = getattr(fn, "name", None) or getattr(
            getattr(fn, "obj", None), "__name__", ""
        )
        return name in _ALLOCATORS

    def headers(self, stmt: Any) -> list[Any] | None:
        """A compound statement whose head may raise, with the head taken out."""
        key = ("headed", stmt)
        if key not in self.context.derived:
            self.context.derived[key] = _headed(stmt, self.context.names)
        found: list[Any] | None = self.context.derived[key]
        return found

    def stmt_Held(self, stmt: Any) -> None:
        """A condition evaluated ahead of the statement that tests it."""
        self.bind_name(stmt.name, self.atom(self.condition(stmt.node)))

    # ---------------------------------------------------------------- attempts

    def attempt(
        self,
        stmt: Any,
        method: Callable[[Any], None],
        rest: list[Any],
        caught: Callable[[Expr], None] | None = None,
        done: Callable[[], None] | None = None,
        whole: bool = False,
    ) -> None:
        """A statement that may raise, and what runs if it did or did not."""
        assert self.catcher is not None
        start, where, catcher = dict(self.env), self.where, self.catcher
        region, types, mark = Region(), catcher.every(), self.mark()
        try:
            ended = self.attempted(region, stmt, method, catcher, whole)
        except Midway:
            self.back_to(mark)
            self.context.derived["precise", stmt, *self.stack] = True
            if caught is not None:
                raise
            self.precisely(stmt, method, rest)
            return
        if harmless(region, self.infer) and not ended:
            self.where = where
            self.region.stmts += region.stmts
            (done or (lambda: self.block(rest)))()
            return
        flag = Value("caught", BOOL, False, where)
        error = Value("error", UNKNOWN, False, where)
        error.key = "exception"
        self.where = where
        self.append(Scoped("attempt", types, [flag, error], region, where=where))
        after, self.env = self.env, start

        def fails() -> None:
            self.env = dict(start)
            self.partly(stmt, where)
            if not self.region.ends:
                (caught or self.note)(Ref(error))

        def completes() -> None:
            self.env = dict(after)
            self.region.ends = ended
            if not ended:
                (done or (lambda: self.block(rest)))()

        self.branch(Ref(flag), fails, completes)

    def attempted(
        self,
        region: Region,
        stmt: Any,
        method: Callable[[Any], None],
        catcher: Catcher,
        whole: bool,
    ) -> bool:
        """Build what may raise; whether it always does.

        Raises:
            Midway: it may raise after it has changed memory that others see.
        """
        outer, self.attempting, self.catcher = self.attempting, catcher, None
        start = dict(self.env)
        try:
            with self.inside(region):
                method(stmt)
        finally:
            self.attempting, self.catcher = outer, catcher
        calls = [s for s in walk(region) if isinstance(s, CallFn)]
        if any(self.callee_does(WRITES_MIDWAY, s) for s in calls):
            raise self.unsupported(
                stmt,
                "a recursion in a try block that may raise after it has changed memory",
                "catch the exception in the function itself, or change a copy",
            )
        by_callee = partial(self.callee_does, WRITES)
        midway = writes_midway(region, by_callee) or self.binds_midway(stmt, start)
        if not whole and midway and not isinstance(stmt, COMPOUND):
            raise Midway
        if calls_unseen(region, self.is_library):
            self.context.active_exceptions = True
        ended, region.ends = region.ends, False
        return ended

    def callee_does(self, what: str, stmt: CallFn) -> bool:
        """Whether a function that calls itself writes, or may raise after that, as far
        as it is known by now (see `writers.note_attempts`)."""
        fn = stmt.callee.fn
        self.context.derived["asked whether it", what, fn] = True
        return (what, fn) in self.context.derived

    def binds_midway(self, stmt: Any, start: dict[Any, Any]) -> bool:
        """Whether a name or an attribute gets another value before a statement is at
        its end: by a function that it calls, or by `:=`."""
        targets = stmt.targets if isinstance(stmt, gast.Assign) else []
        if isinstance(stmt, gast.AugAssign):
            targets = [stmt.target]
        names = {n.id for t in targets for n in gast.walk(t) if _binds(n)}
        names -= {n.target.id for n in gast.walk(stmt) if isinstance(n, gast.NamedExpr)}
        names |= {stmt.name} if isinstance(stmt, Held) else set()
        source = self.scope.source
        for node in gast.walk(source.tree if source else stmt):  # by inner functions
            names -= set(node.names) if isinstance(node, gast.Nonlocal) else set()
        own = {(self.owner(name), name) for name in names}
        return any(
            held is not self.env.get(key) and key not in own
            for key, held in start.items()
        )

    def partly(self, stmt: Any, where: Any) -> None:
        """See `Blocks`."""

    def precisely(
        self, stmt: Any, method: Callable[[Any], None], rest: list[Any]
    ) -> None:
        """A statement that may raise midway, in parts; callees are gone into."""
        key = ("parts", stmt)
        if key not in self.context.derived:
            self.context.derived[key] = parts(stmt, self.context.names, self.stands_for)
        found = self.context.derived[key]
        if found is None:
            raise self.unsplit(stmt)
        if len(found) > 1:
            self.block([*found, *rest])
            return
        assert self.catcher is not None
        mark = self.mark()
        entered = self.entered_calls
        loops, self.catcher.loops = self.catcher.loops, 0
        try:
            method(stmt)
        finally:
            self.catcher.loops = loops
        if self.entered_calls == entered:  # no callee was gone into
            self.back_to(mark)
            self.attempt(stmt, method, rest, whole=True)
        elif is_single(stmt):
            self.go_on(rest)
        else:  # as by an operator of an object, or a property
            raise self.unsplit(stmt)

    def unsplit(self, stmt: Any) -> Exception:
        return self.unsupported(
            stmt,
            "a statement in a try block that may raise after it has changed memory",
            "write the calls in it as statements of their own",
        )

    def stands_for(self, name: str) -> Any:
        """The object that a name stands for here; None where it is no constant one."""
        with self.passively():
            fn = self.lookup(name, None)
        return fn.obj if isinstance(fn, Obj) else None

    entered_calls = 0

    # ------------------------------------------------------------------ raising

    def thrown(self, stmt: Any, method: Callable[[Any], None]) -> None:
        """`raise` inside a `try`."""
        error = self.exception(stmt.exc, stmt)
        if error is None:
            self.attempt(stmt, method, [])
        else:
            self.throw(error, stmt)

    def is_harmless_with(self, stmt: Any) -> bool:
        """Whether entering and leaving a `with` cannot raise (see `Blocks`)."""
        raise AssertionError

    def is_library(self, obj: Any) -> bool:
        """Whether a callable is a library's (see `Loops`)."""
        raise AssertionError


_ALLOCATORS = frozenset(
    ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like")
    + ("full_like", "copy")
)


def _headed(stmt: Any, taken: set[str]) -> list[Any] | None:
    """See `Throws.headers`."""

    def name(like: Any, text: str, ctx: Any) -> Any:
        node = gast.Name(id=text, ctx=ctx, annotation=None, type_comment=None)
        return gast.copy_location(node, like)

    def held(node: Any, text: str) -> tuple[Any, Any]:
        own = "$" + fresh(text, taken)
        first = gast.copy_location(Held(own, node), node)
        return first, name(node, own, gast.Load())

    if isinstance(stmt, gast.Expr):
        value = stmt.value.value
        if value is None or quiet(value):
            return None
        return _yielded(stmt, taken)
    if isinstance(stmt, gast.If) and not quiet(stmt.test):
        first, test = held(stmt.test, "cond")
        new = gast.If(test=test, body=stmt.body, orelse=stmt.orelse)
        return [first, gast.copy_location(new, stmt)]
    if isinstance(stmt, gast.While) and not quiet(stmt.test):
        first, test = held(stmt.test, "cond")
        stop = gast.copy_location(gast.Break(), stmt)
        inner = gast.copy_location(
            gast.If(test=test, body=stmt.body, orelse=[stop]), stmt
        )
        true = gast.copy_location(gast.Constant(value=True, kind=None), stmt)
        new = gast.While(test=true, body=[first, inner], orelse=[])
        return [gast.copy_location(new, stmt)]
    if isinstance(stmt, gast.For):
        before, iterable = _iterable(stmt.iter, taken)
        if before:
            new = gast.For(target=stmt.target, iter=iterable, body=stmt.body, orelse=[],
                           type_comment=None)  # fmt: skip
            return [*before, gast.copy_location(new, stmt)]
    return None


def _is_yield(stmt: Any) -> bool:
    return isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Yield)


def _yielded(stmt: Any, taken: set[str]) -> list[Any]:
    """`yield value` with the value computed before what the reader does with it."""
    own = "$" + fresh("item", taken)
    target = gast.Name(id=own, ctx=gast.Store(), annotation=None, type_comment=None)
    read = gast.Name(id=own, ctx=gast.Load(), annotation=None, type_comment=None)
    first = gast.Assign(targets=[target], value=stmt.value.value, type_comment=None)
    then = gast.Expr(value=gast.Yield(value=read))
    for made in (target, read, first, then, then.value):
        gast.copy_location(made, stmt)
    return [first, then]


def _iterable(node: Any, taken: set[str]) -> tuple[list[Any], Any]:
    """What a loop runs along, with what may raise taken out."""
    if quiet(node):
        return [], node
    looked_through = isinstance(node, gast.Call) and (
        isinstance(node.func, gast.Name) and node.func.id in _LOOKED_THROUGH
    )
    if looked_through and not node.keywords:
        parts = [_iterable(a, taken) for a in node.args]
        new = gast.Call(func=node.func, args=[p for _, p in parts], keywords=[])
        return [s for before, _ in parts for s in before], gast.copy_location(new, node)
    own = "$" + fresh("items", taken)
    target = gast.Name(id=own, ctx=gast.Store(), annotation=None, type_comment=None)
    read = gast.Name(id=own, ctx=gast.Load(), annotation=None, type_comment=None)
    first = gast.Assign(targets=[target], value=node, type_comment=None)
    for made in (target, read, first):
        gast.copy_location(made, node)
    return [first], read


_LOOKED_THROUGH = ("range", "zip", "enumerate", "reversed")
