"""Linear algebra of SciPy.

Functions that NumPy has too are defined by NumPy's; functions of matrices, banded
systems and factorisations have files of their own.

Conventions: a function that reads one triangle is differentiated as if the other
were its mirror image, as `numpy.linalg` does; `overwrite_*` and `check_finite` do not
matter. Batches of matrices are differentiated where NumPy's function takes them.
"""

import numpy as np
from scipy import linalg

from ..runtime import is_zero, not_differentiable
from ..runtime_banded import block_slice
from ..runtime_lapack import inverse_or_inf
from ..runtime_least_squares import cutoff
from ..runtime_linalg import cofactors, fold_triangle, half_tril, hermitian_part
from . import scipy_banded, scipy_factorizations, scipy_matrix_functions  # noqa: F401  (they register)
from .registry import adjoint, composite, constant, linear, tangent

# ------------------------------------------------------- solve, inverse, determinant


def mirrored(a, lower):
    """The symmetric matrix of which one triangle is read."""
    if lower:
        return np.tril(a) + np.swapaxes(np.tril(a, -1), -1, -2)
    else:
        return np.triu(a) + np.swapaxes(np.triu(a, 1), -1, -2)


def hermitian(a, lower):
    """The Hermitian matrix of which one triangle is read, and a real diagonal."""
    if np.iscomplexobj(a):
        half = np.tril(a, -1) if lower else np.triu(a, 1)
        other = np.conj(np.swapaxes(half, -1, -2))
        return half + other + np.real(a) * np.eye(a.shape[-1])
    elif lower:
        return np.tril(a) + np.conj(np.swapaxes(np.tril(a, -1), -1, -2))
    else:
        return np.triu(a) + np.conj(np.swapaxes(np.triu(a, 1), -1, -2))


def assumed(a, assume_a, lower):
    """The matrix that is read where one of a structure is assumed."""
    if assume_a in ("sym", "symmetric"):
        return mirrored(a, lower)
    elif assume_a in ("pos", "positive definite", "her", "hermitian"):
        return hermitian(a, lower)
    elif assume_a == "diagonal":
        return np.diag(np.diagonal(a))
    elif assume_a == "tridiagonal":
        return np.triu(np.tril(a, 1), -1)
    elif assume_a == "lower triangular":
        return np.tril(a)
    elif assume_a == "upper triangular":
        return np.triu(a)
    else:
        return a


@composite(linalg.solve)
def solve(
    a,
    b,
    lower=False,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    assume_a=None,
    transposed=False,
):
    full = assumed(a, assume_a, lower)
    return np.linalg.solve(np.swapaxes(full, -1, -2) if transposed else full, b)


@composite(linalg.inv)
def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    return np.linalg.inv(assumed(a, assume_a, lower))


@adjoint(linalg.det, convention="the cofactors, also at singular matrices")
def det_adjoint(y, y_bar, a, overwrite_a=False, check_finite=True):
    if a.ndim == 2:
        return y_bar * cofactors(a, y, inverse_or_inf(a))
    else:
        return np.expand_dims(y_bar, (-2, -1)) * cofactors(a, y)


@tangent(linalg.det)
def det_tangent(y, a, a_dot, overwrite_a=False, check_finite=True):
    return np.sum(cofactors(a, y) * a_dot, axis=(-2, -1))


@composite(linalg.lstsq)
def lstsq(
    a,
    b,
    cond=None,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    lapack_driver=None,
):
    x, rest, rank, s = np.linalg.lstsq(a, b, cond)
    if b.ndim == 1:
        rest = np.reshape(rest, rest.shape[rest.size :])  # a number, or none
    return x, rest, int(rank), s


@composite(linalg.pinv)
def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    if return_rank:
        not_differentiable("scipy.linalg.pinv with return_rank has no derivative rule")
    return np.linalg.pinv(a, cutoff(a, atol, rtol))


@composite(linalg.pinvh)
def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    if return_rank:
        not_differentiable("scipy.linalg.pinvh with return_rank has no derivative rule")
    return np.linalg.pinv(hermitian(a, lower), cutoff(a, atol, rtol))


@composite(linalg.norm)
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    return np.linalg.norm(a, ord, axis, keepdims)


@adjoint(linalg.solve_triangular, source="Giles 2008, 2.3.1")
def solve_triangular_adjoint(
    x,
    x_bar,
    a,
    b,
    trans=0,
    lower=False,
    unit_diagonal=False,
    overwrite_b=False,
    check_finite=True,
):
    if np.iscomplexobj(a) and trans in (2, "C"):
        not_differentiable("solve_triangular with trans=2 has no rule for complex a")
    plain = trans in (0, "N")
    b_bar = linalg.solve_triangular(a, x_bar, 1 if plain else 0, lower, unit_diagonal)
    left, right = (b_bar, x) if plain else (x, b_bar)
    full = np.outer(left, right) if b.ndim == 1 else left @ right.T
    skipped = 1 if unit_diagonal else 0
    if lower:
        return -np.tril(full, -skipped), b_bar
    else:
        return -np.triu(full, skipped), b_bar


@tangent(linalg.solve_triangular)
def solve_triangular_tangent(
    x,
    a,
    a_dot,
    b,
    b_dot,
    trans=0,
    lower=False,
    unit_diagonal=False,
    overwrite_b=False,
    check_finite=True,
):
    if is_zero(a_dot):
        moved = b_dot
    else:
        if np.iscomplexobj(a) and trans in (2, "C"):
            not_differentiable(
                "solve_triangular with trans=2 has no rule for complex a"
            )
        skipped = 1 if unit_diagonal else 0
        part = np.tril(a_dot, -skipped) if lower else np.triu(a_dot, skipped)
        moved = b_dot - (part if trans in (0, "N") else part.T) @ x
    return linalg.solve_triangular(a, moved, trans, lower, unit_diagonal)


