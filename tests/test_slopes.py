"""Gradients inside differentiated functions whose own text is outside of the language:
recursions, whose residuals have a type without end.

Expected values come from duals of duals.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import SourcegradError, grad, jvp, value_and_grad
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


def test_functions_that_write_are_refused_in_place():
    def f(x, v):
        return np.sum(grad(scaling)(x, 1) * v)

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
