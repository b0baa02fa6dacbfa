"""Memory of the reverse sweep that changes hands, and where it must not."""

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right, text

X = np.array([0.3, 0.8, 1.7])


def test_the_cotangent_of_a_copy_becomes_that_of_the_array():
    def f(x):
        y = x.copy()
        y[0] = x[1] * x[2]
        return np.sum(y * y)

    printed = text(f, X)
    assert "x_bar = y_bar" in printed
    assert "zeros" not in printed
    assert_right(f, X)


def test_an_array_that_is_made_between_two_sums_is_added():
    def f(x):
        y = np.array(x)
        y += np.maximum(y, 0.13)
        e = y[:]  # noqa: F841
        u = 1.0 * y
        return np.sum(u * u) + np.sum(np.sin(y)) + np.sum(np.sin(y))

    assert_right(f, X)


def test_a_buffer_that_is_read_later_is_not_taken_over():
    def f(x):
        total = 0.0
        y = x.copy()
        for i in range(3):
            y[i] = y[i] * x[2 - i]
            z = y.copy()
            z[i] = x[i] * 3.0
            total += np.sum(z * y)
        return total + np.sum(y * y)

    assert_right(f, X)


def test_each_of_two_copies_has_its_own_cotangent():
    def f(x):
        y, z = x.copy(), x.copy()
        y[0] = x[1] * z[2]
        z[1] = y[0] * x[0]
        return np.sum(y * y * z)

    assert_right(f, X)


def test_a_cotangent_that_is_overwritten_gets_a_new_name():
    def f(x):
        y = x * 1.0
        y += x
        y *= x
        return np.sum(y)

    printed = sourcegrad.gradient_source(f, 0, X)
    assert "[...]" not in printed
    assert "full_like" not in printed
    assert_right(f, X)


def test_a_cotangent_that_a_view_sees_is_overwritten_in_place():
    def f(x):
        y = x * 2.0
        v = y[1:]
        y *= x
        v[0] = v[1] * x[0]
        y /= 1.0 + x * x
        return np.sum(y * np.sum(v))

    assert_right(f, X)


def test_a_cotangent_overwritten_in_a_loop_or_a_branch_is_one_buffer():
    def f(x):
        y = x * 1.0
        for i in range(3):
            y *= x
            if i == 1:
                y *= y
        return np.sum(y)

    assert_right(f, X)


def test_reshapes_of_vectors_and_of_what_is_stored_by_columns():
    def vector(x):
        y = x.copy()
        y.reshape(3, 1)[1, 0] = x[0] * x[2]
        return np.sum(y * y * y)

    def columns(x):
        y = np.outer(x, x * x).T.copy(order="F")
        v = y.reshape(9)
        v[2] = x[0] * x[1]
        y[1, 1] = x[2]
        return np.sum(v * v) + np.sum(y * y * y)

    def transposed(x):
        y = np.outer(x, x * x)
        v = y.T.reshape(9, 1)
        y[0, 1] = x[1]
        return np.sum(v * v * v) + np.sum(y)

    for f in (vector, columns, transposed):
        assert_right(f, X)
