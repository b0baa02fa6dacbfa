"""Single-use temporaries folded back into the expression that uses them.

On the IR, with its dependences: an expression that reads memory never moves past a
statement that writes, and nothing moves into a loop.
"""

from __future__ import annotations

from collections import Counter

from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Plain,
    Ref,
    Region,
    Stmt,
    Store,
    Unpack,
    Value,
    map_stmt,
    refs,
    region_uses,
    regions,
    stmt_exprs,
    substitute,
    walk_expr,
)
from sourcegrad.kinds import is_scalar

WIDEST = 16


def run(body: Region) -> None:
    """Fold temporaries of a function body, in place."""
    counts = Counter(region_uses(body))
    _region(body, counts)


def _region(region: Region, counts: Counter[Value]) -> None:
    waiting: dict[Value, Assign] = {}
    kept: list[Stmt] = []
    for stmt in region.stmts:
        _use(stmt, waiting, kept)
        if _writes(stmt):
            _settle(waiting, kept, lambda a: _reads_memory(a.expr))
        for inner in regions(stmt):
            _region(inner, counts)
        if isinstance(stmt, Assign) and stmt.target.temp and counts[stmt.target] == 1:
            if pure(stmt.expr):
                waiting[stmt.target] = stmt
        kept.append(stmt)
    region.stmts = kept


def _use(stmt: Stmt, waiting: dict[Value, Assign], kept: list[Stmt]) -> None:
    """Substitute waiting temporaries into a statement."""
    if not waiting:
        return
    found = [v for e in stmt_exprs(stmt) for v in refs(e) if v in waiting]
    room = WIDEST - sum(_size(e) for e in stmt_exprs(stmt))
    for value in found:
        assign = waiting[value]
        room -= _size(assign.expr) - 1
        if room < 0 or isinstance(stmt, Loop):
            del waiting[value]
            continue
        map_stmt(stmt, lambda e, v=value, a=assign: substitute(e, lambda x: a.expr if x is v else None))  # type: ignore[misc]
        stmt.where = stmt.where or assign.where
        kept.remove(assign)
        del waiting[value]


def _settle(waiting: dict[Value, Assign], kept: list[Stmt], test: object) -> None:
    for value in [v for v, a in waiting.items() if test(a)]:  # type: ignore[operator]
        del waiting[value]


def _writes(stmt: Stmt) -> bool:
    """Whether a statement, or one inside it, may write memory."""
    match stmt:
        case Store() | Append() | Effect() | CallFn() | Plain():
            return True
        case Assign(expr=e) | Unpack(expr=e):
            return not pure(e)
    return any(_writes(s) for r in regions(stmt) for s in r.stmts)


def _reads_memory(expr: Expr) -> bool:
    return any(not is_scalar(v.kind) for v in refs(expr))


def _size(expr: Expr) -> int:
    return sum(1 for _ in walk_expr(expr))


__all__ = ["If", "Op", "Ref", "run"]
