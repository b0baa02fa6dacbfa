"""Inner derivatives of functions that read other inner functions from containers,
attributes, partials and transforms."""

import functools
import math

import numpy as np
import pytest

from sourcegrad import grad, hessian, hvp, jacobian, jvp, vjp
from tests.language.judged import check

W = np.array([0.3, 0.7, 1.1])


def list_of_layers(w):
    layers = [np.tanh, lambda h: h * w[0], np.sin]

    def net(u):
        for layer in layers:
            u = layer(u)
        return np.sum(u)

    return np.sum(grad(net)(w))


def dict_of_functions(w):
    f = {"t": np.tanh, "s": lambda h: h**2}
    return np.sum(grad(lambda u: np.sum(f["t"](f["s"](u * w))))(w))


def function_as_argument(w):
    def loss(f, u):
        return np.sum(f(u) * w)

    return np.sum(grad(loss, 1)(np.sin, w)) + np.sum(
        grad(loss, 1)(lambda t: t * t * w, w)
    )


def composed(w):
    def compose(*functions):
        def whole(t):
            for f in functions:
                t = f(t)
            return t

        return whole

    return grad(compose(math.sin, lambda t: t * w[1]))(w[0])


def captured_partial(w):
    f = functools.partial(lambda a, u: np.sum(u**2 * a), w)
    return np.sum(grad(lambda u: f(u) ** 2)(w))


def captured_gradient(w):
    g = grad(lambda u: np.sum(u**3 * w))
    return np.sum(grad(lambda u: np.sum(g(u) ** 2))(w))


class Model:
    def __init__(self, w):
        self.w = w
        self.act = np.tanh
        self.twice = lambda t: 2.0 * t
        self.slope = grad(self.energy)

    def energy(self, u):
        return np.sum(self.act(u * self.w) * self.twice(u))


class Cubic:
    def __init__(self, w):
        self.w = w

    def __call__(self, u):
        return np.sum(u**3 * self.w)


def functions_as_attributes(w):
    return np.sum(grad(Model(w).energy)(w))


def gradient_as_an_attribute(w):
    return np.sum(Model(w).slope(w))


def callable_objects(w):
    return np.sum(grad(Cubic(w))(w)) + np.sum(jacobian(grad(Cubic(w)))(w))


def what_is_captured_changes(w):
    s = w[0]
    functions = [lambda t: t * s]
    g = grad(lambda u: functions[0](u) * u)
    first = g(w[1])
    s = w[2]
    return first + g(w[1])


def other_transforms(w):
    f = [np.sin, lambda t: t**3 * w]

    def net(u):
        return np.sum(f[1](f[0](u)))

    slopes = jvp(net, (w,), (w,))[1] + np.sum(vjp(net, w)[1](1.0)[0])
    return np.sum(hvp(net)(w, w)) + np.sum(hessian(net)(w)) + slopes


@pytest.mark.parametrize(
    "f",
    [
        list_of_layers,
        dict_of_functions,
        function_as_argument,
        composed,
        captured_partial,
        captured_gradient,
        functions_as_attributes,
        gradient_as_an_attribute,
        callable_objects,
        what_is_captured_changes,
        other_transforms,
    ],
)
def test_functions_as_operands(f):
    check(f, W)
