"""Checkpointed loops backwards: states kept on the way, trips run again between them.

    for i in range(n):                       for i in range(n - 1, -1, -1):
        if i == keep:                            k, h = at[-1], h_saved[-1]
            at.append(i)                         keep = next_snapshot(k, i + 1, …)
            h_saved.append(h)           ->       while k < i:
            keep = next_snapshot(…)                  (keep the state if k == keep)
        h = f_step(i, h, w)                          h = f_step(k, h, w)
                                                     k += 1
                                                 if at[-1] == i: drop the last state
                                                 residuals = f_step_forward(i, h, w)
                                                 h_bar, … = f_step_reverse(…, h_bar)

The schedule is that of `runtime_checkpoint`. Reference: A. Griewank and A. Walther,
"Evaluating Derivatives", 2nd edition, chapter 12.
"""

from __future__ import annotations

import copy
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sourcegrad.adjoint import calls
from sourcegrad.adjoint.cotangents import Bar, library
from sourcegrad.analysis.views import has_memory
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    If,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Unpack,
    Value,
    attr,
    call,
    getitem,
)
from sourcegrad.ir_clone import clone_value
from sourcegrad.ir_walk import substitute
from sourcegrad.kinds import (
    INT,
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    TupleKind,
    draws,
    is_array,
    strip,
)
from sourcegrad.runtime_checkpoint import OnlineSchedule, next_snapshot
from sourcegrad.runtime_project import kept_apart

if TYPE_CHECKING:
    from sourcegrad.passes.reverse import Reverse


@dataclass
class _Trip:
    """One loop, and what its forward sweep keeps."""

    loop: Loop
    call: CallFn
    state: list[Value]
    budget: Expr
    trips: Expr
    online: bool
    copied: set[Value]
    at: Value
    saved: Value

    def arguments(self, known: dict[Value, Expr]) -> list[Expr]:
        """The arguments of a trip, with other values for some."""
        return [known.get(a.value, a) if isinstance(a, Ref) else a
                for a in self.call.args]  # fmt: skip


def loop(rev: Reverse, stmt: Loop, region: Region) -> None:
    """The adjoint of a checkpointed loop, and the keeping of its states.

    Args:
        rev: the reverse sweep, which is added to.
        stmt: the loop, whose body is the call of one trip.
        region: where it stands in the forward sweep.
    """
    (made,) = stmt.body.stmts
    assert isinstance(made, CallFn) and stmt.budget is not None
    carried, outer, starts = rev.carried(stmt)
    if not carried and not outer:
        stmt.budget = None
        return
    trip = _forward(rev, stmt, made, region)
    rev.prepare_buffers(outer)
    scalars = [v for v in outer if not rev.has_buffer(v)]
    new = Loop("for", [_int("i")], None, None, [], Region(), where=stmt.where)
    b = rev.b
    new.iterable = call(b.binder.bind(range, "range"),
                        b.folded(Op("sub", (trip.trips, Lit(1)))),
                        Lit(-1), Lit(-1))  # fmt: skip
    heads = {k: rev.carry(new, stmt.body.params[k],
                          rev.start(stmt.results[k], starts.get(k)))
             for k in carried}  # fmt: skip
    totals = [rev.carry(new, v, rev.start(v, rev.cot.bars.get(v))) for v in scalars]
    saved, shadows = dict(rev.cot.bars), dict(rev.cot.shadows)
    for v, total in zip(scalars, totals, strict=True):
        rev.cot.bars[v] = Bar(Ref(total), False)
    kept = trip.at, trip.saved
    if rev.snapshots.in_loop(stmt):
        trip.at, trip.saved = clone_value(trip.at), clone_value(trip.saved)
        for old, mine in zip(kept, (trip.at, trip.saved), strict=True):
            b.append(Assign(mine, call(attr(Ref(old), "copy"))))
    with b.inside(new.body):
        b.where = None
        state = _again(b, trip, Ref(new.targets[0]))
        state |= {t: _element(trip, Ref(new.targets[0])) for t in stmt.targets}
        _adjoint_of_trip(rev, trip, state, heads)
        for k in carried:
            param = stmt.body.params[k]
            bar = rev.cot.take(param)
            end: Expr = Lit(0.0) if param not in state else rev.cot.zero(param)
            end = _at_hand(end if bar is None else bar.expr, state)
            new.body.yields.append(b.atom(end, f"{param.name}_bar"))
        new.body.yields += [rev.cot.bars[v].expr for v in scalars]
    rev.cot.bars, rev.cot.shadows = saved, shadows
    b.where = stmt.where
    b.append(new)
    rev.after_loop(stmt, new, carried, scalars)


