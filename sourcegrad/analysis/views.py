"""Views: which results may share memory with their operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.frontend.purity import pure_function
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, Unpack, Value, getitem
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import (
    UNKNOWN,
    Atom,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_scalar,
)
from sourcegrad.rules import registry
from sourcegrad.rules.methods import ATTRIBUTES, METHODS, VARIADIC
from sourcegrad.rules.rule import Rule
from sourcegrad.runtime_project import renewed, zeros_sharing


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
        if isinstance(base, Op) and base.op in ("list", "tuple", "dict"):
            return [v for a in base.args for v in view_bases(a)]
        return view_bases(base) if is_basic_index(expr.args[1]) else []
    if expr.op == "attr":
        part = expr.data in ATTRIBUTES or is_object(expr.args[0])
        return view_bases(expr.args[0]) if part else []
    if expr.op == "ifexp":
        return view_bases(expr.args[1]) + view_bases(expr.args[2])
    if expr.op == "hook":
        return [v for a in expr.args[: len(expr.data.given)] for v in view_bases(a)]
    if expr.op == "call":
        return _call_bases(expr)
    if expr.op == "raw" and not _holds_numbers(expr.kind):
        return [v for a in expr.args for v in refs(a) if has_memory(v)]
    return []


def is_object(expr: Expr) -> bool:
    """Whether an expression may be an object, or a part of one, that was handed in:
    its attributes are what the caller holds too."""
    while isinstance(expr, Op) and expr.op in ("attr", "getitem"):
        expr = expr.args[0]
    return isinstance(expr, Ref) and expr.value.kind == UNKNOWN


def _holds_numbers(kind: Kind | None) -> bool:
    """Whether what was kept as written is known to hold no memory."""
    if isinstance(kind, ListKind):
        return isinstance(kind.item, Atom) or is_scalar(kind.item)
    return isinstance(kind, Atom) or kind is not None and is_scalar(kind)


def holds_unseen_arrays(value: Value, expr: Expr | None) -> bool:
    """Whether a value is a list of arrays that a call made: they may share memory."""
    listed = isinstance(value.kind, ListKind) and is_array(value.kind.item)
    return listed and isinstance(expr, Op) and expr.op in ("call", "raw")


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
            if not rule.result_may_view or _copied(rule, args):
                return []
            return _rule_bases(rule, fn.obj, args, len(expr.data or ()))
        if pure_function(fn.obj):
            return []
    return [v for a in args for v in refs(a) if has_memory(v)]


def lent(expr: Expr) -> list[int]:
    """The places of operands that an operation may hand back as they are, where shapes
    agree, although its result counts as new memory."""
    if not (isinstance(expr, Op) and expr.op == "call"):
        return []
    fn = expr.args[0]
    if not isinstance(fn, Obj) or getattr(type(fn.obj), "__hash__", None) is None:
        return []
    rule = registry.lookup(fn.obj)
    if rule is None or rule.views != "lent":
        return []
    count = len(expr.args) - len(expr.data or ())
    names = (p.name for p in rule.parameters[: count - 1])
    moved = frozenset(rule.operands) - rule.constant_operands
    return [k for k, name in enumerate(names, 1) if name in moved]


def _copied(rule: Rule, args: list[Expr]) -> bool:
    """Whether a function that makes views makes new memory of these operands."""
    first = args[0] if args else None
    kind = first.value.kind if isinstance(first, Ref) else None
    return (
        rule.copied_ndim is not None
        and isinstance(kind, Num)
        and kind.ndim == rule.copied_ndim
    )


def rows_of(stmt: Unpack) -> list[tuple[Value, Expr]]:
    """`a, b = matrix` as views: `a` is `matrix[0]`, `b` is `matrix[1]`."""
    e = stmt.expr
    if not (isinstance(e, Ref) and is_array(e.value.kind)):
        return []
    return [(v, getitem(e, Lit(k))) for k, v in enumerate(stmt.targets)]


def _rule_bases(rule: Any, fn: Any, args: list[Expr], named: int) -> list[Value]:
    """The bases of a library call's result: it is a view of the first operand, if of
    any; what comes behind tells how."""
    if rule.views == "alone" or fn is np.broadcast_arrays or named == len(args):
        bases = [v for a in args for v in view_bases(a)]
        return [] if rule.views == "alone" and len(bases) > 1 else bases
    return view_bases(args[0])


def is_basic_index(index: Expr) -> bool:
    """Whether an index certainly or possibly makes a view."""
    if isinstance(index, Op) and index.op == "tuple":
        return all(map(is_basic_index, index.args))
    if isinstance(index, Op) and index.op in ("list", "compare"):
        return False
    kind = _known_kind(index)
    return kind is None or not _selects(kind)


def is_surely_basic(index: Expr) -> bool:
    """Whether an index makes a view, whatever its parts are at run time."""
    if isinstance(index, Op) and index.op == "tuple":
        return all(map(is_surely_basic, index.args))
    if isinstance(index, Lit) or isinstance(index, Op) and index.op == "slice":
        return True
    if isinstance(index, Obj):
        return index.obj is None or isinstance(index.obj, (int, slice, type(...)))
    kind = _known_kind(index)
    return kind is not None and is_scalar(kind)


def _known_kind(index: Expr) -> Kind | None:
    if isinstance(index, Ref):
        return index.value.kind
    return index.kind if isinstance(index, Op) else None


def _selects(kind: Kind) -> bool:
    """Whether an index of this kind certainly picks elements one by one."""
    if isinstance(kind, TupleKind):
        return any(map(_selects, kind.items))
    return isinstance(kind, ListKind) or is_array(kind)


def may_repeat(infer: Callable[[Expr], Kind], index: Expr) -> bool:
    """Whether an index may name an element twice: an integer array or a list."""
    if isinstance(index, Op) and index.op == "tuple":
        return any(may_repeat(infer, i) for i in index.args)
    if isinstance(index, Op) and index.op in ("slice", "compare"):
        return False
    if isinstance(index, Obj) and index.obj is None:
        return False
    if isinstance(index, Op) and index.op == "list":
        return True
    kind = infer(index)
    if isinstance(kind, TupleKind):
        return any(map(_repeats, kind.items))
    return _repeats(kind) and not isinstance(index, Lit)


def _repeats(kind: Kind) -> bool:
    """Whether an index of this kind may name an element twice."""
    if isinstance(kind, Num):
        return kind.ndim != 0 and kind.dtype != "bool"
    return kind != Atom(slice) and not is_scalar(kind)


_MAY_COPY = ("reshape", "ravel", "asarray", "ascontiguousarray", "astype", "atleast_1d",
             "atleast_2d", "atleast_3d", "asanyarray", "array", "real", "imag", "conj",
             "conjugate", "require", "einsum", "diag", "asfortranarray",
             "asarray_chkfinite", "shadow_view", "laid_out")  # fmt: skip


def may_copy(expr: Expr) -> bool:
    """Whether an operation that may make a view may also make a copy."""
    if isinstance(expr, Op) and expr.op == "getitem":
        return not is_surely_basic(expr.args[1])
    return isinstance(expr, Op) and expr.op == "call" and _called(expr) in _MAY_COPY


def reshapes_in_order(expr: Expr, base: Expr | None) -> bool:
    """Whether an operation reshapes an array that was made in one piece, row by row, so
    that it makes a view.

    Args:
        expr: the operation.
        base: what the array was made by, if that is known.
    """
    if not isinstance(expr, Op) or _called(expr) not in ("reshape", "ravel"):
        return False
    if expr.data or not isinstance(base, Op) or base.op != "call" or base.data:
        return False
    fn = base.args[0]
    if isinstance(fn, Op):
        return fn.op == "attr" and fn.data == "copy" and len(base.args) == 1
    return _called(base) in ("zeros", "ones", "empty") and len(base.args) == 2


def _called(expr: Op) -> str:
    """The name of the function or method that a call calls."""
    fn = expr.args[0]
    if isinstance(fn, Op) and fn.op == "attr":
        return str(fn.data)
    return getattr(fn.obj, "__name__", "") if isinstance(fn, Obj) else ""


_READ_ONLY = ("broadcast_to", "broadcast_arrays", "diag", "diagonal", "imag",
              "sliding_window_view")  # fmt: skip


def is_read_only(expr: Expr) -> bool:
    """Whether an operation makes views that cannot be written, or show an element more
    than once: the same view of a cotangent could not gather contributions. (That of
    an imaginary part has the other sign.)"""
    if isinstance(expr, Op) and expr.op == "attr":
        return expr.data == "imag"
    if not isinstance(expr, Op) or expr.op != "call" or _called(expr) not in _READ_ONLY:
        return False
    return bool(view_bases(expr))  # np.diag of a vector is memory of its own


def is_renewed(expr: Expr) -> bool:
    """Whether an expression is a tuple of buffers that may share memory."""
    fn = expr.args[0] if isinstance(expr, Op) and expr.op == "call" else None
    return isinstance(fn, Obj) and fn.obj in (renewed, zeros_sharing)
