"""Matrices of derivatives, inside a differentiated function, of functions that take or
give containers; ints in containers and ints that count are not differentiated by."""

from __future__ import annotations

import collections
import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special

import sourcegrad
from sourcegrad import (
    NonDifferentiableError,
    UnsupportedSyntaxError,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    vjp,
)

Pair = collections.namedtuple("Pair", "u v")


@dataclasses.dataclass
class Point:
    a: float
    b: np.ndarray


class Plain:
    def __init__(self, a, b):
        self.a, self.b = a, b


def of_a_dict(p):
    return {"u": p["a"] * p["b"], "v": [p["a"] ** 2, p["b"] ** 3]}


def dicts(x):
    found = jacobian(of_a_dict)({"a": x, "b": x * x})
    return found["u"]["a"] * found["v"][1]["b"]


def of_a_pair(n):
    return Pair(n.u * n.v, n.v * np.ones((2, 2)) * n.u)


def grid(x):
    return x * np.array([[1.0, 1.0], [2.0, 2.0]])


def named_tuples(x):
    found = jacobian(of_a_pair)(Pair(x * x, grid(x)))
    return np.sum(found.u.v) * found.v.u[1, 0] + np.sum(found.v.v**2)


def named_tuples_in_reverse(x):
    found = jacobian(of_a_pair, mode="reverse")(Pair(x * x, grid(x)))
    return np.sum(found.u.v) * found.v.u[1, 0] + np.sum(found.v.v**2)


def several_arguments(x):
    def f(v, s):
        return [np.sum(v) * s, v * v]

    first, second = jacobian(f, argnums=(0, 1))(x * np.ones(2), x * x)
    return np.sum(first[0]) * np.sum(second[0]) + first[1]


def objects(x):
    found = jacobian(lambda p: p.a * np.sum(p.b * p.b))(Plain(x, x * np.ones(2)))
    return found.a * np.sum(found.b)


def dataclasses_both_ways(x):
    def f(p):
        return Point(p.a * p.b[0], p.b * p.a)

    found = jacobian(f)(Point(x, x * np.ones(2)))
    return found.a.a * found.b.a[0] + np.sum(found.b.b)


def curvature(x):
    def f(d):
        return d["a"] ** 2 * np.sum(d["b"] ** 3)

    found = hessian(f)({"a": x, "b": x * np.arange(2.0)})
    mixed = np.sum(found["a"]["b"] * found["b"]["a"])
    return found["a"]["a"] + mixed + np.sum(found["b"]["b"])


def curvature_by_several(x):
    def f(d, s):
        return d[0] ** 2 * d[1] * s**2

    (first, mixed), (other, last) = hessian(f, argnums=(0, 1))([x, x * x], x)
    return first[0][1] + mixed[1] * other[0] + last


def an_int_that_counts(x):
    found = jacobian(lambda d: d["n"] * d["a"] ** 2)({"a": x * np.ones(2), "n": 3})
    return np.sum(found["a"]) * x


def in_a_loop(x):
    s = 0.0
    for i in range(3):
        (ps, _), (pp, _) = jacobian(lambda p, i=i: (p[0] * p[1] * i, p[0] ** 2))((x, s))
        s = s + ps * pp + x
    return s


def written(x):
    def f(p):
        p["a"][0] *= 2.0
        p["b"] = p["a"] * p["b"]
        return p

    own = {"a": x * np.ones(2), "b": x * x}
    found = jacobian(f)(own)
    return np.sum(found["b"]["b"]) * own["a"][0]


def of_a_matrix_inside(x):
    found = jacobian(jacobian(lambda p: (p[0] ** 3 * p[1],)))((x, x * x))
    return found[0][0][1]


