"""What a sparse matrix of SciPy is inside of a function: an object with its methods.

`Sparse` is one made of active entries. `Outside` stands in for one that is a constant,
where it meets an active operand. A result that is sparse itself has the format "coo",
and may hold several entries for one place, which add up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime import not_differentiable
from ..runtime_entries import (
    at_place,
    data_of,
    diagonal_places,
    entry_places,
    form_of,
    in_triangle,
    is_place,
    joined_places,
    parts_of,
    picked_places,
    placed,
    plain_times,
    product_pairs,
    regrouped,
    shared_pairs,
    turned_plain_times,
)
from ..runtime_sparse import sparse_times, turned_form, turned_parts
from .registry import constant

constant(
    at_place,
    is_place,
    data_of,
    diagonal_places,
    entry_places,
    form_of,
    in_triangle,
    joined_places,
)
constant(parts_of, picked_places, placed, product_pairs, regrouped, shared_pairs)


def dense(x):
    """An operand; a list as the array of its elements."""
    return np.asarray(x) if isinstance(x, (list, tuple)) else x


class Stored:
    """A sparse matrix known by its stored entries, be they active or not."""


class Sparse(Stored):
    """A sparse array made of its parts inside of the function."""

    def __init__(self, form: Any, parts: Any, shape: Any, data: Any) -> None:
        self.form = form
        self.parts = parts
        self.shape = shape
        self.data = data

    def of_kin(self, form: Any, parts: Any, shape: Any, data: Any) -> Any:
        """A matrix of the same family of classes."""
        return Sparse(form, parts, shape, data)

    def like(self, data: Any) -> Any:
        """The matrix with other entries at the same places."""
        return self.of_kin(self.form, self.parts, self.shape, data)

    def __matmul__(self, x: Any) -> Any:
        """The product with a vector, a matrix or another sparse matrix."""
        if isinstance(x, Stored):
            return product(self, entries(x))
        else:
            return sparse_times(self.form, self.parts, self.shape, self.data, dense(x))

    def __rmatmul__(self, x: Any) -> Any:
        """The product with a vector or matrix on the left."""
        return (self.T @ dense(x).T).T

    def dot(self, x: Any) -> Any:
        """The product."""
        return self @ x if isinstance(x, Stored) or np.ndim(x) else self * x

    def multiply(self, other: Any) -> Any:
        """The product of each entry."""
        if isinstance(other, Stored):
            return shared(self, entries(other))
        elif np.ndim(other) == 0:
            return self.like(self.data * other)
        else:
            rows, columns = entry_places(self.form, self.parts)
            there = np.broadcast_to(other, self.shape)
            return self.like(self.data * there[rows, columns])

    def __mul__(self, other: Any) -> Any:
        """The product of each entry."""
        return self.multiply(other)

    def __rmul__(self, other: Any) -> Any:
        """The product of each entry."""
        return self.multiply(other)

    def __truediv__(self, other: Any) -> Any:
        """Each entry divided."""
        return self.multiply(1.0 / other)

    def __neg__(self) -> Any:
        """The matrix with entries of the other sign."""
        return self.like(-self.data)

    def __add__(self, other: Any) -> Any:
        """The sum of two matrices."""
        if isinstance(other, Stored):
            return total(self, entries(other))
        else:
            return self.toarray() + other

    def __radd__(self, other: Any) -> Any:
        """The sum with an array."""
        return self + other

    def __sub__(self, other: Any) -> Any:
        """The difference of two matrices."""
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        """The difference to an array."""
        return -self + other

    @property
    def T(self) -> Any:
        """The transposed matrix."""
        shape = (self.shape[1], self.shape[0])
        parts = turned_parts(self.form, self.parts)
        return self.of_kin(turned_form(self.form), parts, shape, self.data)

    def transpose(self) -> Any:
        """The transposed matrix."""
        return self.T

    def conj(self) -> Any:
        """The matrix with conjugated entries."""
        return self.like(np.conj(self.data))

    def copy(self) -> Any:
        """The matrix with entries of its own."""
        return self.like(self.data)

    def toarray(self) -> Any:
        """The matrix as an array."""
        return self @ np.eye(self.shape[1])

    def todense(self) -> Any:
        """The matrix as an array."""
        return self.toarray()

    def __getitem__(self, index: Any) -> Any:
        """One element of the matrix."""
        if not is_place(index):
            not_differentiable(
                "a sparse matrix made in the function gives single elements only",
                hint="use toarray(), or a product with a selection",
            )
        places = entry_places(self.form, self.parts)
        return np.sum(self.data[at_place(places, index[0], index[1], self.shape)])

    def in_form(self, form: Any) -> Any:
        """The matrix in another format."""
        if self.form == form:
            return self
        parts, sums = regrouped(self.form, self.parts, self.shape, form)
        return self.of_kin(form, parts, self.shape, plain_times(sums, self.data))

    def tocsr(self) -> Any:
        """The matrix by rows."""
        return self.in_form("csr")

    def tocsc(self) -> Any:
        """The matrix by columns."""
        return self.in_form("csc")

    def tocoo(self) -> Any:
        """The matrix by places."""
        return self.in_form("coo")

    def asformat(self, format: Any) -> Any:
        """The matrix in another format."""
        return self.in_form(format)

    @property
    def nnz(self) -> Any:
        """How many entries are stored."""
        return len(self.data)

    def sum(self, axis: Any = None) -> Any:
        """The sum of the entries, of all or along an axis."""
        if axis is None:
            return np.sum(self.data)
        elif axis in (0, -2):
            return self.T @ np.ones(self.shape[0])
        else:
            return self @ np.ones(self.shape[1])

    def mean(self, axis: Any = None) -> Any:
        """The mean of all entries, of those too that are not stored."""
        if axis is None:
            return self.sum() / (self.shape[0] * self.shape[1])
        else:
            return self.sum(axis) / self.shape[axis]

    def diagonals(self, low: Any, high: Any) -> Any:
        """The part of the matrix on the diagonals from `low` to `high`."""
        places = entry_places(self.form, self.parts)
        chosen = in_triangle(places, low, high)
        parts = picked_places(places, chosen)
        return self.of_kin("coo", parts, self.shape, self.data[chosen])

    def diagonal(self) -> Any:
        """The elements of the main diagonal."""
        sums = self.diagonals(0, 0) @ np.ones(self.shape[1])
        return sums[: min(self.shape[0], self.shape[1])]

    def trace(self) -> Any:
        """The sum of the main diagonal."""
        return np.sum(self.diagonals(0, 0).data)


class SparseMatrix(Sparse):
    """A sparse matrix of SciPy's older classes: its `*` is the product of matrices."""

    def of_kin(self, form: Any, parts: Any, shape: Any, data: Any) -> Any:
        """A matrix of the same family of classes."""
        return SparseMatrix(form, parts, shape, data)

    def __mul__(self, other: Any) -> Any:
        """The product of matrices, or with a number."""
        if isinstance(other, Stored) or np.ndim(other) > 0:
            return self @ other
        else:
            return self.multiply(other)

    def __rmul__(self, other: Any) -> Any:
        """The product of matrices, or with a number."""
        return self.multiply(other) if np.ndim(other) == 0 else other @ self

    def sum(self, axis: Any = None) -> Any:
        """The sum of all entries."""
        if axis is not None:
            not_differentiable(
                "the sum of a sparse matrix along an axis has no derivative rule",
                hint="make a csr_array, csc_array or coo_array, whose sum is an array",
            )
        return np.sum(self.data)

    def todense(self) -> Any:
        """The matrix as one of NumPy's matrices, which are refused."""
        not_differentiable(
            "a sparse matrix as np.matrix has no derivative rule",
            hint="use toarray()",
        )


