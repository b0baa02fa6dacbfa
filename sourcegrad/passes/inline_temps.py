"""Single-use temporaries folded back into the expression that uses them.

On the IR, with its dependences: an expression that reads memory never moves past a
statement that writes, and nothing moves into a loop.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable

from sourcegrad.analysis.writes import writes
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    Append,
    Assign,
    Expr,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    Value,
)
from sourcegrad.ir_walk import (
    map_stmt,
    refs,
    region_uses,
    regions,
    stmt_exprs,
    substitute,
)
from sourcegrad.kinds import Num, is_scalar

WIDEST = 72


def run(body: Region) -> None:
    """Fold temporaries of a function body, in place."""
    counts = Counter(region_uses(body))
    _region(body, counts)


def _region(region: Region, counts: Counter[Value]) -> None:
    waiting: dict[Value, Assign] = {}
    kept: list[Stmt] = []
    popped: Assign | None = None
    for stmt in region.stmts:
        if popped is not None:
            _use_popped(stmt, popped, kept)
        _use(stmt, waiting, kept)
        if writes(stmt):
            _settle(waiting, lambda a: _reads_memory(a.expr))
        for inner in regions(stmt):
            _region(inner, counts)
        popped = None
        if isinstance(stmt, Assign) and _may_go(stmt) and counts[stmt.target] == 1:
            if pure(stmt.expr):
                waiting[stmt.target] = stmt
            elif isinstance(stmt.expr, Op) and stmt.expr.op == "pop":
                popped = stmt
        kept.append(stmt)
    region.stmts = kept


def _use(stmt: Stmt, waiting: dict[Value, Assign], kept: list[Stmt]) -> None:
    """Substitute waiting temporaries into a statement."""
    if not waiting:
        return
    found = [v for e in stmt_exprs(stmt) for v in refs(e) if v in waiting]
    room = WIDEST - sum(_width(e) for e in stmt_exprs(stmt))
    for value in found:
        assign = waiting[value]
        room -= _width(assign.expr) - len(value.name)
        together = value.varied and stmt.where == assign.where  # as the user wrote it
        if (
            room < (-WIDEST if together else 0)
            or isinstance(stmt, Loop)
            or isinstance(stmt, (Append, Store))
            and stmt.base == Ref(value)  # what is written has a name
        ):
            del waiting[value]
            continue
        map_stmt(stmt, functools.partial(_replaced, assign=assign))
        stmt.where = stmt.where or assign.where
        kept.remove(assign)
        del waiting[value]


def _may_go(assign: Assign) -> bool:
    """Whether a value is a temporary, or what a slot of a buffer held."""
    slot = assign.target.key == "slot" and not isinstance(assign.expr, Ref)
    return assign.target.temp or slot and is_scalar(assign.target.kind)


def _use_popped(stmt: Stmt, popped: Assign, kept: list[Stmt]) -> None:
    """Substitute what was popped just before, where it is all the statement does."""
    exprs = list(stmt_exprs(stmt))
    mentioned = [v for e in exprs for v in refs(e)]
    if popped.target not in mentioned or not isinstance(stmt, (Assign, Store)):
        return
    others = [v for v in mentioned if v is not popped.target]
    if all(isinstance(v.kind, Num) for v in others) and all(map(pure, exprs)):
        map_stmt(stmt, lambda e: _replaced(e, popped))
        kept.remove(popped)


def _replaced(expr: Expr, assign: Assign) -> Expr:
    return substitute(expr, lambda v: assign.expr if v is assign.target else None)


def _settle(waiting: dict[Value, Assign], test: Callable[[Assign], bool]) -> None:
    for value in [v for v, a in waiting.items() if test(a)]:
        del waiting[value]


def _reads_memory(expr: Expr) -> bool:
    return any(not is_scalar(v.kind) for v in refs(expr))


def _width(expr: Expr) -> int:
    """About how many characters an expression takes when printed."""
    match expr:
        case Ref(value=value):
            return len(value.name)
        case Lit(value=value):
            return len(repr(value))
        case Obj(path=path):
            return len(path)
        case Op(op="slice", args=args):
            shown = [a for a in args if a != Lit(None)]
            return sum(map(_width, shown)) + len(args)
        case Op(op="attr", args=(base,), data=name):
            return _width(base) + len(name) + 1
        case Op(op="call", args=args, data=names):
            return sum(map(_width, args)) + 2 * len(args) + sum(map(len, names or ()))
        case Op(args=args):
            return sum(map(_width, args)) + 3 * (len(args) - 1)
    return 0