PROGRAMS = [
    dicts, named_tuples, named_tuples_in_reverse, several_arguments, objects,
    dataclasses_both_ways, curvature, curvature_by_several, an_int_that_counts,
    in_a_loop, written, of_a_matrix_inside,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_derivative_of_a_program_with_blocks(f):
    def value(x):
        return np.sum(f(x))

    x, h = 0.7, 1e-3
    near, far = value(x + h) - value(x - h), value(x + 2 * h) - value(x - 2 * h)
    expected = (8.0 * near - far) / (12.0 * h)
    assert grad(value)(x) == pytest.approx(expected, rel=1e-8)
    assert jvp(value, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-8)


def test_a_list_of_unknown_length_is_refused():
    def f(x):
        held = []
        for i in range(3):
            held.append(x * i)
        return jacobian(lambda v: v[0] * v[1])(held)[0]

    with pytest.raises(UnsupportedSyntaxError, match="at run time only"):
        grad(f)(1.0)


# ------------------------------------------------------------ ints that only count


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_an_int_in_a_container_has_no_block(mode):
    found = jacobian(lambda d: d["n"] * d["a"], mode=mode)({"a": np.ones(2), "n": 3})
    assert found["n"] is None
    assert_allclose(found["a"], 3.0 * np.eye(2))


def test_an_int_argument_has_a_block():
    found = jacobian(lambda x, n: x * n, argnums=(0, 1))(np.ones(2), 3)
    assert_allclose(found[1], np.ones(2))


@pytest.mark.parametrize("tangent", [None, 0, 0.0])
def test_the_tangent_of_an_int_in_a_container_is_zero(tangent):
    dots = ({"a": 1.0, "n": tangent},)
    _, slope = jvp(lambda d: d["n"] * d["a"], ({"a": 2.0, "n": 3},), dots)
    assert slope == 3.0


def test_a_tangent_that_would_be_lost_is_refused():
    def f(d):
        return d["n"] * d["a"] ** 2

    with pytest.raises(ValueError, match="carries no derivative"):
        jvp(f, ({"a": 2.0, "n": 3},), ({"a": 1.0, "n": 1.0},))
    with pytest.raises(ValueError, match="carries no derivative"):
        hvp(f)({"a": 2.0, "n": 3}, {"a": 1.0, "n": 1.0})
    with pytest.raises(UnsupportedSyntaxError, match="int in the container"):
        grad(lambda x: jvp(f, ({"a": x, "n": 3},), ({"a": 1.0, "n": 1.0},))[1])(2.0)


def test_the_order_of_a_bessel_function_counts():
    slope = special.jvp(2, 0.5)
    _, pull = vjp(special.jv, 2, 0.5)
    assert pull(2.0) == (None, pytest.approx(2.0 * slope))
    missing, rows = pull.batched(np.array([1.0, 2.0]))
    assert missing is None
    assert_allclose(rows, [slope, 2.0 * slope])
    _, push = linearize(special.jv, 2, 0.5)
    assert push(None, 1.0) == push(0, 1.0) == pytest.approx(slope)
    with pytest.raises(ValueError, match="carries no derivative"):
        push(1.0, 1.0)
    with pytest.raises(ValueError, match="carries no derivative"):
        push.batched(np.ones(1), np.ones(1))
    with pytest.raises(NonDifferentiableError, match="inside of the function"):
        grad(lambda x: pull(x)[1])(1.0)
    with pytest.raises(NonDifferentiableError, match="operand 'v'"):
        vjp(special.jv, 2.0, 0.5)[1](1.0)


def test_the_order_of_a_bessel_function_counts_inside():
    def f(x):
        return vjp(special.jv, 2, x)[1](1.0)[1] * x

    x = 0.7
    expected = special.jvp(2, x, 2) * x + special.jvp(2, x)
    assert grad(f)(x) == pytest.approx(expected, rel=1e-12)
    assert sourcegrad.jvp(f, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-12)


def test_other_ints_have_cotangents():
    assert vjp(lambda x, n: x * n, 2.0, 3)[1](1.0) == (3.0, 2.0)


def test_an_elementwise_gradient_of_a_container_is_refused():
    def f(x):
        return np.sum(sourcegrad.elementwise_grad(lambda t: (t, t * t))(x))

    with pytest.raises(UnsupportedSyntaxError, match="gives a container"):
        grad(f)(np.ones(2))
