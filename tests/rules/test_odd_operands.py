"""Operands that a library takes though few write them: unsorted cuts, matrices where a
vector is meant, orders between whole numbers, numbers outside of a domain.

Expected values are differences of the function itself; where a rule does not hold, both
modes refuse.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import sourcegrad
from sourcegrad import grad, jvp

V = np.array([0.3, 0.7, 1.1, 0.9, 1.6])
M = np.array([[1.3, 0.4, 0.2], [0.1, 1.7, 0.6], [0.5, 0.3, 2.2]])
C = np.array([1 + 0.3j, 0.5 - 0.2j, 0.8 + 1j])
STEP = 1e-5


def weights(y):
    return np.cos(1.0 + np.arange(np.size(y))).reshape(np.shape(y))


def directions(x):
    units = np.eye(np.size(x)).reshape(-1, *np.shape(x))
    return np.concatenate((units, 1j * units)) if np.iscomplexobj(x) else units


def slope(f, x, d):
    return (f(x + STEP * d) - f(x - STEP * d)) / (2 * STEP)


def unsorted_parts(x):
    first, second, last = np.split(x, [3, 1])
    return np.sum(first**2) + np.sum(second) + 3.0 * np.sum(last**3)


def unsorted_twice(x):
    whole = np.array_split(x, [3, 1])[2] ** 2
    return np.sum(whole) + np.sum(np.split(x, np.array([2, 1]))[0])


def unsorted_columns(x):
    return np.sum(np.hsplit(x, [2, 1])[2] ** 2 * np.hsplit(x, [2, 1])[0])


def unsorted_rows(x):
    return np.sum(np.vsplit(x, (2, 1))[2] ** 2 * np.vsplit(x, (2, 1))[0])


def values_in_any_order(x):
    y = np.unique_values(x)
    return np.sum(np.real(y * weights(y)))


DIFFERENTIATED = [
    (unsorted_parts, V),
    (unsorted_twice, V),
    (unsorted_columns, M),
    (unsorted_rows, M),
    (values_in_any_order, V[::-1]),
    (values_in_any_order, C),
    (lambda x: np.sum(special.kn(1.5, x)), V),
    (lambda x: np.sum(special.kn(-2.5, x)), V),
    (lambda x: np.sum(special.kn(2, x)), V),
]
REFUSED = [
    (lambda x: np.sum(np.real(special.zeta(x + 2))), C),
    (lambda x: np.sum(np.real(special.digamma(x))), C),
    (lambda x: np.sum(np.real(special.psi(x))), C),
]


@pytest.mark.filterwarnings("ignore:floating point number truncated:RuntimeWarning")
@pytest.mark.parametrize(("f", "x"), DIFFERENTIATED)
def test_derivative_is_that_of_differences(f, x):
    gradient = grad(f)(x)
    assert np.shape(gradient) == np.shape(x)
    for d in directions(x):
        expected = slope(f, x, d)
        reverse = np.real(np.sum(gradient * d))
        np.testing.assert_allclose(reverse, expected, rtol=1e-5, atol=1e-6)
        forward = jvp(f, (x,), (d,))[1]
        np.testing.assert_allclose(forward, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("f", "x"), REFUSED)
def test_refusal_in_both_modes(f, x):
    for call in (lambda: grad(f)(x), lambda: jvp(f, (x,), (np.ones_like(x),))):
        with pytest.raises(sourcegrad.SourcegradError, match="has no rule for"):
            call()
