"""Factorisations of SciPy: eigenvalues of one matrix and of two, SVD, QR, polar.

Conventions as for NumPy's: what reads one triangle has its cotangent there, vectors
of a repeated value are refused where the result depends on them.
"""

import numpy as np
from scipy import linalg

from ..runtime import is_zero, not_differentiable
from ..runtime_factorizations import (
    qr_pullback,
    qr_pushforward,
    svd_pullback,
    svd_pushforward,
)
from ..runtime_linalg import (
    check_phase,
    diagonal_matrix,
    fold_triangle,
    gap_quotient,
    hermitian_part,
    kept_real,
    phase_turn,
)
from .numpy_factorizations import eig_adjoint, eig_tangent
from .registry import adjoint, by_value, composite, tangent

# ------------------------------------------------------- Hermitian, one or two matrices

PENCIL = "Magnus 1985; a v = w b v with v' b v = 1"


def refuse_subset(type, subset_by_index, subset_by_value):
    """Refuse what changes which values are found."""
    if type != 1 or subset_by_index is not None or subset_by_value is not None:
        not_differentiable(
            "scipy.linalg.eigh has a rule for all eigenvalues of type 1 only",
            hint="take the part of the result that is needed",
        )


@adjoint(linalg.eigh, source=PENCIL)
def eigh_adjoint(
    y,
    y_bar,
    a,
    b=None,
    *,
    lower=True,
    eigvals_only=False,
    overwrite_a=False,
    overwrite_b=False,
    type=1,
    check_finite=True,
    subset_by_index=None,
    subset_by_value=None,
    driver=None,
):
    refuse_subset(type, subset_by_index, subset_by_value)
    triangle = "L" if lower else "U"
    if eigvals_only:
        w, v = linalg.eigh(a, b, lower=lower)
        w_bar, v_bar = y_bar, 0.0
    else:
        w, v = y
        w_bar, v_bar = y_bar
    if is_zero(v_bar):
        inner = np.conj(v) * w_bar
        by_norm = 0.0
    else:
        along = check_phase(v.T @ v_bar)
        inner = gap_quotient(along, w)
        if not is_zero(w_bar):
            inner = inner + diagonal_matrix(w_bar)
        inner = np.conj(v) @ inner
        by_norm = np.conj(v) * (0.5 * np.diagonal(along))
    by_a = fold_triangle(inner @ v.T, triangle)
    if b is None:
        return by_a, None
    else:
        return by_a, -fold_triangle((inner * w + by_norm) @ v.T, triangle)


@tangent(linalg.eigh)
def eigh_tangent(
    y,
    a,
    a_dot,
    b=None,
    b_dot=0.0,
    *,
    lower=True,
    eigvals_only=False,
    overwrite_a=False,
    overwrite_b=False,
    type=1,
    check_finite=True,
    subset_by_index=None,
    subset_by_value=None,
    driver=None,
):
    refuse_subset(type, subset_by_index, subset_by_value)
    triangle = "L" if lower else "U"
    if eigvals_only:
        w, v = linalg.eigh(a, b, lower=lower)
    else:
        w, v = y
    turned = np.conj(v.T)
    inner = np.zeros_like(v)
    if not is_zero(a_dot):
        inner = turned @ hermitian_part(a_dot, triangle) @ v
    length = np.zeros_like(w)
    if not is_zero(b_dot):
        by_b = turned @ hermitian_part(b_dot, triangle) @ v
        inner = inner - by_b * w
        length = -0.5 * np.real(np.diagonal(by_b))
    w_dot = np.real(np.diagonal(inner))
    if eigvals_only:
        return w_dot
    else:
        v_dot = v @ (gap_quotient(inner, w) + diagonal_matrix(length))
        if b is None or not lower:
            return w_dot, kept_real(v_dot, v, triangle)
        elif np.iscomplexobj(v):
            # the factor of b makes its first column times each vector real
            column = np.conj(b[:, :1].T)
            moved = column @ v_dot
            if not is_zero(b_dot):
                moved = moved + np.conj(b_dot[:, :1].T) @ v
            return w_dot, v_dot - 1j * v * phase_turn(column @ v, moved)
        else:
            return w_dot, v_dot


