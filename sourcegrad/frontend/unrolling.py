"""Loops built item by item: along structures, and where each trip makes another one.

    layers = []                           layers = [Layer(2, 3), Layer(3, 1)]
    for a, b in zip(sizes, sizes[1:]):
        layers.append(Layer(a, b))   ->

What a name holds must be known in each trip where it is an object or a function.  A
loop that carries one form of it is built once; where each trip makes another form (a
list of objects grows, a node is put before others), the loop is built trip by trip, if
how often it runs is known when compiling.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.errors import UnsupportedSyntaxError
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.held import PINNED
from sourcegrad.frontend.known import truth
from sourcegrad.frontend.live import met, now
from sourcegrad.frontend.recursion import count
from sourcegrad.frontend.scope import STOP
from sourcegrad.frontend.statements import Statements
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref

UNROLL = 64
_RESIZED = "a loop along a container that changes its length meanwhile"
_TOO_LONG = (
    f"it runs more than {UNROLL} times, and each trip is built",
    ("keep the numbers in lists or arrays, one per attribute, instead of objects",),
)


class Unrolling(Statements):
    """Builds loops trip by trip."""

    unrolled_by: Any = None  # the decision to do so, for the loop that is built next
    counting = 0
    made: dict[Any, Expr]
    rolled: list[Any]  # those for the loops around, outermost first

    def is_unrolled(self, node: Any) -> bool:
        """Whether the loop at a node turned out to make another structure each trip."""
        return ("trip by trip", self.site(node)) in self.context.derived

    def offer_unrolling(self, node: Any) -> None:
        """Let the loop that is built next be unrolled, where that is asked for."""
        self.unrolled_by = ("trip by trip", self.site(node))

    def unroll_around(self) -> None:
        """Build a loop around trip by trip, or take globals for the values they have:
        what is built here may be known then.

        Raises:
            Restart: there is one of which that was not tried.
        """
        if self.tentative:
            return
        for decision in (*reversed(self.rolled), PINNED):
            if decision is not None and decision not in self.context.derived:
                self.context.derived[decision] = True
                raise Restart

    def unroll(self, target: Any, source: Struct, body: Callable[[], None]) -> None:
        """A loop over a known structure, item by item, as it is in each trip."""
        items = met(source)
        k = 0

        def trip() -> bool:
            nonlocal k
            found = met(now(source)) if k else items
            if not source.grows and len(found) != len(items):
                raise self.unsupported(None, _RESIZED, "loop over a copy: list(…)")
            if k > UNROLL or len(items) > UNROLL:
                raise self.too_long()
            if k == len(found):
                return False
            self.bind(target, found[k])
            k += 1
            body()
            return source.live is not None or k < len(items)

        self.trips_of(trip)

    def unroll_while(self, stmt: Any) -> None:
        """A `while` whose condition is known when compiling, in every trip."""
        count = 0

        def trip() -> bool:
            nonlocal count
            known = self.counted_truth(stmt.test)
            if known is None:
                raise UnsupportedSyntaxError(
                    "this loop changes which objects a name holds",
                    self.locate(stmt),
                    "how often it runs is known only at run time, and the form of what "
                    "a name holds must be known in each trip",
                    ("keep the numbers in lists or arrays instead of objects",),
                )
            if not known:
                return False
            count += 1
            if count > UNROLL:
                raise self.too_long()
            self.block(stmt.body)
            return True

        self.counting += 1
        self.trips_of(trip)
        self.counting -= 1

    def counted_truth(self, test: Any) -> bool | None:
        """The truth of a condition in this trip, where counts decide it too."""
        cond = self.condition(test)
        known = self.static_truth(cond)
        return truth(self, cond) if known is None else known

    def bind_name(self, name: str, tree: Abstract) -> None:
        """Bind a name; what a loop counts is known in each trip built apart."""
        super().bind_name(name, tree)
        made = self.made.get(tree.value) if isinstance(tree, Ref) else None
        counts = self.counting or PINNED in self.context.derived
        if counts and made is not None and isinstance(tree, Ref):
            number = count(made)
            if number is not None:
                tree.value.known = Lit(number)

    def trips_of(self, trip: Callable[[], bool]) -> None:
        """Trips one after the other, until one tells that there is no next, or the
        loop is left."""
        outer = self.env.get(STOP)
        self.env[STOP] = Lit(False)
        with self.in_loop():
            self.trips_from(trip)
        if outer is None:
            self.env.pop(STOP, None)
        else:
            self.env[STOP] = outer

    def trips_from(self, trip: Callable[[], bool]) -> None:
        where = self.where
        while not self.region.ends:
            self.where = where
            if not trip():
                return
            stop = self.env[STOP]
            if stop == Lit(True):
                return
            if not isinstance(stop, Lit):
                assert isinstance(stop, Expr)
                self.branch(stop, lambda: None, lambda: self.trips_from(trip))
                return

    def too_long(self) -> UnsupportedSyntaxError:
        """The refusal of a loop with too many trips to be built one by one."""
        why, hints = _TOO_LONG
        what = "this loop over a long structure cannot be unrolled"
        return UnsupportedSyntaxError(what, self.where, why, hints)

    def counted(self, source: Abstract) -> Abstract:
        """A range with literal bounds, or a string, as a known structure."""
        found: list[Abstract] = []
        if isinstance(source, Lit) and isinstance(source.value, str):
            found = [Lit(c) for c in source.value[: UNROLL + 1]]
            return Struct(tuple, tuple(range(len(found))), found)
        if not (isinstance(source, Op) and source.op == "call"):
            return source
        fn, *operands = source.args
        if not isinstance(fn, Obj):
            return source
        bounds = [count(a) for a in operands]
        whole = bool(bounds) and None not in bounds and bounds[2:] != [0]
        if fn.obj is range and whole:
            found = [Lit(n) for n in range(*bounds)[: UNROLL + 1]]  # type: ignore[arg-type]
            return Struct(tuple, tuple(range(len(found))), found)
        return source

    def in_loop(self) -> Any:
        """See `Loops`."""
        raise AssertionError("Loops provides it")
