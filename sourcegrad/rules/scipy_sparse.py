"""Sparse matrices of SciPy: products and `spsolve`.

A matrix from outside of the function is a constant; products with it are those of
`np.matmul`. One made inside from its parts, `csr_array((data, indices, indptr))` or
`coo_array((data, (row, col)))`, is differentiated in its stored entries: an entry that
is not stored has no cotangent. Its methods are `@`, `.dot`, `.T`, `.toarray()`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from ..runtime import is_zero, not_differentiable
from ..runtime_sparse import (
    entry_columns,
    entry_rows,
    plain_solve,
    plain_sparse,
    sparse_shape,
    sparse_solve,
    sparse_times,
    transposed_solve,
    turned_form,
    turned_parts,
)
from ..runtime_special import no_partial
from .registry import adjoint, composite, constant, tangent

constant(entry_columns, entry_rows, sparse_shape, turned_form, turned_parts)
constant(sparse.issparse)

# -------------------------------------------------------------- stored entries


def outer_entries(form, parts, left, right):
    """The stored entries of `left @ right.T`."""
    products = left[entry_rows(form, parts)] * right[entry_columns(form, parts)]
    return np.sum(products, axis=tuple(range(1, np.ndim(products))))


def turned_times(form, parts, shape, data, g):
    """The product of the transposed matrix."""
    form, parts = turned_form(form), turned_parts(form, parts)
    return sparse_times(form, parts, (shape[1], shape[0]), data, g)


def turned_solve(form, parts, shape, data, g):
    """The solution of the transposed system."""
    form, parts = turned_form(form), turned_parts(form, parts)
    return sparse_solve(form, parts, (shape[1], shape[0]), data, g)


@adjoint(sparse_times, source="as for matmul, in the stored entries")
def sparse_times_adjoint(y, y_bar, form, parts, shape, data, x):
    return (
        None,
        None,
        None,
        outer_entries(form, parts, y_bar, x),
        turned_times(form, parts, shape, data, y_bar),
    )


@tangent(sparse_times)
def sparse_times_tangent(y, form, parts, shape, data, data_dot, x, x_dot):
    total = np.zeros_like(y)
    if not is_zero(data_dot):
        total = total + sparse_times(form, parts, shape, data_dot, x)
    if not is_zero(x_dot):
        total = total + sparse_times(form, parts, shape, data, x_dot)
    return total


@adjoint(sparse_solve, source="as for solve, in the stored entries")
def sparse_solve_adjoint(x, x_bar, form, parts, shape, data, b):
    b_bar = turned_solve(form, parts, shape, data, x_bar)
    return None, None, None, -outer_entries(form, parts, b_bar, x), b_bar


@tangent(sparse_solve)
def sparse_solve_tangent(x, form, parts, shape, data, data_dot, b, b_dot):
    moved = np.zeros_like(x) + b_dot
    if not is_zero(data_dot):
        moved = moved - sparse_times(form, parts, shape, data_dot, x)
    return sparse_solve(form, parts, shape, data, moved)


@adjoint(plain_solve)
def plain_solve_adjoint(x, x_bar, matrix, b):
    return None, transposed_solve(matrix, x_bar)


@tangent(plain_solve)
def plain_solve_tangent(x, matrix, b, b_dot):
    return plain_solve(matrix, b_dot)


@adjoint(transposed_solve)
def transposed_solve_adjoint(y, y_bar, matrix, g):
    return None, plain_solve(matrix, y_bar)


@tangent(transposed_solve)
def transposed_solve_tangent(y, matrix, g, g_dot):
    return transposed_solve(matrix, g_dot)


@adjoint(plain_sparse)
def plain_sparse_adjoint(y, y_bar, name, arg1, shape):
    return None, no_partial("a sparse matrix made of a dense one", "arg1")


@tangent(plain_sparse)
def plain_sparse_tangent(y, name, arg1, arg1_dot, shape):
    return no_partial("a sparse matrix made of a dense one", "arg1")


# --------------------------------------------------------------------- matrices


class Sparse:
    """A sparse matrix made of its parts inside of the function."""

    def __init__(self, form: Any, parts: Any, shape: Any, data: Any) -> None:
        self.form = form
        self.parts = parts
        self.shape = shape
        self.data = data

    def __matmul__(self, x: Any) -> Any:
        """The product with a vector or matrix."""
        return sparse_times(self.form, self.parts, self.shape, self.data, x)

    def __rmatmul__(self, x: Any) -> Any:
        """The product with a vector or matrix on the left."""
        return (self.T @ x.T).T

    def dot(self, x: Any) -> Any:
        """The product with a vector or matrix."""
        return self @ x

    @property
    def T(self) -> Any:
        """The transposed matrix."""
        shape = (self.shape[1], self.shape[0])
        parts = turned_parts(self.form, self.parts)
        return Sparse(turned_form(self.form), parts, shape, self.data)

    def toarray(self) -> Any:
        """The matrix as an array."""
        return self @ np.eye(self.shape[1])


def of_parts(name, form, arg1, shape):
    """The matrix that a format's constructor makes of its parts."""
    if isinstance(arg1, tuple) and len(arg1) == 3:
        data, indices, pointers = arg1
        parts = (indices, pointers)
        return Sparse(form, parts, sparse_shape(form, parts, shape), data)
    elif isinstance(arg1, tuple) and isinstance(arg1[1], tuple):
        data, parts = arg1
        return Sparse("coo", parts, sparse_shape("coo", parts, shape), data)
    else:
        return plain_sparse(name, arg1, shape)


@composite(sparse.csr_array, builds=True)
def csr_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csr_array", "csr", arg1, shape)


@composite(sparse.csr_matrix, builds=True)
def csr_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csr_matrix", "csr", arg1, shape)


@composite(sparse.csc_array, builds=True)
def csc_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csc_array", "csc", arg1, shape)


@composite(sparse.csc_matrix, builds=True)
def csc_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csc_matrix", "csc", arg1, shape)


@composite(sparse.coo_array, builds=True)
def coo_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("coo_array", "coo", arg1, shape)


@composite(sparse.coo_matrix, builds=True)
def coo_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("coo_matrix", "coo", arg1, shape)


@composite(sparse.csr_array.dot)
def dot(self, other):
    return self @ other


@composite(sparse_linalg.spsolve, builds=True)
def spsolve(A, b, permc_spec=None, use_umfpack=True):
    if isinstance(A, Sparse):
        return sparse_solve(A.form, A.parts, A.shape, A.data, b)
    elif np.ndim(b) not in (1, 2):
        not_differentiable("scipy.sparse.linalg.spsolve has a rule for dense b only")
    else:
        return plain_solve(A, b)
