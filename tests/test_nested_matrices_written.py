"""Matrices of derivatives, and kept maps, inside a differentiated function, of what
writes into its arguments: each run has the arguments as they were."""

import numpy as np
import pytest

from sourcegrad import grad, hessian, jacobian, jvp, linearize, vjp


def writes(x):
    x *= 2.0
    x[0] += x[1] * x[1]
    return x * x


def writes_beside(x, buffer):
    buffer += x * x
    return buffer * x


def point(x):
    return np.array([x, x * x])


def by_columns(x):
    z = point(x)
    return np.sum(jacobian(writes)(z)) * z[0]


def by_rows(x):
    z = point(x)
    return np.sum(jacobian(writes, mode="reverse")(z)) * z[0]


def another_argument(x):
    buffer = np.ones(2)
    j = jacobian(writes_beside)(point(x), buffer)
    return np.sum(j) * x + np.sum(buffer)


def second_derivatives(x):
    z = point(x)
    return np.sum(hessian(lambda z: np.sum(writes(z)))(z)) * z[1]


def pushed_twice(x):
    z = point(x)
    y, push = linearize(writes, z)
    return np.sum(push(point(x)) * push(np.array([x, 1.0]))) * y[0]


def pulled_twice(x):
    z = point(x)
    y, pull = vjp(writes, z)
    return np.sum(pull(point(x))[0] * pull(np.array([x, 1.0]))[0]) * y[0]


class Counter:
    def __init__(self, v):
        self.v, self.n = v, 0

    def power(self, x):
        self.n += 1
        self.v = self.v * x
        return self.v**2


def method_that_changes_its_object(x):
    c = Counter(np.array([x, 1.0]))
    j = jacobian(c.power)(point(x))
    return np.sum(j @ c.v) + c.n * x


def second_derivatives_of_a_method(x):
    c = Counter(np.array([x, 1.0]))
    return np.sum(hessian(lambda z, o: np.sum(o.power(z)))(point(x), c)) * c.v[0]


def method_pushed_twice(x):
    c = Counter(np.array([x, 1.0]))
    y, push = linearize(c.power, point(x))
    return np.sum(push(np.ones(2)) * push(y))


def dict_that_changes(x):
    def f(z, d):
        d["v"] = d["v"] * z
        return d["v"] ** 2

    d = {"v": np.array([x, 1.0])}
    return np.sum(jacobian(f)(point(x), d)) + d["v"][0]


def jacobian_of(x):
    """2, 4 y; 0, 2 of the function's own text, times twice its result."""
    a, b = 2.0 * x + 4.0 * x**4, 2.0 * x * x
    return np.array([[2.0 * a * 2.0, 2.0 * a * 8.0 * x * x], [0.0, 2.0 * b * 2.0]])


PROGRAMS = [
    by_columns,
    by_rows,
    another_argument,
    second_derivatives,
    pushed_twice,
    pulled_twice,
    method_that_changes_its_object,
    second_derivatives_of_a_method,
    method_pushed_twice,
    dict_that_changes,
]


def test_the_matrix_itself():
    assert by_columns(0.7) == pytest.approx(np.sum(jacobian_of(0.7)) * 0.7)
    assert by_rows(0.7) == pytest.approx(np.sum(jacobian_of(0.7)) * 0.7)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives_of_what_uses_it(f):
    h = 1e-5
    slope = (f(0.7 + h) - f(0.7 - h)) / (2.0 * h)
    assert grad(f)(0.7) == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (0.7,), (1.0,))[1] == pytest.approx(slope, rel=1e-7)
    h = 1e-4
    bend = (f(0.7 + h) - 2.0 * f(0.7) + f(0.7 - h)) / (h * h)
    assert grad(grad(f))(0.7) == pytest.approx(bend, rel=1e-5)
    assert hessian(f)(0.7) == pytest.approx(bend, rel=1e-5)
