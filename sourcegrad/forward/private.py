"""Stores into memory that only one function sees, and only under names that dead code
elimination can follow: they go when nothing reads the memory."""

from __future__ import annotations

from sourcegrad.adjoint.cotangents import is_fresh
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import view_bases
from sourcegrad.ir import Append, Assign, Expr, Op, Ref, Region, Store, Unpack, Value
from sourcegrad.ir_walk import walk
from sourcegrad.kinds import is_array


def private_stores(body: Region, effects: Effects) -> set[int]:
    """The ids of the stores of a function body that may be removed.

    Args:
        body: the region of the function, before tangents are added.
        effects: its alias classes.
    """
    made = {s.target: s.expr for s in walk(body) if isinstance(s, Assign)}
    verdict = dict.fromkeys(map(effects.find, effects.kept), False)
    found: set[int] = set()
    for stmt in walk(body):
        if isinstance(stmt, Store) and isinstance(stmt.base, Ref):
            root = effects.find(stmt.base.value)
            if root not in verdict:
                verdict[root] = _private(effects.members(root), made)
            if verdict[root]:
                found.add(id(stmt))
    return found


def private_lists(body: Region) -> set[int]:
    """The ids of what is appended to, or popped from, lists made in the function.

    Where a list is put elsewhere, or read otherwise, it is live, and with it these.

    Args:
        body: the region of the function, before tangents are added.
    """
    made = {
        s.target
        for s in walk(body)
        if isinstance(s, Assign) and isinstance(s.expr, Op) and s.expr.op == "list"
    }
    found: set[int] = set()
    for stmt in walk(body):
        base = stmt.base if isinstance(stmt, Append) else None
        if isinstance(stmt, (Assign, Unpack)) and isinstance(stmt.expr, Op):
            base = stmt.expr.args[0] if stmt.expr.op == "pop" else None
        if isinstance(base, Ref) and base.value in made:
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
