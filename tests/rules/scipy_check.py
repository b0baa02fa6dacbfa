"""Checks of SciPy's functions in programs, against differences of the function.

Gradient, pushforward and second derivatives along one direction; the differences are
extrapolated to sixth order, so that they hold ten digits of a smooth function.
"""

import numpy as np

import sourcegrad as sg


def weighed(f):
    """The function with its result weighed to one number."""

    def total(x):
        y = f(x)
        return np.sum(np.cos(np.arange(1.0, np.size(y) + 1.0)) * np.sin(np.ravel(y)))

    return total


def along(f, x, d, h=1e-3):
    """The derivative of `f` at `x` along `d`, by differences."""
    steps = [(f(x + k * h * d) - f(x - k * h * d)) / (2.0 * k * h) for k in (1, 2, 3)]
    return 1.5 * steps[0] - 0.6 * steps[1] + 0.1 * steps[2]


def direction(x):
    """A direction that mixes all elements."""
    return np.cos(np.arange(2.0, x.size + 2.0) ** 2).reshape(x.shape)


def agrees(f, x, order=2, rel=1e-6, h=1e-3):
    """Assert that the derivatives of `f`, a function of one real array, are right."""
    total, d = weighed(f), direction(x)
    want = along(total, x, d, h)
    near = {"rtol": rel, "atol": 0.1 * rel}
    gradient = sg.grad(total)
    np.testing.assert_allclose(np.sum(gradient(x) * d), want, **near)
    y, y_dot = sg.jvp(total, (x,), (d,))
    np.testing.assert_allclose(y, total(x), rtol=1e-12)
    np.testing.assert_allclose(y_dot, want, **near)
    if order == 2:
        want = along(gradient, x, d, h)
        got = np.tensordot(sg.hessian(total)(x), d, x.ndim)
        np.testing.assert_allclose(got, want, rtol=20 * rel, atol=2 * rel)
