"""Shapes that were read before are not read again.

    _, n = x.shape              m, n = x.shape
    m, k = x.shape       ->     y = n + m * n
    y = n + m * k

An array never changes its shape, so this holds whatever is written in between.
"""

from __future__ import annotations

from sourcegrad.ir import Assign, Expr, Obj, Op, Ref, Region, Stmt, Unpack, Value
from sourcegrad.ir_walk import map_region, regions, substitute
from sourcegrad.kinds import is_array

_Known = dict[Expr, list[Value]]


def run(body: Region) -> None:
    """Merge repeated reads of shapes, in place.

    Args:
        body: the region of a function.
    """
    found: dict[Value, Expr] = {}
    _region(body, {}, found)
    if found:
        map_region(body, lambda e: substitute(e, found.get))


def _region(region: Region, known: _Known, found: dict[Value, Expr]) -> None:
    kept: list[Stmt] = []
    for stmt in region.stmts:
        if isinstance(stmt, (Assign, Unpack)) and _reads_shape(stmt.expr):
            targets = [stmt.target] if isinstance(stmt, Assign) else stmt.targets
            first = known.setdefault(stmt.expr, targets)
            if first is not targets and len(first) == len(targets):
                for old, new in zip(targets, first, strict=True):
                    if new.name == "_":
                        new.name = old.name
                    found[old] = Ref(new)
                continue
        for inner in regions(stmt):
            _region(inner, dict(known), found)
        kept.append(stmt)
    region.stmts = kept


def _reads_shape(expr: Expr) -> bool:
    """Whether an expression is the shape of an array, or a part of it."""
    if not isinstance(expr, Op):
        return False
    if expr.op == "attr":
        base = expr.args[0]
        known = expr.data in ("shape", "size", "ndim")
        return known and isinstance(base, Ref) and is_array(base.value.kind)
    if expr.op == "call" and isinstance(expr.args[0], Obj) and len(expr.args) == 2:
        base = expr.args[1]
        return (
            expr.args[0].obj is len
            and isinstance(base, Ref)
            and is_array(base.value.kind)
        )
    return False
