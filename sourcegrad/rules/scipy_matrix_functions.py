"""Functions of matrices of SciPy, and equations of Sylvester, Lyapunov and Riccati.

A function of a matrix has its Fréchet derivative from a block matrix:
`f([[A, E], [0, A]])` has it in the upper right corner (N. Higham, "Functions of
Matrices", 2008, theorem 3.6).
"""

import numpy as np
from scipy import linalg

from ..runtime import is_zero, not_differentiable
from .registry import adjoint, by_value, composite, tangent

# ------------------------------------------------------- functions of matrices


def blocks(a, e):
    """The block matrix `[[a, e], [0, a]]`, of each matrix of a batch."""
    above = np.concatenate((a, e), axis=-1)
    return np.concatenate(
        (above, np.concatenate((np.zeros_like(a), a), axis=-1)), axis=-2
    )


def corner(whole, n):
    """The upper right block."""
    return whole[..., :n, n:]


@adjoint(linalg.expm, source="Higham 2008, theorem 3.6")
def expm_adjoint(y, y_bar, A):
    if A.ndim == 2:
        return linalg.expm_frechet(A.T, y_bar, compute_expm=False)
    else:
        whole = linalg.expm(blocks(np.swapaxes(A, -1, -2), y_bar))
        return corner(whole, A.shape[-1])


@tangent(linalg.expm)
def expm_tangent(y, A, A_dot):
    if A.ndim == 2:
        return linalg.expm_frechet(A, A_dot, compute_expm=False)
    else:
        return corner(linalg.expm(blocks(A, A_dot)), A.shape[-1])


@composite(linalg.expm_frechet)
def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    n = A.shape[0]
    whole = linalg.expm(np.block([[A, E], [np.zeros_like(A), A]]) + np.zeros(1))
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


@composite(linalg.solve_continuous_lyapunov, linalg.solve_lyapunov)
def solve_continuous_lyapunov(a, q):
    return linalg.solve_sylvester(a, np.conj(a.T), q)


def require_matrix(a):
    """Refuse a vector, of which SciPy makes what is no matrix of an equation."""
    if np.ndim(a) != 2:
        not_differentiable(
            "scipy.linalg.solve_discrete_lyapunov has a derivative rule for matrices"
            " only",
            hint="give a and q two dimensions, as np.array([[a]])",
        )


@adjoint(linalg.solve_discrete_lyapunov, source="Kao and Hennequin 2020, 3")
def solve_discrete_lyapunov_adjoint(x, x_bar, a, q, method=None):
    require_matrix(a)
    require_matrix(x)
    q_bar = linalg.solve_discrete_lyapunov(a.T, x_bar)
    by_left = q_bar @ np.conj(a) @ x.T
    return by_left + np.conj(q_bar.T @ a @ x), q_bar


