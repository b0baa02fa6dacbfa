"""Products and linear algebra of dual arrays, by plain loops over their definition."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tests.oracle.dual import OracleDomainError, primal
from tests.oracle.scalars import NUMPY
from tests.oracle.ufuncs import Array, lift, plain


def einsum(subscripts: str, *operands: Any, optimize: Any = False) -> Any:
    """`np.einsum` without ellipsis, summed in the order of the indices."""
    del optimize
    if "." in subscripts:
        raise OracleDomainError("einsum with an ellipsis")
    arrays = [plain(lift(x)) for x in operands]
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow:
        letters = inputs.replace(",", "")
        output = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    sizes: dict[str, int] = {}
    for term, array in zip(terms, arrays, strict=True):
        for letter, size in zip(term, array.shape, strict=True):
            sizes[letter] = max(sizes.get(letter, 1), size)
    summed = [c for c in sizes if c not in output]
    out = np.full([sizes[c] for c in output], np.float64(0.0), object)
    for point in itertools.product(*(range(sizes[c]) for c in [*output, *summed])):
        at = dict(zip([*output, *summed], point, strict=True))
        product: Any = np.float64(1.0)
        for term, array in zip(terms, arrays, strict=True):
            where = zip(term, array.shape, strict=True)
            product = product * array[tuple(at[c] if n > 1 else 0 for c, n in where)]
        out[tuple(at[c] for c in output)] += product
    return out.view(Array) if output else out[()]


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """`np.tensordot`."""
    a, b = lift(a), lift(b)
    if isinstance(axes, int):
        axes = (range(a.ndim - axes, a.ndim), range(axes))
    left, right = ([k] if isinstance(k, int) else list(k) for k in axes)
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    a_names = [next(letters) for _ in range(a.ndim)]
    b_names = [next(letters) for _ in range(b.ndim)]
    for i, j in zip(left, right, strict=True):
        b_names[j] = a_names[i]
    shared = {a_names[i] for i in left}
    free = [c for c in a_names + b_names if c not in shared]
    return einsum(f"{''.join(a_names)},{''.join(b_names)}->{''.join(free)}", a, b)


def dot(a: Any, b: Any, out: Any = None) -> Any:
    """`np.dot`."""
    a, b = lift(a), lift(b)
    if a.ndim == 0 or b.ndim == 0:
        result = a * b
    else:
        result = tensordot(a, b, ([a.ndim - 1], [max(b.ndim - 2, 0)]))
    if out is None:
        return result
    out[...] = result
    return out


def matmul(a: Any, b: Any) -> Any:
    """`a @ b`, batches included."""
    a, b = lift(a), lift(b)
    if a.ndim <= 2 and b.ndim <= 2:
        return dot(a, b)
    left = a[None] if a.ndim == 1 else a
    right = b[:, None] if b.ndim == 1 else b
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    left = np.broadcast_to(plain(left), batch + left.shape[-2:])
    right = np.broadcast_to(plain(right), batch + right.shape[-2:])
    out = np.empty((*batch, left.shape[-2], right.shape[-1]), object)
    for at in np.ndindex(*batch):
        out[at] = dot(left[at], right[at])
    out = out[..., 0, :] if a.ndim == 1 else out
    return (out[..., 0] if b.ndim == 1 else out).view(Array)


def vecdot(a: Any, b: Any) -> Any:
    """The dot products of the last axes."""
    return (lift(a) * lift(b)).sum(axis=-1)


def inner(a: Any, b: Any) -> Any:
    """`np.inner`."""
    a, b = lift(a), lift(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return tensordot(a, b, ([a.ndim - 1], [b.ndim - 1]))


def vdot(a: Any, b: Any) -> Any:
    """`np.vdot` of real arrays."""
    return dot(lift(a).ravel(), lift(b).ravel())


def outer(a: Any, b: Any) -> Any:
    """`np.outer`."""
    return lift(a).ravel()[:, None] * lift(b).ravel()[None, :]


def kron(a: Any, b: Any) -> Any:
    """`np.kron` of matrices."""
    a, b = lift(a), lift(b)
    product = einsum("ij,kl->ikjl", a, b)
    return product.reshape(a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])


def trace(a: Any) -> Any:
    """The trace of a matrix."""
    return einsum("ii->", a)


def solve(a: Any, b: Any) -> Any:
    """`np.linalg.solve` by Gaussian elimination with partial pivoting."""
    matrix, right = lift(a), lift(b)
    _eliminate(matrix, right)
    x = right
    for row in reversed(range(len(matrix))):
        for column in range(row + 1, len(matrix)):
            x[row] = x[row] - matrix[row, column] * x[column]
        x[row] = x[row] / matrix[row, row]
    return x


def _eliminate(matrix: Array, right: Array | None) -> int:
    """Makes `matrix` upper triangular in place; the sign of the row permutation."""
    sign, size = 1, len(matrix)
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(primal(matrix[i, k])))
        if pivot != k:
            sign = -sign
            for rows in (matrix,) if right is None else (matrix, right):
                rows[[k, pivot]] = rows[[pivot, k]]
        for i in range(k + 1, size):
            factor = matrix[i, k] / matrix[k, k]
            matrix[i] = matrix[i] - factor * matrix[k]
            if right is not None:
                right[i] = right[i] - factor * right[k]
    return sign


def inv(a: Any) -> Any:
    """`np.linalg.inv`."""
    return solve(a, np.eye(len(a)))


def det(a: Any) -> Any:
    """`np.linalg.det` of a regular matrix."""
    matrix = lift(a)
    product: Any = np.float64(_eliminate(matrix, None))
    for k in range(len(matrix)):
        product = product * matrix[k, k]
    return product


def cholesky(a: Any) -> Any:
    """`np.linalg.cholesky`, which reads the lower triangle."""
    a = lift(a)
    out = lift(np.zeros(a.shape))
    for i, j in itertools.product(range(len(a)), repeat=2):
        if j > i:
            continue
        rest = a[i, j] - sum(out[i, k] * out[j, k] for k in range(j))
        out[i, j] = NUMPY["sqrt"](rest) if i == j else rest / out[j, j]
    return out


def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """`np.linalg.norm`: Euclidean or Frobenius."""
    if ord not in (None, 2, "fro") or (ord == 2 and axis is None and np.ndim(a) == 2):
        raise OracleDomainError(f"norm of order {ord}")
    squares = (lift(a) * lift(a)).sum(axis=axis, keepdims=keepdims)
    return np.sqrt(squares)
