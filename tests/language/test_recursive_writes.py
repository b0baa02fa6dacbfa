"""Recursion that writes into memory no cotangent lies in: marks, links, counters."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import UnsupportedSyntaxError, grad, jvp, vjp

A = np.random.default_rng(0).random((4, 4))
COFACTORS = np.linalg.det(A) * np.linalg.inv(A).T


def with_marks(a, used, row):
    n = len(a)
    if row == n:
        return 1.0
    total = 0.0
    sign = 1.0
    for j in range(n):
        if used[j] == 0:
            used[j] = 1
            total += sign * a[row, j] * with_marks(a, used, row + 1)
            used[j] = 0
            sign = -sign
    return total


def by_marks(a):
    return with_marks(a, np.zeros(len(a), dtype=np.int64), 0)


def with_columns(a, columns, row):
    if row == len(a):
        return 1.0
    total = 0.0
    for k in range(len(columns)):
        j = columns.pop(k)
        total += (-1) ** k * a[row, j] * with_columns(a, columns, row + 1)
        columns.insert(k, j)
    return total


def by_columns(a):
    return with_columns(a, list(range(len(a))), 0)


def with_links(a, after, row):
    """Columns not used yet as a linked list; its head lies at n, its end is n + 1."""
    n = len(a)
    if row == n:
        return 1.0
    total = 0.0
    sign = 1.0
    before = n
    j = after[n]
    while j != n + 1:
        after[before] = after[j]
        total += sign * a[row, j] * with_links(a, after, row + 1)
        after[before] = j
        before = j
        j = after[j]
        sign = -sign
    return total


def by_links(a):
    n = len(a)
    after = np.zeros(n + 1, dtype=np.int64)
    for k in range(n):
        after[k] = k + 1 if k + 1 < n else n + 1
    after[n] = 0
    return with_links(a, after, 0)


@pytest.mark.parametrize("f", [by_marks, by_columns, by_links])
def test_determinant_by_minors(f):
    assert f(A) == pytest.approx(np.linalg.det(A))
    assert_allclose(grad(f)(A), COFACTORS, rtol=1e-12)
    _, pullback = vjp(f, A)
    pullback(2.0)
    assert_allclose(pullback(1.0)[0], COFACTORS, rtol=1e-12)
    direction = np.arange(16.0).reshape(4, 4)
    tangent = jvp(f, (A,), (direction,))[1]
    assert tangent == pytest.approx(np.sum(COFACTORS * direction), rel=1e-12)


@pytest.mark.numba_full
@pytest.mark.parametrize("f", [by_marks, by_links])
def test_determinant_by_minors_compiled(f):
    assert_allclose(grad(f, backend="numba")(A), COFACTORS, rtol=1e-12)


def counting(x, calls, n):
    calls[0] += 1
    if n == 0:
        return x * x
    return counting(x, calls, n - 1) * x + calls[0] * x


def test_what_a_callee_keeps_is_what_it_read():
    def counted(x):
        calls = np.zeros(1, dtype=int)
        a = counting(x, calls, 2)
        b = calls[0] * x
        d = counting(x, calls, 1)
        return a * b + d * calls[0]

    # a = x^4 + 3 x^2 + 3 x, b = 3 x, d = x^3 + 5 x, and 5 calls in all
    x = 1.3
    expected = 15 * x**4 + 27 * x**2 + 18 * x + 15 * x**2 + 25
    assert grad(counted)(x) == pytest.approx(expected, rel=1e-14)
    assert vjp(counted, x)[1](1.0)[0] == pytest.approx(expected, rel=1e-14)
    assert jvp(counted, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-14)


def filling(x, buffer, k):
    buffer[k] = x * k
    if k == 0:
        return x
    return filling(x, buffer, k - 1) + buffer[k]


def test_writes_of_active_values():
    def filled(x):
        buffer = np.zeros(3)
        return filling(x, buffer, 2) + np.sum(buffer * buffer)

    # x + x + 2 x from the recursion, x^2 + 4 x^2 from the buffer it filled
    assert grad(filled)(1.3) == pytest.approx(4 + 10 * 1.3, rel=1e-14)
    _, pullback = vjp(filled, 1.3)
    pullback(2.0)
    assert pullback(1.0)[0] == pytest.approx(4 + 10 * 1.3, rel=1e-14)
    assert jvp(filled, (1.3,), (1.0,))[1] == pytest.approx(4 + 10 * 1.3, rel=1e-14)


def stacking(x, rows, k):
    rows.append(x * k)
    return np.sum(x) if k == 0 else stacking(x, rows, k - 1) + np.sum(rows[k - 1])


def test_lists_of_arrays_are_refused():
    def stacked(x):
        return stacking(x, [], 2)

    with pytest.raises(UnsupportedSyntaxError, match="writes into its arguments"):
        grad(stacked)(np.ones(2))
