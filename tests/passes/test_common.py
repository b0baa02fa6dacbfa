"""Repeated computations are merged, where nobody could tell."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, text

X = np.array([0.4, -1.2, 0.7, 2.0])


def test_an_element_read_twice_is_read_once():
    def f(x):
        total = 0.0
        for i in range(len(x)):
            total = total + np.sin(x[i]) * x[i]
        return total

    forward, reverse = text(f, X).split("for i in range(len(x) - 1")
    assert forward.count("x[i]") == 1
    assert reverse.count("x_bar[i] +=") == 1
    assert_right(f, X)


def test_a_slice_used_in_two_terms_has_one_cotangent():
    def f(x):
        return np.sum(x[:-1] ** 3) + np.sum(np.exp(x[:-1]))

    assert text(f, X).count("x_bar[:-1]") == 1
    assert_right(f, X)


def test_a_store_in_between_keeps_both_reads():
    def f(x):
        a = x * 2.0
        first = a[0] * x[1]
        a[0] = x[2] * x[3]
        return first * a[0] + a[0]

    assert_right(f, X)


def test_a_store_later_in_the_loop_keeps_the_read_inside():
    def f(x):
        a = x * 2.0
        total = a[1] * a[1]
        for i in range(3):
            total = total + a[1] * x[i]
            a[1] = a[1] * 0.5 + x[0]
        return total

    assert_right(f, X)


def test_arms_do_not_lend_to_each_other():
    def f(x, flag):
        if flag:
            y = np.sin(x[0]) * x[1]
        else:
            y = np.sin(x[0]) * x[2]
        return y * np.sin(x[0])

    assert_right(f, X, True)
    assert_right(f, X, False)


def test_new_arrays_that_are_written_stay_apart():
    def f(x):
        pair = [x * 2.0, x * 2.0]
        pair[0][0] = 5.0
        return np.sum(pair[1] ** 2) + np.sum(pair[0])

    assert_right(f, X)


def test_returned_arrays_stay_apart():
    def f(x):
        return x * 2.0, x * 2.0

    (first, second), _ = sourcegrad.vjp(f, X)
    assert not np.shares_memory(first, second)


def test_random_draws_are_not_merged():
    def f(x, rng):
        return x * rng.normal() + x * rng.normal()

    draws = np.random.default_rng(3).normal(size=2)
    found = sourcegrad.grad(f)(1.5, np.random.default_rng(3))
    assert found == pytest.approx(draws.sum(), rel=1e-14)


def test_what_a_decision_computed_carries_no_derivative():
    def helper(v, k):
        return v

    def decided(x):
        if 0.1 < np.sin(x) < np.cos(helper(v=np.sin(x), k=0)):
            x = np.sin(x + np.sin(x))
        return np.sin(x) + x

    def stopped(x):
        s = sourcegrad.stop_gradient(helper(np.sin(x), 1))
        return np.sin(x) * s + np.sin(x)

    for x in (0.3, 1.2, -0.5):
        assert_right(decided, x)
        once = np.cos(x) * (np.sin(x) + 1.0)
        np.testing.assert_allclose(sourcegrad.grad(stopped)(x), once, rtol=1e-14)
