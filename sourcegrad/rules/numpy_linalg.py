"""Linear algebra without factorisations: solve, inverse, determinant, powers.

For batches of matrices, as NumPy takes them. `det` has its derivative at singular
matrices too: the cofactors. The formulas of this file and of
`numpy_factorizations.py` are those of M. Giles, "An extended collection of matrix
derivative results for forward and reverse mode automatic differentiation" (2008).
"""

import numpy as np

from ..runtime import is_zero, unbroadcast
from ..runtime_least_squares import (
    lstsq_pullback,
    lstsq_pushforward,
    pinv_pullback,
    pinv_pushforward,
)
from ..runtime_linalg import cofactors
from .registry import adjoint, composite, constant, tangent

# ------------------------------------------------------------ solve and inverse


@adjoint(np.linalg.inv, source="Giles 2008, 2.2.3")
def inv_adjoint(y, y_bar, a):
    if a.ndim == 2:
        return -y.T @ y_bar @ y.T
    else:
        return -y.mT @ y_bar @ y.mT


@tangent(np.linalg.inv)
def inv_tangent(y, a, a_dot):
    return -y @ a_dot @ y


@adjoint(np.linalg.solve, source="Giles 2008, 2.3.1")
def solve_adjoint(x, x_bar, a, b):
    if a.ndim == 2 and b.ndim == 1:
        b_bar = np.linalg.solve(a.T, x_bar)
        return -np.outer(b_bar, x), b_bar
    elif a.ndim == 2 and b.ndim == 2:
        b_bar = np.linalg.solve(a.T, x_bar)
        return -b_bar @ x.T, b_bar
    elif b.ndim == 1:
        b_bar = np.linalg.solve(a.mT, np.expand_dims(x_bar, -1))
        a_bar = -b_bar * np.expand_dims(x, -2)
        return a_bar, unbroadcast(b_bar[..., 0], b)
    else:
        b_bar = np.linalg.solve(a.mT, x_bar)
        return unbroadcast(-b_bar @ x.mT, a), unbroadcast(b_bar, b)


@tangent(np.linalg.solve)
def solve_tangent(x, a, a_dot, b, b_dot):
    if is_zero(a_dot):
        return np.linalg.solve(a, b_dot)
    elif b.ndim == 1:
        moved = np.expand_dims(b_dot - (a_dot @ np.expand_dims(x, -1))[..., 0], -1)
        return np.linalg.solve(a, moved)[..., 0]
    else:
        return np.linalg.solve(a, b_dot - a_dot @ x)


@composite(np.linalg.tensorsolve)
def tensorsolve(a, b, axes=None):
    if axes is not None:
        a = np.moveaxis(a, axes, tuple(range(a.ndim - len(axes), a.ndim)))
    shape = np.shape(a)[np.ndim(b) :]
    flat = np.reshape(a, (np.size(b), np.size(b)))
    return np.reshape(np.linalg.solve(flat, np.ravel(b)), shape)


@composite(np.linalg.tensorinv)
def tensorinv(a, ind=2):
    shape = a.shape[ind:] + a.shape[:ind]
    size = a.size // np.size(np.empty(a.shape[ind:]))
    return np.reshape(np.linalg.inv(np.reshape(a, (size, size))), shape)


@adjoint(np.linalg.pinv, source="Golub and Pereyra 1973", convention="constant rank")
def pinv_adjoint(y, y_bar, a, rcond=None, hermitian=False, *, rtol=None):
    return pinv_pullback(y_bar, y, a)


@tangent(np.linalg.pinv)
def pinv_tangent(y, a, a_dot, rcond=None, hermitian=False, *, rtol=None):
    return pinv_pushforward(a_dot, y, a)


@adjoint(np.linalg.lstsq, convention="constant rank")
def lstsq_adjoint(y, y_bar, a, b, rcond=None):
    a_bar, b_bar = lstsq_pullback(y_bar, y, a, b, rcond)
    return a_bar, b_bar


@tangent(np.linalg.lstsq)
def lstsq_tangent(y, a, a_dot, b, b_dot, rcond=None):
    return lstsq_pushforward(a_dot, b_dot, y, a, b, rcond)


# ------------------------------------------------------------- determinants


@adjoint(np.linalg.det, convention="the cofactors, also at singular matrices")
def det_adjoint(y, y_bar, a):
    if a.ndim == 2:
        return y_bar * cofactors(a, y)
    else:
        return np.expand_dims(y_bar, (-2, -1)) * cofactors(a, y)


@tangent(np.linalg.det)
def det_tangent(y, a, a_dot):
    return np.sum(cofactors(a, y) * a_dot, axis=(-2, -1))


@adjoint(np.linalg.slogdet, convention="the sign of a real determinant is constant")
def slogdet_adjoint(y, y_bar, a):
    if np.iscomplexobj(a):
        turn = y_bar[1] - 1j * np.real(1j * y_bar[0] * y[0])
        return np.expand_dims(turn, (-2, -1)) * np.linalg.inv(a).mT
    elif a.ndim == 2:
        return y_bar[1] * np.linalg.inv(a).T
    else:
        return np.expand_dims(y_bar[1], (-2, -1)) * np.linalg.inv(a).mT


@tangent(np.linalg.slogdet)
def slogdet_tangent(y, a, a_dot):
    rate = np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)
    if np.iscomplexobj(a):
        return 1j * np.imag(rate) * y[0], np.real(rate)
    else:
        return np.zeros_like(y[0]), rate


# ------------------------------------------------------------------- powers


def moved_power(a, e, n):
    """The sum of `a**k @ e @ a**(n - 1 - k)`: how `a**n` moves where `a` moves by `e`.

    By Horner's scheme; a large power is the corner of one of block matrices instead.
    """
    if n > 8:
        above = np.concatenate((a, e), axis=-1)
        below = np.concatenate((np.zeros_like(a), a), axis=-1)
        whole = np.concatenate((above, below), axis=-2)
        size = a.shape[-1]
        return np.linalg.matrix_power(whole, n)[..., :size, size:]
    else:
        total = e
        part = e
        for _ in range(n - 1):
            part = a @ part
            total = total @ a + part
        return total


@adjoint(np.linalg.matrix_power)
def matrix_power_adjoint(y, y_bar, a, n):
    if n == 0:
        return np.zeros_like(a)
    elif n < 0:
        inverse = np.linalg.inv(a).mT
        return -inverse @ moved_power(inverse, y_bar, -n) @ inverse
    else:
        return moved_power(a.mT, y_bar, n)


@tangent(np.linalg.matrix_power)
def matrix_power_tangent(y, a, a_dot, n):
    if n == 0:
        return np.zeros_like(a)
    elif n < 0:
        inverse = np.linalg.inv(a)
        return -inverse @ moved_power(inverse, a_dot, -n) @ inverse
    else:
        return moved_power(a, a_dot, n)


constant(np.linalg.matrix_rank)
