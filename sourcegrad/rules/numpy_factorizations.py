"""Matrix factorisations: eigenvalues, Cholesky, QR, singular values.

Conventions. `eigh`, `eigvalsh` and `cholesky` read one triangle of their operand:
the cotangent is zero in the other, as for any function of what NumPy reads (autograd
does so; JAX spreads it over both). Vectors of a repeated eigenvalue or singular
value have no derivative: where the result depends on them, NonDifferentiableError.
Complex vectors are defined up to a phase: in reverse mode the result must not depend
on it; in forward mode it is the one that LAPACK chooses.
"""

import numpy as np

from ..runtime import is_zero
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
    half_tril,
    hermitian_part,
    kept_real,
)
from .registry import adjoint, by_value, tangent

# -------------------------------------------------------------- eigenvalues


@adjoint(np.linalg.eigh, source="Giles 2008, 3.1", convention="see file")
def eigh_adjoint(y, y_bar, a, UPLO="L"):
    v = y[1]
    if is_zero(y_bar[1]):
        inner = np.conj(v) * np.expand_dims(y_bar[0], -2)
        return fold_triangle(inner @ v.mT, UPLO)
    else:
        inner = gap_quotient(check_phase(v.mT @ y_bar[1]), y[0])
        if not is_zero(y_bar[0]):
            inner = inner + diagonal_matrix(y_bar[0])
        return fold_triangle(np.conj(v) @ inner @ v.mT, UPLO)


@tangent(np.linalg.eigh)
def eigh_tangent(y, a, a_dot, UPLO="L"):
    v = y[1]
    inner = np.conj(v.mT) @ hermitian_part(a_dot, UPLO) @ v
    w_dot = np.real(np.diagonal(inner, axis1=-2, axis2=-1))
    return w_dot, kept_real(v @ gap_quotient(inner, y[0]), v, UPLO)


@adjoint(np.linalg.eigvalsh, source="Giles 2008, 3.1", convention="see file")
def eigvalsh_adjoint(y, y_bar, a, UPLO="L"):
    w, v = np.linalg.eigh(a, UPLO)
    inner = np.conj(v) * np.expand_dims(y_bar, -2)
    return fold_triangle(inner @ v.mT, UPLO)


@tangent(np.linalg.eigvalsh)
def eigvalsh_tangent(y, a, a_dot, UPLO="L"):
    w, v = np.linalg.eigh(a, UPLO)
    inner = np.conj(v.mT) @ hermitian_part(a_dot, UPLO) @ v
    return np.real(np.diagonal(inner, axis1=-2, axis2=-1))


@adjoint(np.linalg.eig, source="Boeddeker et al. 2017, arXiv:1701.00392, 4.77")
def eig_adjoint(y, y_bar, a):
    v = y[1]
    if is_zero(y_bar[1]):
        inner = diagonal_matrix(y_bar[0])
    else:
        v_bar = y_bar[1]
        if np.iscomplexobj(v) and not np.iscomplexobj(a):
            # NumPy 2.5 returns complex numbers, but a real vector stays real
            is_real = np.expand_dims(np.imag(y[0]) == 0, -2)
            v_bar = np.where(is_real, np.real(v_bar), v_bar)
        along = check_phase(v.mT @ v_bar)
        length = np.real(np.diagonal(along, axis1=-2, axis2=-1))
        along = along - np.expand_dims(length, -2) * (v.mT @ np.conj(v))
        inner = gap_quotient(along, y[0])
        if not is_zero(y_bar[0]):
            inner = inner + diagonal_matrix(y_bar[0])
    a_bar = np.linalg.solve(v.mT, inner @ v.mT)
    if np.iscomplexobj(a):
        return a_bar
    else:
        return np.real(a_bar)


@tangent(np.linalg.eig)
def eig_tangent(y, a, a_dot):
    w, v = y
    inner = np.linalg.solve(v, a_dot @ v)
    v_dot = v @ gap_quotient(inner, w)
    length = np.real(np.sum(np.conj(v) * v_dot, axis=-2, keepdims=True))
    v_dot = kept_real(v_dot - v * length, v, None)
    return np.diagonal(inner, axis1=-2, axis2=-1), v_dot


@adjoint(np.linalg.eigvals, source="Giles 2008, 3.1")
def eigvals_adjoint(y, y_bar, a):
    w, v = np.linalg.eig(a)
    a_bar = np.linalg.solve(v.mT, np.expand_dims(y_bar, -1) * v.mT)
    if np.iscomplexobj(a):
        return a_bar
    else:
        return np.real(a_bar)


@tangent(np.linalg.eigvals)
def eigvals_tangent(y, a, a_dot):
    w, v = np.linalg.eig(a)
    inner = np.linalg.solve(v, a_dot @ v)
    return np.diagonal(inner, axis1=-2, axis2=-1)


# ----------------------------------------------------------- Cholesky and QR


@adjoint(np.linalg.cholesky, source="Murray 2016, arXiv:1602.07527")
def cholesky_adjoint(y, y_bar, a, /, *, upper=False):
    if upper:
        lower, g = np.conj(y.mT), np.conj(y_bar.mT)
    else:
        lower, g = y, y_bar
    inverse = np.linalg.inv(lower)
    inner = half_tril(np.conj(lower.mT) @ np.conj(g))
    s = np.conj(np.conj(inverse.mT) @ inner @ inverse)
    return fold_triangle(s, "U" if upper else "L")


@tangent(np.linalg.cholesky)
def cholesky_tangent(y, a, a_dot, /, *, upper=False):
    if upper:
        lower, dot = np.conj(y.mT), hermitian_part(a_dot, "U")
    else:
        lower, dot = y, hermitian_part(a_dot, "L")
    half = np.linalg.solve(lower, dot)
    inner = np.linalg.solve(lower, np.conj(half.mT))
    lower_dot = lower @ half_tril(np.conj(inner.mT))
    return np.conj(lower_dot.mT) if upper else lower_dot


@adjoint(np.linalg.qr, source="Roberts and Roberts 2020, arXiv:2009.10071")
def qr_adjoint(y, y_bar, a, mode="reduced"):
    return qr_pullback(y_bar, y, a, mode)


@tangent(np.linalg.qr)
def qr_tangent(y, a, a_dot, mode="reduced"):
    return qr_pushforward(a_dot, y, a, mode)


# ---------------------------------------------------------- singular values


@adjoint(np.linalg.svd, source="Townsend 2016; Giles 2008, 3.2", convention="see file")
def svd_adjoint(y, y_bar, a, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        u, s, vh = np.linalg.svd(a, full_matrices=False)
        return np.conj(u * np.expand_dims(y_bar, -2) @ vh)
    else:
        return svd_pullback(y_bar, y, a)


@tangent(np.linalg.svd)
def svd_tangent(y, a, a_dot, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        u, s, vh = np.linalg.svd(a, full_matrices=False)
        inner = np.conj(u.mT) @ a_dot @ np.conj(vh.mT)
        return np.real(np.diagonal(inner, axis1=-2, axis2=-1))
    else:
        return svd_pushforward(a_dot, y)


@adjoint(np.linalg.svdvals)
def svdvals_adjoint(y, y_bar, x, /):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return np.conj(u * np.expand_dims(y_bar, -2) @ vh)


@tangent(np.linalg.svdvals)
def svdvals_tangent(y, x, x_dot, /):
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    inner = np.conj(u.mT) @ x_dot @ np.conj(vh.mT)
    return np.real(np.diagonal(inner, axis1=-2, axis2=-1))


by_value(np.linalg.eig, np.linalg.eigvals)
