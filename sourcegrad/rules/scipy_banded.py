"""Structured systems of SciPy: banded, Toeplitz, circulant; LU factors; triangles.

A banded matrix has its cotangent in the same storage. A Toeplitz system is
differentiated as that of the whole matrix.
"""

import numpy as np
from scipy import linalg

from ..runtime import is_zero, not_differentiable
from ..runtime_banded import band_outer, band_times, band_transposed, pivot_order
from .registry import adjoint, composite, constant, linear, tangent

constant(pivot_order)

# --------------------------------------------------------------------- banded


@adjoint(linalg.solve_banded, source="Giles 2008, as for solve")
def solve_banded_adjoint(
    x,
    x_bar,
    l_and_u,
    ab,
    b,
    overwrite_ab=False,
    overwrite_b=False,
    check_finite=True,
):
    lower, upper = l_and_u
    turned = band_transposed(ab, lower, upper)
    b_bar = linalg.solve_banded((upper, lower), turned, x_bar)
    return None, -band_outer(b_bar, x, lower, upper), b_bar


@tangent(linalg.solve_banded)
def solve_banded_tangent(
    x,
    l_and_u,
    ab,
    ab_dot,
    b,
    b_dot,
    overwrite_ab=False,
    overwrite_b=False,
    check_finite=True,
):
    lower, upper = l_and_u
    if is_zero(ab_dot):
        moved = b_dot
    else:
        moved = b_dot - band_times(ab_dot, x, lower, upper)
    return linalg.solve_banded((lower, upper), ab, moved)


@linear(band_transposed)
def band_transposed_adjoint(y, y_bar, ab, lower, upper):
    return band_transposed(y_bar, upper, lower), None


@adjoint(band_outer)
def band_outer_adjoint(y, y_bar, left, right, lower, upper):
    turned = band_transposed(y_bar, lower, upper)
    by_left = band_times(y_bar, right, lower, upper)
    return by_left, band_times(turned, left, upper, lower)


@tangent(band_outer)
def band_outer_tangent(y, left, left_dot, right, right_dot, lower, upper):
    total = np.zeros_like(y)
    if not is_zero(left_dot):
        total = total + band_outer(left_dot, right, lower, upper)
    if not is_zero(right_dot):
        total = total + band_outer(left, right_dot, lower, upper)
    return total


@adjoint(band_times)
def band_times_adjoint(y, y_bar, ab, x, lower, upper):
    turned = band_transposed(ab, lower, upper)
    by_band = band_outer(y_bar, x, lower, upper)
    return by_band, band_times(turned, y_bar, upper, lower)


@tangent(band_times)
def band_times_tangent(y, ab, ab_dot, x, x_dot, lower, upper):
    total = np.zeros_like(y)
    if not is_zero(ab_dot):
        total = total + band_times(ab_dot, x, lower, upper)
    if not is_zero(x_dot):
        total = total + band_times(ab, x_dot, lower, upper)
    return total


def real_diagonal(row):
    """The diagonal of a Hermitian matrix, of which only the real part is read."""
    return np.real(row) if np.iscomplexobj(row) else row


@composite(linalg.solveh_banded)
def solveh_banded(
    ab,
    b,
    overwrite_ab=False,
    overwrite_b=False,
    lower=False,
    check_finite=True,
):
    if ab.ndim != 2:
        not_differentiable(
            "scipy.linalg.solveh_banded has a derivative rule for one band of rows",
            hint="give the band two dimensions, one row per diagonal",
        )
    n = ab.shape[0] - 1
    if lower:
        mirrored = np.conj(band_transposed(ab, n, 0))
        whole = np.concatenate((mirrored[:-1], real_diagonal(ab[:1]), ab[1:]))
    else:
        mirrored = np.conj(band_transposed(ab, 0, n))
        whole = np.concatenate((ab[:-1], real_diagonal(ab[-1:]), mirrored[1:]))
    return linalg.solve_banded((n, n), whole, b)


# -------------------------------------------------------- Toeplitz and circulant


@composite(linalg.solve_toeplitz)
def solve_toeplitz(c_or_cr, b, check_finite=True):
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
        return np.linalg.solve(linalg.toeplitz(c, r), b)
    else:
        return np.linalg.solve(linalg.toeplitz(c_or_cr), b)


@composite(linalg.matmul_toeplitz)
def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    if isinstance(c_or_cr, tuple):
        c, r = c_or_cr
        return linalg.toeplitz(c, r) @ x
    else:
        return linalg.toeplitz(c_or_cr) @ x


