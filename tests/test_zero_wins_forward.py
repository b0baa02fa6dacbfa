"""Zero wins over inf and nan in forward mode, at order two and in matrices too."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import grad, hessian, hvp, jacobian, jvp

X = np.array([4.0, 0.0, -1.0])


def masked_root(x):
    return np.where(x > 0, np.sqrt(x), 0.0)


def total(x):
    return np.sum(masked_root(x))


def to_itself(x):
    return math.dist((x, 1.0), (1.0, x))


pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def test_tangent_of_a_masked_root():
    y, y_dot = jvp(total, (X,), (np.array([1.0, 5.0, 7.0]),))
    assert y == 2.0
    assert y_dot == pytest.approx(0.25)


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
def test_jacobian_of_a_masked_root(mode):
    assert_allclose(jacobian(masked_root, 0, mode)(X), np.diag([0.25, 0.0, 0.0]))


def test_second_order_of_a_masked_root():
    expected = np.diag([-0.25 * 4.0**-1.5, 0.0, 0.0])
    assert_allclose(hessian(total)(X), expected)
    assert_allclose(hvp(total)(X, np.ones(3)), expected.sum(axis=1))


def test_distance_of_a_point_to_itself():
    # |x - 1| sqrt(2): a kink at 1, where the gradient is 0 by convention
    assert grad(to_itself)(1.0) == 0.0
    assert jvp(to_itself, (1.0,), (1.0,)) == (0.0, 0.0)
    assert grad(to_itself)(3.0) == pytest.approx(math.sqrt(2.0))
    for second in (grad(grad(to_itself))(1.0), hvp(to_itself)(1.0, 1.0)):
        assert isinstance(float(second), float)  # no ZeroDivisionError


def test_a_pole_stays_a_pole():
    assert jvp(np.log, (np.array([0.0]),), (np.array([1.0]),))[1] == np.inf
    with pytest.raises(ZeroDivisionError):
        sourcegrad.jvp(lambda x: 1.0 / x, (0.0,), (1.0,))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sqrt(np.sum(x**2)) ** 2,
        lambda x: np.sqrt(x @ x) ** 4 + x @ x,
        lambda x: np.linalg.norm(x) ** 2,
        lambda x: np.hypot(x[0], x[1]) ** 2,
    ],
)
def test_without_a_mask_no_finite_number_is_invented(f):
    assert_allclose(grad(f)(np.zeros(2)), np.zeros(2))
    try:
        found = hessian(f)(np.zeros(2))
    except sourcegrad.NonDifferentiableError:
        return
    assert not np.isfinite(found).any()


# ---------------------------------------------------------------------- pullbacks


def test_pullback_of_a_masked_root():
    _, pullback = sourcegrad.vjp(masked_root, X)
    expected = np.diag([0.25, 0.0, 0.0])
    assert_allclose(pullback(np.ones(3))[0], expected.sum(axis=0))
    assert_allclose(pullback.batched(np.eye(3))[0], expected)
    again = pickle.loads(pickle.dumps(pullback))
    assert_allclose(again(np.ones(3))[0], expected.sum(axis=0))


def test_pullback_of_a_gradient():
    y, pullback = sourcegrad.vjp(grad(total), X)
    assert_allclose(y, [0.25, 0.0, 0.0])
    expected = [-0.25 * 4.0**-1.5, 0.0, 0.0]
    assert_allclose(pullback(np.ones(3))[0], expected)
    again = pickle.loads(pickle.dumps(pullback))
    assert_allclose(again(np.ones(3))[0], expected)


def test_pullback_where_the_caller_changed_the_argument():
    x = X.copy()
    _, pullback = sourcegrad.vjp(total, x)
    x[:] = 7.0
    assert_allclose(pullback(1.0)[0], [0.25, 0.0, 0.0])


def distance(x, y):
    return math.dist((x, 1.0), (y, x))


def test_pullback_of_a_distance_of_a_point_to_itself():
    _, pullback = sourcegrad.vjp(distance, 1.0, 1.0)
    assert pullback(1.0) == (0.0, 0.0)


def test_pullback_at_a_pole():
    _, pullback = sourcegrad.vjp(np.log, np.array([0.0]))
    assert pullback(np.ones(1))[0] == np.inf


def root_of_callee(x, n):
    return np.where(x > 0, np.sqrt(x), 0.0) if n == 0 else root_of_callee(x, n - 1)


def test_pullback_through_a_recursion():
    _, pullback = sourcegrad.vjp(lambda x: np.sum(root_of_callee(x, 2)), X)
    assert_allclose(pullback(1.0)[0], [0.25, 0.0, 0.0])


def _cosine_where_finite(x):
    return np.sum(np.where(np.isfinite(x), np.cos(x), 0.0))


def _square_where_finite(x):
    return np.sum(np.where(np.isfinite(x), x * x, 0.0))


def _squares_that_are_finite(x):
    return np.sum((x * x)[np.isfinite(x)])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (_cosine_where_finite, -np.sin(0.5)),
        (_square_where_finite, 1.0),
        (_squares_that_are_finite, 1.0),
    ],
)
def test_infinite_values_that_are_masked(f, slope):
    x = np.array([0.5, np.inf, -np.inf])
    expected = [slope, 0.0, 0.0]
    np.testing.assert_allclose(sourcegrad.grad(f)(x), expected)
    np.testing.assert_allclose(sourcegrad.vjp(f, x)[1](1.0)[0], expected)
