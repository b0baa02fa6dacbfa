"""Copies of regions with values of their own."""

from __future__ import annotations

import copy

from sourcegrad.ir import Expr, Function, If, Loop, Ref, Region, Stmt, Value
from sourcegrad.ir_walk import defined, map_stmt, substitute


def clone_value(value: Value) -> Value:
    """A new value with what is known of another one, but for its ties to others."""
    new = Value(value.name, value.kind, value.varied, value.where, value.temp)
    new.maybe_undefined, new.known, new.key = (
        value.maybe_undefined,
        value.known,
        value.key,
    )
    return new


def clone(function: Function) -> Function:
    """A function with the same statements and none of the same values.

    Args:
        function: what is copied; no statement of it mirrors another.

    >>> from sourcegrad.ir import Assign, Lit
    >>> x, y = Value("x"), Value("y")
    >>> old = Function("f", [x], Region([], [Assign(y, Ref(x))], [Ref(y)]))
    >>> new = clone(old)
    >>> new.body.yields, new.body.yields == old.body.yields
    ([%y], False)
    """
    known: dict[Value, Value] = {}
    params = [_fresh(p, known) for p in function.params]
    body = _region(function.body, known)
    return Function(function.name, params, body, None, dict(function.defaults))


def _fresh(value: Value, known: dict[Value, Value]) -> Value:
    new = known[value] = clone_value(value)
    new.like = known.get(value.like) if value.like is not None else None
    return new


def _expr(e: Expr, known: dict[Value, Value]) -> Expr:
    return substitute(e, lambda v: Ref(known[v]) if v in known else None)


def _region(old: Region, known: dict[Value, Value]) -> Region:
    new = Region([_fresh(p, known) for p in old.params], ends=old.ends)
    new.stmts = [_statement(stmt, known) for stmt in old.stmts]
    new.yields = [_expr(e, known) for e in old.yields]
    new.stop = None if old.stop is None else _expr(old.stop, known)
    return new


def _statement(old: Stmt, known: dict[Value, Value]) -> Stmt:
    new = copy.copy(old)
    cond = new.cond if isinstance(new, Loop) else None
    if isinstance(new, Loop):
        new.cond = None  # it reads what the body is handed
    map_stmt(new, lambda e: _expr(e, known))
    made = [_fresh(v, known) for v in defined(old)]
    if isinstance(new, Loop):
        new.targets = [_fresh(t, known) for t in new.targets]
    for name in ("body", "then", "orelse", "final"):
        inner = getattr(new, name, None)
        if isinstance(inner, Region):
            setattr(new, name, _region(inner, known))
    if isinstance(new, Loop) and cond is not None:
        new.cond = _expr(cond, known)
    _define(new, made)
    return new


def _define(stmt: Stmt, made: list[Value]) -> None:
    """Put new values where a statement defines its own."""
    if isinstance(stmt, (If, Loop)):
        stmt.results = made
    elif hasattr(stmt, "targets"):
        stmt.targets = made
    elif hasattr(stmt, "target"):
        stmt.target = made[0]
