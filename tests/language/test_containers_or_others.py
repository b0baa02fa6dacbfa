"""`a or b` and `a and b` of lists, dicts and objects that hold active values."""

import collections

import numpy as np
import pytest

import sourcegrad as sg


def list_of_dicts(x):
    layers = [{"w": x, "b": 2.0}] or [{}]
    return layers[0]["w"] ** 2 * layers[0]["b"]


def chained(x):
    scope = collections.ChainMap({"a": x * x}, {"a": 5.0, "b": x})
    return scope["a"] * scope["b"]


def in_a_callee(layers):
    return sum(layer["w"] ** 3 for layer in (layers or [{"w": 1.0}]))


def given_or_default(x):
    return in_a_callee([{"w": x}, {"w": 2.0 * x}]) + in_a_callee([]) * x


class Gain:
    def __init__(self, k):
        self.k = k

    def __bool__(self):
        return self.k > 1.0


def object_or_another(x):
    best = Gain(x) or Gain(x * x * 4.0)
    both = Gain(x * 3.0) and Gain(x + 1.0)
    return best.k + both.k


def pair_and_number(x):
    pair = (x, x * x)
    return (pair and pair[1]) + (() or x)


@pytest.mark.parametrize("x", [0.7, 1.3])
@pytest.mark.parametrize(
    "f", [list_of_dicts, chained, given_or_default, object_or_another, pair_and_number]
)
def test_container_or_another(f, x):
    want = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    value, got = sg.value_and_grad(f)(x)
    assert value == f(x)
    assert np.isclose(got, want, rtol=1e-8)
    assert np.isclose(sg.vjp(f, x)[1](1.0)[0], want, rtol=1e-8)
    assert np.isclose(sg.jvp(f, (x,), (1.0,))[1], want, rtol=1e-8)
