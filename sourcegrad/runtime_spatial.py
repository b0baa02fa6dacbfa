"""Helpers of generated code: tables of distances.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .runtime_norms import per_norm


def square_index(count: int) -> Any:
    """Where the square form of `count` distances takes them from; 0 is the diagonal.

    >>> square_index(3).tolist()
    [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    """
    n = (1 + math.isqrt(1 + 8 * count)) // 2
    table = np.zeros((n, n), int)
    table[np.triu_indices(n, 1)] = np.arange(1, count + 1)
    return table + table.T


def table_of(u: Any, v: Any) -> Any:
    """The Euclidean distance of each row of `u` to each of `v`.

    >>> table_of(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]))
    array([[5., 1.]])
    """
    return np.linalg.norm(u[:, None] - v[None], axis=-1)


def squares_of(u: Any, v: Any) -> Any:
    """The squared distance of each row of `u` to each of `v`.

    >>> squares_of(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))
    array([[25.]])
    """
    apart = u[:, None] - v[None]
    return np.sum(apart * apart, axis=-1)


# How much larger than their sum the terms of a matrix product may be.
_LOST = 1e4
# How many distances are worked on at once.
_BLOCK = 1 << 16
# More than what a sum of squares loses to underflow.
_UNSEEN = 1e-280


def _by_product(w: Any, u: Any, v: Any) -> tuple[Any, bool]:
    """The sums of differences by a matrix product, and whether they keep their digits:
    whether none is far smaller than the terms that it is made of."""
    found = (w @ np.ones(len(v), w.dtype))[:, None] * u - w @ v
    squares = np.vecdot(found, found)  # with no temporaries
    # By norms, which bound sums and largest elements
    reach = math.sqrt(np.vecdot(u, u).max()) + math.sqrt(np.vecdot(v, v).max())
    factor = v.size * (reach / _LOST) ** 2
    bounded = factor * (np.vecdot(w, w) + _UNSEEN) <= squares
    if bounded.all() and squares.max() < math.inf:
        return found, True
    reach = np.max(np.abs(u), axis=1) + np.max(np.abs(v))
    terms = np.sum(np.abs(w), axis=1) * reach
    return found, bool(np.all(terms <= _LOST * np.max(np.abs(found), axis=1)))


def pulls(g: Any, y: Any, u: Any, v: Any) -> Any:
    """For each row of `u`, the sum of its differences to those of `v`, times `g / y`.

    By a matrix product where that loses no more than four digits: not where points
    are close to each other, compared with how far all are spread.

    >>> g, y = np.array([[2.0, 4.0]]), np.array([[2.0, 1.0]])
    >>> pulls(g, y, np.array([[5.0]]), np.array([[3.0], [4.0]]))
    array([[6.]])
    """
    rows = max(1, _BLOCK // max(1, len(v)))
    if len(u) > rows:  # by parts that stay in the processor's cache
        starts = range(0, len(u), rows)
        parts = [(g[k : k + rows], u[k : k + rows]) for k in starts]
        over = [y if np.ndim(y) == 0 else y[k : k + rows] for k in starts]
        return np.concatenate(
            [pulls(g, y, u, v) for (g, u), y in zip(parts, over, strict=True)]
        )
    with np.errstate(invalid="ignore", over="ignore"):
        w = per_norm(g, y)
        if np.size(w) and np.size(u):
            found, kept = _by_product(w, u, v)
            if not kept:
                centre = np.mean(v, axis=0)
                found, kept = _by_product(w, u - centre, v - centre)
            if kept:
                return found
        columns = np.zeros(np.shape(u))
        for k in range(np.shape(u)[1]):
            parts = w * (u[:, k][:, None] - v[:, k])
            columns[:, k] = np.sum(np.where(g == 0, 0.0, parts), axis=1)
        return columns