@tangent(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov_tangent(x, a, a_dot, q, q_dot, method=None):
    require_matrix(a)
    require_matrix(x)
    moved = np.zeros_like(x) + q_dot
    if not is_zero(a_dot):
        moved = moved + a_dot @ x @ np.conj(a.T) + a @ x @ np.conj(a_dot.T)
    return linalg.solve_discrete_lyapunov(a, moved)


@adjoint(linalg.solve_continuous_are, source="Kao and Hennequin 2020, 3")
def solve_continuous_are_adjoint(x, x_bar, a, b, q, r, e=None, s=None, balanced=True):
    if e is not None or s is not None or np.iscomplexobj(a):
        not_differentiable(
            "scipy.linalg.solve_continuous_are has a derivative rule for real matrices"
            " without e and s only"
        )
    gain = np.linalg.solve(r, b.T @ x)
    q_bar = linalg.solve_continuous_lyapunov(a - b @ gain, -x_bar)
    both = x @ (q_bar + q_bar.T)
    return both, -both @ gain.T, q_bar, gain @ q_bar @ gain.T


@tangent(linalg.solve_continuous_are)
def solve_continuous_are_tangent(
    x,
    a,
    a_dot,
    b,
    b_dot,
    q,
    q_dot,
    r,
    r_dot,
    e=None,
    s=None,
    balanced=True,
):
    if e is not None or s is not None or np.iscomplexobj(a):
        not_differentiable(
            "scipy.linalg.solve_continuous_are has a derivative rule for real matrices"
            " without e and s only"
        )
    gain = np.linalg.solve(r, b.T @ x)
    moved = np.zeros_like(x) + q_dot
    if not is_zero(a_dot):
        moved = moved + a_dot.T @ x + x @ a_dot
    if not is_zero(b_dot):
        part = x @ b_dot @ gain
        moved = moved - part - part.T
    if not is_zero(r_dot):
        moved = moved + gain.T @ r_dot @ gain
    closed = a - b @ gain
    return linalg.solve_continuous_lyapunov(closed.T, -moved)


# ------------------------------------------------------------- powers and sines


@adjoint(linalg.fractional_matrix_power, source="Higham 2008, theorem 3.6")
def fractional_matrix_power_adjoint(y, y_bar, A, t):
    whole = linalg.fractional_matrix_power(blocks(A.T, y_bar), t)
    by_power = np.real(np.sum(y_bar * (y @ linalg.logm(A))))
    return corner(whole, A.shape[0]), by_power


@tangent(linalg.fractional_matrix_power)
def fractional_matrix_power_tangent(y, A, A_dot, t, t_dot):
    if is_zero(A_dot):
        return y @ linalg.logm(A) * t_dot
    else:
        whole = linalg.fractional_matrix_power(blocks(A, A_dot), t)
        moved = corner(whole, A.shape[0])
        if is_zero(t_dot):
            return moved
        else:
            return moved + y @ linalg.logm(A) * t_dot


@adjoint(linalg.cosm, source="Higham 2008, theorem 3.6")
def cosm_adjoint(y, y_bar, A):
    return corner(linalg.cosm(blocks(A.T, y_bar)), A.shape[0])


@tangent(linalg.cosm)
def cosm_tangent(y, A, A_dot):
    return corner(linalg.cosm(blocks(A, A_dot)), A.shape[0])


@adjoint(linalg.sinm, source="Higham 2008, theorem 3.6")
def sinm_adjoint(y, y_bar, A):
    return corner(linalg.sinm(blocks(A.T, y_bar)), A.shape[0])


@tangent(linalg.sinm)
def sinm_tangent(y, A, A_dot):
    return corner(linalg.sinm(blocks(A, A_dot)), A.shape[0])


@adjoint(linalg.tanm, source="Higham 2008, theorem 3.6")
def tanm_adjoint(y, y_bar, A):
    return corner(linalg.tanm(blocks(A.T, y_bar)), A.shape[0])


@tangent(linalg.tanm)
def tanm_tangent(y, A, A_dot):
    return corner(linalg.tanm(blocks(A, A_dot)), A.shape[0])


@adjoint(linalg.coshm, source="Higham 2008, theorem 3.6")
def coshm_adjoint(y, y_bar, A):
    return corner(linalg.coshm(blocks(A.T, y_bar)), A.shape[0])


@tangent(linalg.coshm)
def coshm_tangent(y, A, A_dot):
    return corner(linalg.coshm(blocks(A, A_dot)), A.shape[0])


@adjoint(linalg.sinhm, source="Higham 2008, theorem 3.6")
def sinhm_adjoint(y, y_bar, A):
    return corner(linalg.sinhm(blocks(A.T, y_bar)), A.shape[0])


@tangent(linalg.sinhm)
def sinhm_tangent(y, A, A_dot):
    return corner(linalg.sinhm(blocks(A, A_dot)), A.shape[0])


@adjoint(linalg.tanhm, source="Higham 2008, theorem 3.6")
def tanhm_adjoint(y, y_bar, A):
    return corner(linalg.tanhm(blocks(A.T, y_bar)), A.shape[0])


@tangent(linalg.tanhm)
def tanhm_tangent(y, A, A_dot):
    return corner(linalg.tanhm(blocks(A, A_dot)), A.shape[0])


by_value(linalg.logm, linalg.sqrtm, linalg.fractional_matrix_power)
