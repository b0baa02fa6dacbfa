"""Stores into memory that only one function sees, and only under names that dead code
elimination can follow: they go when nothing reads the memory."""

from __future__ import annotations

from sourcegrad.adjoint.cotangents import is_fresh
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import view_bases
from sourcegrad.ir import Assign, Expr, Ref, Region, Store, Value, walk
from sourcegrad.kinds import is_array


def private_stores(body: Region, effects: Effects) -> set[int]:
    """The ids of the stores of a function body that may be removed.

    Args:
        body: the region of the function, before tangents are added.
        effects: its alias classes.
    """
    made = {s.target: s.expr for s in walk(body) if isinstance(s, Assign)}
    verdict: dict[Value, bool] = {}
    found: set[int] = set()
    for stmt in walk(body):
        if isinstance(stmt, Store) and isinstance(stmt.base, Ref):
            root = effects.find(stmt.base.value)
            if root not in verdict:
                verdict[root] = _private(effects.members(root), made)
            if verdict[root]:
                found.add(id(stmt))
    return found


def _private(members: list[Value], made: dict[Value, Expr]) -> bool:
    """Whether a class is one new array and views of it."""
    fresh = 0
    for value in members:
        expr = made.get(value)
        if expr is None or not is_array(value.kind):
            return False
        bases = view_bases(expr)
        if not bases and not is_fresh(expr):
            return False
        fresh += not bases
        if len(bases) > 1 or any(b not in members for b in bases):
            return False
    return fresh == 1
