"""Records that hold residuals of callees, which may be memory of the caller's.

A callee keeps what it was handed. What it keeps in a loop goes into the record, which
a pullback must not share with arguments that the caller may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from sourcegrad.analysis.views import has_memory
from sourcegrad.frontend.context import Context
from sourcegrad.ir import Append, Expr, Obj, Op, Ref, Region, Unpack, Value
from sourcegrad.ir_walk import refs, stmt_exprs, walk, walk_expr
from sourcegrad.names import root_of


def lent(
    body: Region, reachable: Callable[[Value], bool], context: Context
) -> set[Value]:
    """The records in which residuals of a callee may share the caller's memory.

    Args:
        body: the forward sweep.
        reachable: whether the caller can change the memory of a value.
        context: knows the callees.
    """
    everywhere = read_by_callees(context)
    held: set[Value] = set()
    for stmt in walk(body):
        if isinstance(stmt, Unpack) and _is_forward(stmt.expr):
            given = [v for v in refs(stmt.expr) if has_memory(v)]
            if everywhere or any(map(reachable, given)):
                held.add(stmt.targets[-1])
    return {
        stmt.base.value
        for stmt in walk(body)
        if isinstance(stmt, Append)
        and isinstance(stmt.base, Ref)
        and stmt.base.value.key == "record"
        and any(v in held for e in stmt_exprs(stmt) for v in refs(e))
    }


def read_by_callees(context: Context) -> bool:
    """Whether a callee reads an array or container of the user's world."""
    names = {
        root_of(g.name)
        for g in context.binder.guards
        if g.kind is not None and isinstance(g.expected, (np.ndarray, list, dict))
    }
    bodies = [s.function.body for s in context.specialisations.values() if s.function]
    return bool(names) and any(_reads(walk_all(body), names) for body in bodies)


def walk_all(body: Region) -> Iterable[Expr]:
    """Every expression in a region."""
    for stmt in walk(body):
        for expr in stmt_exprs(stmt):
            yield from walk_expr(expr)
    for expr in body.yields:
        yield from walk_expr(expr)


def _reads(exprs: Iterable[Expr], names: set[str]) -> bool:
    return any(isinstance(e, Obj) and root_of(e.path) in names for e in exprs)


def _is_forward(expr: Expr) -> bool:
    fn = expr.args[0] if isinstance(expr, Op) and expr.op == "call" else None
    if not isinstance(fn, Obj) or not isinstance(fn.obj, tuple):
        return False
    return fn.obj[0] == "forward"
