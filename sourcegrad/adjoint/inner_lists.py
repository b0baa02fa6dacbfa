"""Lists inside lists: the cotangent of a list found by an index lies in that of its
container.

    row = grid[i]; row[j] = v   ->   row_bar = grid_bar[i]; g = row_bar[j]; …

That holds while each inner list is reached by its container only, and while the
container itself keeps its order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sourcegrad.analysis.views import view_bases
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.ir import (
    Append,
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    Value,
    getitem,
)
from sourcegrad.ir_walk import refs, region_uses, regions, stmt_exprs, walk, walk_expr
from sourcegrad.kinds import ListKind, TupleKind

if TYPE_CHECKING:
    from sourcegrad.adjoint.shadows import Shadows


def point(rev: Shadows, stmt: Assign) -> bool:
    """Let the shadow of a list found by an index be the part of its container's.

    Returns:
        Whether it is such a list, and is written later.

    Raises:
        AliasError: the container may change its order meanwhile.
    """
    target, expr = stmt.target, stmt.expr
    if not (
        isinstance(target.kind, ListKind)
        and isinstance(expr, Op)
        and expr.op == "getitem"
    ):
        return False
    base, index = expr.args
    if not rev.snapshots.written_later(target, stmt):
        return False
    if not isinstance(base, Ref) or base.value not in rev.cot.shadows:
        return False
    later = rev.snapshots.writers_later(base.value, stmt)
    if later and not (
        _counts_from_start(rev, index) and all(_appends(s) for s in later)
    ):
        raise rev.ambiguous(target)
    ref = rev.b.emit(getitem(rev.cot.shadows[base.value], index), f"{target.name}_bar")
    ref.value.kind = target.kind
    rev.cot.shadows[target] = ref
    rev.pointers.add(target)
    return True


def _appends(stmt: Stmt) -> bool:
    return isinstance(stmt, Append)


def _counts_from_start(rev: Shadows, index: Expr) -> bool:
    """Whether an index is certainly not negative."""
    if isinstance(index, Lit):
        return isinstance(index.value, int) and index.value >= 0
    if not isinstance(index, Ref):
        return False
    made = rev.snapshots.defined.get(index.value)
    if isinstance(made, Op) and made.op == "call" and isinstance(made.args[0], Obj):
        slots = made.args[1] if made.args[0].obj is int else None
        return isinstance(slots, Op) and slots.op == "getitem" or isinstance(slots, Ref)
    return index.value in rev.snapshots.counters


def require_sole(rev: Shadows, expr: Expr, stmt: Stmt) -> None:
    """A list put into a container and changed later must be reached by that only.

    Raises:
        NonDifferentiableError: another name reaches it too.
    """
    held = [v for v in refs(expr) if isinstance(v.kind, ListKind)]
    if isinstance(expr, Ref) and not isinstance(stmt, Append):
        return
    if isinstance(expr, Op) and expr.op not in ("list", "tuple", "dict"):
        return
    for value in held:
        if rev.snapshots.written_later(value, stmt) and not _is_sole(
            rev, value, held, stmt
        ):
            raise rev.b.error(
                NonDifferentiableError,
                "a list inside a list is changed after it was put there or taken out",
                hints=("build the inner list completely before it is appended",),
            )


def _is_sole(rev: Shadows, value: Value, held: list[Value], stmt: Stmt) -> bool:
    """Whether a fresh list is mentioned for the last time where it is put away."""
    path = rev.snapshots.paths.get(id(stmt))
    made = rev.snapshots.defined.get(value)
    if path is None or held.count(value) > 1 or not makes_list(made):
        return False
    region: Region = path[-1][0]
    if not any(isinstance(s, Assign) and s.target is value for s in region.stmts):
        return False
    later = region.stmts[region.stmts.index(stmt) + 1 :]
    mentioned = any(_mentions(s, value) for s in later)
    return not mentioned and not any(v is value for e in region.yields for v in refs(e))


def makes_list(expr: Expr | None) -> bool:
    """Whether an expression makes a new list that holds numbers."""
    if not isinstance(expr, Op):
        return False
    if expr.op == "raw":
        return not view_bases(expr)
    return expr.op == "list" or expr.op in ("mul", "add") and any(
        isinstance(a, Op) and a.op == "list" for a in expr.args)  # fmt: skip


def indexed(body: Region) -> Iterator[Value]:
    """The lists of tuples that are read or stored by an index."""
    for stmt in walk(body):
        bases = [stmt.base] if isinstance(stmt, Store) else []
        for expr in stmt_exprs(stmt):
            bases += [e.args[0] for e in walk_expr(expr)
                      if isinstance(e, Op) and e.op == "getitem"]  # fmt: skip
        for base in bases:
            if isinstance(base, Ref) and isinstance(base.value.kind, ListKind):
                if isinstance(base.value.kind.item, TupleKind):
                    yield base.value


def needs_early(rev: Shadows, stmt: Assign) -> bool:
    """Whether a list found by an index is written, and its place in the container may
    be another one by the time its cotangent is asked for."""
    base = stmt.expr.args[0] if isinstance(stmt.expr, Op) else None
    if not rev.snapshots.written_later(stmt.target, stmt):
        return False
    if not isinstance(base, Ref) or not isinstance(stmt.expr, Op):
        return True
    later = rev.snapshots.writers_later(base.value, stmt)
    index = stmt.expr.args[1] if stmt.expr.op == "getitem" else Lit(-1)
    return bool(later) and not (
        _counts_from_start(rev, index) and all(_appends(s) for s in later)
    )


def _mentions(stmt: Stmt, value: Value) -> bool:
    inside = (v for r in regions(stmt) for v in region_uses(r))
    return any(v is value for v in inside) or any(
        v is value for e in stmt_exprs(stmt) for v in refs(e))  # fmt: skip


__all__ = ["indexed", "makes_list", "needs_early", "point", "require_sole"]
