"""`scipy.integrate.quad` in its limits, arguments and captured names."""

import math

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import integrate

from tests.rules.scipy_check import along


def bell(t, a, b):
    return np.exp(-a * t * t) * np.cos(b * t)


CASES = [
    lambda x: integrate.quad(lambda t: math.exp(-x * t) * t, 0.0, 2.0)[0],
    lambda x: integrate.quad(bell, 0.0, x, args=(x, 2.0))[0],
    lambda x: integrate.quad(bell, x, 0.5, (1.0, x))[0],
    lambda x: integrate.quad(bell, -np.inf, np.inf, args=(x, 2.0))[0],
    lambda x: integrate.quad(bell, x, np.inf, (1.0, x))[0],
    lambda x: integrate.quad(bell, np.inf, x, (1.0, x))[0],
    lambda x: integrate.quad(lambda t: np.exp(t * x), -np.inf, x)[0],
    lambda x: integrate.quad(lambda t: x / np.sqrt(t), 0.0, x)[0],
    lambda x: x * integrate.quad(lambda t: abs(t - 0.3), 0.0, x, points=[0.3])[0],
    lambda x: integrate.quad(lambda t, a: t**a, 0.0, 1.0, args=(x,))[0],
]

SEVERAL = [
    lambda a: integrate.dblquad(lambda y, x: np.exp(-a * x * y), 0, a, 0, lambda x: x)[
        0
    ],
    lambda a: integrate.dblquad(
        lambda y, x, c: c * x * y, 0, 1, lambda x: -a * x, a, (a,)
    )[0],
    lambda a: integrate.tplquad(
        lambda z, y, x: x + y * z * a, 0, a, 0, lambda x: x, 0, lambda x, y: a * y
    )[0],
]


@pytest.mark.parametrize("f", SEVERAL)
def test_several_variables(f):
    value, gradient = sg.value_and_grad(f)(1.3)
    assert value == f(1.3)
    want = along(f, np.float64(1.3), 1.0, 1e-2)
    assert gradient == pytest.approx(want, rel=1e-6)
    assert sg.jvp(f, (1.3,), (1.0,))[1] == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("f", CASES)
def test_first_and_second_order(f):
    x, one = np.float64(1.3), 1.0
    value, gradient = sg.value_and_grad(f)(1.3)
    assert value == f(1.3)
    assert gradient == pytest.approx(along(f, x, one, 1e-2), rel=1e-6, abs=1e-8)
    assert sg.jvp(f, (1.3,), (1.0,))[1] == pytest.approx(gradient, rel=1e-12)
    g = sg.grad(f)
    want = along(lambda x: g(float(x)), x, one, 1e-2)
    assert sg.hessian(f)(1.3) == pytest.approx(want, rel=1e-5, abs=1e-7)


def test_an_empty_integral_grows_as_its_integrand():
    f = sg.grad(lambda x: integrate.quad(math.cos, 0.4, x)[0])
    assert f(0.4) == pytest.approx(math.cos(0.4))


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda x: integrate.quad(abs, -1.0, 1.0, points=[x])[0], "constants"),
        (lambda x: integrate.quad(math.cos, 0.0, x, weight="cos", wvar=1)[0], "weight"),
        (lambda x: integrate.quad(math.cos, 0.0, x, full_output=1)[0], "full_output"),
        (lambda x: integrate.nquad(bell, [[0.0, x], [0.0, 1.0]], (1.0,))[0], "nquad"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(1.3)
