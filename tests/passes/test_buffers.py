"""Cotangent buffers: no idle view, zero, copy or store, and the same numbers."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, statement, text

X = np.array([0.4, -1.2, 0.7, 2.0, 0.3])


def test_a_view_used_once_goes_into_the_store():
    def f(x, n):
        u = x.copy()
        for _ in range(n):
            u[1:-1] += 0.1 * (u[2:] + u[:-2])
        return np.sum(u * u)

    reverse = text(f, X, 3).rpartition("for _ in")[2]
    assert "u_bar[2:] += " in reverse and "u_bar[:-2] += " in reverse
    assert ".copy()" not in reverse
    assert_right(f, X, 3)


def test_a_slot_that_gets_its_own_share_is_not_cleared_first():
    def f(x, n):
        u = x.copy()
        for i in range(n):
            u[i] = 0.5 * u[i] * u[i - 1]
        return np.sum(u * u)

    assert "u_bar[i] = 0.0" not in text(f, X, 4)
    assert_right(f, X, 4)
    assert_right(f, X[:1], 1)  # u[i] and u[i - 1] are one element


def test_a_slot_that_is_read_in_between_is_cleared():
    def f(x, n):
        u = x.copy()
        for i in range(n):
            u[i + 1] = u[i] * 2.0
            u[i] = np.sin(u[i + 1]) + u[i] * x[i]
        return np.sum(u * u)

    assert_right(f, X, 3)


def test_the_first_addition_to_zeros_is_a_store():
    def f(x):
        return np.sum(x[1:] * x[:-1])

    source = text(f, X)
    assert source.count("] += ") == 1 and source.count("] = ") == 1
    assert_right(f, X)


def test_a_mask_is_stored_not_added():
    def f(x):
        return np.sum(x[x > 0.5] ** 2)

    assert statement(text(f, X), "x_bar[").count("+=") == 0
    assert_right(f, X)


def test_an_array_scaled_in_place_scales_its_cotangent():
    def f(x):
        y = x.copy()
        v = y[1:]
        v *= 2.0
        return np.sum(y**3)

    assert "    v_bar *= 2.0" in text(f, X)
    assert_right(f, X)


def test_two_readers_of_an_overwritten_array_need_no_copy():
    def f(x):
        y = x * 1.0
        y *= np.sin(x)
        return np.sum(y * y)

    assert_right(f, X)


def test_what_is_not_read_any_more_is_not_cleared():
    def f(x):
        a = np.zeros(3)
        a[0] = x[0] * x[1]
        a[1] = x[2] ** 2
        return np.sum(a * a)

    assert "_bar[0] = 0.0" not in text(f, X)
    assert_right(f, X)


def test_overlapping_slices_of_one_buffer():
    def f(x):
        y = x.copy()
        y[1:] = y[:-1] * 2.0
        y[:-1] += np.sin(y[1:])
        y[2:] = y[2:] * y[1:-1]
        return np.sum(y * y * x)

    assert_right(f, X)


def test_a_buffer_of_several_names():
    def f(x):
        y = x.copy()
        first, rest = y[:2], y[1:]
        first *= 3.0
        rest[0] = rest[0] * first[0]
        first[1] = 0.0
        rest += y[1] + 2.0 * first[0]
        return np.sum(y * y)

    assert_right(f, X)


def test_a_buffer_with_rows_that_broadcast():
    def f(x):
        a = np.ones((3, len(x)))
        a[...] = a * x
        a[1:] *= x
        a[0] = a[0] + np.sum(a[1])
        return np.sum(a * a)

    assert_right(f, X)


def test_a_last_store_that_only_the_value_needs_goes_with_it():
    def f(x):
        y = x * 1.0
        y += x
        y *= x
        return np.sum(y)

    source = sourcegrad.gradient_source(f, 0, X)
    assert "_kept" not in source and "y *= x" not in source.partition("reverse")[0]
    assert_right(f, X)


def test_stores_into_memory_of_others_stay():
    def f(x, out):
        buffer = out
        buffer[0] = x[0] * 2.0
        return np.sum(x**2)

    out = np.zeros(2)
    sourcegrad.grad(f)(X, out)
    assert out[0] == 0.8


def test_stores_into_captured_arrays_are_refused():
    table = np.ones(5)

    def f(x):
        y = x * table
        table[1] = 7.0
        return np.sum(y)

    with pytest.raises(sourcegrad.AliasError, match="written"):
        sourcegrad.grad(f)(X)


def test_a_copy_of_the_user_is_a_copy():
    def f(x):
        y = x * 2.0
        y_kept = np.copy(y)
        y_kept[0] = y[1] * y[2]
        return np.sum(y * y_kept)

    assert_right(f, X)


def test_a_reshaped_vector_is_a_view_and_a_reshaped_matrix_may_not_be():
    def f(x):
        y = x.copy()
        v = y.reshape(5, 1)
        v[0, 0] = x[2] * x[1]
        return np.sum(y**3)

    assert "shadow_view" not in text(f, X)
    assert_right(f, X)

    def g(x):
        y = x.copy(order="K")
        v = y.reshape(-1)
        v[0] = x[1, 1] * x[0, 1]
        return np.sum(y**3) + np.sum(v)

    assert "shadow_view" in text(g, np.ones((2, 2)))
    assert_right(g, np.array([[0.4, -1.2], [0.7, 2.0]]))
