"""Names that change places and counters are traced back, not recorded."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, text

X = np.array([0.3, 0.5, 0.9, -0.2])


def count(x, n):
    i = 0
    total = 0.0
    while i < n:
        total = total + np.sin(x[i]) * total + x[i]
        i = i + 1
    return total


def count_down_by_two(x, n):
    i = n
    total = 1.0
    while i > 0:
        i = i - 2
        total = total * x[i] + np.cos(x[i])
    return total


def two_buffers(x, n):
    u, v = x.copy(), x.copy()
    for _ in range(n):
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] + u[:-2])
        u, v = v, u
    return np.sum(u * u)


def three_buffers(x, n):
    a, b, c = x.copy(), x * 2.0, x * 3.0
    for _ in range(n):
        a[1:] += b[:-1] * c[:-1]
        a, b, c = b, c, a
    return np.sum(a * b * c)


def swaps_inside_a_loop(x, n):
    u, v = x.copy(), x.copy()
    for k in range(n):
        for _ in range(k):
            v[1:] = u[:-1] * 0.5 + x[1:]
            u, v = v, u
        u[0] = np.sin(u[0])
    return np.sum(u * u)


def swaps_until_a_break(x, n):
    u, v = x.copy(), x.copy()
    for _ in range(n):
        v[1:] = u[:-1] * 0.5 + x[1:]
        u, v = v, u
        if np.sum(u) > 2.0:
            break
    return np.sum(u * u * u) + np.sum(v)


def swapped_numbers(x, n):
    a, b = x[0], x[1]
    for k in range(n):
        b = b * a + x[2]
        a, b = b, a
    return a * b


PROGRAMS = [
    count,
    count_down_by_two,
    two_buffers,
    three_buffers,
    swaps_inside_a_loop,
    swaps_until_a_break,
    swapped_numbers,
]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_gradient(f, n):
    assert_right(f, X, n)


@pytest.mark.parametrize("f", PROGRAMS)
def test_pullback_called_twice(f):
    def g(x):
        return f(x, 4)

    _, pullback = sourcegrad.vjp(g, X)
    expected = sourcegrad.grad(f)(X, 4)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-13)


def test_swapped_buffers_record_nothing():
    assert "saved" not in text(two_buffers, X, 3)


def test_a_counter_is_not_recorded():
    source = text(count, X, 3)
    assert "i = i - 1" in source and "append((i" not in source
