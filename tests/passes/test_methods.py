"""Calls written as methods and subscripts."""

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right, text

RNG = np.random.default_rng(3)


def test_reshape_is_a_method():
    def f(x):
        return np.sum(np.sin(x.reshape(2, 3) ** 2))

    assert ".reshape(x.shape)" in text(f, np.ones(6))
    assert_right(f, RNG.normal(size=6))


def test_transposed_product():
    def f(w, x):
        return np.sum(np.sin(x @ w.T))

    assert ").T\n" not in text(f, np.ones((2, 3)), np.ones((4, 3)))
    assert_right(f, RNG.normal(size=(2, 3)), RNG.normal(size=(4, 3)))


def test_new_axes():
    def f(x):
        return np.sum(np.sin(x) * np.max(x, axis=1)[:, None])

    assert "expand_dims" not in text(f, np.ones((2, 3)))
    assert_right(f, RNG.normal(size=(2, 3)))


def test_arrays_without_dimensions_stay_arrays():
    def f(x, y):
        return x * y + x

    x, y = np.array(1.5), np.array(2.5)
    _, pullback = sourcegrad.vjp(f, x, y)
    bars = pullback(np.array(1.0))
    assert all(isinstance(b, np.ndarray) for b in bars)
    assert [b.item() for b in bars] == [3.5, 1.5]
