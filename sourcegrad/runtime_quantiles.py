"""Helpers of generated code: the share of each element in a quantile.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def _shares(
    a: Any, q: Any, axis: Any, skip_nan: bool, method: str, weights: Any
) -> Any:
    """The share of each element of `a` in its quantile."""
    a = np.asarray(a) * 1.0
    if axis is None:
        axes = tuple(range(a.ndim))
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, last)
    kept = moved.shape[: a.ndim - len(axes)]
    shape = kept + (math.prod(moved.shape[len(kept) :]),)
    flat = np.reshape(moved, shape)
    unknown = np.sum(np.isnan(flat), axis=-1, keepdims=True)
    if weights is not None:
        spread = _weights_like(a, np.asarray(weights), axes)
        spread = np.reshape(np.moveaxis(spread, axes, last), shape)
        shares = _first_share(flat, q, skip_nan, method, spread)
    elif skip_nan and np.any(unknown):
        rank = np.argsort(np.argsort(flat, axis=-1), axis=-1)
        place = _place(q, flat.shape[-1] - unknown, method)
        shares = np.maximum(0.0, 1.0 - np.abs(rank - place)).astype(a.dtype)
    else:
        shares = _two_elements(flat, float(_place(q, flat.shape[-1], method)))
    if not skip_nan:
        shares[np.broadcast_to(unknown > 0, flat.shape)] = np.nan
    return np.moveaxis(np.reshape(shares, moved.shape), last, axes)


def _place(q: float, count: Any, method: str) -> Any:
    """Where the quantile of so many sorted elements stands, between two of them.

    Each method interpolates between neighbours, so that of 0, 1, 2, … is its place.

    >>> _place(0.5, 4, "linear"), float(_place(0.5, 4, "lower"))
    (1.5, 1.0)
    """
    if method == "linear":
        return q * (count - 1)
    name: Any = method
    place = np.zeros(np.shape(count))
    for n in np.unique(count[count > 0] if np.ndim(count) else count):
        place[count == n] = np.quantile(np.arange(float(n)), q, method=name)
    return place


def _two_elements(flat: Any, place: float) -> Any:
    """Zeros, with shares that add up to 1 at the elements next to a place."""
    low = math.floor(place)
    high = min(low + 1, flat.shape[-1] - 1)
    order = np.argpartition(flat, [low, high], axis=-1)
    shares = np.zeros_like(flat)
    below, beyond = order[..., low : low + 1], order[..., high : high + 1]
    np.put_along_axis(shares, beyond, place - low, -1)
    np.put_along_axis(shares, below, 1.0 - (place - low), -1)
    return shares


def _weights_like(a: Any, weights: Any, axes: tuple[int, ...]) -> Any:
    """Weights along some axes of `a`, in its shape."""
    if weights.shape != a.shape:
        axes = tuple(k % a.ndim for k in axes)
        weights = np.transpose(weights, np.argsort(axes))
        sizes = [n if k in axes else 1 for k, n in enumerate(a.shape)]
        weights = np.reshape(weights, sizes)
    return np.broadcast_to(weights, a.shape)


def _first_share(flat: Any, q: float, skip_nan: bool, method: str, weights: Any) -> Any:
    """1 at the element that is the weighted quantile, the first of equal ones."""
    quantile: Any = np.nanquantile if skip_nan else np.quantile
    y = quantile(flat, q, axis=-1, method=method, weights=weights, keepdims=True)
    chosen = np.argmax((flat == y) & (weights > 0), axis=-1)
    shares = np.zeros_like(flat)
    np.put_along_axis(shares, chosen[..., np.newaxis], 1.0, -1)
    return shares


def quantile_pullback(
    y_bar: Any,
    a: Any,
    q: Any,
    axis: Any,
    keepdims: Any,
    skip_nan: bool = False,
    method: str = "linear",
    weights: Any = None,
) -> Any:
    """The cotangent of `a` in `np.quantile(a, q, axis)`, for one `q` or many.

    >>> quantile_pullback(1.0, np.array([3.0, 1.0, 8.0, 5.0]), 0.5, None, False)
    array([0.5, 0. , 0. , 0.5])
    """
    if np.ndim(q):
        bars = [
            quantile_pullback(g, a, p, axis, keepdims, skip_nan, method, weights)
            for g, p in zip(y_bar, q, strict=True)
        ]
        return np.sum(np.stack(bars), axis=0)
    if axis is not None and not keepdims:
        y_bar = np.expand_dims(y_bar, axis)
    return y_bar * _shares(a, float(q), axis, skip_nan, method, weights)


def quantile_pushforward(
    a_dot: Any,
    a: Any,
    q: Any,
    axis: Any,
    keepdims: Any,
    skip_nan: bool = False,
    method: str = "linear",
    weights: Any = None,
) -> Any:
    """The tangent of `np.quantile(a, q, axis)`, for one `q` or many.

    >>> quantile_pushforward(np.arange(3.0), np.array([2.0, 1.0, 9.0]), 1.0, 0, False)
    np.float64(2.0)
    """
    if np.ndim(q):
        dots = [
            quantile_pushforward(a_dot, a, p, axis, keepdims, skip_nan, method, weights)
            for p in q
        ]
        return np.stack(dots)
    shares = _shares(a, float(q), axis, skip_nan, method, weights)
    return np.sum(shares * a_dot, axis=axis, keepdims=keepdims)


def quantile_of(
    a: Any,
    q: Any,
    axis: Any,
    keepdims: Any,
    skip_nan: bool,
    method: str,
    weights: Any,
) -> Any:
    """`np.quantile` with all of its options.

    >>> float(quantile_of(np.array([3.0, 1.0]), 0.2, 0, False, False, "higher", None))
    3.0
    """
    quantile: Any = np.nanquantile if skip_nan else np.quantile
    return quantile(a, q, axis=axis, keepdims=keepdims, method=method, weights=weights)
