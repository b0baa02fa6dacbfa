"""Products in the reverse sweep, without the parentheses that folding left.

    2.0 * (100.0 * s_bar) * t     ->  200.0 * s_bar * t
    2.0 * (0.5 * y_bar / r) * x   ->  y_bar / r * x
    np.copy(x_bar) + y            ->  x_bar + y

This may change the last digit, so only what a cotangent takes part in is regrouped: a
value computed again is to be the one the forward sweep had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from sourcegrad.frontend import algebra
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.folding import fold
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Append,
    Assign,
    Expr,
    Obj,
    Op,
    Stmt,
    Store,
    Value,
)
from sourcegrad.ir_walk import refs, regions


def run(
    b: Builder, stmts: Iterable[Stmt], moves: Callable[[Value], bool] | None = None
) -> None:
    """Regroup the products of derived statements, in place.

    Args:
        b: infers kinds.
        stmts: the statements; those they own are changed too.
        moves: whether a value is a derivative; by its name, if not given.
    """
    moves = moves or _cotangent
    for stmt in stmts:
        if isinstance(stmt, Assign):
            stmt.expr = _regrouped(b, stmt.expr, moves)
        elif isinstance(stmt, (Store, Append)):
            stmt.value = _regrouped(b, stmt.value, moves)
        for region in regions(stmt):
            run(b, region.stmts, moves)
            region.yields = [_regrouped(b, e, moves) for e in region.yields]


def _regrouped(b: Builder, e: Expr, moves: Callable[[Value], bool]) -> Expr:
    if not isinstance(e, Op) or not any(map(moves, refs(e))):
        return e
    args = tuple(_regrouped(b, a, moves) for a in e.args)
    if e.op in BINARY or e.op in UNARY:
        args = tuple(map(_uncopied, args))
    new = e
    if not all(a is o for a, o in zip(args, e.args, strict=True)):
        new = Op(e.op, args, e.data)
        new.kind = e.kind
    if new.op != "mul":
        return new
    found = algebra.product(b, new, fold)
    if isinstance(found, Op) and found.kind is None:
        found.kind = b.infer(e)
    return found


def _uncopied(e: Expr) -> Expr:
    """What is copied: the arithmetic that it is for makes new memory itself."""
    copied = isinstance(e, Op) and e.op == "call" and len(e.args) == 2
    if copied and isinstance(e.args[0], Obj) and e.args[0].obj is np.copy:  # type: ignore[attr-defined]
        return e.args[1]  # type: ignore[attr-defined]
    return e


def _cotangent(value: Value) -> bool:
    return value.name.endswith("_bar") or value.name == "g"
