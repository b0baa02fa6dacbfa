"""Record: makes values of the forward sweep available to the reverse sweep.

The reverse sweep, emitted before, says what it reads.  A value of code that runs
once is still there (a name); one of a branch leaves the branch as its result; one of
a loop is recomputed from what is at hand if that is cheap, and else recorded: one
list per region, one tuple per trip, read back last first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sourcegrad.adjoint.recompute import Recompute
from sourcegrad.adjoint.retrace import retrace
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import (
    UNDEF,
    Append,
    Assign,
    Expr,
    If,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Stmt,
    Unpack,
    Value,
    call,
)
from sourcegrad.ir_walk import (
    defined,
    map_region,
    refs,
    region_uses,
    regions,
    substitute,
)
from sourcegrad.kinds import INT, UNKNOWN, ListKind, TupleKind, is_array, strip
from sourcegrad.runtime_project import kept_apart


@dataclass
class _Home:
    """Where the forward sweep defines things."""

    region: dict[Value, Region] = field(default_factory=dict)
    stmt: dict[Value, Stmt | None] = field(default_factory=dict)
    parent: dict[Region, tuple[Region, Stmt]] = field(default_factory=dict)
    loops: set[Region] = field(default_factory=set)
    tried: dict[Region, Region] = field(default_factory=dict)

    def scan(self, region: Region) -> None:
        for value in region.params:
            self.region[value], self.stmt[value] = region, None
        for stmt in region.stmts:
            for value in defined(stmt):
                self.region[value], self.stmt[value] = region, stmt
            self.attempts(region, stmt)
            for inner in regions(stmt):
                self.parent[inner] = (region, stmt)
                if isinstance(stmt, Scoped) and stmt.sort != "attempt":
                    self.flat(inner, region)
                    continue
                if isinstance(stmt, Loop):
                    self.loops.add(inner)
                    for target in stmt.targets:
                        self.region[target], self.stmt[target] = inner, None
                self.scan(inner)

    def attempts(self, region: Region, stmt: Stmt) -> None:
        """Where a branch tells that an attempt went well, its values are at hand."""
        if isinstance(stmt, If) and isinstance(stmt.cond, Ref):
            made = self.stmt.get(stmt.cond.value)
            if isinstance(made, Scoped) and made.sort == "attempt":
                self.tried[stmt.orelse] = made.body

    def flat(self, inner: Region, region: Region) -> None:
        """A block that always runs: its values are those of the region around it."""
        self.scan(inner)
        for value, home in list(self.region.items()):
            if home is inner:
                self.region[value] = region

    def past_blocks(self, region: Region) -> Region:
        """The region whose values those of a block that always runs are."""
        while region in self.parent:
            outer, stmt = self.parent[region]
            if not isinstance(stmt, Scoped) or stmt.sort == "attempt":
                break
            region = outer
        return region

    def made(self, value: Value, region: Region, stmt: Stmt | None) -> None:
        """A new value is defined in a region, by a statement."""
        self.region[value], self.stmt[value] = self.past_blocks(region), stmt

    def in_loop(self, region: Region) -> bool:
        """Whether the region runs more than once."""
        while True:
            if region in self.loops:
                return True
            if region not in self.parent:
                return False
            region = self.parent[region][0]

    def outermost(self, region: Region) -> tuple[Region, Stmt]:
        """The region that always runs, and the statement in it around `region`."""
        outer, stmt = self.parent[region]
        while outer in self.parent:
            outer, stmt = self.parent[outer]
        return outer, stmt


class Record(Recompute):
    """Links one forward sweep with its reverse sweep."""

    def __init__(
        self,
        b: Builder,
        forward: Region,
        reverse: Region,
        effects: Effects,
        shared: Callable[[Value], bool] = lambda v: False,
        compiled: bool = False,
    ) -> None:
        self.b = b
        self.compiled = compiled
        self.shared = shared
        self.effects = effects
        self.forward = forward
        self.reverse = reverse
        self.home = _Home()
        self.home.scan(forward)
        self.lists: list[Value] = []

    def run(self) -> None:
        """Make every value that the reverse sweep reads available."""
        self.inside(self.reverse)

    def inside(self, reverse: Region) -> None:
        for stmt in list(reverse.stmts):
            if isinstance(stmt, If) and isinstance(stmt.mirror, Scoped):
                self.inside(stmt.then)
                body = stmt.mirror.body
                wanted = self.needed(body, stmt.then)
                if wanted and self.home.in_loop(body):
                    self.record(body, stmt.then, wanted)
            elif isinstance(stmt, If) and isinstance(stmt.mirror, If):
                for mine, theirs in ((stmt.mirror.then, stmt.then),
                                     (stmt.mirror.orelse, stmt.orelse)):  # fmt: skip
                    self.inside(theirs)
                    self.arm(stmt.mirror, mine, theirs)
            elif isinstance(stmt, Loop) and stmt.mirror is not None:
                self.inside(stmt.body)
                self.loop(stmt.mirror, stmt)
                if _only_counts(stmt.mirror):  # what is read of it is explicit now
                    stmt.mirror = None

    def needed(self, forward: Region, reverse: Region) -> list[Value]:
        """Values defined in one forward region that its reverse reads, in order."""
        own = self.own(forward)
        found = {v for v in region_uses(reverse) if self.home.region.get(v) in own}
        return self.in_order(forward, found)

    def in_order(self, forward: Region, found: set[Value]) -> list[Value]:
        """Values of a region in the order of their definitions."""
        order = [*forward.params, *self.targets(forward)]
        order += [v for region in self.own(forward) for v in _definitions(region)]
        return [v for v in order if v in found]

    def own(self, forward: Region) -> list[Region]:
        """The region, and that of the attempt behind which it stands."""
        tried = self.home.tried.get(forward)
        return [forward] if tried is None else [tried, forward]

    def targets(self, forward: Region) -> list[Value]:
        stmt = self.home.parent[forward][1] if forward in self.home.parent else None
        return stmt.targets if isinstance(stmt, Loop) else []

    # -------------------------------------------------------------------- arms

    def arm(self, stmt: If, forward: Region, reverse: Region) -> None:
        wanted = self.needed(forward, reverse)
        if not wanted:
            return
        if self.home.in_loop(forward):
            self.record(forward, reverse, wanted)
            return
        other = stmt.orelse if forward is stmt.then else stmt.then
        known: dict[Value, Expr] = {}
        for value in wanted:
            known[value] = Ref(self.leave_arm(stmt, forward, other, value))
        map_region(reverse, lambda e: substitute(e, known.get))

    def leave_arm(self, stmt: If, arm: Region, other: Region, value: Value) -> Value:
        """The result of the branch that holds the value, made if there is none."""
        for result, end in zip(stmt.results, arm.yields, strict=False):
            if end == Ref(value):
                return result
        result = Value(value.name, value.kind, value.varied, value.where, value.temp)
        result.maybe_undefined, result.key = True, value.key
        stmt.results.append(result)
        arm.yields.append(Ref(value))
        other.yields.append(UNDEF)
        self.home.made(result, self.home.parent[arm][0], stmt)
        return result

    # ------------------------------------------------------------------- loops

    def loop(self, forward: Loop, reverse: Loop) -> None:
        body = forward.body
        index = self.index_form(forward)
        free = set(forward.targets[:1] if index else [])
        wanted = self.with_bases(body, self.needed(body, reverse.body), free)
        known, head = retrace(forward, reverse, self.asked(wanted))
        free |= set(known)
        wanted = [v for v in wanted if v not in free]
        saved = self.record(body, reverse.body, wanted, free)
        map_region(reverse.body, lambda e: substitute(e, known.get))
        reverse.body.stmts[:0] = head
        if index:
            self.reverse_range(forward, reverse)
            return
        if saved is not None and not self.home.in_loop(self.home.parent[body][0]):
            reverse.sort, reverse.cond = "while", Ref(saved)
            return
        trips = self.count_trips(forward)
        reverse.sort, reverse.targets = "for", [self.value("_", INT)]
        reverse.iterable = call(self.b.binder.bind(range, "range"), Ref(trips))

    def with_bases(
        self, forward: Region, wanted: list[Value], free: set[Value]
    ) -> list[Value]:
        """The wanted values, and the arrays that some of them are views of.

        A view keeps its array alive: that one does for all of its views.
        """
        found = list(wanted)
        for value in found:
            stmt = self.home.stmt.get(value)
            if not isinstance(stmt, Assign) or not self.cheap(value):
                continue
            lacking = [v for v in refs(stmt.expr) if v not in free and v not in found
                       and self.home.region.get(v) is forward]  # fmt: skip
            if len(set(lacking)) == 1 and lacking[0] in view_bases(stmt.expr):
                found.append(lacking[0])
        return found

    def asked(self, wanted: list[Value]) -> set[Value]:
        """Wanted values, and those that wanted ones can be computed from again."""
        found = set(wanted)
        for value in wanted:
            stmt = self.home.stmt.get(value)
            if isinstance(stmt, Assign) and self.cheap(value):
                found |= set(refs(stmt.expr))
        return found

    def index_form(self, loop: Loop) -> bool:
        """Whether the trips of a loop are known from its range alone."""
        it = loop.iterable
        return (
            loop.sort == "for"
            and isinstance(it, Op)
            and it.op == "call"
            and isinstance(it.args[0], Obj)
            and it.args[0].obj is range
            and loop.body.stop is None
            and not any(isinstance(a, Op) and a.op == "star" for a in it.args)
        )

    def reverse_range(self, forward: Loop, reverse: Loop) -> None:
        """`range` backwards, by index arithmetic."""
        self.fix_range(forward)
        assert isinstance(forward.iterable, Op)
        args = forward.iterable.args[1:]
        old = forward.targets[0]
        used = old in set(region_uses(reverse.body))
        target = self.value(old.name if used else "_", INT)
        map_region(reverse.body, lambda e: substitute(e, {old: Ref(target)}.get))
        fn = self.b.binder.bind(range, "range")
        reverse.sort, reverse.targets = "for", [target]
        if not used and len(args) == 1:
            reverse.iterable = call(fn, args[0])
        else:
            reverse.iterable = call(fn, *_backwards(self.b, args))

    def fix_range(self, loop: Loop) -> None:
        """Bounds that later code may change are kept as values."""
        assert isinstance(loop.iterable, Op)
        region = self.home.parent[loop.body][0]
        fn, *args = loop.iterable.args
        for k, arg in enumerate(args):
            if isinstance(arg, Op) and not self.steady(arg):
                value = self.value("stop" if k == len(args) - 1 else "start", INT)
                region.stmts.insert(
                    region.stmts.index(loop), Assign(value, arg, where=loop.where)
                )
                self.home.made(value, region, None)
                args[k] = Ref(value)
        loop.iterable = Op("call", (fn, *args), ())

    def steady(self, e: Expr) -> bool:
        """Whether an expression has the same value whenever it is evaluated."""
        if isinstance(e, (Ref, Lit)):
            return True
        if isinstance(e, Op) and e.op == "neg":
            return self.steady(e.args[0])
        if isinstance(e, Op) and e.op in ("add", "sub", "mul", "floordiv"):
            return all(map(self.steady, e.args))
        if isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj):
            if e.args[0].obj is len and isinstance(e.args[1], Ref):
                return not isinstance(e.args[1].value.kind, ListKind)
        if isinstance(e, Op) and e.op == "getitem":
            return isinstance(e.args[1], Lit) and self.steady(e.args[0])
        return (
            isinstance(e, Op) and e.op == "attr" and e.data in ("shape", "ndim", "size")
        )

    def count_trips(self, loop: Loop) -> Value:
        """How many trips a loop made, counted by the forward sweep."""
        param, end = self.value("trips", INT), self.value("trips", INT)
        result = self.value("trips", INT)
        loop.body.stmts.insert(0, Assign(end, Op("add", (Ref(param), Lit(1)))))
        loop.body.params.append(param)
        loop.inits.append(Lit(0))
        loop.body.yields.append(Ref(end))
        loop.results.append(result)
        self.home.made(result, self.home.parent[loop.body][0], loop)
        return result

    def value(self, name: str, kind: object) -> Value:
        return Value(name, kind, False, None)  # type: ignore[arg-type]

    # ------------------------------------------------------------------ record

    def record(
        self, forward: Region, reverse: Region, wanted: list[Value],
        free: Iterable[Value] = (),
    ) -> Value | None:  # fmt: skip
        """Record or recompute the wanted values; the list, if there is one."""
        if self.compiled:
            wanted = self.widened(forward, wanted, set(free))
        again, kept = self.split(forward, wanted, set(free))
        known: dict[Value, Expr] = {}
        head: list[Stmt] = []
        saved = None
        if kept:
            saved = self.save(forward, kept)
            copies = [self.copy(v) for v in kept]
            popped = Op("pop", (Ref(saved),))
            if len(kept) == 1:
                head.append(Assign(copies[0], popped))
            else:
                head.append(Unpack(copies, popped))
            known |= {v: Ref(c) for v, c in zip(kept, copies, strict=True)}
        for value in again:
            stmt = self.home.stmt[value]
            assert isinstance(stmt, Assign)
            copy = self.copy(value)
            head.append(Assign(copy, substitute(stmt.expr, known.get)))
            known[value] = Ref(copy)
        map_region(reverse, lambda e: substitute(e, known.get))
        reverse.stmts[:0] = head
        return saved

    def copy(self, value: Value) -> Value:
        new = Value(value.name, strip(value.kind), False, value.where, value.temp)
        return new

    def kept(self, value: Value) -> Expr:
        """What is recorded of a value: a copy of what the caller may change."""
        if has_memory(value) and self.shared(value):
            fn = self.b.binder.bind(kept_apart, "kept_apart")
            return call(fn, Ref(value))
        return Ref(value)

    def bind_undefined(self, value: Value, seen: set[Value]) -> None:
        """A value that may have none is None there, so that it can be recorded."""
        if value in seen or not value.maybe_undefined:
            return
        seen.add(value)
        stmt = self.home.stmt.get(value)
        region = self.home.region.get(value)
        sources: list[Expr] = []
        if isinstance(stmt, If) and value in stmt.results:
            k = stmt.results.index(value)
            for arm in (stmt.then, stmt.orelse):
                if k < len(arm.yields):
                    arm.yields[k] = _defined(arm.yields[k])
                    sources.append(arm.yields[k])
        elif isinstance(stmt, Loop) and value in stmt.results:
            self.bind_undefined(stmt.body.params[stmt.results.index(value)], seen)
        elif region is not None and value in region.params:
            loop = self.home.parent[region][1]
            assert isinstance(loop, Loop)
            k = region.params.index(value)
            loop.inits[k] = _defined(loop.inits[k])
            sources += [loop.inits[k], *region.yields[k : k + 1]]
        for expr in sources:
            if isinstance(expr, Ref):
                self.bind_undefined(expr.value, seen)

    def save(self, forward: Region, kept: list[Value]) -> Value:
        """Append the values of each trip to a list, made before all that may fill it.

        It always exists, so that its memory does not depend on the path taken.
        """
        for value in kept:
            self.bind_undefined(value, set())
        kind = strip(kept[0].kind)
        if len(kept) > 1:
            kind = TupleKind(tuple(strip(v.kind) for v in kept))
        name = f"{kept[0].name}_saved" if len(kept) == 1 else "saved"
        saved = Value(name, ListKind(kind), False, None)
        saved.key = "record"
        outer, stmt = self.home.outermost(forward)
        outer.stmts.insert(
            outer.stmts.index(stmt), Assign(saved, Op("list", ()), where=stmt.where)
        )
        self.home.made(saved, outer, None)
        parts = tuple(map(self.kept, kept))
        item = parts[0] if len(parts) == 1 else Op("tuple", parts)
        place = 0
        for k, stmt in enumerate(forward.stmts):
            if any(v in kept for v in [*defined(stmt), *_inner_definitions(stmt)]):
                place = k + 1
        where = forward.stmts[place - 1].where if place else None
        forward.stmts.insert(place, Append(Ref(saved), item, where=where))
        self.lists.append(saved)
        return saved


def _inner_definitions(stmt: Stmt) -> list[Value]:
    if isinstance(stmt, Scoped) and stmt.sort != "attempt":
        return [v for r in regions(stmt) for v in _definitions(r)]
    return []


def _definitions(region: Region) -> list[Value]:
    """The values a region defines, in order, those in blocks that always run too."""
    found: list[Value] = []
    for stmt in region.stmts:
        found += defined(stmt)
        if isinstance(stmt, Scoped) and stmt.sort != "attempt":
            for inner in regions(stmt):
                found += _definitions(inner)
    return found


def _defined(expr: Expr) -> Expr:
    return Lit(None) if expr == UNDEF else expr


def _backwards(b: Builder, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of the reversed range."""
    low: Expr = Lit(0) if len(args) == 1 else args[0]
    high = args[0] if len(args) == 1 else args[1]
    step = args[2] if len(args) == 3 else Lit(1)
    one = Lit(1)
    known = step.value if isinstance(step, Lit) else None
    if isinstance(step, Op) and step.op == "neg" and isinstance(step.args[0], Lit):
        known = -step.args[0].value
    if known == 1:
        return b.folded(_less(high, 1)), b.folded(_less(low, 1)), Lit(-1)
    if known == -1:
        return b.folded(Op("add", (high, one))), b.folded(Op("add", (low, one))), one
    # The last index is low + (trips - 1) * step, with trips = -((low - high) // step).
    whole = Op("neg", (Op("floordiv", (b.folded(Op("sub", (low, high))), step)),))
    last = b.folded(Op("sub", (whole, one)))
    end = b.folded(Op("add", (low, Op("mul", (last, step)))))
    back = Lit(-known) if known is not None else Op("neg", (step,))
    return end, b.folded(Op("sub", (low, step))), back


def _less(e: Expr, n: int) -> Op:
    return Op("sub", (e, Lit(n)))


def _only_counts(loop: Loop) -> bool:
    """Whether running through the iterable of a loop changes nothing."""
    iterable = loop.iterable
    if loop.sort != "for" or loop.body.stop is not None:
        return False
    if isinstance(iterable, Op) and iterable.op == "call":
        return isinstance(iterable.args[0], Obj) and iterable.args[0].obj is range
    kind = iterable.value.kind if isinstance(iterable, Ref) else UNKNOWN
    return isinstance(kind, (ListKind, TupleKind)) or is_array(kind)
