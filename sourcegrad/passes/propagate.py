"""Copies: values that are other values, and carried values that never change."""

from __future__ import annotations

import functools

from sourcegrad.ir import Assign, Expr, If, Lit, Loop, Ref, Region, Value
from sourcegrad.ir_walk import map_region, regions, substitute


def run(body: Region, keep: frozenset[Value] = frozenset()) -> None:
    """Replace copies by what they copy, in place.

    Args:
        body: the region of a function.
        keep: values that must stay values of their own.
    """
    while True:
        found: dict[Value, Expr] = {}
        _collect(body, found, keep)
        if not found:
            return
        _resolve(found)
        map_region(body, functools.partial(substitute, find=found.get))


def _collect(region: Region, found: dict[Value, Expr], keep: frozenset[Value]) -> None:
    kept = []
    for stmt in region.stmts:
        if (
            isinstance(stmt, Assign)
            and isinstance(stmt.expr, Ref)
            and stmt.target not in keep
        ):
            found[stmt.target] = stmt.expr
            continue
        if isinstance(stmt, Loop):
            _invariants(stmt, found)
        if isinstance(stmt, If):
            _equal_arms(stmt, found)
        for inner in regions(stmt):
            _collect(inner, found, keep)
        kept.append(stmt)
    region.stmts = kept


def _invariants(loop: Loop, found: dict[Value, Expr]) -> None:
    """A carried value that every trip hands on unchanged is its start."""
    body = loop.body
    if len(body.yields) != len(body.params):
        return
    drop = [
        k for k, (param, end) in enumerate(zip(body.params, body.yields, strict=True))
        if (isinstance(end, Ref) and end.value is param or end == loop.inits[k])
        and isinstance(loop.inits[k], (Ref, Lit))
    ]  # fmt: skip
    for k in drop:
        found[body.params[k]] = loop.inits[k]
        if k < len(loop.results):
            found[loop.results[k]] = loop.inits[k]
    for name in ("inits", "results"):
        old = getattr(loop, name)
        setattr(loop, name, [e for k, e in enumerate(old) if k not in drop])
    body.params = [p for k, p in enumerate(body.params) if k not in drop]
    body.yields = [e for k, e in enumerate(body.yields) if k not in drop]


def _equal_arms(stmt: If, found: dict[Value, Expr]) -> None:
    """A result that both arms yield alike is no choice."""
    then, orelse = stmt.then, stmt.orelse
    if len(then.yields) != len(orelse.yields):
        return
    drop = [
        k for k, (a, b) in enumerate(zip(then.yields, orelse.yields, strict=True))
        if a == b and isinstance(a, (Ref, Lit))
    ]  # fmt: skip
    for k in drop:
        found[stmt.results[k]] = then.yields[k]
    stmt.results = [r for k, r in enumerate(stmt.results) if k not in drop]
    for region in (then, orelse):
        region.yields = [e for k, e in enumerate(region.yields) if k not in drop]


def _resolve(found: dict[Value, Expr]) -> None:
    """Follow chains of copies to their end."""
    for value in list(found):
        seen = {value}
        expr = found[value]
        while isinstance(expr, Ref) and expr.value in found and expr.value not in seen:
            seen.add(expr.value)
            expr = found[expr.value]
        found[value] = expr
