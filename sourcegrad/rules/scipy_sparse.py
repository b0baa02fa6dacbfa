"""Sparse matrices of SciPy: products and `spsolve`.

A matrix from outside of the function is a constant. One made inside from its parts,
`csr_array((data, indices, indptr))` or `coo_array((data, (row, col)))`, or of
diagonals, is differentiated in its stored entries: an entry that is not stored has no
cotangent. `scipy_sparse_objects` has the methods of both.
"""

import numpy as np
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from ..runtime import is_zero, not_differentiable
from ..runtime_entries import (
    diagonal_places,
    entry_places,
    joined_places,
    kron_places,
    moved_places,
    plain_times,
    turned_plain_times,
)
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
from .scipy_sparse_objects import Outside, Sparse, SparseMatrix, dense, entries, newer
from .stand_ins import stand_in

constant(entry_columns, entry_rows, sparse_shape, turned_form, turned_parts)
constant(kron_places, moved_places)
constant(sparse.issparse)
constant(sparse.eye, sparse.eye_array, sparse.identity)

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


@adjoint(plain_times)
def plain_times_adjoint(y, y_bar, matrix, x):
    return None, turned_plain_times(matrix, y_bar)


@tangent(plain_times)
def plain_times_tangent(y, matrix, x, x_dot):
    return plain_times(matrix, x_dot)


@adjoint(turned_plain_times)
def turned_plain_times_adjoint(y, y_bar, matrix, x):
    return None, plain_times(matrix, y_bar)


@tangent(turned_plain_times)
def turned_plain_times_tangent(y, matrix, x, x_dot):
    return turned_plain_times(matrix, x_dot)


@adjoint(plain_sparse)
def plain_sparse_adjoint(y, y_bar, name, arg1, shape):
    return None, no_partial("a sparse matrix made of a dense one", "arg1")


@tangent(plain_sparse)
def plain_sparse_tangent(y, name, arg1, arg1_dot, shape):
    return no_partial("a sparse matrix made of a dense one", "arg1")


# --------------------------------------------------------------------- matrices


@stand_in(sparse.sparray)
def outside_array(matrix):
    return Outside(matrix, False)


@stand_in(sparse.spmatrix)
def outside_matrix(matrix):
    return Outside(matrix, True)


def made(older, form, parts, shape, data):
    """The object for a matrix of active entries."""
    if older:
        return SparseMatrix(form, parts, sparse_shape(form, parts, shape), data)
    else:
        return Sparse(form, parts, sparse_shape(form, parts, shape), data)


def typed(data, dtype):
    """The entries as an array of a dtype, where one is asked for."""
    return dense(data) if dtype is None else np.asarray(data, dtype)


def of_parts(name, older, form, arg1, shape, dtype):
    """The matrix that a format's constructor makes of its parts."""
    if isinstance(arg1, Sparse):
        return made(older, arg1.form, arg1.parts, arg1.shape, arg1.data).in_form(form)
    elif isinstance(arg1, tuple) and len(arg1) == 3:
        data, indices, pointers = arg1
        data = typed(data, dtype)
        return made(older, form, (indices, pointers), shape, data)
    elif isinstance(arg1, tuple) and isinstance(arg1[1], (tuple, list)):
        data, parts = arg1
        parts = (parts[0], parts[1])
        coo = made(older, "coo", parts, shape, typed(data, dtype))
        return coo.in_form(form)
    else:
        return plain_sparse(name, arg1, shape)


@composite(sparse.csr_array, builds=True)
def csr_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csr_array", False, "csr", arg1, shape, dtype)


@composite(sparse.csr_matrix, builds=True)
def csr_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csr_matrix", True, "csr", arg1, shape, dtype)


@composite(sparse.csc_array, builds=True)
def csc_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csc_array", False, "csc", arg1, shape, dtype)


@composite(sparse.csc_matrix, builds=True)
def csc_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("csc_matrix", True, "csc", arg1, shape, dtype)


