"""Shape tokens of slices: `u[:-2]`, `u[2:]` and `u[1:-1]` have one length.

An extent is known as (array, axis, how much shorter): slices with literal bounds that
cut the same from an axis are equally long, whatever the array's length.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.ir import Expr, Lit, Op
from sourcegrad.kinds import Num


def sliced_token(base: Num, index: Expr) -> Any:
    """The shape token of `base[index]`, or None where it is not known.

    >>> from sourcegrad.kinds import Num
    >>> u = Num("array", 1, "float64", 7)
    >>> none, two = Lit(None), Lit(2)
    >>> first = sliced_token(u, Op("slice", (none, Op("neg", (two,)), none)))
    >>> first == sliced_token(u, Op("slice", (two, none, none)))
    True
    """
    if base.shape is None or base.ndim is None:
        return None
    extents = _extents(base.shape, base.ndim)
    parts = (
        list(index.args) if isinstance(index, Op) and index.op == "tuple" else [index]
    )
    if Lit(Ellipsis) in parts:
        k = parts.index(Lit(Ellipsis))
        whole = Op("slice", (Lit(None),) * 3)
        parts[k : k + 1] = [whole] * (len(extents) - len(parts) + 1)
    if len(parts) > len(extents):
        return None
    found = []
    for part, extent in zip(parts, extents, strict=False):
        if isinstance(part, Op) and part.op == "slice":
            cut = _cut(part)
            if cut is None:
                return None
            found.append((extent[0], extent[1], extent[2] + cut))
        elif not (isinstance(part, Lit) and type(part.value) is int):
            return None
    found += extents[len(parts) :]
    if found == [(base.shape, k, 0) for k in range(base.ndim)]:
        return base.shape
    return ("extents", tuple(found)) if found else None


def _extents(token: Any, ndim: int) -> list[tuple[Any, int, int]]:
    if isinstance(token, tuple) and token and token[0] == "extents":
        return list(token[1])
    return [(token, k, 0) for k in range(ndim)]


def _cut(part: Op) -> int | None:
    """By how much a slice is shorter than the axis."""
    low, high, step = map(_number, part.args)
    if step not in (None, 1) or low is _UNKNOWN or high is _UNKNOWN:
        return None
    low = 0 if low is None else low
    if low < 0 or (high is not None and high >= 0):
        return None
    return low - (high or 0)


_UNKNOWN: Any = object()


def _number(e: Expr) -> Any:
    if isinstance(e, Lit) and (e.value is None or type(e.value) is int):
        return e.value
    if isinstance(e, Op) and e.op == "neg" and isinstance(e.args[0], Lit):
        return -e.args[0].value if type(e.args[0].value) is int else _UNKNOWN
    return _UNKNOWN
