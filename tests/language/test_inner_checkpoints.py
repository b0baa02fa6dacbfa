"""Functions marked by `checkpoint` where they stand inside the differentiated one,
functions that a condition chooses to be differentiated, and copies of long lists."""

import functools
import math

import numpy as np
import pytest

from sourcegrad import (
    UnsupportedSyntaxError,
    checkpoint,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    value_and_grad,
)
from tests.language.judged import check

W = np.array([0.3, 0.7, 1.1])


def decorated(w):
    @checkpoint
    def layer(h):
        return np.tanh(h * w)

    for _ in range(3):
        w = layer(w)
    return np.sum(w)


def of_a_lambda(w):
    layer = checkpoint(lambda h: np.sin(h) * w[0])
    return np.sum(layer(layer(w)))


def captured_late(w):
    scale = w[0]
    times = checkpoint(lambda h: h * scale)
    scale = w[1]
    return times(w[2])


def with_defaults(w):
    layers = [checkpoint(lambda h, k=k: h * w[k]) for k in range(3)]
    h = w
    for layer in layers:
        h = layer(h)
    return np.sum(h)


class Model:
    def __init__(self, w):
        self.w = w

    def step(self, h):
        return np.tanh(self.w * h)


def of_a_method(w):
    model, h = Model(w), w
    for _ in range(2):
        h = checkpoint(model.step)(h)
    return np.sum(h)


def power(h, k=2.0):
    return h**k


def of_a_partial(w):
    return np.sum(checkpoint(functools.partial(power, k=3.0))(w))


@pytest.mark.parametrize(
    "f",
    [decorated, of_a_lambda, captured_late, with_defaults, of_a_method, of_a_partial],
)
def test_inner_checkpoints(f):
    check(f, W)


def test_what_an_inner_checkpoint_captures_is_not_bound_anew():
    def counting(w):
        n = 0

        @checkpoint
        def layer(h):
            nonlocal n
            n += 1
            return h * n

        return np.sum(layer(w))

    with pytest.raises(UnsupportedSyntaxError, match="binds names around it"):
        grad(counting)(W)


def chosen(x):
    return math.sin if x > 0.0 else math.cos


@pytest.mark.parametrize("x", [0.4, -0.4])
@pytest.mark.parametrize(
    ("derivative", "order"),
    [
        (lambda f, x: grad(f)(x), 1),
        (lambda f, x: value_and_grad(f)(x)[1], 1),
        (lambda f, x: jacobian(f)(x), 1),
        (lambda f, x: elementwise_grad(f)(x), 1),
        (lambda f, x: jvp(f, (x,), (1.0,))[1], 1),
        (lambda f, x: grad(grad(f))(x), 2),
        (lambda f, x: hessian(f)(x), 2),
        (lambda f, x: hvp(f)(x, 1.0), 2),
    ],
)
def test_derivatives_of_a_function_that_is_chosen(derivative, order, x):
    shift = 0.0 if x > 0.0 else math.pi / 2.0  # cos is a shifted sin
    value = math.sin(x + shift + order * math.pi / 2.0)
    slope = math.sin(x + shift + (order + 1) * math.pi / 2.0)
    got = jvp(lambda x: derivative(chosen(x), x), (x,), (1.0,))
    assert got == (pytest.approx(value), pytest.approx(slope))
    assert grad(lambda x: derivative(chosen(x), x))(x) == pytest.approx(slope)


def test_a_long_list_is_copied():
    def moved(values):
        copy = values.copy()
        copy[0] = 2.0 * copy[1]
        copy.append(copy.pop() * values[0])
        return sum(v * v for v in copy)

    values = [0.1 * k + 0.5 for k in range(40)]
    want = [2.0 * v for v in values]
    want[0] = 2.0 * values[-1] ** 2 * values[0]
    want[1] += 8.0 * values[1]
    want[-1] *= values[0] ** 2
    assert grad(moved)(values) == pytest.approx(want)
