"""Helpers of generated code: derivatives of norms of an order other than 2.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def per_norm(g: Any, y: Any) -> Any:
    """`g / y`, and `g` where the norm `y` is 0.

    There the norm has the gradient 0 by convention, but no second derivative: that
    of this function is nan.

    >>> per_norm(3.0, 2.0), per_norm(3.0, 0.0)
    (1.5, 3.0)
    """
    return g / (y + (y == 0))


def norm_slope(y: Any, x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """The partials of `y = np.linalg.norm(x, ord, axis, keepdims)`, shaped like x.

    For complex x, of the pairing `real(slope * x_dot)`.

    >>> norm_slope(7.0, np.array([3.0, -4.0]), 1, None, False)
    array([ 1., -1.])
    """
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if ord == "fro":
        return np.conj(x) / (y + (y == 0))
    if len(axes) == 1:
        return _vector_slope(y, x, ord, axes[0])
    last = (-2, -1)
    moved = np.moveaxis(x, axes, last)
    return np.moveaxis(_matrix_slope(moved, ord), last, axes)


def _vector_slope(y: Any, x: Any, ord: Any, axis: int) -> Any:
    if ord == 2:
        return np.conj(x) / (y + (y == 0))
    sign, size = np.conj(np.sign(x)), np.abs(x)
    if ord == 0:
        return 0.0 * sign
    if ord == 1:
        return sign
    if ord in (np.inf, -np.inf):
        return sign * _share(size == y, axis, size.dtype)
    # sign is 0 where size is, so what stands in for a zero does not matter
    ratio = np.where(size == 0, 1.0, size) / np.where(y == 0, 1.0, y)
    return sign * np.where(y == 0, 0.0, ratio ** (ord - 1))


def _matrix_slope(x: Any, ord: Any) -> Any:
    if ord in (1, -1, np.inf, -np.inf):
        across, along = (-2, -1) if ord in (1, -1) else (-1, -2)
        sums = np.sum(np.abs(x), axis=across, keepdims=True)
        pick = np.max if ord > 0 else np.min
        chosen = sums == pick(sums, axis=along, keepdims=True)
        return np.conj(np.sign(x)) * _share(chosen, along, sums.dtype)
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    if ord == "nuc":
        weights = (s > np.finfo(s.dtype).eps * s[..., :1]).astype(s.dtype)
    else:
        extreme = s[..., :1] if ord == 2 else s[..., -1:]
        weights = _share(s == extreme, -1, s.dtype)
    return np.conj(u * np.expand_dims(weights, -2) @ vh)


def _share(chosen: Any, axis: int, dtype: Any) -> Any:
    """Equal parts, adding up to 1, for what is chosen along an axis."""
    return chosen / np.sum(chosen, axis=axis, keepdims=True, dtype=dtype)
