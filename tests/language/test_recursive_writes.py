"""Recursion that writes into memory no cotangent lies in: marks, links, counters."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import UnsupportedSyntaxError, grad, hvp, jvp, vjp
from tests.oracle import central_difference_grad

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


def test_lists_of_arrays():
    def stacked(x):
        return stacking(x, [], 2)

    # rows are 2 x, x and 0: sum(x), and the first two of them
    assert_allclose(grad(stacked)(np.array([0.3, 0.8])), [4.0, 4.0], rtol=1e-14)


def scaling(x, rows, k):
    rows.append(x * k)
    rows[0][1] = rows[-1][0]
    return np.sum(x) if k == 0 else scaling(x, rows, k - 1) + np.sum(rows[k - 1])


def test_lists_of_arrays_that_are_written_are_refused():
    def scaled(x):
        return scaling(x, [], 2)

    with pytest.raises(UnsupportedSyntaxError, match="writes into its arguments"):
        grad(scaled)(np.ones(2))


class TooLarge(Exception):
    pass


def not_too_large(v):
    if v > 0.4:
        raise TooLarge(v)
    return v


def even(v, k):
    return odd(0.3, k)


def odd(v, k):
    return 0.3 if k else even(0.3, 0.3)


def test_the_kind_of_what_two_functions_give_each_other():
    def scaled(y):
        c, e = even(0.3, 0), 0.64
        try:
            e = not_too_large(y * c)
        except TooLarge:
            pass
        return e

    assert grad(scaled)(-0.259) == pytest.approx(0.3, rel=1e-14)
    assert jvp(scaled, (-0.259,), (1.0,))[1] == pytest.approx(0.3, rel=1e-14)


def powers(buffer, x, k):
    buffer[k] = x * (k + 1)
    if k > 0:
        powers(buffer, x * x, k - 1)


# what it puts there, at 0, 1, 2: x^4, 2 x^2, 3 x
SQUARES = 8 * 0.8**7 + 16 * 0.8**3 + 18 * 0.8
OUTSIDE = np.zeros(5)


def of_a_view(x):
    buffer = np.zeros(5)
    powers(buffer[1:], x, 2)
    return np.sum(buffer * buffer)


def of_an_item(x):
    buffers = [np.zeros(3), np.zeros(4)]
    powers(buffers[1], x, 2)
    return np.sum(buffers[1] ** 2) + np.sum(buffers[0])


def of_a_row(x):
    buffer = np.zeros((2, 4))
    powers(buffer.reshape(-1)[4:], x, 2)
    return np.sum(buffer**2)


@pytest.mark.parametrize("f", [of_a_view, of_an_item, of_a_row])
def test_memory_is_active_as_a_whole_where_a_callee_fills_a_part(f):
    assert grad(f)(0.8) == pytest.approx(SQUARES, rel=1e-13)
    assert vjp(f, 0.8)[1](1.0)[0] == pytest.approx(SQUARES, rel=1e-13)
    assert jvp(f, (0.8,), (1.0,))[1] == pytest.approx(SQUARES, rel=1e-13)


def of_a_global(x):
    powers(OUTSIDE[1:], x, 2)
    return np.sum(OUTSIDE**2)


def of_a_reshaped_global(x):
    powers(OUTSIDE.reshape(5, 1)[:, 0], x, 2)
    return np.sum(OUTSIDE**2)


def of_a_global_or_not(x):
    buffer = OUTSIDE if x > 0 else np.zeros(5)
    powers(buffer, x, 2)
    return np.sum(buffer**2)


@pytest.mark.parametrize("f", [of_a_global, of_a_reshaped_global, of_a_global_or_not])
def test_memory_from_outside_is_refused(f):
    with pytest.raises(UnsupportedSyntaxError, match="from outside"):
        grad(f)(0.8)
    with pytest.raises(UnsupportedSyntaxError, match="from outside"):
        jvp(f, (0.8,), (1.0,))


def product_in_place(a, n):
    if n == 0:
        return a[0]
    a[0] = a[0] * a[1]
    return product_in_place(a, n - 1) * a[0]


def test_second_order_of_writes_into_a_view():
    def f(w):
        a = w * 2.0
        return product_in_place(a[1:], 1) * a[1]

    # f = (4 w1 w2)^3
    w, v = np.array([0.7, 1.9, 0.3]), np.array([1.0, 0.5, 0.2])
    h11, h12, h22 = (
        384 * w[1] * w[2] ** 3,
        576 * w[1] ** 2 * w[2] ** 2,
        384 * w[1] ** 3 * w[2],
    )
    expected = [0.0, h11 * v[1] + h12 * v[2], h12 * v[1] + h22 * v[2]]
    assert_allclose(hvp(f)(w, v), expected, rtol=1e-12)


def by_records(x, depth):
    if depth <= 0:
        return np.tanh(x)
    records = [{"v": x, "w": x * x}]
    records.append({"v": records[-1]["w"], "w": 0.4})
    x = np.array([r["v"] for r in records]).sum()
    return by_records(x, depth - 1) * x


def test_a_number_made_of_records_that_the_recursion_appends():
    f = functools.partial(by_records, depth=3)
    want = central_difference_grad(f, (0.3,))
    assert grad(f)(0.3) == pytest.approx(want, rel=1e-8)
    assert jvp(f, (0.3,), (1.0,))[1] == pytest.approx(want, rel=1e-8)
