"""Algorithms of linear algebra that work in place, as one finds them in textbooks.

Each program is held against differences, in both modes, by `judged.check`.
"""

import math

import numpy as np
import pytest

from tests.language.judged import check, sample


def gauss(A, b):
    A = A.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


def lu_inplace(A, b):
    LU = np.array(A)
    n = LU.shape[0]
    for k in range(n - 1):
        LU[k + 1 :, k] /= LU[k, k]
        LU[k + 1 :, k + 1 :] -= np.outer(LU[k + 1 :, k], LU[k, k + 1 :])
    y = b.copy()
    for i in range(n):
        y[i] -= LU[i, :i] @ y[:i]
    for i in reversed(range(n)):
        y[i] = (y[i] - np.dot(LU[i, i + 1 :], y[i + 1 :])) / LU[i, i]
    return y


def cholesky_loops(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = sum((L[i, k] * L[j, k] for k in range(j)))
            if i == j:
                L[i, j] = math.sqrt(A[i, i] - s)
            else:
                L[i, j] = (A[i, j] - s) / L[j, j]
    return L


def thomas(d, u, l, r):
    n = len(d)
    c = np.empty(n - 1)
    x = np.empty(n)
    c[0] = u[0] / d[0]
    x[0] = r[0] / d[0]
    for i in range(1, n):
        m = d[i] - l[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = u[i] / m
        x[i] = (r[i] - l[i - 1] * x[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


def gram_schmidt(A):
    Q = A.copy()
    for j in range(3):
        for k in range(j):
            Q[:, j] -= Q[:, k] @ A[:, j] * Q[:, k]
        Q[:, j] /= np.linalg.norm(Q[:, j])
    return Q


def householder(A):
    R_ = A.copy()
    n = 4
    for k in range(n - 1):
        x = R_[k:, k]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        R_[k:, k:] -= 2.0 * np.outer(v, v @ R_[k:, k:])
    return R_


def givens(A):
    A = A.copy()
    for j in range(4):
        for i in range(3, j, -1):
            r = np.hypot(A[i - 1, j], A[i, j])
            c = A[i - 1, j] / r
            s = A[i, j] / r
            G = np.array([[c, s], [-s, c]])
            A[i - 1 : i + 1, :] = G @ A[i - 1 : i + 1, :]
    return A


def jacobi_eig(A):
    A = 0.5 * (A + A.T)
    n = 4
    for sweep in range(2):
        for p in range(n):
            for q in range(p + 1, n):
                th = 0.5 * np.arctan2(2 * A[p, q], A[q, q] - A[p, p])
                c, s = (np.cos(th), np.sin(th))
                Ap = A[p].copy()
                Aq = A[q].copy()
                A[p] = c * Ap - s * Aq
                A[q] = s * Ap + c * Aq
                Ap = A[:, p].copy()
                Aq = A[:, q].copy()
                A[:, p] = c * Ap - s * Aq
                A[:, q] = s * Ap + c * Aq
    return np.diag(A)


def determinant(A):
    M = [list(row) for row in A]
    n = 3
    det = 1.0
    for i in range(n):
        det *= M[i][i]
        for r in range(i + 1, n):
            f = M[r][i] / M[i][i]
            for c in range(i, n):
                M[r][c] -= f * M[i][c]
    return det


def power_iter(A):
    v = np.ones(4)
    w = np.empty(4)
    for _ in range(8):
        np.dot(A, v, out=w)
        w /= np.sqrt(w @ w)
        v, w = (w, v)
    return v


def matmul_tiles(A, B):
    C = np.zeros((3, 2))
    for i in range(3):
        for k in range(4):
            a = A[i, k]
            for j in range(2):
                C[i, j] += a * B[k, j]
    return C


def sinkhorn(K):
    P = K.copy()
    for _ in range(5):
        P /= P.sum(axis=1, keepdims=True)
        P /= P.sum(axis=0)
    return P


_A = sample(-1, 1, 5, 5) + 5 * np.eye(5)
SPD = _A @ _A.T

CASES = [
    (
        gauss,
        (
            sample(-1, 1, 5, 5) + 5 * np.eye(5),
            sample(-1, 1, 5),
        ),
    ),
    (
        lu_inplace,
        (
            sample(-1, 1, 5, 5) + 5 * np.eye(5),
            sample(-1, 1, 5),
        ),
    ),
    (cholesky_loops, (SPD,)),
    (
        thomas,
        (
            sample(2, 3, 6),
            sample(0.1, 0.9, 5),
            sample(0.1, 0.9, 5),
            sample(-1, 1, 6),
        ),
    ),
    (gram_schmidt, (sample(-1, 1, 3, 3),)),
    (householder, (sample(-1, 1, 4, 4),)),
    (givens, (sample(-1, 1, 4, 4),)),
    (jacobi_eig, (sample(1, 2, 4, 4),)),
    (determinant, (sample(1, 2, 3, 3),)),
    (power_iter, (sample(-1, 1, 4, 4),)),
    (
        matmul_tiles,
        (
            sample(-1, 1, 3, 4),
            sample(-1, 1, 4, 2),
        ),
    ),
    (sinkhorn, (sample(0.1, 0.9, 3, 3),)),
]


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, args):
    check(f, *args)
