"""Helpers of generated code: sparse matrices of SciPy, given by their stored entries.

A matrix is told by its format ("csr", "csc" or "coo"), the two index arrays of that
format, its shape, and the entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def made(form: str, parts: Any, shape: Any, data: Any) -> Any:
    """The sparse array.

    >>> parts = (np.array([1, 0]), np.array([0, 1, 2]))
    >>> made("csr", parts, None, np.array([2.0, 3.0])).toarray().tolist()
    [[0.0, 2.0], [3.0, 0.0]]
    """
    from scipy import sparse

    build = getattr(sparse, f"{form}_array")
    return build((data, parts) if form == "coo" else (data, *parts), shape=shape)


def sparse_shape(form: str, parts: Any, shape: Any) -> tuple[int, int]:
    """The shape, as SciPy finds it where none is given.

    >>> sparse_shape("coo", (np.array([0, 1]), np.array([2, 0])), None)
    (2, 3)
    """
    if shape is not None:
        return int(shape[0]), int(shape[1])
    count = 1 if form == "coo" else len(parts[0])
    rows, columns = made(form, parts, None, np.ones(max(count, len(parts[0])))).shape
    return int(rows), int(columns)


def sparse_times(form: str, parts: Any, shape: Any, data: Any, x: Any) -> Any:
    """The product of a sparse matrix and a vector or matrix.

    >>> parts = (np.array([1, 0]), np.array([0, 1, 2]))
    >>> sparse_times("csr", parts, (2, 2), np.ones(2), np.array([3.0, 4.0])).tolist()
    [4.0, 3.0]
    """
    return made(form, parts, shape, data) @ x


def sparse_solve(form: str, parts: Any, shape: Any, data: Any, b: Any) -> Any:
    """The solution of a sparse system.

    >>> parts = (np.array([0, 1]), np.array([0, 1, 2]))
    >>> sparse_solve("csc", parts, (2, 2), np.array([2.0, 4.0]), np.ones(2)).tolist()
    [0.5, 0.25]
    """
    from scipy.sparse.linalg import spsolve

    return spsolve(made(form, parts, shape, data).tocsc(), b)


def plain_solve(matrix: Any, b: Any) -> Any:
    """The solution of a sparse system with a matrix that is given as it is.

    >>> from scipy import sparse
    >>> plain_solve(sparse.csc_array(np.eye(2)), np.ones(2)).tolist()
    [1.0, 1.0]
    """
    from scipy.sparse.linalg import spsolve

    return spsolve(matrix, b)


def transposed_solve(matrix: Any, g: Any) -> Any:
    """The solution of the transposed system.

    >>> from scipy import sparse
    >>> transposed_solve(sparse.csc_array(np.eye(2)), np.ones(2)).tolist()
    [1.0, 1.0]
    """
    from scipy.sparse.linalg import spsolve

    return spsolve(matrix.T.tocsc(), g)


def plain_sparse(name: str, arg1: Any, shape: Any) -> Any:
    """A sparse array made of anything but its parts.

    >>> plain_sparse("csr_array", np.eye(2), None).shape
    (2, 2)
    """
    from scipy import sparse

    return getattr(sparse, name)(arg1, shape=shape)


def turned_form(form: str) -> str:
    """The format in which the index arrays tell the transposed matrix.

    >>> turned_form("csr"), turned_form("coo")
    ('csc', 'coo')
    """
    return {"csr": "csc", "csc": "csr", "coo": "coo"}[form]


def turned_parts(form: str, parts: Any) -> Any:
    """The index arrays of the transposed matrix in that format.

    >>> turned_parts("coo", (1, 2))
    (2, 1)
    """
    return (parts[1], parts[0]) if form == "coo" else parts


def entry_rows(form: str, parts: Any) -> Any:
    """The row of each stored entry.

    >>> entry_rows("csr", (np.array([1, 0, 1]), np.array([0, 1, 3]))).tolist()
    [0, 1, 1]
    """
    if form == "csr":
        return np.repeat(np.arange(len(parts[1]) - 1), np.diff(parts[1]))
    return parts[0]


def entry_columns(form: str, parts: Any) -> Any:
    """The column of each stored entry.

    >>> entry_columns("csc", (np.array([1, 0, 1]), np.array([0, 1, 3]))).tolist()
    [0, 1, 1]
    """
    return entry_rows(turned_form(form), turned_parts(form, parts))