@composite(linalg.solve_circulant)
def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    if c.ndim != 1 or b.ndim != 1:
        not_differentiable(
            "scipy.linalg.solve_circulant has a derivative rule for vectors only",
            hint="use scipy.linalg.solve with scipy.linalg.circulant",
        )
    x = np.fft.ifft(np.fft.fft(b) / np.fft.fft(c))
    if np.iscomplexobj(c) or np.iscomplexobj(b):
        return x
    else:
        return np.real(x)


# ------------------------------------------------------------------ LU factors


def triangle_pull(left, upper, left_bar, upper_bar):
    """The cotangent of `l @ u` from those of its factors (Murray 2016, as for LU)."""
    inner = np.tril(left.T @ left_bar, -1) + np.triu(upper_bar @ upper.T)
    half = linalg.solve_triangular(left, inner, 1, True, True)
    return linalg.solve_triangular(upper, half.T, 0, False).T


def triangle_push(left, upper, moved):
    """The tangents of `l` and `u` from that of their product."""
    half = linalg.solve_triangular(left, moved, 0, True, True)
    inner = linalg.solve_triangular(upper, half.T, 1, False).T
    return left @ np.tril(inner, -1), np.triu(inner) @ upper


@adjoint(linalg.lu, source="de Hoog, Anderssen, Lukas 2011, for square matrices")
def lu_adjoint(
    y,
    y_bar,
    a,
    permute_l=False,
    overwrite_a=False,
    check_finite=True,
    p_indices=False,
):
    if p_indices or a.ndim != 2 or a.shape[0] != a.shape[1]:
        not_differentiable("scipy.linalg.lu has a rule for one square matrix only")
    if permute_l:
        p = linalg.lu(a)[0]
        left, upper = p.T @ y[0], y[1]
        left_bar, upper_bar = (
            p.T @ (np.zeros_like(y[0]) + y_bar[0]),
            np.zeros_like(y[1]) + y_bar[1],
        )
        return p @ triangle_pull(left, upper, left_bar, upper_bar)
    else:
        left_bar, upper_bar = (
            np.zeros_like(y[1]) + y_bar[1],
            np.zeros_like(y[2]) + y_bar[2],
        )
        return y[0] @ triangle_pull(y[1], y[2], left_bar, upper_bar)


@tangent(linalg.lu)
def lu_tangent(
    y,
    a,
    a_dot,
    permute_l=False,
    overwrite_a=False,
    check_finite=True,
    p_indices=False,
):
    if p_indices or a.ndim != 2 or a.shape[0] != a.shape[1]:
        not_differentiable("scipy.linalg.lu has a rule for one square matrix only")
    if permute_l:
        p = linalg.lu(a)[0]
        left_dot, upper_dot = triangle_push(p.T @ y[0], y[1], p.T @ a_dot)
        return p @ left_dot, upper_dot
    else:
        left_dot, upper_dot = triangle_push(y[1], y[2], y[0].T @ a_dot)
        return np.zeros_like(y[0]), left_dot, upper_dot


def check_square(a):
    """Refuse all but one square matrix."""
    if np.ndim(a) != 2 or a.shape[0] != a.shape[1]:
        not_differentiable(
            "scipy.linalg.lu_factor has a rule for one square matrix only"
        )


@adjoint(linalg.lu_factor, source="de Hoog, Anderssen, Lukas 2011")
def lu_factor_adjoint(y, y_bar, a, overwrite_a=False, check_finite=True):
    check_square(a)
    packed, order = y[0], pivot_order(y[1])
    left = np.tril(packed, -1) + np.eye(len(packed))
    g = np.zeros_like(packed) + y_bar[0]
    inner = triangle_pull(left, np.triu(packed), np.tril(g, -1), np.triu(g))
    return inner[np.argsort(order)]


@tangent(linalg.lu_factor)
def lu_factor_tangent(y, a, a_dot, overwrite_a=False, check_finite=True):
    check_square(a)
    packed, order = y[0], pivot_order(y[1])
    left = np.tril(packed, -1) + np.eye(len(packed))
    left_dot, upper_dot = triangle_push(left, np.triu(packed), a_dot[order])
    return left_dot + upper_dot, 0.0


@composite(linalg.lu_solve)
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    packed, piv = lu_and_piv
    order = pivot_order(piv)
    if trans == 0:
        half = linalg.solve_triangular(packed, b[order], 0, True, True)
        return linalg.solve_triangular(packed, half, 0, False)
    else:
        turned = np.conj(packed) if trans == 2 else packed
        half = linalg.solve_triangular(turned, b, 1, False)
        whole = linalg.solve_triangular(turned, half, 1, True, True)
        return whole[np.argsort(order)]