@composite(sparse.coo_array, builds=True)
def coo_array(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("coo_array", False, "coo", arg1, shape, dtype)


@composite(sparse.coo_matrix, builds=True)
def coo_matrix(arg1, shape=None, dtype=None, copy=False, *, maxprint=None):
    return of_parts("coo_matrix", True, "coo", arg1, shape, dtype)


def banded(older, diagonals, offsets, shape, format):
    """The matrix of diagonals, given one by one or as one."""
    if isinstance(offsets, (int, np.integer)):
        rows = [diagonals] if np.ndim(diagonals[0]) == 0 else diagonals
        offsets = [offsets]
    else:
        rows = diagonals
    n = len(rows[0]) + abs(offsets[0])
    if shape is None:
        shape = (n, n)
    parts = diagonal_places(offsets[0], len(rows[0]))
    data = np.asarray(rows[0])
    for k in range(1, len(offsets)):
        parts = joined_places(parts, diagonal_places(offsets[k], len(rows[k])))
        data = np.concatenate((data, rows[k]))
    whole = made(older, "coo", parts, shape, data)
    return whole if format is None or format == "dia" else whole.in_form(format)


@composite(sparse.diags, builds="active", fixed=("offsets", "shape"))
def diags(diagonals, offsets=0, shape=None, format=None, dtype=None):
    return banded(True, diagonals, offsets, shape, format)


@composite(sparse.diags_array, builds="active", fixed=("offsets", "shape"))
def diags_array(diagonals, /, *, offsets=0, shape=None, format=None, dtype=None):
    return banded(False, diagonals, offsets, shape, format)


@composite(sparse.kron, builds="active")
def kron(A, B, format=None):
    left, right = entries(A), entries(B)
    places = entry_places(left.form, left.parts)
    others = entry_places(right.form, right.parts)
    shape = (left.shape[0] * right.shape[0], left.shape[1] * right.shape[1])
    data = np.ravel(np.expand_dims(left.data, 1) * right.data)
    parts = kron_places(places, others, right.shape)
    return newer(left, right).of_kin("coo", parts, shape, data)


@composite(sparse.tril, builds="active")
def tril(A, k=0, format=None):
    matrix = entries(A)
    return matrix.diagonals(-matrix.shape[0], k)


@composite(sparse.triu, builds="active")
def triu(A, k=0, format=None):
    matrix = entries(A)
    return matrix.diagonals(k, matrix.shape[1])


def joined(matrices, down, right, format):
    """The matrix of others, each further down, further to the right, or both."""
    first = entries(matrices[0])
    kin = first
    parts, data = entry_places(first.form, first.parts), first.data
    row = first.shape[0] if down else 0
    column = first.shape[1] if right else 0
    for k in range(1, len(matrices)):
        other = entries(matrices[k])
        kin = newer(kin, other)
        places = entry_places(other.form, other.parts)
        parts = joined_places(parts, moved_places(places, row, column))
        data = np.concatenate((data, other.data))
        if down:
            row = row + other.shape[0]
        if right:
            column = column + other.shape[1]
    shape = (row if down else first.shape[0], column if right else first.shape[1])
    whole = kin.of_kin("coo", parts, shape, data)
    return whole if format is None else whole.in_form(format)


@composite(sparse.hstack, builds="active")
def hstack(blocks, format=None, dtype=None):
    return joined(blocks, False, True, format)


@composite(sparse.vstack, builds="active")
def vstack(blocks, format=None, dtype=None):
    return joined(blocks, True, False, format)


@composite(sparse.block_diag, builds="active")
def block_diag(mats, format=None, dtype=None):
    return joined(mats, True, True, format)


FORMATS = (
    sparse.csr_array,
    sparse.coo_array,
    sparse.dia_array,
    sparse.bsr_array,
    sparse.lil_array,
)


@composite(*dict.fromkeys(form.dot for form in FORMATS), builds="active")
def dot(self, other):
    if np.ndim(other) == 0:
        return entries(self).multiply(other)
    else:
        return self @ other


@composite(*dict.fromkeys(form.multiply for form in FORMATS), builds="active")
def multiply(self, other):
    return entries(self).multiply(other)


@composite(sparse_linalg.spsolve, builds=True)
def spsolve(A, b, permc_spec=None, use_umfpack=True):
    if isinstance(A, Sparse):
        return sparse_solve(A.form, A.parts, A.shape, A.data, b)
    elif np.ndim(b) not in (1, 2):
        not_differentiable("scipy.sparse.linalg.spsolve has a rule for dense b only")
    else:
        return plain_solve(A, b)
