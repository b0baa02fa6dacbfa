"""What is not summed where nothing was stretched, nor computed where it is not read."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, text

X = np.array([0.3, 0.8, 1.7])


def test_an_array_that_is_read_beyond_its_first_item_is_not_stretched():
    def f(x):
        y = np.zeros(3)
        y[0] = x[1] * x[1]
        return np.sum(y * x)

    assert "unbroadcast" not in text(f, X)
    assert_right(f, X)


def test_two_arguments_that_are_unpacked_have_one_shape():
    def f(x, y):
        a, b, c = x
        d, e, g = y
        return np.sum(x * y) + a * e - c * d * g * b

    assert "unbroadcast" not in text(f, X, X)
    assert_right(f, X, X[::-1].copy())


@pytest.mark.parametrize("n", [1, 3])
def test_what_may_be_of_length_one_is_summed(n):
    def first(x):
        y = np.ones(3) * 2.0
        y[1] = x[0]
        return np.sum(y * x)

    def last(x):
        y = np.ones(3) * 2.0
        y[1] = x[-1]
        return np.sum(y * x)

    def behind_a_comparison_that_fails(x):
        y = np.ones(3)
        s = 0.0
        if 5.0 < x[0] < x[1]:
            s = 1.0
        return np.sum(y * x * x) + s

    def on_a_branch(x):
        y = np.ones(3)
        s = x[2] if len(x) > 2 else 0.0
        if len(x) > 2:
            s = s * x[1]
        return np.sum(y * x) * (1.0 + s)

    def in_a_loop(x):
        y = np.ones(3)
        s = 0.0
        for i in range(len(x) - 1):
            s = s + x[1] * x[2]
        return np.sum(y * x) * (1.0 + s)

    def caught(x):
        y = np.ones(3)
        s = 1.0
        try:
            s = x[1] * x[2]
        except IndexError:
            s = 2.0
        return np.sum(y * x) * s

    kinds = (
        first,
        last,
        behind_a_comparison_that_fails,
        on_a_branch,
        in_a_loop,
        caught,
    )
    for f in kinds:
        assert_right(f, X[:n].copy())


def test_matrices_are_known_on_every_axis():
    def f(m):
        w = np.full((2, 3), 0.5)
        s = m[1, 2] * m[-2, 1]
        return np.sum(w * m * m) + s

    def one_axis(m):
        w = np.full((2, 3), 0.5)
        return np.sum(w * m * m) + m[1, 0]

    m = np.arange(6.0).reshape(2, 3)
    assert "unbroadcast" not in text(f, m)
    assert_right(f, m)
    assert_right(one_axis, m)
    assert_right(one_axis, m[:, :1].copy())


def test_a_vector_of_which_an_item_is_read_is_not_computed():
    def f(x):
        y = np.zeros(3)
        y[0] = x[1] * x[1]
        return np.sum(y * x)

    def changed(x):
        y = np.zeros(3)
        y[0] = x[1] * x[1]
        s = np.sum(y * x)
        x[0] = s * x[2]
        return s + x[0]

    assert "y_bar * x[0]" in sourcegrad.gradient_source(f, 0, X)
    for g in (f, changed):
        assert_right(g, X)
