"""Lists of arrays that the reverse sweep does not read are released before it.

A name keeps what it holds until the function ends. Most arrays go when their name is
used again; a list that was filled in a loop stays, with every array in it, so it is
deleted between the sweeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sourcegrad.ir import Assign, Expr, Loop, Region, Stmt, Value
from sourcegrad.ir_walk import (
    defined,
    refs,
    region_defs,
    region_uses,
    regions,
    stmt_exprs,
)
from sourcegrad.kinds import Kind, ListKind, Num, TupleKind, is_scalar


def run(
    forward: Sequence[Stmt],
    reverse: Sequence[Stmt],
    ends: Iterable[Expr],
    names: dict[Value, str],
) -> list[str]:
    """The names to delete between the sweeps, in the order they were bound.

    Args:
        forward: the statements of the forward sweep.
        reverse: those of the reverse sweep.
        ends: what the function returns.
        names: the name of each value.
    """
    found: dict[str, bool] = {}
    for stmt in forward:
        for value in defined(stmt):
            if value in names:
                certain = isinstance(stmt, (Assign, Loop)) and not value.maybe_undefined
                found[names[value]] = certain and _holds_arrays(value.kind)
    later = Region(stmts=list(reverse), yields=list(ends))
    if not _heavy(reverse):
        return []
    seen = {names[v] for v in (*region_uses(later), *region_defs(later)) if v in names}
    return [n for n, releases in found.items() if releases and n not in seen]


def _holds_arrays(kind: Kind) -> bool:
    if not isinstance(kind, ListKind):
        return False
    item = kind.item
    parts = item.items if isinstance(item, TupleKind) else (item,)
    return any(isinstance(p, Num) and not is_scalar(p) for p in parts)


def _heavy(stmts: Sequence[Stmt]) -> bool:
    """Whether statements compute with arrays at all."""
    return any(
        not is_scalar(v.kind)
        for s in stmts
        for v in (*(r for e in stmt_exprs(s) for r in refs(e)), *_inner(s))
    )


def _inner(stmt: Stmt) -> list[Value]:
    return [v for r in regions(stmt) for v in region_uses(r)]
