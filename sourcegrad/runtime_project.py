"""Helpers at the boundary of generated code: seeds and results.

NumPy only, like `runtime`.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def project(g: Any, x: Any) -> Any:
    """A cotangent as the gradient of an argument.

    Args:
        g: the cotangent; may share memory with anything.
        x: the argument.

    Returns:
        `g` in memory of its own, with the shape of `x` and its dtype if that is
        inexact (else float64); a scalar of the type of `x` for a scalar.

    >>> project(2, 1.0), project(1.0, np.zeros(2, np.float32))
    (2.0, array([1., 1.], dtype=float32))
    """
    if isinstance(x, np.ndarray):
        dtype = x.dtype if np.issubdtype(x.dtype, np.inexact) else np.float64
        if np.iscomplexobj(g) and not np.issubdtype(dtype, np.complexfloating):
            g = np.real(g)
        return np.array(np.broadcast_to(g, x.shape), dtype=dtype)
    if isinstance(x, complex):
        return complex(g)
    if np.iscomplexobj(g):
        g = np.real(g)
    if isinstance(x, np.floating):
        return x.dtype.type(g)
    return float(g)


def seed_like(y: Any, y_bar: Any) -> Any:
    """The seed of a gradient: `y_bar` in the shape of a result with one element.

    Args:
        y: the result of the function.
        y_bar: the cotangent of its one element.

    Raises:
        TypeError: the result has not exactly one element.

    >>> seed_like(np.array([2.0]), 1.0)
    array([1.])
    """
    if np.size(y) != 1:
        raise TypeError(
            f"the result has shape {np.shape(y)}; a gradient needs exactly one element: "
            "use sourcegrad.vjp or sourcegrad.jacobian"
        )
    if isinstance(y, np.ndarray):
        return np.full_like(y, y_bar)
    return y_bar


def kept_apart(value: Any) -> Any:
    """A residual in memory of its own: a deep copy of what holds arrays.

    >>> kept_apart(3.0)
    3.0
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(map(kept_apart, value))
    if isinstance(value, dict):
        return {k: kept_apart(v) for k, v in value.items()}
    return value


def is_last(a: Any, index: Any) -> Any:
    """Where a store `a[index] = v` leaves its element: the last writer of each slot.

    Args:
        a: an array.
        index: an index that may name a slot more than once.

    Returns:
        A boolean array of the shape of `a[index]`.

    >>> is_last(np.zeros(3), np.array([0, 0, 2]))
    array([False,  True,  True])
    """
    writer = np.empty(np.shape(a), dtype=np.intp)
    slots = writer[index]
    order = np.arange(slots.size).reshape(slots.shape)
    writer[index] = order
    return writer[index] == order


def zero_buffer(x: Any) -> Any:
    """Zeros that a sweep may accumulate in, in the form of a list or tuple.

    >>> zero_buffer([(1.0, np.ones(2)), 3.0])
    [[0.0, array([0., 0.])], 0.0]
    """
    if isinstance(x, (list, tuple)):
        return [zero_buffer(item) for item in x]
    if isinstance(x, np.ndarray):
        return np.zeros_like(x)
    return 0.0
