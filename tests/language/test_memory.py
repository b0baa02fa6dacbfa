"""Nothing that a transform returns shares memory with anything else."""

import copy

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import sourcegrad

X = np.array([0.3, 0.8, 1.7])


def identity(x):
    return x


def twice(x):
    return x + x


def both(x, y):
    return np.sum(x + y)


def view_of_argument(x):
    return x[1:]


def reshaped(x):
    return x.reshape(3, 1).T


def leaves(p):
    return p[0] * p[1][0] + np.sum(p[1][1])


def with_aux(x):
    hidden = x * 2.0
    return np.sum(hidden * hidden), hidden


def test_two_arguments_with_one_cotangent():
    a, b = sourcegrad.grad(both, (0, 1))(X, X)
    a[0] = 100.0
    assert_array_equal(b, np.ones(3))


@pytest.mark.parametrize("f", [identity, twice, view_of_argument, reshaped])
def test_results_and_gradients_own_their_memory(f):
    x = X.copy()
    value, pullback = sourcegrad.vjp(f, x)
    seed = np.ones_like(value)
    (first,), (second,) = pullback(seed), pullback(seed)
    expected = copy.deepcopy(first)
    for owner in (value, x, seed, second):
        assert not np.shares_memory(first, owner)
    first[...] = 7.0
    x[...] = 5.0
    assert_array_equal(seed, np.ones_like(value))
    assert_array_equal(second, expected)
    assert_array_equal(pullback(seed)[0], expected)


def test_the_caller_may_change_its_array_before_the_pullback():
    x = X.copy()
    _, pullback = sourcegrad.vjp(lambda x: np.sum(np.sin(x) * x), x)
    x[...] = np.nan
    assert_allclose(pullback(1.0)[0], np.cos(X) * X + np.sin(X), rtol=1e-14)


def test_same_array_twice():
    x = X.copy()
    a, b = sourcegrad.grad(lambda x, y: np.sum(x * x * y), (0, 1))(x, x)
    assert_allclose(a, 2 * X * X, rtol=1e-14)
    assert_allclose(b, X * X, rtol=1e-14)


def test_one_leaf_in_two_places_of_a_container():
    shared = [2.0, X.copy()]
    got = sourcegrad.grad(leaves)((3.0, shared))
    assert_allclose(got[0], 2.0)
    assert_allclose(got[1][0], 3.0)
    assert_allclose(got[1][1], np.ones(3))


def test_aux_is_apart_from_the_gradient():
    gradient, aux = sourcegrad.grad(with_aux, has_aux=True)(X)
    assert_allclose(gradient, 8 * X)
    assert_allclose(aux, 2 * X)
    assert not np.shares_memory(gradient, aux)


@pytest.mark.parametrize("layout", ["strided", "reversed", "fortran", "read-only"])
def test_layouts_of_the_argument(layout):
    base = np.arange(12.0).reshape(3, 4) / 7.0
    x = {
        "strided": base[:, ::2],
        "reversed": base[::-1, ::-1],
        "fortran": np.asfortranarray(base),
        "read-only": base,
    }[layout]
    if layout == "read-only":
        x.flags.writeable = False

    def f(x):
        s = 0.0
        for i in range(x.shape[0]):
            s = s + x[i, 0] * x[i, -1] + np.sum(x[i] ** 2)
        return s * np.sum(x.reshape(-1) * x.T.reshape(-1))

    from tests.oracle import dual_grad

    assert_allclose(sourcegrad.grad(f)(x), dual_grad(f, (x,)), rtol=1e-12)


@pytest.mark.parametrize("size", [0, 1])
def test_small_and_empty_arrays(size):
    x = X[:size].copy()

    def f(x):
        s = 1.0
        for v in x:
            s = s * v
        return s + np.sum(x * x)

    assert_allclose(sourcegrad.grad(f)(x), np.ones(size) + 2 * x, rtol=1e-14)


def test_zero_dimensional_array():
    x = np.array(1.3)
    got = sourcegrad.grad(lambda x: x * x)(x)
    assert isinstance(got, np.ndarray)
    assert got.shape == ()
    assert_allclose(got, 2.6)