# ------------------------------------------------------------------- forward sweep


def _forward(rev: Reverse, stmt: Loop, made: CallFn, region: Region) -> _Trip:
    """Keep states in the forward sweep: what is needed for it, before and inside."""
    params = [p for p in stmt.body.params if Ref(p) in made.args]
    state = params + [a.value for a in made.args
                      if isinstance(a, Ref) and draws(a.value.kind)]  # fmt: skip
    online = stmt.body.stop is not None or _counter(stmt) is itertools.count
    assert stmt.budget is not None
    nested = rev.snapshots.in_loop(stmt)
    trip = _Trip(stmt, made, state, stmt.budget, Lit(0), online,
                 {v for v in state if draws(v.kind) or rev.exposed(v)},
                 _list("at", INT, nested), _list(*_held(state), nested))  # fmt: skip
    stmt.budget = None
    head: list[Stmt] = [Assign(v, Op("list", ()), where=stmt.where)
                        for v in (trip.at, trip.saved)]  # fmt: skip
    position = _position(rev, trip, head)
    place = region.stmts.index(stmt)
    inside = Region()
    with rev.b.inside(inside):
        rev.b.where = stmt.where
        if online:
            _keep_online(rev.b, trip, position, head)
        else:
            _keep_planned(rev.b, trip, position)
    stmt.body.stmts[:0] = inside.stmts
    region.stmts[place:place] = head
    return trip


def _position(rev: Reverse, trip: _Trip, head: list[Stmt]) -> Expr:
    """The number of a trip, counted from zero; it also tells how many there are."""
    stmt, b = trip.loop, rev.b
    it = stmt.iterable
    assert isinstance(it, Op)
    bounded = _counter(stmt) is range
    if bounded and not trip.online:
        if len(it.args) == 2:
            if isinstance(it.args[1], Op):
                stop = _int("stop")
                head.append(Assign(stop, it.args[1], where=stmt.where))
                stmt.iterable = it = Op("call", (it.args[0], Ref(stop)), it.data)
            trip.trips = it.args[1]
            return Ref(stmt.targets[0])
        trips = _int("trips")
        head.append(
            Assign(trips, call(b.binder.bind(len, "len"), it), where=stmt.where)
        )
        trip.trips = Ref(trips)
    param, result, end = _int("trips"), _int("trips"), _int("trips")
    stmt.body.params.append(param)
    stmt.inits.append(Lit(0))
    stmt.body.stmts.append(Assign(end, Op("add", (Ref(param), Lit(1)))))
    stmt.body.yields.append(Ref(end))
    stmt.results.append(result)
    if trip.online:
        trip.trips = Ref(result)
    return Ref(param)


def _keep_planned(b: Any, trip: _Trip, position: Expr) -> None:
    """Keep the state if the binomial schedule says so."""
    stmt = trip.loop
    param, result = _int("keep"), _int("keep")
    stop = b.folded(Op("add", (trip.trips, Lit(1))))
    end = _keep_if_due(b, trip, position, Ref(param), stop, trip.state)
    stmt.body.params.append(param)
    stmt.inits.append(Lit(0))
    stmt.body.yields.append(Ref(end))
    stmt.results.append(result)


def _keep_if_due(
    b: Any, trip: _Trip, position: Expr, keep: Expr, stop: Expr, state: list[Value]
) -> Value:
    """`if position == keep:` the state is kept, and the next one to keep is found."""
    new = If(Op("compare", (position, keep), ("==",)), Region(), Region())
    with b.inside(new.then):
        _append(b, trip, position, state)
        following = _int("keep")
        b.append(Assign(following, _next(b, trip, position, stop)))
    result = _int("keep")
    new.then.yields, new.orelse.yields = [Ref(following)], [keep]
    new.results = [result]
    b.append(new)
    return result


