"""Products in the reverse sweep, without the parentheses that folding left.

    2.0 * (100.0 * s_bar) * t     ->  200.0 * s_bar * t
    2.0 * (0.5 * y_bar / r) * x   ->  y_bar / r * x

This may change the last digit, so only what a cotangent takes part in is regrouped: a
value computed again is to be the one the forward sweep had.
"""

from __future__ import annotations

from collections.abc import Iterable

from sourcegrad.frontend import algebra
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.folding import fold
from sourcegrad.ir import Append, Assign, Expr, Op, Stmt, Store, refs, regions


def run(b: Builder, stmts: Iterable[Stmt]) -> None:
    """Regroup the products of the statements of a reverse sweep, in place.

    Args:
        b: infers kinds.
        stmts: the statements; those they own are changed too.
    """
    for stmt in stmts:
        if isinstance(stmt, Assign):
            stmt.expr = _regrouped(b, stmt.expr)
        elif isinstance(stmt, (Store, Append)):
            stmt.value = _regrouped(b, stmt.value)
        for region in regions(stmt):
            run(b, region.stmts)
            region.yields = [_regrouped(b, e) for e in region.yields]


def _regrouped(b: Builder, e: Expr) -> Expr:
    if not isinstance(e, Op) or not any(_cotangent(v.name) for v in refs(e)):
        return e
    args = tuple(_regrouped(b, a) for a in e.args)
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


def _cotangent(name: str) -> bool:
    return name.endswith("_bar") or name == "g"
