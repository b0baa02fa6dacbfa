"""Signs in the reverse sweep, gathered at the front or gone.

    -(-(a * b) * c)      ->  a * b * c
    x_bar += -(a * b)    ->  x_bar -= a * b
    np.sum(-a)           ->  -np.sum(a)

Exact in floating point, so it is done only where operands are known to be of such.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sourcegrad import runtime
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Expr,
    Obj,
    Op,
    Region,
    Stmt,
    Store,
    map_stmt,
    regions,
)
from sourcegrad.kinds import Num, is_float, is_scalar

_LINEAR = (np.sum, runtime.unbroadcast, runtime.sum_to)


def run(b: Builder, stmts: Iterable[Stmt]) -> None:
    """Simplify the signs of the statements of a reverse sweep, in place.

    Args:
        b: infers kinds.
        stmts: the statements; those they own are simplified too.
    """
    for stmt in stmts:
        map_stmt(stmt, lambda e: _signed(b, e))
        if isinstance(stmt, Store) and stmt.op in ("add", "sub"):
            inner = _negated(stmt.value)
            if inner is not None:
                stmt.value, stmt.op = inner, "sub" if stmt.op == "add" else "add"
        for region in regions(stmt):
            run(b, region.stmts)
            ends(b, region)


def ends(b: Builder, region: Region) -> None:
    """Simplify the signs of what a region yields."""
    region.yields = [_signed(b, e) for e in region.yields]


def _signed(b: Builder, e: Expr, consumed: bool = False) -> Expr:
    """The expression with every sign as far out as it goes.

    An operation makes new memory, and what is left without it may not: it goes only
    where it is `consumed`, that is, an operand of another operation.
    """
    if not isinstance(e, Op):
        return e
    makes = e.op in BINARY or e.op in UNARY
    args = tuple(_signed(b, a, makes) for a in e.args)
    if not all(a is o for a, o in zip(args, e.args, strict=True)):
        new = Op(e.op, args, e.data)
        new.kind = e.kind
        e = new
    moved = _moved(b, e)
    if moved is None or not (consumed or _made(b, moved)):
        return e
    if isinstance(moved, Op):
        moved.kind = moved.kind or b.infer(e)
    return moved


def _made(b: Builder, e: Expr) -> bool:
    """Whether an expression certainly shares no memory."""
    return (
        is_scalar(b.infer(e)) or isinstance(e, Op) and (e.op in BINARY or e.op in UNARY)
    )


def _moved(b: Builder, e: Op) -> Expr | None:
    """One step: the same value with a sign taken out, or None."""
    inner = [_negated(a) for a in e.args]
    if e.op == "neg":
        if inner[0] is not None and _floating(b, e):
            return inner[0]
        (x,) = e.args
        if isinstance(x, Op) and x.op == "sub" and _floating(b, x):
            return Op("sub", (x.args[1], x.args[0]))
        return None
    if not any(i is not None and _floating(b, i) for i in inner) or not _floating(b, e):
        return None
    if e.op in ("mul", "truediv", "matmul"):
        return _outside(b, e, inner)
    if e.op in ("add", "sub"):
        return _summed(e, inner)
    fn = e.args[0]
    if e.op == "call" and isinstance(fn, Obj) and fn.obj in _LINEAR and inner[1]:
        return Op("neg", (_like(b, e, (fn, inner[1], *e.args[2:])),))
    return None


def _outside(b: Builder, e: Op, inner: list[Expr | None]) -> Expr:
    args = tuple(a if i is None else i for a, i in zip(e.args, inner, strict=True))
    plain = _like(b, e, args)
    return plain if None not in inner else Op("neg", (plain,))


def _summed(e: Op, inner: list[Expr | None]) -> Expr | None:
    x, y = e.args
    if inner[1] is not None:
        return Op("sub" if e.op == "add" else "add", (x, inner[1]))
    if e.op == "add" and inner[0] is not None:
        return Op("sub", (y, inner[0]))
    return None


def _like(b: Builder, e: Op, args: tuple[Expr, ...]) -> Op:
    new = Op(e.op, args, e.data)
    new.kind = b.infer(e)
    return new


def _negated(e: Expr) -> Expr | None:
    return e.args[0] if isinstance(e, Op) and e.op == "neg" else None


def _floating(b: Builder, e: Expr) -> bool:
    kind = b.infer(e)
    return isinstance(kind, Num) and kind.dtype is not None and is_float(kind.dtype)
