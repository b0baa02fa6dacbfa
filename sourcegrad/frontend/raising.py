"""Exceptions on their way: to the handlers of the function itself, or out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from sourcegrad.frontend.scope import STOP
from sourcegrad.frontend.statements import Statements
from sourcegrad.frontend.structs import Abstract, Struct, leaves, map_leaves
from sourcegrad.ir import Expr, Lit, Obj, Op, Plain, Ref, Value


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


class Raising(Statements):
    """Hands exceptions to the handlers around what is being built."""

    catcher: Catcher | None = None
    caught: Abstract | None = None
    context: Any
    classes: dict[Value, Any]

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

    def exception_record(self, fn: Obj, args: Any, kw: Any, node: Any) -> Struct:
        """An exception that carries active values (see `Objects`)."""
        raise AssertionError

    def arguments(self, node: Any) -> tuple[list[Abstract], dict[str, Abstract]]:
        """The operands of a call (see `Calls`)."""
        raise AssertionError

    def call_tree(self, fn: Expr, args: Any, kw: Any, node: Any) -> Op:
        """A call as one expression (see `Calls`)."""
        raise AssertionError


def is_exception(obj: Any) -> bool:
    """Whether an object is a class of exceptions."""
    return isinstance(obj, type) and issubclass(obj, BaseException)
