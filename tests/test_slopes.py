"""Gradients inside differentiated functions whose own text is outside of the language:
recursions, whose residuals have a type without end.

Expected values come from duals of duals.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import SourcegradError, grad, gradient_source, jvp, value_and_grad
from tests.oracle import dual_hessian_vector

X = np.array([0.3, 0.5, 0.7])
V, W = np.array([0.4, -0.3, 1.2]), np.array([1.1, 0.6, -0.2])


def power(x, n):
    if n <= 0:
        return np.sin(x)
    return power(x * x, n - 1) * x


def energy(x, n):
    return np.sum(x) * power(x[0], n) + np.sum(np.sin(x) * power(x[1], 1))


def by_gradient(x, v, n):
    return np.sum(grad(energy)(x, n) * v)


def by_value_and_gradient(x, v, n):
    y, g = value_and_grad(energy)(x, n)
    return y * y + np.sum(g * v)


def of_two(a, x, n):
    return a * energy(x * a, n)


def by_two(a, x, v, n):
    a_bar, x_bar = grad(of_two, (0, 1))(a, x, n)
    return a_bar * v[0] + np.sum(x_bar * v)


def of_parameters(p, n):
    return p["scale"] * energy(p["x"], n)


def by_parameters(p, v, n):
    g = grad(of_parameters)(p, n)
    return g["scale"] * v[0] + np.sum(g["x"] * v)


def hessian_times(f, args, v, which=0):
    return dual_hessian_vector(f, args, v, which)


def test_reverse_over_a_gradient():
    got = grad(by_gradient)(X, V, 2)
    assert_allclose(got, hessian_times(energy, (X, 2), V), rtol=1e-12)


def test_forward_over_a_gradient():
    _, got = jvp(by_gradient, (X, V, 2), (W, None, None))
    assert got == pytest.approx(hessian_times(energy, (X, 2), V) @ W, rel=1e-12)


def test_the_direction_varies_too():
    """d/dv of g(x) . v is g(x)."""
    got = grad(by_gradient, 1)(X, V, 2)
    assert_allclose(got, grad(energy)(X, 2), rtol=1e-13)
    _, slope = jvp(by_gradient, (X, V, 2), (W, V, None))
    first = hessian_times(energy, (X, 2), V) @ W
    assert slope == pytest.approx(first + grad(energy)(X, 2) @ V, rel=1e-12)


def test_value_and_gradient():
    got = grad(by_value_and_gradient)(X, V, 2)
    y, g = value_and_grad(energy)(X, 2)
    expected = 2.0 * y * g + hessian_times(energy, (X, 2), V)
    assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_gradients_by_several_arguments(mode):
    a, flat = 1.3, np.array([V[0], *V])
    expected = hessian_times(of_two, (a, X, 2), flat, (0, 1))
    if mode == "reverse":
        got = grad(by_two, (0, 1))(a, X, V, 2)
        assert got[0] == pytest.approx(expected[0], rel=1e-12)
        assert_allclose(got[1], expected[1], rtol=1e-12)
    else:
        _, got = jvp(by_two, (a, X, V, 2), (0.7, W, None, None))
        assert got == pytest.approx(expected[0] * 0.7 + expected[1] @ W, rel=1e-12)


def test_gradients_of_a_dictionary():
    p = {"scale": 1.3, "x": X}
    got = grad(by_parameters)(p, V, 2)

    def flat(a, x, n):
        return a * energy(x, n)

    expected = hessian_times(flat, (1.3, X, 2), np.array([V[0], *V]), (0, 1))
    assert got["scale"] == pytest.approx(expected[0], rel=1e-12)
    assert_allclose(got["x"], expected[1], rtol=1e-12)


def test_inside_of_branches_and_loops():
    def f(x, v, n):
        total = 0.0
        for k in range(n):
            if k != 1:
                total += np.sum(grad(energy)(x * (1.0 + k), k) * v)
        return total

    expected = sum(
        (1.0 + k) * hessian_times(energy, (X * (1.0 + k), k), V) for k in (0, 2)
    )
    assert_allclose(grad(f)(X, V, 3), expected, rtol=1e-12)


def scaling(x, n):
    x *= 2.0
    return np.sum(x) * power(x[0], n)


def test_functions_that_write():
    def f(x, v):
        return np.sum(grad(scaling)(x, 1) * v)

    hv = hessian_times(scaling, (X.copy(), 1), V)
    assert_allclose(grad(f)(X.copy(), V), hv, rtol=1e-12)
    assert jvp(f, (X.copy(), V), (W, None))[1] == pytest.approx(hv @ W, rel=1e-12)


SEEN = []


def telling(x, n):
    SEEN.append(1)
    return np.sum(x) * power(x[0], n)


def test_functions_with_other_effects_are_refused():
    def f(x, v):
        return np.sum(grad(telling)(x, 1) * v)

    with pytest.raises(SourcegradError):
        grad(f)(X.copy(), V)
    with pytest.raises(SourcegradError):
        jvp(f, (X.copy(), V), (W, None))


def masked(x, a, n):
    return np.sum(np.where(x > 0.4, np.sqrt(x - 0.4), 0.0)) * power(a, n)


def by_mask(x, a, v):
    return np.sum(grad(masked)(x, a, 1) * v)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_mask_around_it():
    """The gradient is 0 where the mask cuts it off, and so is its derivative."""
    factor = np.sin(1.44) * 1.2
    slope = np.array([0.0, *(0.5 * (X[1:] - 0.4) ** -0.5)])
    curvature = np.array([0.0, *(-0.25 * (X[1:] - 0.4) ** -1.5)])
    x_bar, a_bar = grad(by_mask, (0, 1))(X, 1.2, V)
    assert_allclose(x_bar, curvature * V * factor, rtol=1e-10)
    inner = 2.0 * 1.44 * np.cos(1.44) + np.sin(1.44)  # d/da (a sin(a a))
    assert a_bar == pytest.approx(slope @ V * inner, rel=1e-10)


def shrunk(p, k):
    if p[0] > 5.0 or k <= 0:
        return np.sum(np.sin(p))
    p[0] = p[1] * p[0]
    return shrunk(p, k - 1) * p[1]


def writes_its_argument(a, x):
    x *= a
    x[2] = power(a * x[1], 1)
    return shrunk(x, 2) * a + x[0]


def by_what_it_writes(a, x, v):
    z = x * a
    a_bar, z_bar = grad(writes_its_argument, (0, 1))(a, z)
    return a_bar * v[0] + np.sum(z_bar * v) + np.sum(z * z)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_function_that_writes_its_argument(mode):
    def slope(a, x):
        a_bar, x_bar = grad(writes_its_argument, (0, 1))(a, x)
        return a_bar * 0.7 + np.sum(x_bar * V)

    a, flat = 1.3, np.array([0.7, *V])
    expected = hessian_times(writes_its_argument, (a, X.copy()), flat, (0, 1))
    if mode == "reverse":
        got = grad(slope, (0, 1))(a, X.copy())
        assert got[0] == pytest.approx(expected[0], rel=1e-12)
        assert_allclose(got[1], expected[1], rtol=1e-12)
    else:
        _, got = jvp(slope, (a, X.copy()), (0.4, W))
        assert got == pytest.approx(expected[0] * 0.4 + expected[1] @ W, rel=1e-12)


def test_what_the_function_wrote_is_read_after_it():
    def moved(a, x):
        return by_what_it_writes(a, x, V)

    a_bar, x_bar = grad(moved, (0, 1))(1.3, X.copy())
    h = 1e-5
    slopes = [
        (moved(1.3, X + h * e) - moved(1.3, X - h * e)) / (2 * h) for e in np.eye(3)
    ]
    assert_allclose(x_bar, slopes, rtol=1e-7)
    slope = (moved(1.3 + h, X.copy()) - moved(1.3 - h, X.copy())) / (2 * h)
    assert a_bar == pytest.approx(slope, rel=1e-7)


def test_the_argument_is_left_as_a_call_leaves_it():
    x, y = X.copy(), X.copy()
    grad(lambda x: np.sum(grad(writes_its_argument, 1)(1.3, x) * V))(x)
    writes_its_argument(1.3, y)
    assert np.array_equal(x, y)


def test_names_of_generated_values_are_no_names_of_the_users():
    def f(x, y):
        v = np.zeros((2, 3))
        x_bar = v.reshape(-1)
        np.add.at(x_bar, [4, -6], y[::2])
        y[x_bar[2::-1] > 0.74] -= x
        return x * x

    def slope(x, y):
        x_bar, y_bar = grad(f, (0, 1))(x, y)
        return x_bar * 0.4 + np.sum(y_bar)

    assert grad(slope)(-0.9, X.copy()) == pytest.approx(0.8, rel=1e-14)


def with_a_stack(x, n):
    stack = [1.0]
    stack.append(x[0] * x[1])
    stack.append(2.0)
    stack.pop()
    return power(stack[1], n) * np.sum(x)


def test_a_function_that_pops_from_a_list_of_its_own():
    def f(x, v):
        return np.sum(grad(with_a_stack)(x, 2) * v)

    hv = hessian_times(with_a_stack, (X, 2), V)
    assert_allclose(grad(f)(X, V), hv, rtol=1e-12)


def test_the_text_tells_what_it_does_not_hold():
    text = gradient_source(by_gradient, 0, X, V, 2)
    assert "# energy_grad: generated too, grad of energy; assign it here" in text
