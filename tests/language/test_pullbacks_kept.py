"""A pullback is the linear map at the point of `vjp`, whatever changes before it is
called: arguments, globals, cells, attributes, also where callees read them."""

from __future__ import annotations

import types

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import grad, vjp

scale = 2.0
other = 2.0
weights = np.array([1.0, 2.0])
model = types.SimpleNamespace(slope=np.array([3.0, 4.0]), shift=0.5)


@pytest.fixture(autouse=True)
def world():
    """The globals as they are at first, after each test too."""
    global scale, weights
    yield
    scale, weights = 2.0, np.array([1.0, 2.0])
    model.slope, model.shift = np.array([3.0, 4.0]), 0.5


def scaled(x):
    return scale * x


def weighed(x):
    return np.sum(np.sin(weights * x))


def by_model(x):
    return np.sum(model.slope * x + model.shift * x**2)


def summed(x):
    return x[0] * weights.sum() + np.dot(weights.T, x)


def level(x, n, w):
    if n <= 0:
        return np.sum(weights * x * x * w) * scale
    return level(x * np.sin(x), n - 1, w)


def many_levels(x, w):
    total = 0.0
    for i in range(2):
        total = total * 0.5 + level(x * total, i, w) + level(x, i, w)
    return total


def test_a_global_bound_to_another_number():
    global scale
    _, pullback = vjp(scaled, 1.0)
    scale = 7.0
    vjp(scaled, 1.0)  # the compiled functions see the new number from here on
    assert pullback(1.0) == (2.0,)
    assert vjp(scaled, 1.0)[1](1.0) == (7.0,)


@pytest.mark.parametrize("backend", ["python", "numba"])
def test_a_global_array_written_to(backend):
    if backend == "numba":
        pytest.importorskip("numba")
    x = np.array([0.3, 0.7])
    _, pullback = vjp(weighed, x, backend=backend)
    expected = weights * np.cos(weights * x)
    weights[:] = 50.0
    assert_allclose(pullback(1.0)[0], expected, rtol=1e-14)


def test_attributes_of_a_global():
    x = np.array([0.3, 0.7])
    _, pullback = vjp(by_model, x)
    expected = np.array([3.0, 4.0]) + 2.0 * 0.5 * x
    model.slope[:], model.shift = 50.0, 9.0
    assert_allclose(pullback(1.0)[0], expected, rtol=1e-14)


def test_methods_of_a_global_array():
    _, pullback = vjp(summed, np.array([0.3, 0.7]))
    weights[:] = 50.0
    assert_allclose(pullback(1.0)[0], [3.0 + 1.0, 2.0], rtol=1e-14)


def test_a_cell_bound_to_another_number():
    def maker():
        k = 2.0

        def f(x):
            return k * np.sin(x)

        def change(v):
            nonlocal k
            k = v

        return f, change

    f, change = maker()
    _, pullback = vjp(f, 1.0)
    change(7.0)
    assert pullback(1.0)[0] == pytest.approx(2.0 * np.cos(1.0))


def differences(f, args, k, h=1e-6):
    """Central differences by the array at place `k`."""
    found = np.zeros_like(args[k])
    for i in range(found.size):
        ends = []
        for step in (h, -h):
            moved = [a.copy() for a in args]
            moved[k][i] += step
            ends.append(f(*moved))
        found[i] = (ends[0] - ends[1]) / (2.0 * h)
    return found


def test_what_a_callee_keeps_in_a_loop():
    global scale
    x, w = np.array([0.3, 0.7]), np.array([1.5, -2.0])
    expected = [differences(many_levels, (x, w), k) for k in (0, 1)]
    _, pullback = vjp(many_levels, x, w)
    x[:], w[:], weights[:], scale = 50.0, 50.0, 50.0, 9.0
    for found, wanted in zip(pullback(1.0), expected, strict=True):
        assert_allclose(found, wanted, rtol=1e-7, atol=1e-8)


def test_two_names_of_one_number():
    """`scale` and `other` hold one object when the gradient is compiled."""
    global scale
    scale = other

    def f(x):
        return np.sin(scale * x) + np.cos(other * x)

    first = grad(f)(1.0)
    assert first == pytest.approx(2.0 * np.cos(2.0) - 2.0 * np.sin(2.0))
    scale = 3.0
    assert grad(f)(1.0) == pytest.approx(3.0 * np.cos(3.0) - 2.0 * np.sin(2.0))


def _damped(v, k):
    if k <= 0:
        return np.sin(v + 0.3 * k)
    return np.tanh(0.3 * k * v) * _damped(np.sin(v), k - 1)


def _calls_twice(x, n):
    kept = np.full(4, 0.5)
    if 0.49 * x < 1:
        x = x * 2
    elif n == 1:
        if _damped(x, 0) >= 0.2:
            x = x * 3
    return x * x + _damped(np.sin(kept[n]), 2)


def test_a_cotangent_that_nobody_asks_for_is_no_part_of_the_forward_sweep():
    value, pullback = vjp(_calls_twice, 0.7, 1)
    assert value == _calls_twice(0.7, 1)
    assert pullback(1.0)[0] == pytest.approx(8 * 0.7)
