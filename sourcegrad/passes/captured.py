"""What a pullback reads of the user's world is kept with its residuals.

    y_reverse reads K        ->  y_forward returns (…, K), y_reverse unpacks it

A global, a closure cell or an attribute may be bound to something else, or written
to, between the call of `vjp` and that of the pullback; the pullback is the linear map
at the point where `vjp` was called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sourcegrad.analysis.writes import changes_operands_only
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.purity import effects_of
from sourcegrad.frontend.reads import is_data
from sourcegrad.ir import Append, Expr, Lit, Obj, Op, Ref, Region, Stmt, Store, Value
from sourcegrad.ir_walk import map_region, stmt_exprs, walk, walk_expr
from sourcegrad.kinds import Kind, strip
from sourcegrad.names import identifier


def run(b: Builder, back: Region) -> dict[Value, Expr]:
    """Replace what a reverse sweep reads of the user's data by values.

    Args:
        b: the builder of the sweep.
        back: the reverse sweep; it is changed.

    Returns:
        The new values, and what each is in the forward sweep.
    """
    names = {g.name for g in b.binder.guards if g.kind is not None}
    names -= {p for stmt in walk(back) for e in _changed(stmt) for p in _paths(e)}
    found: dict[str, tuple[Value, Expr]] = {}

    def value_of(expr: Expr, kind: Kind) -> Value:
        path = _path(expr)
        if path not in found:
            found[path] = Value(_title(expr), strip(kind), False, b.where), expr
        return found[path][0]

    map_region(back, lambda e: _replaced(e, names, b.infer, value_of))
    return dict(found[path] for path in sorted(found))


def _changed(stmt: Stmt) -> Iterator[Expr]:
    """What a statement may change: the logs of hooks are those of the program."""
    if isinstance(stmt, (Store, Append)):
        yield stmt.base
    for expr in stmt_exprs(stmt):
        for e in effects_of(expr):
            if isinstance(e, Op) and e.op == "call":
                fn = e.args[0]
                own = isinstance(fn, Obj) and changes_operands_only(fn.obj)
                yield from () if own else e.args


def _paths(expr: Expr) -> Iterator[str]:
    return (e.path for e in walk_expr(expr) if isinstance(e, Obj))


def _replaced(
    expr: Expr,
    names: set[str],
    infer: Callable[[Expr], Kind],
    value_of: Callable[[Expr, Kind], Value],
) -> Expr:
    if _is_read(expr, names):
        return Ref(value_of(expr, infer(expr)))
    if not isinstance(expr, Op):
        return expr
    method = expr.args[0] if expr.op == "call" else None
    first: list[Expr] = []
    if isinstance(method, Op) and method.op == "attr":  # not a part of an object
        base = _replaced(method.args[0], names, infer, value_of)
        kept = base is method.args[0]
        first = [method if kept else Op("attr", (base,), method.data)]
    rest = expr.args[len(first) :]
    args = (*first, *(_replaced(a, names, infer, value_of) for a in rest))
    if all(a is o for a, o in zip(args, expr.args, strict=True)):
        return expr
    new = Op(expr.op, args, expr.data)
    new.kind = expr.kind
    return new


def _is_read(expr: Expr, names: set[str]) -> bool:
    """Whether an expression is the user's data, or a fixed part of it."""
    if isinstance(expr, Obj):
        return expr.path in names and is_data(expr.obj)
    if isinstance(expr, Op) and expr.op == "attr":
        return _is_read(expr.args[0], names)
    if isinstance(expr, Op) and expr.op == "getitem":
        return isinstance(expr.args[1], Lit) and _is_read(expr.args[0], names)
    return False


def _path(expr: Expr) -> str:
    """The text of such a read; two names may hold one object."""
    if isinstance(expr, Obj):
        return expr.path
    assert isinstance(expr, Op)
    last = f".{expr.data}" if expr.op == "attr" else f"[{expr.args[1]!r}]"
    return _path(expr.args[0]) + last


def _title(expr: Expr) -> str:
    if isinstance(expr, Obj):
        return identifier(expr.path.rpartition(".")[2])
    assert isinstance(expr, Op)
    return identifier(expr.data) if expr.op == "attr" else _title(expr.args[0])