@composite(linalg.eigvalsh)
def eigvalsh(
    a,
    b=None,
    *,
    lower=True,
    overwrite_a=False,
    overwrite_b=False,
    type=1,
    check_finite=True,
    subset_by_index=None,
    subset_by_value=None,
    driver=None,
):
    refuse_subset(type, subset_by_index, subset_by_value)
    return linalg.eigh(a, b, lower=lower, eigvals_only=True)


# ---------------------------------------------------------------- tridiagonal


@composite(linalg.eigh_tridiagonal)
def eigh_tridiagonal(
    d,
    e,
    eigvals_only=False,
    select="a",
    select_range=None,
    check_finite=True,
    tol=0.0,
    lapack_driver="auto",
):
    if not eigvals_only or select not in ("a", "all", 0):
        not_differentiable(
            "scipy.linalg.eigh_tridiagonal has a rule for all the values only",
            hint="use scipy.linalg.eigh(np.diag(d) + np.diag(e, 1) + np.diag(e, -1))",
        )
    return np.linalg.eigvalsh(np.diag(d) + np.diag(e, -1))


@composite(linalg.eigvalsh_tridiagonal)
def eigvalsh_tridiagonal(
    d,
    e,
    select="a",
    select_range=None,
    check_finite=True,
    tol=0.0,
    lapack_driver="auto",
):
    if select not in ("a", "all", 0):
        not_differentiable(
            "scipy.linalg.eigvalsh_tridiagonal has a rule for all the values only",
            hint="take the part of the result that is needed",
        )
    return np.linalg.eigvalsh(np.diag(d) + np.diag(e, -1))


# -------------------------------------------------------------- general matrices

ONE_MATRIX = "scipy.linalg.eig has a derivative rule for right vectors of one matrix"


@adjoint(linalg.eig, source="Boeddeker et al. 2017, arXiv:1701.00392, 4.77")
def eig_of_scipy_adjoint(
    y,
    y_bar,
    a,
    b=None,
    left=False,
    right=True,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    homogeneous_eigvals=False,
):
    if b is not None or left or not right or homogeneous_eigvals:
        not_differentiable(ONE_MATRIX)
    return eig_adjoint(y, y_bar, a)


@tangent(linalg.eig)
def eig_of_scipy_tangent(
    y,
    a,
    a_dot,
    b=None,
    left=False,
    right=True,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    homogeneous_eigvals=False,
):
    if b is not None or left or not right or homogeneous_eigvals:
        not_differentiable(ONE_MATRIX)
    return eig_tangent(y, a, a_dot)


@adjoint(linalg.eigvals, source="Giles 2008, 3.1")
def eigvals_of_scipy_adjoint(
    y, y_bar, a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False
):
    if b is not None or homogeneous_eigvals:
        not_differentiable(ONE_MATRIX)
    v = linalg.eig(a)[1] + 0j  # complex, also where the values are real
    a_bar = np.linalg.solve(v.T, np.expand_dims(y_bar, -1) * v.T)
    return a_bar if np.iscomplexobj(a) else np.real(a_bar)


@tangent(linalg.eigvals)
def eigvals_of_scipy_tangent(
    y, a, a_dot, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False
):
    if b is not None or homogeneous_eigvals:
        not_differentiable(ONE_MATRIX)
    v = linalg.eig(a)[1] + 0j
    return np.diagonal(np.linalg.solve(v, a_dot @ v))


# ------------------------------------------------------- singular values, QR, polar


