"""Exceptions that the function itself catches.

Inside a `try`, each simple statement that may raise is an attempt with a flag; what
follows it runs in the arm in which the flag is down.  Loops and branches are gone
into, so that a handler finds every name, list and array as the exception left it: an
exception is one more structured way out.

    try:                        caught = attempt(y = g(x))
        y = g(x)                if not caught:
        z = h(y)                    caught = attempt(z = h(y))
    except E: …                 if caught: …
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass
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
from sourcegrad.frontend.parts import parts
from sourcegrad.frontend.scope import STOP
from sourcegrad.frontend.statements import Statements
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Closure,
    Poison,
    Struct,
    leaves,
    map_leaves,
)
from sourcegrad.ir import UNDEF, Expr, Lit, Obj, Op, Plain, Ref, Region, Scoped, Value
from sourcegrad.kinds import BOOL, UNKNOWN
from sourcegrad.names import fresh

COMPOUND = (gast.For, gast.While, gast.If, gast.Try, gast.With, gast.Match)


@dataclass(eq=False)
class Catcher:
    """The handlers around what is being built.

    Attributes:
        site: the `try` statement.
        types: the classes that its handlers name.
        outer: the handlers around this `try`.
        loops: how many loops of the present function stand between.
    """

    site: Any
    types: list[Expr]
    outer: Catcher | None
    loops: int = 0

    def every(self) -> list[Expr]:
        """The classes caught here or further out."""
        found = [*self.types, *(self.outer.every() if self.outer else [])]
        return list(dict.fromkeys(found))


def _binds(node: Any) -> bool:
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)


class Midway(Exception):
    """An attempt may raise after it has written, or with active values."""


class Throws(Statements):
    """Builds statements inside a `try`."""

    catcher: Catcher | None = None
    attempting: Catcher | None = None
    caught: Abstract | None = None
    context: Any

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

    def go_on(self, rest: list[Any]) -> None:
        """What follows a statement that may have set the flag."""
        catcher = self.catcher
        assert catcher is not None
        raised = self.env.get((catcher, "raised"), Lit(False))
        if raised == Lit(False) or self.region.ends:
            self.block(rest)
        elif raised != Lit(True) and (rest or catcher.loops):
            assert isinstance(raised, Expr)
            key = (catcher, "raised")

            def leaves_now() -> None:
                self.env[key] = Lit(True)
                self.leave()

            def goes_on() -> None:
                self.env[key] = Lit(False)
                self.block(rest)

            self.branch(raised, leaves_now, goes_on)

    def leave(self) -> None:
        """After an exception the loops inside the `try` are left."""
        if self.catcher is not None and self.catcher.loops:
            self.env[STOP] = Lit(True)

    def note(self, error: Abstract, k: int = 0) -> None:
        """An exception is on its way to the handlers."""
        assert self.catcher is not None
        self.env[(self.catcher, "raised")] = Lit(True)
        self.env[(self.catcher, "which")] = Lit(k)
        self.env[(self.catcher, f"error{k}")] = error
        self.leave()

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
        region, types = Region(), catcher.every()
        try:
            ended = self.attempted(region, stmt, method, catcher, whole)
        except Midway:
            self.env, self.where = start, where
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
        state = self.scope, list(self.stack), self.region, self.passive, self.static
        start = dict(self.env)
        try:
            with self.inside(region):
                method(stmt)
        except Midway:
            self.scope, self.stack, self.region, self.passive, self.static = state
            raise
        finally:
            self.attempting, self.catcher = outer, catcher
        midway = writes_midway(region) or self.binds_midway(stmt, start)
        if not whole and midway and not isinstance(stmt, COMPOUND):
            raise Midway
        if calls_unseen(region, self.is_library):
            self.context.active_exceptions = True
        ended, region.ends = region.ends, False
        return ended

    def binds_midway(self, stmt: Any, start: dict[Any, Any]) -> bool:
        """Whether a name or an attribute gets another value before a statement is at
        its end: by a function that it calls, or by `:=`."""
        if not any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in gast.walk(stmt)):
            return False
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
            raise self.unsupported(
                stmt,
                "a statement in a try block that may raise after it has changed memory",
                "write the calls in it as statements of their own",
            )
        if len(found) > 1:
            self.block([*found, *rest])
            return
        assert self.catcher is not None
        mark, start = len(self.region.stmts), dict(self.env)
        entered = self.entered_calls
        loops, self.catcher.loops = self.catcher.loops, 0
        method(stmt)
        self.catcher.loops = loops
        if self.entered_calls == entered:  # no callee was gone into
            del self.region.stmts[mark:]
            self.env = start
            self.attempt(stmt, method, rest, whole=True)
        else:
            self.go_on(rest)

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

    def exception(self, node: Any, stmt: Any) -> Abstract | None:
        """What is raised: an exception found before, a record of an exception with
        active values, or the exception itself; None where it is not known."""
        if node is None:
            return self.caught
        call = isinstance(node, gast.Call)
        fn = self.expr(node.func if call else node)
        if isinstance(fn, Ref) and fn.value.key == "exception" and not call:
            return fn
        if isinstance(fn, Struct) and is_exception(fn.type) and not call:
            return fn
        if not (isinstance(fn, Obj) and is_exception(fn.obj)):
            return None
        args, kw = self.arguments(node) if call else ([], {})
        if self.passive and self.may_carry([*args, *kw.values()]):
            self.context.active_exceptions = True
        if any(self.is_varied(e) for t in [*args, *kw.values()] for e in leaves(t)):
            outer, self.catcher = self.catcher, None
            made = self.exception_record(fn, args, kw, node)
            self.catcher = outer
            return made
        with self.passively():
            ref = self.emit(self.call_tree(fn, args, kw, node))
        ref.value.key = "exception"
        self.classes[ref.value] = fn.obj
        return ref

    def may_carry(self, args: list[Abstract]) -> bool:
        """Whether an operand that was built as inactive may be an active value."""
        held = [e for t in args for e in leaves(t) if not isinstance(e, (Lit, Obj))]
        return any(self.may_vary(self.infer(e)) for e in held)

    def throw(self, error: Abstract, stmt: Any) -> None:
        """Hand an exception to the handlers around, or on to the caller."""
        kind = self.class_of(error)
        types = self.catcher.every() if self.catcher is not None else []
        if self.catcher is None:
            self.raise_out(error)
        elif kind is None or not (
            isinstance(error, Struct) or all(isinstance(t, Obj) for t in types)
        ):
            kinds: Expr = types[0] if len(types) == 1 else Op("tuple", tuple(types))
            self.branch(
                self.is_a(error, kinds),
                lambda: self.pass_on(error, stmt),
                lambda: self.raise_out(error),
            )
        elif any(isinstance(t, Obj) and issubclass(kind, t.obj) for t in types):
            self.pass_on(error, stmt)
        else:
            self.raise_out(error)

    def pass_on(self, error: Abstract, site: Any) -> None:
        """Hand an exception to the handlers around; one with active values has a
        place of its own there."""
        if isinstance(error, Expr):
            self.note(error)
            return
        assert self.catcher is not None
        places = self.places(self.catcher)
        if site not in places:
            places[site] = map_leaves(error, lambda _: Lit(None))
            self.context.dirty = True
        self.note(self.settle(error), list(places).index(site) + 1)

    def places(self, catcher: Catcher) -> dict[Any, Abstract]:
        """The statements that raise exceptions with active values to a `try`, and
        the form of those exceptions."""
        key = ("raised to", catcher.site)
        found: dict[Any, Abstract] = self.context.derived.setdefault(key, {})
        return found

    def raise_out(self, error: Abstract) -> None:
        """Raise what no handler in the function catches."""
        held = error if isinstance(error, Expr) else self.materialise(error)
        if isinstance(error, Struct):
            self.context.active_exceptions = True
        node = gast.parse("raise error").body[0]
        self.append(Plain(node, ("error",), (held,), raises=True))
        self.region.ends = True

    def class_of(self, error: Abstract) -> Any:
        """The class of an exception, where it is known."""
        if isinstance(error, Struct):
            return error.type
        return self.classes.get(error.value) if isinstance(error, Ref) else None

    def is_a(self, error: Abstract, kinds: Expr) -> Expr:
        """`isinstance(error, kinds)` of an exception at run time."""
        assert isinstance(error, Expr)
        test = self.binder.bind(isinstance, "isinstance")
        return Op("call", (test, error, kinds), ())

    # ------------------------------------------------------------------ a try

    def tried(self, stmt: Any, types: list[list[Expr]]) -> None:
        """`try: body; except …; else: …`."""
        flat = [t for group in types for t in group]
        catcher = Catcher(stmt, flat, self.catcher)
        only = stmt.body[0]
        if len(stmt.body) == 1 and self.is_plain(only):
            if self.try_one(only, stmt, types, catcher):
                return
        keys = self.open(catcher)
        self.catcher = catcher
        self.block(stmt.body)
        self.catcher = catcher.outer
        held = {key: self.env.pop(key, UNDEF) for key in keys}
        raised = held[(catcher, "raised")]
        if self.region.ends or raised == Lit(False):
            self.block(stmt.orelse)
            return
        fails = lambda: self.sort_out(catcher, held, stmt, types)  # noqa: E731
        if raised == Lit(True):
            fails()
        else:
            assert isinstance(raised, Expr)
            self.branch(raised, fails, lambda: self.block(stmt.orelse))

    def is_plain(self, stmt: Any) -> bool:
        """Whether a statement is one attempt."""
        entered = isinstance(stmt, COMPOUND) and self.can_enter(stmt)
        if entered or isinstance(stmt, gast.Raise) or cannot_raise(stmt):
            return False
        return ("precise", stmt, *self.stack) not in self.context.derived

    def try_one(self, only: Any, stmt: Any, types: Any, catcher: Catcher) -> bool:
        """A `try` of one statement: its handlers follow at once; whether it is one."""
        self.where = self.locate(only)
        method = getattr(self, f"stmt_{type(only).__name__}")
        outer = catcher.outer

        def fails(error: Expr) -> None:
            self.catcher = outer
            self.dispatch(stmt.handlers, types, error, stmt)

        def done() -> None:
            self.catcher = outer
            self.block(stmt.orelse)

        self.catcher = catcher
        try:
            self.attempt(only, method, [], fails, done)
        except Midway:
            return False
        finally:
            self.catcher = outer
        return True

    def open(self, catcher: Catcher) -> list[Any]:
        """The flag of a `try`, and places for what is raised to it."""
        forms = [Lit(None), *self.places(catcher).values()]
        start: dict[Any, Abstract] = {(catcher, "raised"): Lit(False),
                                      (catcher, "which"): Lit(0)}  # fmt: skip
        start |= {(catcher, f"error{k}"): form for k, form in enumerate(forms)}
        self.env |= start
        return list(start)

    def sort_out(self, catcher: Catcher, held: Any, stmt: Any, types: Any) -> None:
        """Which exception it is: one of those with active values, or another."""
        which = held[(catcher, "which")]
        found = [
            (k, held.get((catcher, f"error{k}"), UNDEF))
            for k in range(len(self.places(catcher)), -1, -1)
        ]
        last = found[-1][1]
        if isinstance(last, Ref):
            last.value.key = "exception"
        known = [(k, e) for k, e in found if not _is_missing(e)]
        if self.catcher is None and _takes_any(stmt.handlers):
            self.handle(stmt.handlers[0], held[(catcher, "error0")])
        elif known:
            self.pick(known, which, stmt, types)

    def pick(self, known: list[Any], which: Expr, stmt: Any, types: Any) -> None:
        (k, error), *rest = known
        run = lambda: self.dispatch(stmt.handlers, types, error, stmt)  # noqa: E731
        if not rest:
            run()
            return
        test = Op("compare", (which, Lit(k)), ("==",))
        self.branch(test, run, lambda: self.pick(rest, which, stmt, types))

    def dispatch(
        self, nodes: list[Any], types: Any, error: Abstract, site: Any
    ) -> None:
        """The handler that fits the exception, or the handlers further out."""
        if self.region.ends:
            return
        if not nodes:
            self.pass_on(error, site) if self.catcher else self.raise_out(error)
            return
        handler, rest = nodes[0], nodes[1:]
        group = types[len(types) - len(nodes)]
        kind = self.class_of(error)
        if kind is not None and all(isinstance(t, Obj) for t in group):
            if issubclass(kind, tuple(t.obj for t in group)):
                self.handle(handler, error)
            else:
                self.dispatch(rest, types, error, site)
        elif not rest and self.catcher is None:
            self.handle(handler, error)
        else:
            kinds = group[0] if len(group) == 1 else Op("tuple", tuple(group))
            self.branch(
                self.is_a(error, kinds),
                lambda: self.handle(handler, error),
                lambda: self.dispatch(rest, types, error, site),
            )

    def handle(self, handler: Any, error: Abstract) -> None:
        """The body of a handler."""
        if handler.name is not None:
            self.bind_name(getattr(handler.name, "id", handler.name), error)
        outer, self.caught = self.caught, error
        self.block(handler.body)
        self.caught = outer

    # ------------------------------------------------- provided by other parts

    classes: dict[Value, Any]
    stack: list[Any]

    def is_harmless_with(self, stmt: Any) -> bool:
        """Whether entering and leaving a `with` cannot raise (see `Blocks`)."""
        raise AssertionError

    def exception_record(self, fn: Obj, args: Any, kw: Any, node: Any) -> Struct:
        """An exception that carries active values (see `Objects`)."""
        raise AssertionError

    def arguments(self, node: Any) -> tuple[list[Abstract], dict[str, Abstract]]:
        """The operands of a call (see `Calls`)."""
        raise AssertionError

    def is_library(self, obj: Any) -> bool:
        """Whether a callable is a library's (see `Loops`)."""
        raise AssertionError

    def call_tree(self, fn: Expr, args: Any, kw: Any, node: Any) -> Op:
        """A call as one expression (see `Calls`)."""
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


def is_exception(obj: Any) -> bool:
    """Whether an object is a class of exceptions."""
    return isinstance(obj, type) and issubclass(obj, BaseException)


def _takes_any(handlers: list[Any]) -> bool:
    """Whether the only handler does not look at what it has caught."""
    if len(handlers) != 1 or handlers[0].name is not None:
        return False
    return not any(
        isinstance(n, gast.Raise) for s in handlers[0].body for n in gast.walk(s)
    )


def _is_missing(tree: Abstract) -> bool:
    """Whether no exception of this place was ever raised."""
    nothing = (UNDEF, Lit(None))
    return not isinstance(tree, Poison) and all(e in nothing for e in leaves(tree))