# ---------------------------------------------------------------------- Cholesky


@adjoint(linalg.cholesky, source="Murray 2016, arXiv:1602.07527")
def cholesky_adjoint(y, y_bar, a, lower=False, overwrite_a=False, check_finite=True):
    if lower:
        low, g = y, y_bar
    else:
        low, g = np.conj(y.mT), np.conj(y_bar.mT)
    inner = half_tril(np.conj(low.mT) @ np.conj(g))
    if a.ndim == 2:
        half = linalg.solve_triangular(np.conj(low), inner, 1, True, check_finite=False)
        s = linalg.solve_triangular(low, half.T, 1, True, check_finite=False).T
    else:
        inverse = np.linalg.inv(low)
        s = np.conj(inverse.mT) @ inner @ inverse
    return fold_triangle(np.conj(s), "L" if lower else "U")


@tangent(linalg.cholesky)
def cholesky_tangent(y, a, a_dot, lower=False, overwrite_a=False, check_finite=True):
    low = y if lower else np.conj(y.mT)
    dot = hermitian_part(a_dot, "L" if lower else "U")
    half = np.linalg.solve(low, dot)
    inner = np.linalg.solve(low, np.conj(half.mT))
    low_dot = low @ half_tril(np.conj(inner.mT))
    return low_dot if lower else np.conj(low_dot.mT)


@composite(linalg.cho_factor)
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    other = np.triu(a, 1) if lower else np.tril(a, -1)  # is left as it is
    return linalg.cholesky(a, lower) + other, lower


@composite(linalg.cho_solve)
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    if lower:
        half = linalg.solve_triangular(c, b, 0, True)
        return linalg.solve_triangular(np.conj(c), half, 1, True)
    else:
        half = linalg.solve_triangular(np.conj(c), b, 1, False)
        return linalg.solve_triangular(c, half, 0, False)


# ------------------------------------------------------------ special matrices


def check_vector(c):
    """Refuse what is no vector: SciPy's versions differ in what they make of it."""
    if np.ndim(c) != 1:
        not_differentiable(
            "this matrix of scipy.linalg has a derivative rule for vectors only",
            hint="write the vector: c.ravel(), or np.atleast_1d(c) for a number",
        )


@composite(linalg.toeplitz)
def toeplitz(c, r=None):
    check_vector(c)
    if r is None:
        r = np.conj(c)
    else:
        check_vector(r)
    values = np.concatenate((c[::-1], r[1:]))
    rows = np.arange(len(c) - 1, -1, -1)
    return values[np.expand_dims(rows, 1) + np.arange(len(r))]


@composite(linalg.circulant)
def circulant(c):
    check_vector(c)
    at = np.arange(len(c))
    return c[(np.expand_dims(at, 1) - at) % len(c)]


@composite(linalg.fiedler)
def fiedler(a):
    check_vector(a)
    return np.abs(np.expand_dims(a, -1) - np.expand_dims(a, -2))


@composite(linalg.hankel)
def hankel(c, r=None):
    check_vector(c)
    if r is None:
        r = np.zeros_like(c)
    else:
        check_vector(r)
    values = np.concatenate((c, r[1:]))
    return values[np.expand_dims(np.arange(len(c)), 1) + np.arange(len(r))]


@composite(linalg.khatri_rao)
def khatri_rao(a, b):
    parts = np.expand_dims(a, 1) * np.expand_dims(b, 0)
    return np.reshape(parts, (-1, a.shape[1]))


@composite(linalg.convolution_matrix)
def convolution_matrix(a, n, mode="full"):
    zeros = np.zeros(n - 1, a.dtype)
    whole = linalg.toeplitz(np.concatenate((a, zeros)), np.concatenate((a[:1], zeros)))
    if mode == "same":
        size = max(n, len(a))
        start = (whole.shape[0] - size) // 2
        return whole[start : start + size]
    elif mode == "valid":
        start = min(n, len(a)) - 1
        return whole[start : whole.shape[0] - start]
    else:
        return whole


@composite(linalg.companion)
def companion(a):
    check_vector(a)
    n = len(a) - 1
    below = np.eye(n, dtype=a.dtype)[: n - 1]
    return np.concatenate((np.expand_dims(-a[1:] / a[0], 0), below))


@composite(linalg.leslie)
def leslie(f, s):
    check_vector(f)
    check_vector(s)
    below = np.pad(np.diag(s), ((0, 0), (0, 1)))
    return np.concatenate((np.expand_dims(f, 0), below))


@linear(linalg.block_diag, convention="of up to six blocks")
def block_diag_adjoint(y, y_bar, a, b=None, c=None, d=None, e=None, f=None):
    return (
        np.reshape(y_bar[block_slice(0, a, b, c, d, e, f)], np.shape(a)),
        np.reshape(y_bar[block_slice(1, a, b, c, d, e, f)], np.shape(b)),
        np.reshape(y_bar[block_slice(2, a, b, c, d, e, f)], np.shape(c)),
        np.reshape(y_bar[block_slice(3, a, b, c, d, e, f)], np.shape(d)),
        np.reshape(y_bar[block_slice(4, a, b, c, d, e, f)], np.shape(e)),
        np.reshape(y_bar[block_slice(5, a, b, c, d, e, f)], np.shape(f)),
    )


constant(
    inverse_or_inf,  # beside which `cofactors` has the derivative
    block_slice,
    linalg.dft,
    linalg.hadamard,
    linalg.helmert,
    linalg.hilbert,
    linalg.invhilbert,
    linalg.pascal,
    linalg.invpascal,
    linalg.bandwidth,
    linalg.issymmetric,
    linalg.ishermitian,
)
