"""The checker itself: a wrong rule, a wrong shape and a wide dtype are found."""

import numpy as np
import pytest

from sourcegrad.rules import adjoint, constant, elementwise, tangent

from .check import check


def wave(x):
    return np.sin(x) * 2.0


X = np.array([0.3, 1.2])


pytestmark = pytest.mark.usefixtures("kept_rules")


def test_a_right_rule_passes():
    elementwise(wave)(lambda y, x: 2.0 * np.cos(x))
    check(wave, X)


def test_a_wrong_partial_is_found():
    elementwise(wave)(lambda y, x: 2.001 * np.cos(x))
    with pytest.raises(AssertionError, match="adjoint"):
        check(wave, X)


def test_a_wrong_tangent_is_found():
    @adjoint(wave)
    def wave_adjoint(y, y_bar, x):
        return y_bar * 2.0 * np.cos(x)

    @tangent(wave)
    def wave_tangent(y, x, x_dot):
        return -x_dot * 2.0 * np.cos(x)

    with pytest.raises(AssertionError, match="tangent"):
        check(wave, X)


def test_a_wrong_shape_is_found():
    @adjoint(wave)
    def wave_adjoint(y, y_bar, x):
        return np.sum(y_bar * 2.0 * np.cos(x))

    with pytest.raises(AssertionError, match="shape"):
        check(wave, X)


def test_a_wide_dtype_is_found():
    @adjoint(wave)
    def wave_adjoint(y, y_bar, x):
        return np.float64(1.0) * y_bar * 2.0 * np.cos(x)

    with pytest.raises(AssertionError, match="float64 not float32"):
        check(wave, X.astype(np.float32))


def test_a_function_with_no_rule_is_found():
    with pytest.raises(AssertionError, match="no rule"):
        check(wave, X)
    constant(wave)
