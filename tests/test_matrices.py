"""Jacobians, Hessians and their products with vectors."""

from __future__ import annotations

import copy
import functools
import math
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import grad, hvp, jacobian
from tests import zoo
from tests.compare import assert_same_tree
from tests.oracle import dual_hessian_vector
from tests.test_forward import direction
from tests.test_zoo import run_or_xfail


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def polar(r, phi):
    return np.stack([r * np.cos(phi), r * np.sin(phi)])


def affine(w, b, x):
    return w @ x + b


def pair(p):
    return {"sum": p[0] + p[1]["k"], "product": p[0] * p[1]["k"]}


def cube(x):
    return x * x * x


# Their second derivatives compile for half a minute.
LONG = frozenset(["merge_sorted", "power_of_a_matrix_of_lists"])
SMOOTH = [
    pytest.param(
        found,
        k,
        id=f"{found.name}-{k}",
        marks=[pytest.mark.slow] if found.name in LONG else [],
    )
    for found, k in zoo.each_case(refused=None, smooth=True)
    if isinstance(found.argnums, int)
]


@pytest.mark.parametrize(("found", "k"), SMOOTH)
def test_hvp_of_the_zoo(found, k):
    args = found.arguments()[k]
    v = direction(args[found.argnums], np.random.default_rng(3))
    expected = dual_hessian_vector(
        found.function, found.arguments()[k], v, found.argnums
    )

    def action() -> Any:
        return sourcegrad.hvp(found.function, found.argnums)(*args, v)

    got = run_or_xfail(found, action, 2)
    assert_same_tree(got, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_jacobian_of_polar_coordinates(mode):
    r, phi = 2.0, 0.7
    got = sourcegrad.jacobian(polar, (0, 1), mode)(r, phi)
    c, s = math.cos(phi), math.sin(phi)
    assert_allclose(got[0], [c, s], rtol=1e-14)
    assert_allclose(got[1], [-r * s, r * c], rtol=1e-14)


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_jacobian_has_shape_of_output_then_input(mode):
    rng = np.random.default_rng(0)
    w, b, x = rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=3)
    by_w, by_b, by_x = sourcegrad.jacobian(affine, (0, 1, 2), mode)(w, b, x)
    assert_allclose(by_w, np.einsum("ij,k->ijk", np.eye(2), x), rtol=1e-14)
    assert_allclose(by_b, np.eye(2), rtol=1e-14)
    assert_allclose(by_x, w, rtol=1e-14)
    assert_allclose(sourcegrad.jacobian(affine, "x", mode)(w, b, x), w, rtol=1e-14)


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_jacobian_of_containers(mode):
    k = np.array([1.0, 2.0])
    got = sourcegrad.jacobian(pair, mode=mode)((3.0, {"k": k}))
    assert_same_tree(
        got,
        {
            "sum": (np.ones(2), {"k": np.eye(2)}),
            "product": (k, {"k": 3.0 * np.eye(2)}),
        },
        rtol=1e-14,
        atol=0,
    )


def test_jacobian_of_a_number_is_a_number():
    assert sourcegrad.jacobian(cube)(2.0) == 12.0
    assert type(sourcegrad.jacobian(cube, mode="forward")(2.0)) is float


def test_jacobian_refuses_a_mode():
    with pytest.raises(ValueError, match="mode must be one of"):
        sourcegrad.jacobian(cube, mode="sideways")


def test_hessian_of_rosenbrock():
    x = np.array([1.2, 0.7, -0.3, 0.1])
    main = 1200.0 * x[:-1] ** 2 - 400.0 * x[1:] + 2.0
    expected = np.diag([*main, 0.0]) + np.diag([0.0, *np.full(3, 200.0)])
    expected += np.diag(-400.0 * x[:-1], 1) + np.diag(-400.0 * x[:-1], -1)
    assert_allclose(sourcegrad.hessian(rosenbrock)(x), expected, rtol=1e-13)
    v = np.array([1.0, -1.0, 0.5, 2.0])
    assert_allclose(sourcegrad.hvp(rosenbrock)(x, v), expected @ v, rtol=1e-12)


