"""Helpers of generated code: Householder's reflectors as LAPACK chooses them.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def completing_dot(a: Any, a_dot: Any) -> Any:
    """The tangents of the columns that complete `q` in a full QR of a tall matrix.

    They are what the product of the reflectors makes of the last unit vectors, so that
    the reflectors are differentiated, one for each column, in the phase of `geqrf`.

    >>> completing_dot(np.array([[3.0], [4.0]]), np.array([[0.0], [1.0]]))
    array([[-0.072],
           [-0.096]])
    """
    rows, count = a.shape[-2:]
    r, r_dot = a + 0.0, np.zeros_like(a) + a_dot
    q = np.zeros_like(a[..., :1]) + np.eye(rows)
    q_dot = np.zeros_like(q) + 0.0 * r_dot[..., :1]
    for k in range(count):
        x, x_dot = r[..., k:, k : k + 1], r_dot[..., k:, k : k + 1]
        size = np.sqrt(np.sum(np.real(np.conj(x) * x), axis=-2, keepdims=True))
        size_dot = np.sum(np.real(np.conj(x) * x_dot), axis=-2, keepdims=True) / size
        alpha, alpha_dot = x[..., :1, :], x_dot[..., :1, :]
        sign = np.copysign(1.0, np.real(alpha))
        first, first_dot = alpha + sign * size, alpha_dot + sign * size_dot
        unit = np.concatenate(
            (np.ones_like(size), np.zeros_like(x[..., 1:, :].real)), -2
        )
        v = (x + unit * sign * size) / first
        v_dot = (x_dot + unit * sign * size_dot - v * first_dot) / first
        tau = first / (sign * size)
        tau_dot = (first_dot - tau * sign * size_dot) / (sign * size)
        row, row_dot = _both(
            _dagger(v), _dagger(v_dot), r[..., k:, :], r_dot[..., k:, :]
        )
        turned, turned_dot = (
            np.conj(tau) * v,
            np.conj(tau_dot) * v + np.conj(tau) * v_dot,
        )
        less, less_dot = _both(turned, turned_dot, row, row_dot)
        r = np.concatenate((r[..., :k, :], r[..., k:, :] - less), -2)
        r_dot = np.concatenate((r_dot[..., :k, :], r_dot[..., k:, :] - less_dot), -2)
        column, column_dot = _both(q[..., k:], q_dot[..., k:], v, v_dot)
        turned, turned_dot = tau * column, tau_dot * column + tau * column_dot
        less, less_dot = _both(turned, turned_dot, _dagger(v), _dagger(v_dot))
        q = np.concatenate((q[..., :k], q[..., k:] - less), -1)
        q_dot = np.concatenate((q_dot[..., :k], q_dot[..., k:] - less_dot), -1)
    return q_dot[..., count:]


def _dagger(m: Any) -> Any:
    return np.conj(np.swapaxes(m, -1, -2))


def _both(a: Any, a_dot: Any, b: Any, b_dot: Any) -> tuple[Any, Any]:
    """A product and its tangent."""
    return a @ b, a_dot @ b + a @ b_dot
