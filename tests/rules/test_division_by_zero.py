"""A quotient whose denominator is a Python integer that is zero: NumPy's inf or nan."""

import numpy as np
import pytest

import sourcegrad as sg

ONE = np.array([0.7])


class Count:
    value = 0


COUNT = Count()


def of_a_length(x):
    return np.sum(x) / (len(x) - 1)


def of_an_attribute(x):
    return np.sum(x) / COUNT.value


def masked(x):
    return np.sum(np.where(x > 0, x**2, x / (len(x) - 1)))


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("f", [of_a_length, of_an_attribute])
def test_the_slope_is_infinite_as_the_value_is(f):
    assert f(ONE) == np.inf
    assert sg.grad(f)(ONE).tolist() == [np.inf]
    assert sg.vjp(f, ONE)[1](-1.0)[0].tolist() == [-np.inf]
    assert sg.jvp(f, (ONE,), (np.ones(1),))[1] == np.inf


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_branch_that_is_masked_gives_nothing():
    assert sg.grad(masked)(ONE) == pytest.approx([1.4])
    assert sg.jvp(masked, (ONE,), (np.ones(1),))[1] == pytest.approx(1.4)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("ddof", [1, 3])
def test_a_covariance_of_too_few_is_what_numpy_says(ddof):
    def f(x):
        return np.sum(np.cov(x, ddof=ddof))

    assert np.isnan(f(ONE))
    assert np.isnan(sg.jvp(f, (ONE,), (np.ones(1),))[0])
    two = np.array([0.7, 0.9])
    if ddof == 3:
        assert f(two) == np.inf == sg.vjp(f, two)[0]
        assert not np.any(np.isfinite(sg.grad(f)(two)))