class Outside(Stored):
    """A sparse array that is a constant, beside an active operand."""

    def __init__(self, matrix: Any, older: Any) -> None:
        self.matrix = matrix
        self.older = older

    def __matmul__(self, x: Any) -> Any:
        """The product with a vector, a matrix or another sparse matrix."""
        if isinstance(x, Stored):
            return product(entries(self), entries(x))
        else:
            return plain_times(self.matrix, dense(x))

    def __rmatmul__(self, x: Any) -> Any:
        """The product with a vector or matrix on the left."""
        return turned_plain_times(self.matrix, dense(x).T).T

    def __mul__(self, other: Any) -> Any:
        """The product of each entry, or of matrices of the older classes."""
        return entries(self) * other

    def __rmul__(self, other: Any) -> Any:
        """The product of each entry, or of matrices of the older classes."""
        return other * entries(self)

    def __truediv__(self, other: Any) -> Any:
        """Each entry divided."""
        return entries(self) / other

    def __neg__(self) -> Any:
        """The matrix with entries of the other sign."""
        return -entries(self)

    def __add__(self, other: Any) -> Any:
        """The sum of two matrices."""
        return entries(self) + other

    def __radd__(self, other: Any) -> Any:
        """The sum with an array."""
        return entries(self) + other

    def __sub__(self, other: Any) -> Any:
        """The difference of two matrices."""
        return entries(self) - other

    def __rsub__(self, other: Any) -> Any:
        """The difference to an array."""
        return other - entries(self)


def entries(matrix):
    """A sparse matrix as one of its entries, be they active or not."""
    if isinstance(matrix, Sparse):
        return matrix
    elif isinstance(matrix, Outside):
        constant = matrix.matrix
        form, parts = form_of(constant), parts_of(constant)
        if matrix.older:
            return SparseMatrix(form, parts, constant.shape, data_of(constant))
        else:
            return Sparse(form, parts, constant.shape, data_of(constant))
    else:
        shape = matrix.shape
        return Sparse(form_of(matrix), parts_of(matrix), shape, data_of(matrix))


def newer(left, right):
    """Of two matrices one of the newer classes, if there is one."""
    return right if isinstance(left, SparseMatrix) else left


def product(left, right):
    """The product of two sparse matrices."""
    places = entry_places(left.form, left.parts)
    others = entry_places(right.form, right.parts)
    i, j = product_pairs(places, others)
    shape = (left.shape[0], right.shape[1])
    parts = placed(places, i, j, others)
    return left.of_kin("coo", parts, shape, left.data[i] * right.data[j])


def shared(left, right):
    """The product of each entry of two sparse matrices."""
    places = entry_places(left.form, left.parts)
    others = entry_places(right.form, right.parts)
    i, j = shared_pairs(places, others, left.shape)
    parts = picked_places(places, i)
    return left.of_kin("coo", parts, left.shape, left.data[i] * right.data[j])


def total(left, right):
    """The sum of two sparse matrices."""
    places = entry_places(left.form, left.parts)
    others = entry_places(right.form, right.parts)
    parts = joined_places(places, others)
    data = np.concatenate((left.data, right.data))
    return left.of_kin("coo", parts, left.shape, data)