def test_hessian_of_two_arguments():
    def product(x, y):
        return x * x * y

    got = sourcegrad.hessian(product, (0, 1))(3.0, 5.0)
    assert got == ((10.0, 6.0), (6.0, 0.0))
    assert sourcegrad.hvp(product, (0, 1))(3.0, 5.0, (1.0, 2.0)) == (22.0, 6.0)


def test_derivatives_of_derivatives():
    def f(x):
        return math.sin(x) * x**3

    x = 1.3
    s, c = math.sin(x), math.cos(x)
    second = -s * x**3 + 6 * c * x**2 + 6 * s * x
    third = -c * x**3 - 9 * s * x**2 + 18 * c * x + 6 * s
    grad = sourcegrad.grad
    assert grad(grad(f))(x) == pytest.approx(second, rel=1e-14)
    assert grad(grad(grad(f)))(x) == pytest.approx(third, rel=1e-13)
    assert sourcegrad.hvp(f)(x, 1.0) == pytest.approx(second, rel=1e-14)
    assert sourcegrad.jvp(grad(grad(f)), (x,), (1.0,))[1] == pytest.approx(third)


def test_elementwise_grad():
    x = np.linspace(-1.0, 1.0, 7)
    got = sourcegrad.elementwise_grad(lambda t: np.tanh(t))(x)
    assert_allclose(got, 1.0 / np.cosh(x) ** 2, rtol=1e-14)
    with pytest.raises(ValueError, match="not elementwise"):
        sourcegrad.elementwise_grad(np_sum)(x)


def np_sum(x):
    return np.sum(x)


def test_matrices_pickle_copy_and_have_names():
    for made in (
        sourcegrad.jacobian(cube),
        sourcegrad.hessian(cube),
        sourcegrad.hvp(cube),
    ):
        again = pickle.loads(pickle.dumps(made))
        copied = copy.deepcopy(made)
        args = (2.0, 1.0) if made.title == "hvp" else (2.0,)
        assert made(*args) == again(*args) == copied(*args)
        assert made.__name__ == f"cube_{made.title}"
        assert "def cube" in made.source(2.0)


def test_arguments_stay_as_they_are():
    x = np.array([1.0, 2.0, 3.0])
    for call in (sourcegrad.hessian(rosenbrock), sourcegrad.jacobian(rosenbrock)):
        call(x)
        assert_allclose(x, [1.0, 2.0, 3.0], rtol=0)


def test_a_hessian_product_follows_its_guards():
    scale = [2.0]

    def f(x):
        return np.sum(scale[0] * x**3)

    product = sourcegrad.hvp(f)
    x, v = np.array([1.0, -2.0]), np.array([0.5, 1.0])
    for factor in (2.0, 2.0, 5.0):
        scale[0] = factor
        np.testing.assert_allclose(product(x, v), 6.0 * factor * x * v)


def test_rows_of_containers_are_arranged():
    def f(p):
        return {"a": p["w"] * 2.0, "b": [np.sum(p["w"]) * p["s"]]}

    p = {"w": np.array([1.0, 2.0]), "s": 3.0}
    for mode in ("forward", "reverse"):
        found = sourcegrad.jacobian(f, mode=mode)(p)
        np.testing.assert_allclose(found["a"]["w"], 2.0 * np.eye(2))
        np.testing.assert_allclose(found["b"][0]["w"], [3.0, 3.0])
        np.testing.assert_allclose(found["b"][0]["s"], 3.0)


def scaled(x, y=2.0, *, k=3.0):
    return np.sin(x * y) * k


def total(x, y):
    return np.sum(x**3 * y)


def several(*a):
    return a[0] ** 2 * a[1]


def test_derivatives_with_some_arguments_given():
    x = np.array([1.0, 2.0])
    slope = functools.partial(grad(total), y=2.0)
    np.testing.assert_allclose(jacobian(slope)(x), np.diag(12.0 * x))
    np.testing.assert_allclose(sourcegrad.jvp(slope, (x,), (x,))[1], 12.0 * x * x)
    curved = jacobian(jacobian(scaled))
    assert curved(0.5) == pytest.approx(-12.0 * np.sin(1.0))
    assert curved(0.5, k=1.0) == pytest.approx(-4.0 * np.sin(1.0))
    assert jacobian(jacobian(several))(2.0, 3.0) == pytest.approx(6.0)
    assert jacobian(hvp(several), 1)(2.0, 3.0, 1.0) == pytest.approx(2.0)
