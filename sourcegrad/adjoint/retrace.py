"""Carried values that the reverse sweep finds again without a record.

    u, v = v, u      is undone by      u, v = v, u
    i = i + 1        is undone by      i = i - 1

Where the end of a trip tells its start, the reversed loop carries the value backwards:
names that change places, and counters, which are exact as Python integers.
"""

from __future__ import annotations

from sourcegrad.ir import Assign, Expr, Lit, Loop, Op, Ref, Region, Stmt, Unpack, Value
from sourcegrad.kinds import INT, strip

_BACK = {"add": "sub", "sub": "add"}


def retrace(
    forward: Loop, reverse: Loop, asked: set[Value]
) -> tuple[dict[Value, Expr], list[Stmt]]:
    """Let a reversed loop carry what was asked for backwards, in place.

    Args:
        forward: the loop of the forward sweep.
        reverse: its mirror, which gets more carried values.
        asked: values of the forward loop's body that its mirror may read.

    Returns:
        What stands in the mirror for values of the body, and the statements that it
        begins with.
    """
    body = forward.body
    if len(body.yields) != len(body.params) or len(forward.results) != len(body.params):
        return {}, []
    known: dict[Value, Expr] = {}
    head: list[Stmt] = []
    for cycle in _cycles(body):
        if any(body.params[k] in asked for k in cycle):
            _turn_back(forward, reverse, cycle, known, head)
    for k, param in enumerate(body.params):
        step = _step(body, k)
        if step is not None and asked & {param, step.target}:
            _count_back(forward, reverse, k, step, known, head)
    return known, head


def _cycles(body: Region) -> list[list[int]]:
    """Positions whose values change places, each group in the order of its turn."""
    place = {p: k for k, p in enumerate(body.params)}
    source = {k: place[e.value] for k, e in enumerate(body.yields)
              if isinstance(e, Ref) and e.value in place
              and not body.params[k].maybe_undefined}  # fmt: skip
    found = []
    seen: set[int] = set()
    for start in source:
        cycle = [start]
        while source.get(cycle[-1], start) not in cycle:
            cycle.append(source[cycle[-1]])
        if source.get(cycle[-1]) == start and not seen.intersection(cycle):
            if len(cycle) > 1:
                found.append(cycle)
            seen.update(cycle)
    return found


def _turn_back(
    forward: Loop,
    reverse: Loop,
    cycle: list[int],
    known: dict[Value, Expr],
    head: list[Stmt],
) -> None:
    """Position k ends a trip with what the next one in the cycle began it with."""
    params = [forward.body.params[k] for k in cycle]
    ends = [_carried(forward, reverse, k) for k in cycle]
    starts = [Value(p.name, strip(p.kind), False, p.where, p.temp) for p in params]
    parts = tuple(Ref(ends[at - 1]) for at, _ in enumerate(cycle))
    head.append(Unpack(list(starts), Op("tuple", parts)))
    known |= {p: Ref(start) for p, start in zip(params, starts, strict=True)}
    reverse.body.yields += map(Ref, starts)


def _step(body: Region, k: int) -> Assign | None:
    """The statement `end = start + 1` of a counter."""
    end, param = body.yields[k], body.params[k]
    if not isinstance(end, Ref) or param.kind != INT or end.value.kind != INT:
        return None
    for stmt in body.stmts:
        if isinstance(stmt, Assign) and stmt.target is end.value:
            e = stmt.expr
            counts = (
                isinstance(e, Op)
                and e.op in _BACK
                and e.args[0] == Ref(param)
                and isinstance(e.args[1], Lit)
                and type(e.args[1].value) is int
            )
            return stmt if counts else None
    return None


def _count_back(
    forward: Loop,
    reverse: Loop,
    k: int,
    step: Assign,
    known: dict[Value, Expr],
    head: list[Stmt],
) -> None:
    assert isinstance(step.expr, Op)
    param = forward.body.params[k]
    end = _carried(forward, reverse, k)
    start = Value(param.name, INT, False, param.where)
    head.append(Assign(start, Op(_BACK[step.expr.op], (Ref(end), step.expr.args[1]))))
    known[param], known[step.target] = Ref(start), Ref(end)
    reverse.body.yields.append(Ref(start))


def _carried(forward: Loop, reverse: Loop, k: int) -> Value:
    """The value at the end of a trip, which the reversed loop starts with."""
    param, result = forward.body.params[k], forward.results[k]
    end = Value(param.name, strip(param.kind), False, param.where, param.temp)
    reverse.body.params.append(end)
    reverse.inits.append(Ref(result))
    reverse.results.append(Value(param.name, end.kind, False, param.where, param.temp))
    return end
