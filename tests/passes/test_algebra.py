"""Folding of what is spread, and of calls, in derived code."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(6)
X = RNG.normal(size=(3, 4))


@pytest.mark.parametrize(
    ("f", "absent"),
    [
        (lambda x: np.sum(x * np.sin(x)), "full_like"),
        (lambda x: np.sum(np.sin(np.exp(x).sum(axis=0))), "broadcast_to"),
        (lambda x: np.sum(np.where(x > 0.0, x, 2.0 * x) ** 2), "unbroadcast"),
        (lambda x: np.sum(np.abs(x) * x), "unbroadcast"),
        (lambda x: np.sum(x.reshape(-1) ** 2), "order"),
        (lambda x: np.mean(x.copy() * x), "unbroadcast"),
    ],
)
def test_what_is_not_needed_is_absent(f, absent):
    assert absent not in text(f, X)
    assert_right(f, X)


@pytest.mark.parametrize("shape", [(3, 4), (4,), (1, 4), (3, 1), (1, 1), (2, 1, 1)])
def test_sums_of_products_however_they_broadcast(shape):
    def f(x, y):
        return np.sum(x * y) * 2.0

    y = RNG.normal(size=shape)
    assert_right(f, X, y)
    assert_right(f, y, X)


def test_a_cotangent_that_was_spread_can_be_added_to():
    def f(x, y):
        z = x * 1.0
        return np.sum(z * y) + np.sum(z * z) + np.sum(z * y)

    assert_right(f, X, RNG.normal(size=4))
    assert_right(f, X, RNG.normal(size=()))
    assert_right(f, RNG.normal(size=4), X)


def test_lists_have_shapes_of_their_own():
    def f(x):
        return np.sum(
            np.where(x > 0.0, x, [1.0, 2.0, 3.0]) * np.add(x, [4.0, 5.0, 6.0])
        )

    assert_right(f, np.array([0.5]))
    assert_right(f, np.array([-0.5]))


def test_float32_is_not_promoted_by_a_number():
    def f(x):
        return np.sum(x * np.float32(3.0) * x)

    x = np.ones(3, np.float32)
    assert sourcegrad.grad(f)(x).dtype == np.float32
    assert sourcegrad.grad(f)(x).tolist() == [6.0] * 3


def test_ranges_run_backwards_from_one_bound():
    def f(x):
        s = 0.0
        for i in range(len(x) - 1):
            s += x[i + 1] * np.sin(x[i])
        return s

    line = statement(text(f, np.ones(4)), "for i in range(len(x) - 2")
    assert line == "for i in range(len(x) - 2, -1, -1):"
    assert_right(f, RNG.normal(size=5))
