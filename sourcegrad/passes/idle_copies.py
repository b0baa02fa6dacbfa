"""Copies of new memory that goes idle with the copy are not made.

    by_x = np.convolve(g, v)            by_x = np.convolve(g, v)
    return (np.copy(by_x),)       ->    return (by_x,)

An array that the adjoint of a rule has given a name, for one, is copied where it
becomes a gradient: only here is it seen that nothing else reads it.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from sourcegrad.adjoint.cotangents import is_fresh
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import Assign, Expr, Obj, Op, Ref, Region, Value
from sourcegrad.ir_walk import region_uses, regions
from sourcegrad.kinds import Num, is_array


def run(b: Builder, whole: Region, head: int) -> None:
    """Drop such copies from the reverse sweep, in place.

    Args:
        b: infers kinds.
        whole: both sweeps.
        head: where the reverse sweep begins.
    """
    uses = Counter(region_uses(whole))
    tail = Region(stmts=whole.stmts[head:], yields=whole.yields)
    _region(b, tail, uses)
    whole.yields = tail.yields


def _region(b: Builder, region: Region, uses: Counter[Value]) -> None:
    """Of a block: what it makes, and copies itself, once per trip."""
    made: dict[Value, Expr] = {}
    for stmt in region.stmts:
        for inner in regions(stmt):
            _region(b, inner, uses)
        if isinstance(stmt, Assign):
            stmt.expr = _without(b, stmt.expr, made, uses)
            made[stmt.target] = stmt.expr
    region.yields = [_without(b, e, made, uses) for e in region.yields]


def _without(
    b: Builder, e: Expr, made: dict[Value, Expr], uses: Counter[Value]
) -> Expr:
    """An expression, or what it copies."""
    copied = _copied(e)
    if copied is None or uses[copied.value] != 1 or copied.value not in made:
        return e
    kind = copied.value.kind
    whole = isinstance(kind, Num) and is_array(kind) and kind.ndim
    same = whole and b.infer(e) == kind
    return copied if same and is_fresh(made[copied.value]) else e


def _copied(e: Expr) -> Ref | None:
    """The name of the array that an expression copies."""
    if not (isinstance(e, Op) and e.op == "call" and len(e.args) == 2 and not e.data):
        return None
    fn, array = e.args
    copies = isinstance(fn, Obj) and fn.obj is np.copy
    return array if copies and isinstance(array, Ref) else None
