"""Lists and tuples beside arrays in an operator: `x * [1.0, 2.0]`."""

from __future__ import annotations

from typing import Any

from sourcegrad.errors import KindError
from sourcegrad.ir import Expr, Op
from sourcegrad.kinds import UNKNOWN, Kind, ListKind, Num, TupleKind, is_scalar
from sourcegrad.rules.methods import CONSTANT_ATTRIBUTES

_OPERATORS = frozenset("add sub mul truediv floordiv mod pow matmul".split())
_OF_LISTS = frozenset({"add", "mul", "mod"})  # of lists too, or of a text


def without_lists(b: Any, expr: Op) -> Op:
    """The operation with a list beside an array made the array of its items.

    NumPy does the same with it. A list times an int, and a list plus a list, stay.

    Raises:
        KindError: what is beside the list may be an array, or a count.
    """
    if expr.op not in _OPERATORS:
        return expr
    kinds = [b.infer(a) for a in expr.args]
    listed = [isinstance(k, (ListKind, TupleKind)) for k in kinds]
    varied = any(map(b.is_varied, expr.args))
    if listed not in ([True, False], [False, True]) or not varied:
        return expr
    at = listed.index(True)
    other, beside = kinds[1 - at], expr.args[1 - at]
    unsure = isinstance(kinds[at], ListKind) and _may_be_either(other) and not b.static
    if expr.op == "mul" and unsure and _reads_values(b, beside):
        raise b.error(
            KindError,
            "it is not known whether this repeats a list or multiplies an array",
            "the kind of what is beside the list could not be inferred",
            ("write np.array([…]) for the list",),
        )
    if not _taken_by_numpy(expr.op, other):
        return expr
    args = list(expr.args)
    made = b.call_object(b.numpy("array"), [args[at]], {}, None)
    args[at] = b.atom(b.materialise(made))
    return Op(expr.op, tuple(args), expr.data)


def _reads_values(b: Any, expr: Expr) -> bool:
    """Whether an expression reads active values, and not their shapes alone."""
    if not isinstance(expr, Op):
        return bool(b.is_varied(expr))
    if expr.op == "attr" and expr.data in CONSTANT_ATTRIBUTES:
        return False
    return any(_reads_values(b, a) for a in expr.args)


def _may_be_either(kind: Kind) -> bool:
    """Whether values of this kind may be arrays, and may be counts."""
    if isinstance(kind, Num):
        return kind.dtype is None and not is_scalar(kind) and kind.flavor != "array"
    return kind == UNKNOWN


def _taken_by_numpy(op: str, kind: Kind) -> bool:
    """Whether the operator of a list and a value of this kind is NumPy's."""
    if not isinstance(kind, Num):
        return kind == UNKNOWN and op not in _OF_LISTS
    return op != "mul" or not is_scalar(kind) and "int" not in (kind.dtype or "")