@adjoint(linalg.svd, source="Townsend 2016; Giles 2008, 3.2")
def svd_adjoint(
    y,
    y_bar,
    a,
    full_matrices=True,
    compute_uv=True,
    overwrite_a=False,
    check_finite=True,
    lapack_driver="gesdd",
):
    if not compute_uv:
        u, s, vh = linalg.svd(a, full_matrices=False)
        return np.conj(u * np.expand_dims(y_bar, -2) @ vh)
    else:
        return svd_pullback(y_bar, y, a)


@tangent(linalg.svd)
def svd_tangent(
    y,
    a,
    a_dot,
    full_matrices=True,
    compute_uv=True,
    overwrite_a=False,
    check_finite=True,
    lapack_driver="gesdd",
):
    if not compute_uv:
        u, s, vh = linalg.svd(a, full_matrices=False)
        inner = np.conj(u.mT) @ a_dot @ np.conj(vh.mT)
        return np.real(np.diagonal(inner, axis1=-2, axis2=-1))
    else:
        return svd_pushforward(a_dot, y)


@composite(linalg.svdvals)
def svdvals(a, overwrite_a=False, check_finite=True):
    return linalg.svd(a, compute_uv=False)


BOTH_FACTORS = "scipy.linalg.qr has a derivative rule for both factors, without pivots"


@adjoint(linalg.qr, source="Roberts and Roberts 2020, arXiv:2009.10071")
def qr_adjoint(
    y,
    y_bar,
    a,
    overwrite_a=False,
    lwork=None,
    mode="full",
    pivoting=False,
    check_finite=True,
):
    if pivoting or mode in ("r", "raw"):
        not_differentiable(BOTH_FACTORS, hint="use mode='economic' or mode='full'")
    return qr_pullback(y_bar, y, a, "reduced" if mode == "economic" else "complete")


@tangent(linalg.qr)
def qr_tangent(
    y,
    a,
    a_dot,
    overwrite_a=False,
    lwork=None,
    mode="full",
    pivoting=False,
    check_finite=True,
):
    if pivoting or mode in ("r", "raw"):
        not_differentiable(BOTH_FACTORS, hint="use mode='economic' or mode='full'")
    return qr_pushforward(a_dot, y, a, "reduced" if mode == "economic" else "complete")


def check_polar(a, side):
    """Refuse matrices whose polar factor is not of full rank, and complex ones."""
    if np.iscomplexobj(a):
        not_differentiable("scipy.linalg.polar of complex matrices has no rule")
    rows, columns = a.shape if side == "right" else a.shape[::-1]
    if rows < columns:
        not_differentiable(
            "scipy.linalg.polar of this side is singular for a matrix of this shape",
            hint="use side='left' for a wide matrix, side='right' for a tall one",
        )


@adjoint(linalg.polar, source="p p = a' a, by Sylvester's equation; full rank")
def polar_adjoint(y, y_bar, a, side="right"):
    check_polar(a, side)
    u, p = y
    u_bar, p_bar = np.zeros_like(u) + y_bar[0], np.zeros_like(p) + y_bar[1]
    if side == "right":
        by_u = np.linalg.solve(p.T, u_bar.T).T
        inner = linalg.solve_sylvester(p.T, p.T, p_bar - u.T @ by_u)
        return by_u + a @ (inner + inner.T)
    else:
        by_u = np.linalg.solve(p.T, u_bar)
        inner = linalg.solve_sylvester(p.T, p.T, p_bar - by_u @ u.T)
        return by_u + (inner + inner.T) @ a


@tangent(linalg.polar)
def polar_tangent(y, a, a_dot, side="right"):
    check_polar(a, side)
    u, p = y
    if side == "right":
        moved = a_dot.T @ a + a.T @ a_dot
        p_dot = linalg.solve_sylvester(p, p, moved)
        return np.linalg.solve(p.T, (a_dot - u @ p_dot).T).T, p_dot
    else:
        moved = a_dot @ a.T + a @ a_dot.T
        p_dot = linalg.solve_sylvester(p, p, moved)
        return np.linalg.solve(p, a_dot - p_dot @ u), p_dot


by_value(linalg.eig)
