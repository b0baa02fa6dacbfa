"""NumPy functions of generated code that numba does not have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from sourcegrad.runtime_numba import Body, implements


@implements(np.ndim)
def _ndim(a: Any) -> Body:
    if isinstance(a, types.Number | types.Boolean):
        return lambda a: 0
    if not isinstance(a, types.Array):
        return None
    rank = a.ndim
    return lambda a: rank


@implements(np.full_like)
def _full_like(a: Any, fill_value: Any) -> Body:
    if isinstance(a, types.List) and isinstance(a.dtype, types.Number):
        return lambda a, fill_value: np.full(len(a), fill_value)
    return None


@implements(np.may_share_memory)
def _may_share_memory(a: Any, b: Any) -> Body:
    if not (isinstance(a, types.Array) and isinstance(b, types.Array)):
        return None

    def overlap(a: Any, b: Any) -> bool:
        a_start, a_end = _extent(a)
        b_start, b_end = _extent(b)
        return a_start < b_end and b_start < a_end

    return overlap


def _extent(a: Any) -> tuple[int, int]:
    """The first address of an array, and the one behind its last."""
    raise NotImplementedError  # compiled code only: the overload below


@implements(_extent)
def _extent_compiled(a: Any) -> Body:
    rank = a.ndim

    def extent(a: Any) -> tuple[int, int]:
        start = a.ctypes.data
        end = start + (a.itemsize if a.size else 0)
        for axis in range(rank):
            reach = a.strides[axis] * (a.shape[axis] - 1)
            if a.size and reach < 0:
                start += reach
            elif a.size:
                end += reach
        return start, end

    return extent