def _next(b: Any, trip: _Trip, start: Expr, stop: Expr) -> Expr:
    taken = call(b.binder.bind(len, "len"), Ref(trip.at))
    fn = b.binder.bind(next_snapshot, "next_snapshot")
    return call(fn, start, stop, Op("sub", (trip.budget, taken)))


def _keep_online(b: Any, trip: _Trip, position: Expr, head: list[Stmt]) -> None:
    """Keep every state, and drop another one where there is no room."""
    schedule = Value("schedule", Atom(OnlineSchedule), False, trip.loop.where)
    made = call(b.binder.bind(OnlineSchedule, "OnlineSchedule"), trip.budget)
    head.append(Assign(schedule, made, where=trip.loop.where))
    drop = _int("drop")
    b.append(Assign(drop, call(attr(Ref(schedule), "place"))))
    new = If(Op("compare", (Ref(drop), Lit(0)), (">=",)), Region(), Region())
    for held in (trip.at, trip.saved):
        new.then.stmts.append(Effect(call(attr(Ref(held), "pop"), Ref(drop))))
    b.append(new)
    _append(b, trip, position, trip.state)


def _append(b: Any, trip: _Trip, position: Expr, state: list[Value]) -> None:
    parts = [
        _copy(b, Ref(v)) if old in trip.copied else Ref(v)
        for old, v in zip(trip.state, state, strict=True)
    ]
    item: Expr = parts[0] if len(parts) == 1 else Op("tuple", tuple(parts))
    b.append(Append(Ref(trip.at), position))
    b.append(Append(Ref(trip.saved), item))


# ------------------------------------------------------------------- reverse sweep


def _again(b: Any, trip: _Trip, i: Expr) -> dict[Value, Expr]:
    """The state at the beginning of trip `i`, from the last one that was kept."""
    at, first = _int("k"), _int("keep")
    b.append(Assign(at, getitem(Ref(trip.at), Lit(-1))))
    starts = [clone_value(v) for v in trip.state]
    _restore(b, trip, starts)
    stop = b.folded(Op("add", (i, Lit(1))))
    b.append(Assign(first, _next(b, trip, Ref(at), stop)))
    k, keep = _int("k"), _int("keep")
    heads = [clone_value(v) for v in trip.state]
    again = Loop("while", [], None, Op("compare", (Ref(k), i), ("<",)),
                 [Ref(at), Ref(first), *map(Ref, starts)],
                 Region([k, keep, *heads]))  # fmt: skip
    with b.inside(again.body):
        kept = _keep_if_due(b, trip, Ref(k), Ref(keep), stop, heads)
        ends = _run(b, trip, heads, Ref(k))
        following = _int("k")
        b.append(Assign(following, Op("add", (Ref(k), Lit(1)))))
        again.body.yields = [Ref(following), Ref(kept), *ends]
    again.results = [clone_value(v) for v in again.body.params]
    b.append(again)
    done = If(Op("compare", (getitem(Ref(trip.at), Lit(-1)), i), ("==",)),
              Region(), Region())  # fmt: skip
    done.then.stmts = [Effect(Op("pop", (Ref(v),))) for v in (trip.at, trip.saved)]
    b.append(done)
    return {v: Ref(r) for v, r in zip(trip.state, again.results[2:], strict=True)}


def _restore(b: Any, trip: _Trip, starts: list[Value]) -> None:
    """Read the last state; what a trip changes in place is copied."""
    last = getitem(Ref(trip.saved), Lit(-1))
    parts = [
        Value(v.name, v.kind, False, v.where) if draws(v.kind) else v for v in starts
    ]
    if len(starts) == 1:
        b.append(Assign(parts[0], last))
    elif starts:
        b.append(Unpack(parts, last))
    for v, part in zip(starts, parts, strict=True):
        if part is not v:
            b.append(Assign(v, _copy(b, Ref(part))))


