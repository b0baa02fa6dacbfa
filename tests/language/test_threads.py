"""Two threads, many calls, recursion depth, interleaved compilations."""

import concurrent.futures

import numpy as np
from numpy.testing import assert_allclose

import sourcegrad


def loops(x, n):
    y = x
    for i in range(n):
        if y > 1.5:
            y = y * 0.5
        else:
            y = y * x + 0.1 * i
    return y


def slope(x, n):
    y, dy = x, 1.0
    for i in range(n):
        if y > 1.5:
            y, dy = y * 0.5, dy * 0.5
        else:
            y, dy = y * x + 0.1 * i, dy * x + y
    return dy


def test_one_pullback_from_many_threads():
    _, pullback = sourcegrad.vjp(lambda x: loops(x, 40), 1.2)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: pullback(1.0)[0], range(64)))
    assert_allclose(results, slope(1.2, 40), rtol=1e-12)


def test_first_calls_from_many_threads():
    def fresh(x):
        return loops(x, 12) * np.sin(x)

    derivative = sourcegrad.grad(fresh)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(derivative, [1.2] * 16))
    expected = slope(1.2, 12) * np.sin(1.2) + loops(1.2, 12) * np.cos(1.2)
    assert_allclose(results, expected, rtol=1e-12)


def descend(x, n):
    return x if n == 0 else descend(x * 1.001, n - 1) + x


def test_deep_recursion():
    expected = 1.001**200 + sum(1.001**k for k in range(200))
    assert_allclose(sourcegrad.grad(descend)(0.5, 200), expected, rtol=1e-12)


def test_trip_counts_vary_between_calls():
    derivative = sourcegrad.grad(loops)
    for n in (0, 1, 5, 0, 3):
        assert_allclose(derivative(1.2, n), slope(1.2, n), rtol=1e-12)
