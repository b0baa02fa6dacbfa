"""Jacobians and Hessians inside differentiated functions, and of each other."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import (
    UnsupportedSyntaxError,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    linearize,
    vjp,
)

X = np.array([1.0, 2.0])
Y = np.array([0.5, 2.0])
A = np.array([[1.0, 2.0], [3.0, 4.0]])
WEIGHTS = np.array([[0.5, -1.0], [2.0, 3.0]])


def field(x):
    return np.array([x[0] ** 2 * x[1], np.sin(x[0])])


def fieldwise(x):
    return np.array([x[0] ** 2, x[1] ** 3])


def cubes(x):
    return np.sum(x**3)


def mixed(x, y):
    return np.sum(x**2 * y[0]) + x[0] * y[1] ** 3


def product(a):
    return a @ a * np.sum(a)


def powers(t):
    return np.array([t**2, t**3])


field_jacobian = jacobian(field)


def forward(x):
    return np.sum(jacobian(field, 0, "forward")(x) * WEIGHTS)


def reverse(x):
    return np.sum(jacobian(field, mode="reverse")(x) * WEIGHTS)


def transform_object(x):
    return np.sum(field_jacobian(x) * WEIGHTS)


def by_keyword(x):
    return np.sum(jacobian(field)(x=x) ** 2)


def determinant(x):
    return np.linalg.det(jacobian(field)(x))


def of_a_matrix(a):
    return np.sum(jacobian(product)(a) ** 2)


def of_a_matrix_in_reverse(a):
    return np.sum(jacobian(product, mode="reverse")(a) ** 2)


def of_a_number(x):
    return np.sum(jacobian(powers)(x[0]) * x)


def of_a_closure(x):
    return np.sum(jacobian(lambda z: field(z) * x, mode="reverse")(x))


def of_two_arguments(x):
    a, b = jacobian(lambda u, v: u * v[0] + v, (0, 1))(x, Y)
    return np.sum(a**2) + np.sum(a @ b) + np.sum(x)


def curvature(x):
    return np.sum(hessian(cubes)(x) * WEIGHTS) + np.sum(hessian(cubes)(x) @ x)


def all_blocks(x):
    (a, b), (c, d) = hessian(mixed, (0, 1))(x, Y)
    return np.sum(a) * np.sum(b) + np.sum(c * d)


def curvature_by_a_number(x):
    return hessian(lambda t: t**4 * x[1])(x[0])


def newton(x):
    z = x
    for _ in range(3):
        z = z - np.linalg.solve(hessian(cubes)(z) + np.eye(2), grad(cubes)(z))
    return np.sum(z)


def elementwise(x):
    return np.sum(elementwise_grad(lambda z: np.sin(z) * z)(x) * x)


def linearized(x):
    y, push = linearize(field, x)
    return np.sum(y * push(x)) + push(y)[0]


PROGRAMS = [
    (forward, X), (reverse, X), (transform_object, X), (by_keyword, X),
    (determinant, X), (of_a_matrix, A), (of_a_matrix_in_reverse, A), (of_a_number, X),
    (of_a_closure, X), (of_two_arguments, X), (curvature, X), (all_blocks, X),
    (curvature_by_a_number, X), (newton, X), (elementwise, X), (linearized, X),
]  # fmt: skip


def differences(f, x, step=1e-4):
    """Central differences of fourth order; `f` runs as plain Python."""
    found = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        unit = np.zeros(x.shape)
        unit[index] = step
        near, far = f(x + unit) - f(x - unit), f(x + 2 * unit) - f(x - 2 * unit)
        found[index] = (8.0 * near - far) / (12.0 * step)
    return found


@pytest.mark.parametrize(("f", "x"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_derivative_of_a_program_with_matrices(f, x):
    expected = differences(f, x)
    scale = np.max(np.abs(expected))
    assert_allclose(grad(f)(x), expected, rtol=0, atol=1e-8 * scale)
    tangent = jvp(f, (x,), (np.ones_like(x),))[1]
    assert_allclose(tangent, np.sum(expected), rtol=0, atol=1e-8 * scale)


SIN, COS = np.sin(1.0), np.cos(1.0)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_jacobian_of_a_jacobian(mode):
    expected = [[[4.0, 2.0], [2.0, 0.0]], [[-SIN, 0.0], [0.0, 0.0]]]
    assert_allclose(jacobian(jacobian(field), mode=mode)(X), expected)


def test_transforms_of_matrices():
    sixths = np.zeros((2, 2, 2))
    sixths[0, 0, 0] = sixths[1, 1, 1] = 6.0
    assert_allclose(jacobian(hessian(cubes))(X), sixths)
    assert_allclose(jacobian(hvp(cubes))(X, np.ones(2)), np.diag([6.0, 6.0]))
    assert_allclose(jacobian(hvp(cubes), 1)(X, np.ones(2)), np.diag(6.0 * X))
    assert_allclose(jacobian(elementwise_grad(lambda x: x**3))(X), np.diag(6.0 * X))
    assert_allclose(jvp(hessian(cubes), (X,), (X,))[1], np.diag(6.0 * X))


def fourths(x):
    return np.sum(x**4)


def both(x, y):
    return np.sum(x**2 * y**3)


CAPTURED = hessian(fourths)


@pytest.mark.parametrize(
    ("f", "want"),
    [
        (lambda x: np.sum(jacobian(jacobian(field))(x)), [4.0 - np.cos(1.0), 2.0]),
        (lambda x: np.sum(jacobian(hessian(fourths))(x)), [24.0, 24.0]),
        (lambda x: np.sum(jacobian(CAPTURED)(x)), [24.0, 24.0]),
        (lambda x: np.sum(jacobian(hvp(fourths))(x, x[::-1])), [96.0, 48.0]),
        (
            lambda x: np.sum(elementwise_grad(elementwise_grad(lambda t: t**3))(x)),
            [6.0, 6.0],
        ),
        (lambda x: grad(hessian(lambda t: t**4))(x[0]) * x[1], [48.0, 24.0]),
        (lambda x: jvp(jacobian(field), (x,), (x,))[1][0, 0], [8.0, 4.0]),
        (lambda x: np.sum(vjp(jacobian(fieldwise), x)[1](WEIGHTS)[0]), [0.0, 18.0]),
        (
            lambda x: np.sum(jacobian(functools.partial(grad(both), y=x[0]))(x)),
            [12.0, 0.0],
        ),
        (lambda x: np.sum(jacobian(linearize(fieldwise, x)[1])(X)), [2.0, 12.0]),
    ],
)
def test_matrices_of_matrices_inside(f, want):
    """Third derivatives of polynomials, by hand."""
    assert_allclose(grad(f)(X), want, rtol=1e-12)
    assert_allclose(sourcegrad.jvp(f, (X,), (X,))[1], np.dot(want, X), rtol=1e-12)


def test_an_implicit_function_by_its_name_is_refused():
    solve = sourcegrad.implicit_root(lambda x, a: x**2 - a, lambda f, x0: x0)
    with pytest.raises(UnsupportedSyntaxError, match="implicit function"):
        grad(lambda a: jacobian(solve, 1)(1.0, a))(1.0)


def test_the_forward_sweep_stands_in_the_text():
    text = grad(forward).source(X)
    assert "np.eye" in text
    assert text.count("for ") >= 2


def test_an_optimiser_with_hessians_in_a_jacobian():
    # One Newton step on a quadratic ends at its minimum, M^-1 b.
    m = np.array([[2.0, 0.5], [0.5, 1.0]])

    def minimum(b):
        def energy(z):
            return 0.5 * z @ m @ z - b @ z

        z = np.zeros(2)
        return z - np.linalg.solve(hessian(energy)(z), grad(energy)(z))

    assert_allclose(sourcegrad.jacobian(minimum)(X), np.linalg.inv(m), rtol=1e-14)
