"""Names, captured cells and globals mean at each call what Python says they mean."""

import functools

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad

SCALE = 2.0


def helper(x):
    return x * x


def uses_scale(x):
    return SCALE * x**2


def uses_helper(x):
    return helper(x) * x


def makes_scaled(k):
    def inner(x):
        return np.sin(x) * k + k * x

    return inner


def makes_composed(f):
    def inner(x):
        return f(x) * x

    return inner


def makes_counter():
    scale = 1.0

    def rescale(k):
        nonlocal scale
        scale = k

    def apply(x):
        return scale * x * x

    return apply, rescale


def nasty_names(x):
    np_, x_bar, y_bar, t1, s_saved, x_1 = 1.0, x * 2.0, x * x, 2.0, x, 3.0 * x
    value, out, out_bar, x_dot, residuals, pullback = x_1, t1, x, 1.0, s_saved, y_bar
    for y_saved in range(2):
        x_bar = x_bar * y_bar + y_saved
    return x_bar * value + out * out_bar + x_dot * residuals * pullback * np_


def shadows_builtins(x):
    sum, len, range_ = x * x, 2.0, 3
    list = (x, sum)
    return sum * len + list[0] * range_


def test_global_rebound(monkeypatch):
    derivative = sourcegrad.grad(uses_scale)
    assert_allclose(derivative(3.0), 12.0)
    monkeypatch.setitem(globals(), "SCALE", 10.0)
    assert_allclose(derivative(3.0), 60.0)
    monkeypatch.setitem(globals(), "SCALE", np.float64(5.0))
    assert_allclose(derivative(3.0), 30.0)


def test_callee_rebound(monkeypatch):
    derivative = sourcegrad.grad(uses_helper)
    assert_allclose(derivative(2.0), 12.0)
    monkeypatch.setitem(globals(), "helper", np.sin)
    assert_allclose(derivative(2.0), np.cos(2.0) * 2.0 + np.sin(2.0))
    monkeypatch.setitem(globals(), "helper", lambda x: 5.0 * x)
    assert_allclose(derivative(2.0), 20.0)


def test_closures_of_one_factory():
    two, five, array = (makes_scaled(k) for k in (2.0, 5.0, np.ones(1)))
    assert_allclose(sourcegrad.grad(two)(0.0), 4.0)
    assert_allclose(sourcegrad.grad(five)(0.0), 10.0)
    assert_allclose(sourcegrad.grad(two)(0.0), 4.0)
    assert_allclose(sourcegrad.grad(array)(0.0), 2.0)
    square, sine = makes_composed(helper), makes_composed(np.sin)
    assert_allclose(sourcegrad.grad(square)(2.0), 12.0)
    assert_allclose(sourcegrad.grad(sine)(2.0), np.cos(2.0) * 2.0 + np.sin(2.0))
    assert_allclose(sourcegrad.grad(square)(2.0), 12.0)


def test_live_cells():
    apply, rescale = makes_counter()
    derivative = sourcegrad.grad(apply)
    assert_allclose(derivative(3.0), 6.0)
    rescale(4.0)
    assert_allclose(derivative(3.0), 24.0)


@pytest.mark.parametrize("f", [nasty_names, shadows_builtins])
@pytest.mark.parametrize("x", [0.7, 1.3])
def test_no_name_is_captured(f, x):
    exact = f(np.complex128(x + 1e-30j)).imag / 1e-30
    assert_allclose(sourcegrad.grad(f)(x), exact, rtol=1e-13)


def test_two_lambdas_on_one_line():
    first, second = (lambda x: x * x), (lambda x: 5.0 * x**3)
    assert_allclose(sourcegrad.grad(second)(2.0), 60.0)
    assert_allclose(sourcegrad.grad(first)(2.0), 4.0)


def test_argument_by_name_keyword_and_default():
    def f(x, y=2.0, *, power=3):
        return (x * y) ** power

    assert_allclose(sourcegrad.grad(f)(1.5), 3 * (3.0) ** 2 * 2.0)
    assert_allclose(sourcegrad.grad(f, "y")(1.5, 2.0), 3 * (3.0) ** 2 * 1.5)
    assert_allclose(sourcegrad.grad(f)(1.5, y=1.0, power=2), 3.0)
    assert_allclose(sourcegrad.grad(functools.partial(f, power=2))(1.5), 12.0)


def test_one_function_with_arguments_of_several_kinds():
    def f(x, y):
        return np.sum(x * y + x)

    derivative = sourcegrad.grad(f)
    a = np.array([1.0, 2.0])
    assert_allclose(derivative(2.0, 3.0), 4.0)
    assert_allclose(derivative(a, 3.0), [4.0, 4.0])
    assert_allclose(derivative(2.0, a), 5.0)
    assert_allclose(derivative(a[:1], a), [5.0])
    assert_allclose(derivative(np.ones((2, 2)), a), [[2.0, 3.0], [2.0, 3.0]])
    assert derivative(np.float32(2.0), np.float32(3.0)).dtype == np.float32
