"""Helpers of generated code: the pseudo-inverse and least squares.

NumPy and `runtime` only, so that it can be copied next to emitted code. All of it
holds while the rank of the matrix does not change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime import float_zeros, is_zero, not_differentiable


def _dagger(m: Any) -> Any:
    return np.conj(np.swapaxes(m, -1, -2))


def cutoff(a: Any, atol: Any, rtol: Any) -> Any:
    """The part of the largest singular value below which SciPy takes one for zero;
    None where that is left to the library.

    >>> float(cutoff(np.diag([4.0, 1.0]), 1.0, 0.25))
    0.5
    """
    if atol is None and rtol is None:
        return None
    s = np.linalg.svd(a, compute_uv=False)
    largest = np.max(s, initial=0.0)
    part = max(a.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else rtol
    if atol is None or largest == 0.0:
        return part
    return part + atol / largest


def check_kept(a: Any, columns: Any) -> None:
    """Raise where singular values that are no noise were cut off.

    Args:
        a: the matrix.
        columns: `1 - pinv(a) @ a`, which projects on what was cut off.

    >>> check_kept(np.eye(2), np.zeros((2, 2)))
    """
    left = np.max(np.abs(a @ columns), initial=0.0)
    if left > np.sqrt(np.finfo(columns.dtype).eps) * np.max(np.abs(a), initial=0.0):
        not_differentiable(
            "the pseudo-inverse has a derivative rule where it keeps all singular "
            "values that are not zero",
            why="what is cut off changes the vectors that are kept",
            hint="use a smaller tolerance, or np.linalg.svd",
        )


def pinv_pullback(y_bar: Any, y: Any, a: Any) -> Any:
    """The cotangent of `a` in `y = np.linalg.pinv(a)`, for constant rank.

    Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least
    squares problems whose variables separate" (1973), equation 4.12.

    >>> pinv_pullback(np.eye(1), np.array([[0.5]]), np.array([[2.0]]))
    array([[-0.25]])
    """
    y_t, g_t = np.swapaxes(y, -1, -2), np.swapaxes(y_bar, -1, -2)
    rows = np.eye(a.shape[-2], dtype=a.dtype) - a @ y
    columns = np.eye(a.shape[-1], dtype=a.dtype) - y @ a
    check_kept(a, columns)
    by_rows = np.conj(rows @ g_t @ y) @ y_t
    by_columns = y_t @ np.conj(y @ g_t @ columns)
    return by_rows + by_columns - y_t @ y_bar @ y_t


def pinv_pushforward(a_dot: Any, y: Any, a: Any) -> Any:
    """The tangent of `y = np.linalg.pinv(a)`, for constant rank.

    >>> pinv_pushforward(np.eye(1), np.array([[0.5]]), np.array([[2.0]]))
    array([[-0.25]])
    """
    rows = np.eye(a.shape[-2], dtype=a.dtype) - a @ y
    columns = np.eye(a.shape[-1], dtype=a.dtype) - y @ a
    check_kept(a, columns)
    by_rows = y @ _dagger(y) @ _dagger(a_dot) @ rows
    by_columns = columns @ _dagger(a_dot) @ _dagger(y) @ y
    return by_rows + by_columns - y @ a_dot @ y


def lstsq_pullback(
    y_bar: Any, y: Any, a: Any, b: Any, rcond: Any = None
) -> tuple[Any, Any]:
    """The cotangents of `a` and `b` in `np.linalg.lstsq(a, b)`.

    The solution is `pinv(a) @ b`; the residuals are squared norms of `b - a @ x`,
    which is orthogonal to the columns of `a`.

    >>> a, b = np.array([[2.0]]), np.array([4.0])
    >>> lstsq_pullback((np.ones(1), 0.0, 0.0, 0.0), np.linalg.lstsq(a, b), a, b)
    (array([[-1.]]), array([0.5]))
    """
    p = np.linalg.pinv(a) if rcond is None else np.linalg.pinv(a, rcond)
    columns = np.reshape(b, (a.shape[0], -1))
    x = p @ columns
    a_bar, b_bar = float_zeros(a), np.zeros_like(p.T @ x)
    if not is_zero(y_bar[0]):
        x_bar = np.reshape(y_bar[0], (a.shape[1], -1))
        a_bar = a_bar + pinv_pullback(x_bar @ columns.T, p, a)
        b_bar = b_bar + p.T @ x_bar
    if not is_zero(y_bar[1]) and np.size(y[1]):
        residual_bar = 2.0 * y_bar[1] * np.conj(columns - a @ x)
        a_bar = a_bar - residual_bar @ x.T
        b_bar = b_bar + residual_bar
    if not is_zero(y_bar[3]):
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        a_bar = a_bar + np.conj(u * y_bar[3] @ vh)
    return a_bar, np.reshape(b_bar, b.shape)


def lstsq_pushforward(
    a_dot: Any, b_dot: Any, y: Any, a: Any, b: Any, rcond: Any = None
) -> Any:
    """The tangents of `np.linalg.lstsq(a, b)`; 0.0 for what does not move.

    >>> a, b = np.array([[2.0]]), np.array([4.0])
    >>> lstsq_pushforward(0.0, np.ones(1), np.linalg.lstsq(a, b), a, b)[0]
    array([0.5])
    """
    p = np.linalg.pinv(a) if rcond is None else np.linalg.pinv(a, rcond)
    columns = np.reshape(b, (a.shape[0], -1))
    move = 0.0 if is_zero(b_dot) else np.reshape(b_dot, (a.shape[0], -1))
    x = p @ columns
    x_dot = np.zeros_like(x) if is_zero(b_dot) else p @ move
    s_dot = 0.0 * y[3]
    if not is_zero(a_dot):
        x_dot = x_dot + pinv_pushforward(a_dot, p, a) @ columns
        move = move - a_dot @ x
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        inner = _dagger(u) @ a_dot @ _dagger(vh)
        s_dot = np.real(np.diagonal(inner))
    residual_dot = 0.0 * y[1]
    if np.size(y[1]):
        along = np.real(np.conj(columns - a @ x) * move)
        residual_dot = 2.0 * np.sum(along, axis=0)
    return np.reshape(x_dot, np.shape(y[0])), residual_dot, y[2], s_dot
