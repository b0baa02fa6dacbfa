"""Copies of new memory that goes idle are not made, and all others are."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, text

X, W = np.array([0.3, 0.8, 1.7]), np.array([1.5, -2.0, 0.25])


def scaled(x, w):
    return x * w


def shifted(x, w):
    return x + 2.0 * w


def added(x, w):
    return x + w


@sourcegrad.adjoint(scaled)
def scaled_adjoint(y, y_bar, x, w):
    by_x = y_bar * w
    return by_x, y_bar * x


@sourcegrad.adjoint(shifted)
def shifted_adjoint(y, y_bar, x, w):
    twice = 2.0 * y_bar
    return 0.5 * twice, twice


@sourcegrad.adjoint(added)
def added_adjoint(y, y_bar, x, w):
    both = np.copy(y_bar)
    return both, both


def gradients(f):
    y, pullback = sourcegrad.vjp(f, X, W)
    seed = np.ones_like(y)
    return seed, pullback(seed)


def test_what_a_rule_has_named_is_the_gradient():
    def f(x):
        return np.sum(np.sin(scaled(x, W)))

    assert "copy" not in text(f, X).partition("by_x")[2]
    assert_right(f, X)


def test_what_is_read_again_is_copied():
    _, (by_x, by_w) = gradients(lambda x, w: shifted(x, w))
    by_w[:] = 7.0
    assert by_x.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("f", [lambda x, w: added(x, w), lambda x, w: x + w])
def test_gradients_that_are_one_array_share_no_memory(f):
    seed, (by_x, by_w) = gradients(f)
    by_x[:] = 7.0
    assert by_w.tolist() == seed.tolist() == [1.0, 1.0, 1.0]


def test_a_copy_in_a_loop_of_what_was_made_before_it():
    def f(x):
        total = 0.0
        for _ in range(3):
            y = scaled(x, W)
            y[0] = total
            total = total + np.sum(y * y)
        return total

    assert_right(f, X)
