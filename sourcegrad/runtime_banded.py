"""Helpers of generated code: banded matrices in SciPy's storage, and pivots.

Row `r` of a banded matrix with `u` diagonals above the main one holds the diagonal
of offset `u - r`: `ab[u + i - j, j] == a[i, j]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def band_transposed(ab: Any, lower: int, upper: int) -> Any:
    """The transposed banded matrix, which has `upper` diagonals below its main one.

    >>> band_transposed(np.array([[0.0, 1.0], [2.0, 3.0]]), 0, 1).tolist()
    [[2.0, 3.0], [1.0, 0.0]]
    """
    turned = np.zeros_like(ab)
    n = ab.shape[-1]
    for row in range(lower + upper + 1):
        shift = upper - row
        place = lower + upper - row
        if abs(shift) >= n:
            continue
        if shift >= 0:
            turned[place, : n - shift] = ab[row, shift:]
        else:
            turned[place, -shift:] = ab[row, : n + shift]
    return turned


def band_outer(left: Any, right: Any, lower: int, upper: int) -> Any:
    """The band of `left @ right.T`; vectors count as matrices of one column.

    >>> band_outer(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 0, 1).tolist()
    [[0.0, 4.0], [3.0, 8.0]]
    """
    n = left.shape[0]
    left, right = np.reshape(left, (n, -1)), np.reshape(right, (n, -1))
    band = np.zeros((lower + upper + 1, n), np.result_type(left, right))
    for row in range(lower + upper + 1):
        shift = upper - row
        if abs(shift) >= n:
            continue
        above, below = max(-shift, 0), max(shift, 0)
        rows = left[above : n - below] * right[below : n - above]
        band[row, below : n - above] = np.sum(rows, axis=1)
    return band


def band_times(ab: Any, x: Any, lower: int, upper: int) -> Any:
    """The product of a banded matrix and a vector or matrix.

    >>> band_times(np.array([[0.0, 1.0], [2.0, 3.0]]), np.ones(2), 0, 1).tolist()
    [3.0, 3.0]
    """
    n = x.shape[0]
    total = np.zeros(x.shape, np.result_type(ab, x))
    wide = ab[:, :, np.newaxis] if x.ndim == 2 else ab
    for row in range(lower + upper + 1):
        shift = upper - row
        if abs(shift) >= n:
            continue
        above, below = max(-shift, 0), max(shift, 0)
        part = wide[row, below : n - above] * x[below : n - above]
        total[above : n - below] += part
    return total


def pivot_order(piv: Any) -> Any:
    """The order of rows that LAPACK's pivots stand for: `a[order] == l @ u`.

    >>> pivot_order(np.array([1, 1])).tolist()
    [1, 0]
    """
    order = np.arange(len(piv))
    for i, j in enumerate(piv):
        order[[i, j]] = order[[j, i]]
    return order


def block_slice(k: int, *blocks: Any) -> tuple[slice, slice]:
    """Where block number `k` stands in `scipy.linalg.block_diag(*blocks)`.

    >>> block_slice(1, np.ones((2, 3)), np.ones(4))
    (slice(2, 3, None), slice(3, 7, None))
    """
    shapes = [np.atleast_2d(b).shape for b in blocks if b is not None]
    i, j = (sum(shape[axis] for shape in shapes[:k]) for axis in (0, 1))
    return slice(i, i + shapes[k][0]), slice(j, j + shapes[k][1])
