"""Side effects, exceptions and randomness happen as in a plain call, once."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad

X = np.array([0.3, 0.8, 1.7])


def prints(x):
    for i in range(2):
        print("trip", i, f"{x:.2f}")
    return x * x


def draws(x, rng):
    y = x
    for _ in range(3):
        y = y * rng.normal() + x
    return y


def guarded(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return np.sqrt(x)


def undefined_for_negative(x):
    if x > 0:
        y = x * x
    return y * x


def divides(x):
    return 1.0 / (x - 1.0)


def library_root(x):
    return math.sqrt(x)


def reads_beyond(x):
    return x[0] * x[7]


def asserts(x):
    assert x > 0, "must be positive"
    return x * x


@pytest.mark.parametrize("transform", ["grad", "value_and_grad", "vjp"])
def test_side_effects_happen_once(transform, capsys):
    if transform == "vjp":
        _, pullback = sourcegrad.vjp(prints, 1.5)
        assert_allclose(pullback(1.0)[0], 3.0)
        assert_allclose(pullback(1.0)[0], 3.0)
    else:
        getattr(sourcegrad, transform)(prints)(1.5)
    assert capsys.readouterr().out == "trip 0 1.50\ntrip 1 1.50\n"


def test_random_draws_happen_once_and_in_order():
    rng = np.random.default_rng(3)
    value, gradient = sourcegrad.value_and_grad(draws)(1.3, rng)
    after = rng.normal()
    plain = np.random.default_rng(3)
    assert value == draws(1.3, plain)
    assert after == plain.normal()
    a, b, c = np.random.default_rng(3).normal(size=3)
    assert_allclose(gradient, ((a + 1) * b + 1) * c + 1, rtol=1e-14)


@pytest.mark.parametrize(
    ("f", "good", "slope", "bad", "error"),
    [
        (guarded, 4.0, 0.25, -4.0, ValueError),
        (undefined_for_negative, 2.0, 12.0, -2.0, UnboundLocalError),
        (divides, 3.0, -0.25, 1.0, ZeroDivisionError),
        (asserts, 3.0, 6.0, -3.0, AssertionError),
        (library_root, 4.0, 0.25, -4.0, ValueError),
    ],
)
def test_exceptions_of_the_primal_come_through(f, good, slope, bad, error):
    derivative = sourcegrad.grad(f)
    assert_allclose(derivative(good), slope, rtol=1e-14)
    with pytest.raises(error) as plain:
        f(bad)
    with pytest.raises(error) as caught:
        derivative(bad)
    if error is not UnboundLocalError:
        assert str(caught.value)[:15] == str(plain.value)[:15]
    assert_allclose(derivative(good), slope, rtol=1e-14)


def test_index_errors_come_through():
    with pytest.raises(IndexError):
        sourcegrad.grad(reads_beyond)(X)


def test_nan_passes_through():
    value, gradient = sourcegrad.value_and_grad(lambda x: x * x)(float("nan"))
    assert math.isnan(value)
    assert math.isnan(gradient)
