"""Signs in the reverse sweep, gathered at the front or gone.

    -(-(a * b) * c)      ->  a * b * c
    x_bar += -(a * b)    ->  x_bar -= a * b
    np.sum(-a)           ->  -np.sum(a)
    -(2.0 * a)           ->  -2.0 * a
    -(a * (b - c))       ->  a * (c - b)

Exact in floating point, so it is done only where operands are known to be of such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from sourcegrad import runtime
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Region,
    Stmt,
    Store,
    Value,
)
from sourcegrad.ir_walk import map_stmt, refs, regions, stmt_exprs
from sourcegrad.kinds import Num, is_float, is_scalar

_LINEAR = (np.sum, runtime.unbroadcast, runtime.sum_to)


def run(
    b: Builder, stmts: Iterable[Stmt], moves: Callable[[Value], bool] | None = None
) -> None:
    """Simplify the signs of derived statements, in place.

    Args:
        b: infers kinds.
        stmts: the statements; those they own are simplified too.
        moves: whether a value is a derivative: statements without one stay as they
            are; if not given, all are simplified.
    """
    for stmt in stmts:
        if moves is None or any(map(moves, _mentioned(stmt))):
            _statement(b, stmt)
        for region in regions(stmt):
            run(b, region.stmts, moves)
            if moves is None:
                ends(b, region)


def _mentioned(stmt: Stmt) -> Iterator[Value]:
    for expr in stmt_exprs(stmt):
        yield from refs(expr)


def _statement(b: Builder, stmt: Stmt) -> None:
    map_stmt(stmt, lambda e: _signed(b, e))
    if isinstance(stmt, Assign):
        stmt.expr = _absorbed(b, stmt.expr)
    if isinstance(stmt, Store) and stmt.op is None:
        stmt.value = _absorbed(b, stmt.value)
    if isinstance(stmt, Store) and stmt.op in ("add", "sub") and stmt.each is None:
        inner = _negated(stmt.value)
        if inner is not None:
            stmt.value, stmt.op = inner, "sub" if stmt.op == "add" else "add"


def _absorbed(b: Builder, e: Expr) -> Expr:
    """A negated product with its sign in a number or a difference, if it has one."""
    product = _negated(e)
    if not isinstance(product, Op) or product.op != "mul" or not _floating(b, product):
        return e
    x, y = product.args
    if isinstance(y, Op) and y.op == "sub":
        return _like(b, product, (x, _like(b, y, (y.args[1], y.args[0]))))
    first = x
    while isinstance(first, Op) and first.op == "mul":
        first = first.args[0]
    if isinstance(first, Lit) and type(first.value) is float:
        return _with_first(b, product, Lit(-first.value))
    return e


def _with_first(b: Builder, e: Op, first: Lit) -> Op:
    """A product with another number in front."""
    x, y = e.args
    left = _with_first(b, x, first) if isinstance(x, Op) else first
    return _like(b, e, (left, y))


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
