"""Linear algebra of SciPy.

Functions that NumPy has too are defined by NumPy's. The functions of matrices have
their Fréchet derivative from a block matrix: `f([[A, E], [0, A]])` has it in the upper
right corner (N. Higham, "Functions of Matrices", 2008, theorem 3.6).

Conventions: a function that reads one triangle is differentiated as if the other
were its mirror image, as `numpy.linalg` does; `overwrite_*` and `check_finite` do not
matter. Batches of matrices are differentiated where NumPy's function takes them.
"""

import numpy as np
from scipy import linalg

from ..runtime import is_zero, not_differentiable
from .registry import adjoint, composite, tangent

# ------------------------------------------------------- solve, inverse, determinant


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
    if assume_a is not None and assume_a != "gen":
        not_differentiable(
            "scipy.linalg.solve has a derivative rule for general matrices only",
            hint="leave out assume_a, or use cho_factor and cho_solve",
        )
    return np.linalg.solve(a.T if transposed else a, b)


@composite(linalg.inv)
def inv(a, overwrite_a=False, check_finite=True):
    return np.linalg.inv(a)


@composite(linalg.det)
def det(a, overwrite_a=False, check_finite=True):
    return np.linalg.det(a)


@composite(linalg.lstsq)
def lstsq(a, b, cond=None):
    x, rest, rank, s = np.linalg.lstsq(a, b, cond)
    return x, rest, rank, s


@composite(linalg.pinv)
def pinv(a):
    return np.linalg.pinv(a)


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


# ------------------------------------------------------------- factorisations


@composite(linalg.cholesky)
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    if lower:
        return np.linalg.cholesky(a)
    else:
        return np.conj(np.linalg.cholesky(np.conj(a.T)).T)


@composite(linalg.cho_factor)
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return linalg.cholesky(a, lower), lower


@composite(linalg.cho_solve)
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    if lower:
        half = linalg.solve_triangular(c, b, 0, True)
        return linalg.solve_triangular(np.conj(c), half, 1, True)
    else:
        half = linalg.solve_triangular(np.conj(c), b, 1, False)
        return linalg.solve_triangular(c, half, 0, False)


@composite(linalg.eigh)
def eigh(a, b=None, *, lower=True, eigvals_only=False):
    if b is not None:
        not_differentiable(
            "scipy.linalg.eigh of two matrices has no derivative rule",
            hint="use scipy.linalg.eigvalsh for the values alone",
        )
    if eigvals_only:
        return np.linalg.eigvalsh(a, "L" if lower else "U")
    else:
        return np.linalg.eigh(a, "L" if lower else "U")


@composite(linalg.eigvalsh)
def eigvalsh(a, b=None, *, lower=True):
    if b is None:
        return np.linalg.eigvalsh(a, "L" if lower else "U")
    else:
        half = np.linalg.inv(np.linalg.cholesky(b if lower else np.conj(b.T)))
        full = np.tril(a) + np.conj(np.tril(a, -1).T)
        if not lower:
            full = np.triu(a) + np.conj(np.triu(a, 1).T)
        return np.linalg.eigvalsh(half @ full @ np.conj(half.T))


@composite(linalg.svd)
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, full_matrices, compute_uv)


@composite(linalg.svdvals)
def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svdvals(a)


@composite(linalg.qr)
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False):
    if pivoting or mode in ("r", "raw"):
        not_differentiable(
            "scipy.linalg.qr has a derivative rule for both factors, without pivots",
            hint="use mode='economic' or mode='full'",
        )
    return np.linalg.qr(a, "reduced" if mode == "economic" else "complete")


# ------------------------------------------------------- functions of matrices


@adjoint(linalg.expm, source="Higham 2008, theorem 3.6")
def expm_adjoint(y, y_bar, A):
    if A.ndim != 2:
        not_differentiable("scipy.linalg.expm of a batch has no derivative rule")
    return linalg.expm_frechet(A.T, y_bar, compute_expm=False)


@tangent(linalg.expm)
def expm_tangent(y, A, A_dot):
    if A.ndim != 2:
        not_differentiable("scipy.linalg.expm of a batch has no derivative rule")
    return linalg.expm_frechet(A, A_dot, compute_expm=False)


@composite(linalg.expm_frechet)
def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    n = A.shape[0]
    whole = linalg.expm(np.block([[A, E], [np.zeros_like(A), A]]))
    if compute_expm:
        return whole[:n, :n], whole[:n, n:]
    else:
        return whole[:n, n:]


@adjoint(linalg.logm, source="Higham 2008, theorem 3.6")
def logm_adjoint(y, y_bar, A):
    n = A.shape[0]
    return linalg.logm(np.block([[A.T, y_bar], [np.zeros_like(A), A.T]]))[:n, n:]


@tangent(linalg.logm)
def logm_tangent(y, A, A_dot):
    n = A.shape[0]
    return linalg.logm(np.block([[A, A_dot], [np.zeros_like(A), A]]))[:n, n:]


@adjoint(linalg.sqrtm, source="Higham 2008, 6.1: S dS + dS S = dA")
def sqrtm_adjoint(y, y_bar, A):
    return linalg.solve_sylvester(y.T, y.T, y_bar)


@tangent(linalg.sqrtm)
def sqrtm_tangent(y, A, A_dot):
    return linalg.solve_sylvester(y, y, A_dot)


@adjoint(linalg.solve_sylvester, source="Giles 2008, as for solve")
def solve_sylvester_adjoint(x, x_bar, a, b, q):
    q_bar = linalg.solve_sylvester(a.T, b.T, x_bar)
    return -q_bar @ x.T, -x.T @ q_bar, q_bar


@tangent(linalg.solve_sylvester)
def solve_sylvester_tangent(x, a, a_dot, b, b_dot, q, q_dot):
    moved = q_dot
    if not is_zero(a_dot):
        moved = moved - a_dot @ x
    if not is_zero(b_dot):
        moved = moved - x @ b_dot
    return linalg.solve_sylvester(a, b, moved)


# ------------------------------------------------------------ special matrices


@composite(linalg.toeplitz)
def toeplitz(c, r=None):
    if r is None:
        r = np.conj(c)
    values = np.concatenate((c[::-1], r[1:]))
    rows = np.arange(len(c) - 1, -1, -1)
    return values[np.expand_dims(rows, 1) + np.arange(len(r))]


@composite(linalg.circulant)
def circulant(c):
    at = np.arange(len(c))
    return c[(np.expand_dims(at, 1) - at) % len(c)]


@composite(linalg.hankel)
def hankel(c, r=None):
    if r is None:
        r = np.zeros_like(c)
    values = np.concatenate((c, r[1:]))
    return values[np.expand_dims(np.arange(len(c)), 1) + np.arange(len(r))]
