"""Arrays of the reverse sweep of which only items are read are not computed whole.

y_bar = s * x
x_bar[1] += y_bar[0] * t         ->      x_bar[1] += s * x[0] * t
"""

from __future__ import annotations

from collections import Counter

from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.analysis.writes import writes
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Assign,
    Expr,
    Function,
    Lit,
    Op,
    Ref,
    Region,
    Stmt,
    getitem,
)
from sourcegrad.ir_walk import map_stmt, refs, region_uses, stmt_exprs, walk_expr
from sourcegrad.kinds import is_array, is_scalar


def run(b: Builder, whole: Region, head: int) -> None:
    """Read the items of the operand, in place.

    Args:
        b: infers kinds.
        whole: both sweeps.
        head: where the reverse sweep begins.
    """
    fx = effects.run(Function("items", [], Region(stmts=whole.stmts)))
    counts = Counter(region_uses(whole))
    for stmt in whole.stmts[head:]:
        if not (isinstance(stmt, Assign) and _is_scaled_vector(stmt.expr)):
            continue
        rest = whole.stmts[whole.stmts.index(stmt) + 1 :]
        readers = _readers(rest, stmt, fx)
        if len(readers) == counts[stmt.target] == 1:
            _read_items(b, readers[0], stmt)
            whole.stmts.remove(stmt)


def _read_items(b: Builder, reader: Stmt, made: Assign) -> None:
    map_stmt(reader, lambda e: _with_items(b, e, made))


def _is_scaled_vector(e: Expr) -> bool:
    """Whether an expression is arithmetic of numbers and one vector."""
    arrays = [v for v in refs(e) if not is_scalar(v.kind)]
    plain = all(
        not isinstance(part, Op) or part.op in BINARY or part.op in UNARY
        for part in walk_expr(e)
    )
    return (
        isinstance(e, Op)
        and plain
        and e.op != "matmul"
        and len(arrays) == 1
        and is_array(arrays[0].kind)
        and getattr(arrays[0].kind, "ndim", None) == 1
    )


def _readers(rest: list[Stmt], made: Assign, fx: Effects) -> list[Stmt]:
    """The statements that read one item each, while the vector is as it was."""
    found = []
    for stmt in rest:
        reads = [
            e for top in stmt_exprs(stmt) for e in walk_expr(top) if _item(e, made)
        ]
        found += [stmt] * len(reads)
        if writes(stmt) and any(
            has_memory(v) and fx.find(v) is fx.find(u)
            for v in refs(made.expr)
            if has_memory(v)
            for u in region_uses(Region(stmts=[stmt]))
        ):
            break
    return found


def _item(e: Expr, made: Assign) -> bool:
    if not (isinstance(e, Op) and e.op == "getitem" and e.args[0] == Ref(made.target)):
        return False
    return isinstance(e.args[1], Lit) and type(e.args[1].value) is int


def _with_items(b: Builder, e: Expr, made: Assign) -> Expr:
    """An expression that reads an item, computed from that of the operand."""
    if _item(e, made):
        assert isinstance(e, Op)
        return _item_of(b, made.expr, e.args[1])
    if not isinstance(e, Op):
        return e
    args = tuple(_with_items(b, a, made) for a in e.args)
    if all(a is o for a, o in zip(args, e.args, strict=True)):
        return e
    new = Op(e.op, args, e.data)
    new.kind = e.kind
    return new


def _item_of(b: Builder, e: Expr, index: Expr) -> Expr:
    if isinstance(e, Ref) and not is_scalar(e.value.kind):
        return getitem(e, index)
    if not isinstance(e, Op):
        return e
    new = Op(e.op, tuple(_item_of(b, a, index) for a in e.args), e.data)
    new.kind = b.infer(new)
    return new
