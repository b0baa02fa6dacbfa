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

from typing import Any

import gast

from sourcegrad.frontend.attempts import COMPOUND, Attempts, Midway
from sourcegrad.frontend.midway import cannot_raise
from sourcegrad.frontend.raising import Catcher
from sourcegrad.frontend.structs import Abstract, Poison, leaves
from sourcegrad.ir import UNDEF, Expr, Lit, Obj, Op, Ref


class Throws(Attempts):
    """Builds statements inside a `try`."""

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

        mark, self.catcher = self.mark(), catcher
        try:
            self.attempt(only, method, [], fails, done)
        except Midway:
            self.back_to(mark)
            return False
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