def _run(b: Any, trip: _Trip, heads: list[Value], k: Expr) -> list[Expr]:
    """One trip run again: the state behind it."""
    known: dict[Value, Expr] = {
        v: Ref(h) for v, h in zip(trip.state, heads, strict=True)
    }
    known |= {t: _element(trip, k) for t in trip.loop.targets}
    new = {t: clone_value(t) for t in trip.call.targets}
    _plain_call(b, trip.call.callee, list(new.values()), trip.arguments(known))
    found: list[Expr] = []
    params = trip.loop.body.params
    for v, head in zip(trip.state, heads, strict=True):
        end = trip.loop.body.yields[params.index(v)] if v in params else Ref(head)
        if isinstance(end, Ref):
            end = Ref(new[end.value]) if end.value in new else known.get(end.value, end)
        found.append(end)
    return found


def _plain_call(b: Any, spec: Any, targets: list[Value], args: list[Expr]) -> None:
    tree = call(Obj(("plain", spec), spec.name), *args)
    if len(targets) == 1:
        b.append(Assign(targets[0], tree))
    elif targets:
        b.append(Unpack(targets, tree))
    else:
        b.append(Effect(tree))


def _adjoint_of_trip(
    rev: Reverse, trip: _Trip, state: dict[Value, Expr], heads: dict[int, Value]
) -> None:
    """Trip `i` with what its adjoint needs, and its adjoint."""
    stmt, made, b = trip.loop, trip.call, rev.b
    for k, head in heads.items():
        end = stmt.body.yields[k]
        if isinstance(end, Ref) and rev.active(end.value):
            rev.cot.add(end.value, Ref(head), False)
    bars = [rev.cot.take(t) if rev.active(t) else None for t in made.targets]
    spec = made.callee
    residuals = Value(f"{spec.name}_residuals", UNKNOWN, False, stmt.where)
    again = {t: clone_value(t) for t in made.targets}
    forward = Obj(("forward", spec), f"{spec.name}_forward")
    tree = call(forward, *trip.arguments(state))
    b.append(Unpack([*again.values(), residuals], tree))
    known = state | {t: Ref(new) for t, new in again.items()}
    seeds = [
        _at_hand(calls.seed(rev, t, bar), known)
        for t, bar in zip(made.targets, bars, strict=True)
        if t.varied
    ]
    calls.pull(rev, spec, made.args, residuals, seeds)


def _at_hand(e: Expr, known: dict[Value, Expr]) -> Expr:
    """A cotangent that asks for the shape of a value, in terms of what is at hand."""
    return substitute(e, known.get)


# ------------------------------------------------------------------------- helpers


def _counter(stmt: Loop) -> Any:
    """`range` or `itertools.count`."""
    it = stmt.iterable
    assert isinstance(it, Op) and isinstance(it.args[0], Obj)
    return it.args[0].obj


def _element(trip: _Trip, position: Expr) -> Expr:
    """What the loop variable is in a trip."""
    it = trip.loop.iterable
    assert isinstance(it, Op)
    args = it.args[1:]
    counted = _counter(trip.loop) is itertools.count
    if not args or len(args) == 1 and not counted:
        return position
    step = args[1] if counted and len(args) > 1 else args[2] if len(args) > 2 else None
    moved = position if step is None else Op("mul", (step, position))
    return moved if args[0] == Lit(0) else Op("add", (args[0], moved))


def _held(state: list[Value]) -> tuple[str, Kind]:
    """The name of the list of states, and the kind of one."""
    if len(state) == 1:
        return f"{state[0].name}_saved", strip(state[0].kind)
    return "saved", TupleKind(tuple(strip(v.kind) for v in state))


def _list(name: str, kind: Kind, nested: bool) -> Value:
    """A list of the forward sweep, which a pullback reads from a copy."""
    value = Value(name, ListKind(kind), False)
    value.key = None if nested else "record"
    return value


def _int(name: str) -> Value:
    return Value(name, INT, False)


def _copy(b: Any, e: Ref) -> Expr:
    """A copy that nothing else changes."""
    if draws(e.value.kind):
        return call(b.binder.bind(copy.deepcopy, "deepcopy"), e)
    if not has_memory(e.value):
        return e
    if is_array(e.value.kind):
        return call(library(b, np.copy), e)
    return call(b.binder.bind(kept_apart, "kept_apart"), e)
