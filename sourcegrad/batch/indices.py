"""Subscripts of stacks."""

from __future__ import annotations

from typing import Any

from sourcegrad.batch.shapes import ALL, Unbatchable
from sourcegrad.ir import Expr, Lit, Op
from sourcegrad.kinds import Num, is_scalar


def behind_the_seeds(b: Any, index: Expr) -> Expr:
    """A subscript of one seed's cotangent as one of the stack.

    Args:
        b: infers kinds.
        index: basic, or with a single array and no number beside it: NumPy would
            else put the axes of the arrays in front of the seeds.

    Raises:
        Unbatchable: it is another one.
    """
    parts = index.args if isinstance(index, Op) and index.op == "tuple" else (index,)
    sorts = [_sort(b, part) for part in parts]
    if "array" in sorts and (sorts.count("array") > 1 or "number" in sorts):
        raise Unbatchable("several arrays in a subscript")
    return Op("tuple", (ALL, *parts))


def _sort(b: Any, part: Expr) -> str:
    if isinstance(part, Op) and part.op == "slice":
        return "basic"
    if isinstance(part, Lit):
        return "number" if type(part.value) is int else _constant(part.value)
    kind = b.infer(part)
    if isinstance(kind, Num) and is_scalar(kind) and _whole(kind):
        return "number"
    if isinstance(kind, Num) and kind.flavor == "array" and kind.ndim:
        return "array"
    raise Unbatchable("a subscript of unknown kind")


def _whole(kind: Num) -> bool:
    """Whether a scalar is an integer: a boolean adds an axis."""
    return (kind.dtype or "").startswith(("int", "uint", "number"))


def _constant(value: Any) -> str:
    if value is None or value is Ellipsis:
        return "basic"
    raise Unbatchable("a subscript of unknown kind")
