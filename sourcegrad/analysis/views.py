"""Views: which results may share memory with their operands."""

from __future__ import annotations

from sourcegrad.frontend.purity import pure_function
from sourcegrad.ir import Expr, Obj, Op, Ref, Value, refs
from sourcegrad.kinds import ListKind, Num, TupleKind, is_scalar
from sourcegrad.rules import registry
from sourcegrad.rules.methods import ATTRIBUTES, METHODS, VARIADIC


def has_memory(value: Value) -> bool:
    """Whether a value is a mutable object: an array, a list, or something unknown."""
    kind = value.kind
    if isinstance(kind, TupleKind):
        return not all(map(is_scalar, kind.items))
    return not is_scalar(kind)


def view_bases(expr: Expr) -> list[Value]:
    """Values whose memory the result of an operation may share."""
    if isinstance(expr, Ref):
        return [expr.value] if has_memory(expr.value) else []
    if not isinstance(expr, Op):
        return []
    if expr.op == "getitem":
        base = expr.args[0]
        if isinstance(base, Ref) and isinstance(base.value.kind, (ListKind, TupleKind)):
            return []
        return view_bases(base) if is_basic_index(expr.args[1]) else []
    if expr.op == "attr":
        return view_bases(expr.args[0]) if expr.data in ATTRIBUTES else []
    if expr.op == "ifexp":
        return view_bases(expr.args[1]) + view_bases(expr.args[2])
    if expr.op == "hook":
        return [v for a in expr.args[: len(expr.data.given)] for v in view_bases(a)]
    if expr.op == "call":
        return _call_bases(expr)
    return []


def _call_bases(expr: Op) -> list[Value]:
    fn, *args = expr.args
    if isinstance(fn, Op) and fn.op == "attr":
        function = METHODS.get(fn.data) or VARIADIC.get(fn.data)
        rule = registry.lookup(function) if function else None
        if rule is not None and not rule.views and fn.data != "astype":
            return []
        return view_bases(fn.args[0])
    if isinstance(fn, Obj):
        rule = (
            registry.lookup(fn.obj) if getattr(type(fn.obj), "__hash__", None) else None
        )
        if rule is not None:
            return [v for a in args for v in view_bases(a)] if rule.views else []
        if pure_function(fn.obj):
            return []
    return [v for a in args for v in refs(a) if has_memory(v)]


def is_basic_index(index: Expr) -> bool:
    """Whether an index certainly or possibly makes a view."""
    if isinstance(index, Op) and index.op == "tuple":
        return all(map(is_basic_index, index.args))
    if isinstance(index, Op) and index.op == "list":
        return False
    if isinstance(index, Ref):
        kind = index.value.kind
        return not (
            isinstance(kind, Num) and kind.flavor == "array"
        ) and not isinstance(kind, ListKind)
    return not (isinstance(index, Op) and index.op == "compare")


_MAY_COPY = ("reshape", "ravel", "asarray", "ascontiguousarray", "astype", "atleast_1d",
             "atleast_2d", "atleast_3d", "asanyarray", "array", "real", "imag", "conj",
             "conjugate", "require")  # fmt: skip


def may_copy(expr: Expr) -> bool:
    """Whether an operation that may make a view may also make a copy."""
    if not isinstance(expr, Op) or expr.op != "call":
        return False
    fn = expr.args[0]
    name = fn.data if isinstance(fn, Op) and fn.op == "attr" else None
    if isinstance(fn, Obj):
        name = getattr(fn.obj, "__name__", "")
    return name in _MAY_COPY
