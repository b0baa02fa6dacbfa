"""The rules of reductions, against differences, over every form of axis."""

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.rules import lookup

from .check import check

X = np.array([[[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]]] * 2)
X = X + np.arange(12.0).reshape(2, 2, 3) / 7
Z = X + 0.5j * X[::-1]
AXES = [None, 0, -1, (0, 2), (1,), (0, 1, 2)]
NAMES = "sum mean prod max min amax amin var std ptp median".split()


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_axes(name, axis, keepdims):
    check(getattr(np, name), X, axis=axis, keepdims=keepdims)


@pytest.mark.parametrize("name", "sum mean prod var std".split())
@pytest.mark.parametrize("axis", [None, 1, (0, 2)], ids=str)
def test_complex(name, axis):
    check(getattr(np, name), Z, axis=axis)


@pytest.mark.parametrize("name", NAMES)
def test_one_dimension_and_none(name):
    check(getattr(np, name), X[0, 0], axis=0)
    if name not in ("var", "std", "ptp", "median"):
        check(getattr(np, name), np.array(1.5))


@pytest.mark.parametrize("name", ["sum", "mean", "prod"])
def test_empty(name):
    check(getattr(np, name), np.zeros((0, 3)), axis=0) if name != "mean" else None
    check(getattr(np, name), np.zeros((0, 3)), axis=1)


def test_options():
    mask = X > 0.5
    check(np.sum, X, where=mask)
    check(np.sum, X, axis=1, where=mask)
    check(np.add.reduce, X)
    check(np.add.reduce, X, axis=None)
    check(np.add.reduce, X, 1, keepdims=True)
    check(np.var, X, axis=1, ddof=1)
    check(np.std, X, ddof=1)
    check(np.average, X, weights=np.abs(X))
    check(np.average, X, axis=1, weights=np.array([0.3, 0.8]))
    check(np.average, X, axis=0)


@pytest.mark.parametrize("zeros", [[1], [1, 3], [0, 1, 2, 3]])
def test_product_with_zeros(zeros):
    x = np.array([1.5, 2.0, -0.7, 3.0])
    x[zeros] = 0.0
    check(np.prod, x)
    check(np.prod, x.reshape(2, 2), axis=0)
    check(np.prod, x.reshape(2, 2), axis=1, keepdims=True)
    check(np.prod, x.reshape(2, 2), axis=(1, 0))


def adjoint(target, x, **options):
    y = target(x, **options)
    return lookup(target).fn(y, np.ones_like(y), x, **options)


def test_ties_share():
    x = np.array([[2.0, 1.0, 2.0], [3.0, 3.0, 3.0]])
    np.testing.assert_allclose(adjoint(np.max, x, axis=1), [[0.5, 0, 0.5], [1 / 3] * 3])
    np.testing.assert_allclose(adjoint(np.min, x), [[0, 1, 0], [0, 0, 0]])


def test_std_of_constants_has_gradient_zero():
    x = np.full((2, 3), 2.0)
    np.testing.assert_array_equal(adjoint(np.std, x), np.zeros((2, 3)))
    np.testing.assert_array_equal(adjoint(np.std, x, axis=1), np.zeros((2, 3)))


@pytest.mark.parametrize("name", "sum mean prod max min var std median".split())
@pytest.mark.parametrize("axis", [None, 1], ids=str)
def test_float32_stays_float32(name, axis):
    x = X[0].astype(np.float32)
    assert adjoint(getattr(np, name), x, axis=axis).dtype == np.float32
    rule, y = lookup(getattr(np, name)), getattr(np, name)(x, axis=axis)
    if axis is None:  # the seed of a scalar result is a Python float
        assert rule.fn(y, 1.0, x).dtype == np.float32


def test_nan_passes_through():
    x = np.array([1.0, np.nan, 2.0])
    with np.errstate(invalid="ignore", divide="ignore"):
        assert np.isnan(adjoint(np.max, x)).any()


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nothing_left_to_average(name, order):
    """The value is nan, as NumPy says; no element takes part, so no slope is made."""
    reduction = getattr(np, name)

    def chosen(x):
        return reduction(x[x > 5.0])

    x = np.array([1.0, 2.0])
    assert np.isnan(chosen(x))
    derivative = sg.grad(chosen) if order == 1 else sg.hessian(chosen)
    assert not np.any(derivative(x))
    np.testing.assert_array_equal(sg.vjp(chosen, x)[1](1.0)[0], np.zeros(2))


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_degree_of_freedom(name):
    reduction = getattr(np, name)

    def spread(x):
        return reduction(x, ddof=1)

    assert np.isnan(sg.grad(spread)(np.ones(1))).all()
    assert np.isnan(sg.jvp(spread, (np.ones(1),), (np.ones(1),))[1])
