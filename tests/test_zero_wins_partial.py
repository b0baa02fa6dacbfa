"""Zero wins where what is differentiated has some of its operands already: a partial
function, a method, an object that is called."""

from __future__ import annotations

import functools

import numpy as np

import sourcegrad

X = np.array([0.0, 4.0])
SLOPE = np.array([0.0, 0.75])


def masked(scale, x):
    return np.sum(np.where(x > 0.0, scale * np.sqrt(x), 0.0))


def told(scale, x):
    print("told")
    return masked(scale, x)


class Scaled:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        return masked(self.scale, x)

    def told(self, x):
        return told(self.scale, x)


def test_partial_functions_methods_and_objects(capsys):
    by_name = functools.partial(masked, 3.0)
    scaled = Scaled(3.0)
    for f in (by_name, functools.partial(told, 3.0), scaled, scaled.told):
        np.testing.assert_array_equal(sourcegrad.grad(f)(X), SLOPE)
        np.testing.assert_array_equal(sourcegrad.grad(f)(x=X), SLOPE)
        np.testing.assert_array_equal(sourcegrad.jacobian(f)(X), SLOPE)
        assert sourcegrad.jvp(f, (X,), (np.ones(2),))[1] == 0.75


def test_second_derivatives():
    f = functools.partial(masked, 3.0)
    slope = sourcegrad.grad(lambda x: np.sum(sourcegrad.grad(f)(x)))
    want = np.array([0.0, -3.0 / 4.0 * 4.0**-1.5])
    np.testing.assert_allclose(slope(X), want)
