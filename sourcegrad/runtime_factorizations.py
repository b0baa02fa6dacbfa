"""Helpers of generated code: the derivatives of SVD and QR.

NumPy and `runtime` only, so that it can be copied next to emitted code. In here
cotangents are conjugated (`gu = conj(u_bar)`), as the sources write them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime import is_zero, not_differentiable
from .runtime_linalg import check_phase, diagonal_matrix, gap_quotient, phase_turn
from .runtime_reflectors import completing_dot


def _dagger(m: Any) -> Any:
    return np.conj(np.swapaxes(m, -1, -2))


def svd_pullback(y_bar: Any, y: Any, a: Any) -> Any:
    """The cotangent of `a` in `u, s, vh = np.linalg.svd(a)`, thin or full.

    Townsend, "Differentiating the singular value decomposition" (2016); the phase
    of complex vectors as in Wan and Zhang, arXiv:1909.02659.

    Raises:
        NonDifferentiableError: the result depends on vectors of a repeated or zero
            singular value, or on those that only complete a basis.

    >>> a = np.diag([3.0, 2.0])
    >>> svd_pullback((0.0, np.array([1.0, 10.0]), 0.0), np.linalg.svd(a), a)
    array([[ 1.,  0.],
           [ 0., 10.]])
    """
    u, s, vh = y
    k = s.shape[-1]
    # `is_zero` is known while compiling, so that no code is written for what is zero.
    used_u = not is_zero(y_bar[0]) and used_columns(y_bar[0], k, "u")
    used_v = not is_zero(y_bar[2]) and used_columns(y_bar[2], k, "vh")
    u, vh = u[..., :k], vh[..., :k, :]
    s_bar = 0.0 * s if is_zero(y_bar[1]) else y_bar[1]
    if not used_u and not used_v:
        return np.conj(u * np.expand_dims(s_bar, -2) @ vh)
    check_rank(s)
    v, row, column = _dagger(vh), np.expand_dims(s, -2), np.expand_dims(s, -1)
    gu = np.conj(y_bar[0][..., :k]) if used_u else 0.0 * u
    gv = np.swapaxes(y_bar[2][..., :k, :], -1, -2) if used_v else 0.0 * v
    by_u, by_v = _dagger(u) @ gu, _dagger(v) @ gv
    left, right = gap_quotient(by_u, s * s), gap_quotient(by_v, s * s)
    middle = diagonal_matrix(s_bar) + (left + _dagger(left)) * row
    middle = middle + column * (right + _dagger(right))
    if np.iscomplexobj(a):
        check_phase(by_u + by_v)
        turn = np.imag(np.diagonal(by_v, axis1=-2, axis2=-1)) / s
        middle = middle - 1j * diagonal_matrix(turn)
    beyond_u = (gu - u @ by_u) / row @ vh
    beyond_v = u / row @ _dagger(gv - v @ by_v)
    return np.conj(u @ middle @ vh + beyond_u + beyond_v)


def used_columns(g: Any, k: int, name: str) -> bool:
    """Whether the first `k` vectors of a basis were used; the others must not be.

    >>> used_columns(np.eye(2), 2, "u")
    True
    """
    rest = g[..., k:] if name == "u" else g[..., k:, :]
    if np.any(rest):
        not_differentiable(
            f"np.linalg.svd: the vectors of {name} beyond the singular values only "
            "complete a basis, and have no derivative",
            hint="pass full_matrices=False",
        )
    return True


def check_rank(s: Any) -> None:
    """Raise where a singular value is zero, so that its vectors are arbitrary."""
    largest = np.max(s, axis=-1, initial=0.0, keepdims=True)
    if np.any(s <= 16.0 * s.shape[-1] * np.finfo(s.dtype).eps * largest):
        not_differentiable("the singular vectors of a zero value have no derivative")


def svd_pushforward(a_dot: Any, y: Any) -> Any:
    """The tangents of `u, s, vh = np.linalg.svd(a)`, thin or full.

    >>> svd_pushforward(np.eye(2), np.linalg.svd(np.diag([3.0, 2.0])))[1]
    array([1., 1.])
    """
    u_all, s, vh_all = y
    k = s.shape[-1]
    check_rank(s)
    u, vh = u_all[..., :k], vh_all[..., :k, :]
    v, row, column = _dagger(vh), np.expand_dims(s, -2), np.expand_dims(s, -1)
    inner = _dagger(u) @ a_dot @ v
    left = gap_quotient(inner * row + column * _dagger(inner), s * s)
    right = gap_quotient(column * inner + _dagger(inner) * row, s * s)
    s_dot = np.real(np.diagonal(inner, axis1=-2, axis2=-1))
    if np.iscomplexobj(inner):
        turn = np.imag(np.diagonal(inner, axis1=-2, axis2=-1)) / s
        left = left + 1j * diagonal_matrix(turn)
    u_dot = u @ left + (a_dot @ v - u @ inner) / row
    v_dot = v @ right + (_dagger(a_dot) @ u - v @ _dagger(inner)) / row
    if np.iscomplexobj(inner):
        # LAPACK keeps the first elements real: of v, or of u where `a` is wide
        tall = a_dot.shape[-2] >= a_dot.shape[-1]
        first, moved = (v, v_dot) if tall else (u, u_dot)
        turn = phase_turn(first[..., :1, :], moved[..., :1, :])
        u_dot, v_dot = u_dot - 1j * u * turn, v_dot - 1j * v * turn
    return (
        _completed(u_dot, u, u_all),
        s_dot,
        _dagger(_completed(v_dot, v, _dagger(vh_all))),
    )


def _completed(dot: Any, basis: Any, whole: Any) -> Any:
    """The tangent of a basis with what completes it: one real vector stays orthogonal;
    several, or a complex one, LAPACK turns as it likes: they have none (nan)."""
    rest = whole[..., basis.shape[-1] :]
    if rest.shape[-1] == 0:
        return dot
    rest_dot = -basis @ (_dagger(dot) @ rest)
    if rest.shape[-1] > 1 or np.iscomplexobj(rest):
        rest_dot = np.nan * rest_dot
    return np.concatenate((dot, rest_dot), axis=-1)


def qr_pullback(y_bar: Any, y: Any, a: Any, mode: str) -> Any:
    """The cotangent of `a` in `np.linalg.qr(a, mode)`, for full rank.

    Roberts and Roberts, "QR and LQ decomposition matrix backpropagation
    algorithms" (arXiv:2009.10071), for tall, square and wide matrices.

    >>> qr_pullback((0.0, np.eye(2)), np.linalg.qr(np.eye(2)), np.eye(2), "reduced")
    array([[1., 0.],
           [0., 1.]])
    """
    m, n = a.shape[-2:]
    k = min(m, n)
    r, r_bar = (y, y_bar) if mode == "r" else (y[1], y_bar[1])
    r = r[..., :k, :]
    q = _dagger(np.linalg.solve(_dagger(r[..., :k]), _dagger(a[..., :k])))
    gr = 0.0 * r if is_zero(r_bar) else np.conj(r_bar[..., :k, :])
    gq = 0.0 * q
    if mode != "r" and not is_zero(y_bar[0]):
        if np.any(y_bar[0][..., k:]):
            not_differentiable("np.linalg.qr: columns that complete q are arbitrary")
        gq = np.conj(y_bar[0][..., :k])
    if n > k:
        gq = gq + a[..., k:] @ _dagger(gr[..., k:])
    square, g_square = r[..., :k], gr[..., :k]
    inner = square @ _dagger(g_square) - _dagger(gq) @ q
    low = np.tril(inner, -1)
    on_diagonal = np.real(np.diagonal(inner, axis1=-2, axis2=-1))
    inner = low + _dagger(low) + diagonal_matrix(on_diagonal)
    left = _dagger(np.linalg.solve(square, _dagger(gq + q @ inner)))
    if n > k:
        left = np.concatenate((left, q @ gr[..., k:]), axis=-1)
    return np.conj(left)


def qr_pushforward(a_dot: Any, y: Any, a: Any, mode: str) -> Any:
    """The tangents of `np.linalg.qr(a, mode)`, for full rank.

    >>> qr_pushforward(np.eye(2), np.linalg.qr(np.eye(2), "r"), np.eye(2), "r")
    array([[1., 0.],
           [0., 1.]])
    """
    k = min(a.shape[-2:])
    r = (y if mode == "r" else y[1])[..., :k, :]
    square = r[..., :k]
    q = _dagger(np.linalg.solve(_dagger(square), _dagger(a[..., :k])))
    scaled = _dagger(np.linalg.solve(_dagger(square), _dagger(a_dot[..., :k])))
    inner = _dagger(q) @ scaled
    low = np.tril(inner, -1)
    turn = low - _dagger(low)
    if np.iscomplexobj(inner):
        phase = np.imag(np.diagonal(inner, axis1=-2, axis2=-1))
        turn = turn + 1j * diagonal_matrix(phase)
    q_dot = q @ turn + scaled - q @ inner
    r_dot = (inner - turn) @ square
    if a.shape[-1] > k:
        rest = _dagger(q) @ (a_dot[..., k:] - q_dot @ r[..., k:])
        r_dot = np.concatenate((r_dot, rest), axis=-1)
    if mode == "complete" and a.shape[-2] > k:
        r_dot = np.concatenate((r_dot, 0.0 * y[1][..., k:, :]), axis=-2)
        rest_dot = completing_dot(a, a_dot)
        q_dot = np.concatenate((q_dot, rest_dot), axis=-1)
    return r_dot if mode == "r" else (q_dot, r_dot)
