"""Helpers of generated code: which entries of sparse matrices meet.

As in `runtime_sparse`, a matrix is told by its format and index arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime_sparse import entry_columns, entry_rows, sparse_shape


def form_of(matrix: Any) -> str:
    """The format in which the entries of a sparse matrix of SciPy are read.

    >>> from scipy import sparse
    >>> form_of(sparse.csc_array(np.eye(2))), form_of(sparse.dia_array(np.eye(2)))
    ('csc', 'csr')
    """
    return str(matrix.format) if matrix.format in ("csr", "csc", "coo") else "csr"


def parts_of(matrix: Any) -> Any:
    """The index arrays of a sparse matrix of SciPy in that format.

    >>> from scipy import sparse
    >>> [part.tolist() for part in parts_of(sparse.csc_array(np.eye(2)))]
    [[0, 1], [0, 1, 2]]
    """
    if matrix.format == "coo":
        return matrix.row, matrix.col
    kept = matrix if matrix.format in ("csr", "csc") else matrix.tocsr()
    return kept.indices, kept.indptr


def data_of(matrix: Any) -> Any:
    """The stored entries of a sparse matrix of SciPy in that format.

    >>> from scipy import sparse
    >>> data_of(sparse.dok_array(np.eye(2))).tolist()
    [1.0, 1.0]
    """
    stored = matrix.format in ("csr", "csc", "coo")
    return matrix.data if stored else matrix.tocsr().data


def plain_times(matrix: Any, x: Any) -> Any:
    """The product of a sparse matrix that is given as it is.

    >>> from scipy import sparse
    >>> plain_times(sparse.csr_array(np.eye(2)), np.ones(2)).tolist()
    [1.0, 1.0]
    """
    return matrix @ x


def turned_plain_times(matrix: Any, x: Any) -> Any:
    """The product of the transposed matrix.

    >>> from scipy import sparse
    >>> turned_plain_times(sparse.csr_array([[0.0, 2.0]]), np.ones(1)).tolist()
    [0.0, 2.0]
    """
    return matrix.T @ x


def entry_places(form: str, parts: Any) -> Any:
    """The rows and columns of the stored entries, as a matrix of format "coo".

    >>> places = entry_places("csr", (np.array([1, 0]), np.array([0, 1, 2])))
    >>> [place.tolist() for place in places]
    [[0, 1], [1, 0]]
    """
    return entry_rows(form, parts), entry_columns(form, parts)


def meeting(left: Any, right: Any) -> tuple[Any, Any]:
    """The positions of equal elements of two arrays, as two arrays of indices.

    >>> [k.tolist() for k in meeting(np.array([3, 5]), np.array([5, 4, 5]))]
    [[1, 1], [0, 2]]
    """
    order = np.argsort(right, kind="stable")
    first = np.searchsorted(right[order], left, side="left")
    count = np.searchsorted(right[order], left, side="right") - first
    from_left = np.repeat(np.arange(len(left)), count)
    within = np.arange(len(from_left)) - np.repeat(np.cumsum(count) - count, count)
    return from_left, order[np.repeat(first, count) + within]


def product_pairs(left: Any, right: Any) -> tuple[Any, Any]:
    """Which entries meet in a product, each of a matrix of format "coo".

    >>> pairs = product_pairs((np.array([0]), np.array([1])), (np.array([1]), [0]))
    >>> [k.tolist() for k in pairs]
    [[0], [0]]
    """
    return meeting(left[1], right[0])


def shared_pairs(left: Any, right: Any, shape: Any) -> tuple[Any, Any]:
    """Which entries stand at one place, each of a matrix of format "coo".

    >>> places = np.array([0, 1]), np.array([1, 1])
    >>> [k.tolist() for k in shared_pairs(places, places, (2, 2))]
    [[0, 1], [0, 1]]
    """
    keys = [
        rows.astype(np.int64) * shape[1] + columns for rows, columns in (left, right)
    ]
    return meeting(*keys)


def placed(places: Any, from_left: Any, from_right: Any, other: Any) -> Any:
    """The places of the entries of a product, by the pairs that meet."""
    return places[0][from_left], other[1][from_right]


def picked_places(places: Any, chosen: Any) -> Any:
    """The places of some of the entries.

    >>> picked_places((np.array([0, 1]), np.array([1, 1])), np.array([1]))
    (array([1]), array([1]))
    """
    return places[0][chosen], places[1][chosen]


def in_triangle(places: Any, low: int, high: int) -> Any:
    """Which entries stand on the diagonals from `low` to `high`.

    >>> in_triangle((np.array([0, 1]), np.array([1, 1])), 0, 0).tolist()
    [1]
    """
    offset = places[1] - places[0]
    return np.flatnonzero((offset >= low) & (offset <= high))


def is_place(index: Any) -> bool:
    """Whether an index is that of one element of a matrix.

    >>> is_place((0, -1)), is_place((slice(None), 1))
    (True, False)
    """
    pair = isinstance(index, tuple) and len(index) == 2
    return pair and all(isinstance(k, (int, np.integer)) for k in index)


def at_place(places: Any, row: int, column: int, shape: Any) -> Any:
    """Which entries stand at one place.

    >>> at_place((np.array([0, 1]), np.array([1, 1])), -1, 1, (2, 2)).tolist()
    [1]
    """
    for k, size in ((row, shape[0]), (column, shape[1])):
        if not -size <= k < size:
            raise IndexError(f"index ({k}) out of range")
    there = (places[0] == row % shape[0]) & (places[1] == column % shape[1])
    return np.flatnonzero(there)


def moved_places(places: Any, down: int, right: int) -> Any:
    """The places of entries in a matrix that the matrix is a block of.

    >>> moved_places((np.array([0]), np.array([1])), 2, 3)
    (array([2]), array([4]))
    """
    return places[0] + down, places[1] + right


def joined_places(first: Any, second: Any) -> Any:
    """The places of the entries of two matrices, one after another.

    >>> joined_places((np.array([0]), np.array([1])), (np.array([2]), np.array([3])))
    (array([0, 2]), array([1, 3]))
    """
    rows = np.concatenate((first[0], second[0]))
    return rows, np.concatenate((first[1], second[1]))


def diagonal_places(offset: int, count: int) -> Any:
    """The places of the elements of a diagonal.

    >>> diagonal_places(-1, 2)
    (array([1, 2]), array([0, 1]))
    """
    return np.arange(count) + max(-offset, 0), np.arange(count) + max(offset, 0)


def kron_places(left: Any, right: Any, shape: Any) -> Any:
    """The places of the entries of Kronecker's product.

    >>> one, zero = np.array([1]), np.array([0])
    >>> kron_places((one, zero), (zero, one), (2, 2))
    (array([2]), array([1]))
    """
    rows = left[0][:, None] * shape[0] + right[0]
    return np.ravel(rows), np.ravel(left[1][:, None] * shape[1] + right[1])


def regrouped(form: str, parts: Any, shape: Any, wanted: str) -> tuple[Any, Any]:
    """The index arrays of a matrix in another format, and what adds up its entries.

    Returns:
        the index arrays, and a sparse matrix that maps the old entries to the new.

    >>> places = np.array([1, 1]), np.array([0, 0])
    >>> parts, sums = regrouped("coo", places, None, "csr")
    >>> (sums @ np.array([2.0, 3.0])).tolist()
    [5.0]
    """
    from scipy import sparse

    shape = sparse_shape(form, parts, shape)
    rows, columns = (np.asarray(k, np.int64) for k in entry_places(form, parts))
    old = np.arange(len(rows))
    if wanted == "coo":
        return (rows, columns), sparse.csr_array((np.ones(len(old)), (old, old)))
    major, minor = (rows, columns) if wanted == "csr" else (columns, rows)
    count = shape[0] if wanted == "csr" else shape[1]
    keys = major * max(shape) + minor
    if form == "coo":
        found, place = np.unique(keys, return_inverse=True)
        lines, indices = found // max(shape), found % max(shape)
    else:
        order = np.argsort(major, kind="stable")
        place = np.argsort(order)
        lines, indices = major[order], minor[order]
    pointers = np.searchsorted(lines, np.arange(count + 1))
    size = (len(lines), len(old))
    sums = sparse.csr_array((np.ones(len(old)), (place, old)), shape=size)
    return (indices, pointers), sums
