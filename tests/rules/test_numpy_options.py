"""The rarer options of functions of NumPy and of methods of ufuncs and arrays."""

import numpy as np
import pytest

import sourcegrad as sg

from .test_numpy_masked import X, check

TWICE = np.stack((X, np.cos(X)))
WEIGHTS, COUNTS = np.array([0.3, 0.2, 0.4, 0.1]), np.array([1, 2, 1, 3])
PLACES = np.array([0.0, 1.0, 3.0, 4.5])
KEPT, AXIS = [True, False, True], 1

CASES = {
    "average, of all": lambda x: np.average(x, returned=True)[0],
    "average, along": lambda x: np.average(x, 1, WEIGHTS, False, keepdims=True),
    "average, two axes": lambda x: np.average(TWICE, axis=(1, 2), weights=np.abs(x)),
    "diff, before": lambda x: np.diff(x, axis=AXIS, prepend=x[:, :1] ** 2),
    "diff, number": lambda x: np.diff(x, 2, 0, x[0, 0], 1.5),
    "diff, none": lambda x: np.diff(x, n=0, append=1.0),
    "pad, constant": lambda x: np.pad(x, ((1, 2), (0, 1)), constant_values=x[0, 1]),
    "pad, odd": lambda x: np.pad(x, ((1, 0), (2, 3)), "reflect", reflect_type="odd"),
    "pad, odd ends": lambda x: np.pad(x, 2, "symmetric", reflect_type="odd"),
    "pad, mean": lambda x: np.pad(x, {1: 2}, mode="mean"),
    "pad, some": lambda x: np.pad(x, 1, "mean", stat_length=((1, 2), (3, 1))),
    "pad, ramp": lambda x: np.pad(x, (1, 2), mode="linear_ramp", end_values=3.0),
    "nan_to_num": lambda x: np.nan_to_num(x, True, 2.0, posinf=x[0, 0]),
    "cov, counts": lambda x: np.cov(x, fweights=COUNTS),
    "cov, weights": lambda x: np.cov(x, aweights=np.abs(x[0]), ddof=0),
    "cov, both": lambda x: np.cov(x, x[0] ** 2, fweights=COUNTS, aweights=WEIGHTS),
    "corrcoef": lambda x: np.corrcoef(x, dtype=np.float64),
    "polyfit": lambda x: np.polyfit(PLACES, x.T, 2, w=1.0 + x[0] ** 2),
    "polyfit, cov": lambda x: np.polyfit(PLACES, x[0], 1, cov=True)[1],
    "polyfit, unscaled": lambda x: np.polyfit(x[0], x[1], 1, cov="unscaled")[1],
    "interp, at": lambda x: np.interp(x, PLACES, WEIGHTS, period=5.0),
    "interp, values": lambda x: np.interp([0.3, 4.7, 9.0], PLACES, x[0], period=5.0),
    "linspace": lambda x: np.linspace(x[0], x[1], 4, False, True)[1],
    "linspace, points": lambda x: np.linspace(x[0], x[1], 4, retstep=True)[0],
    "array": lambda x: np.array(x, order="F", subok=False) ** 2,
    "asarray": lambda x: np.asarray(x, order="C") ** 2,
    "hstack": lambda x: np.hstack((x, x**2), casting="safe"),
    "compress, method": lambda x: x.compress(KEPT, axis=0),
    "compress, flat": lambda x: x.compress([True, False, True], 0) ** 2,
    "idle options": lambda x: np.exp(x, None, where=True, order="C", subok=False),
    "no buffer": lambda x: np.matmul(x, x.T, out=None),
    "outer": lambda x: np.multiply.outer(x[0], x[1], dtype=np.float64, where=True),
    "outer, fmax": lambda x: np.fmax.outer(x[0], x[1]),
    "logaddexp2.reduce": lambda x: np.logaddexp2.reduce(x, axis=1, keepdims=True),
    "hypot.reduce": lambda x: np.hypot.reduce(x, axis=AXIS, initial=x[0, 0]),
    "divide.reduce": lambda x: np.divide.reduce(x, axis=1),
    "divide.accumulate": lambda x: np.divide.accumulate(x, axis=1),
    "subtract.accumulate": lambda x: np.subtract.accumulate(x, axis=0),
}


@pytest.mark.parametrize("name", CASES)
def test_options(name):
    check(CASES[name], X)


def test_an_average_and_the_sum_of_its_weights():
    weights = np.abs(X)
    outputs, pull = sg.vjp(lambda w: np.average(X, 1, w, True), weights)
    np.testing.assert_array_equal(outputs[1], weights.sum(axis=1))
    bars = np.array([0.3, -1.2, 0.7])
    total = weights.sum(axis=1, keepdims=True)
    mean = np.sum(weights * X, axis=1, keepdims=True) / total
    want = bars[:, np.newaxis] * ((X - mean) / total + 2.0)
    np.testing.assert_allclose(pull((bars, 2.0 * bars))[0], want, rtol=1e-13)


@pytest.mark.parametrize("mode", ["minimum", "maximum", "median"])
def test_pads_that_are_no_linear_function_are_refused(mode):
    with pytest.raises(sg.NonDifferentiableError, match=mode):
        sg.jvp(lambda x: np.pad(x, 1, mode), (X,), (X,))
    with pytest.raises(sg.NonDifferentiableError, match=mode):
        sg.grad(lambda x: np.sum(np.pad(x, 1, mode)))(X)


def test_what_is_replaced_has_no_derivative_and_what_replaces_it_has():
    x = np.array([np.nan, np.inf, -np.inf, 1.0])

    def f(x, a, b):
        return np.sum(np.nan_to_num(x, nan=a, neginf=b))

    x_bar, a_bar, b_bar = sg.grad(f, argnums=(0, 1, 2))(x, 2.0, 3.0)
    np.testing.assert_array_equal(x_bar, [0.0, 0.0, 0.0, 1.0])
    assert (a_bar, b_bar) == (1.0, 1.0)
