"""One program per rule of the compiler that random programs seldom test.

The expected gradients are written by hand.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from tests import zoo

X = np.array([0.3, 0.8, 1.7])
W = np.array([1.0, 2.0, 3.0])
needs_stores = pytest.mark.skipif(
    zoo.CURRENT_ISSUE < 3, reason="stores in the user's program come with mutation"
)


def parallel_copies(x):
    a, b = x, x * x
    for _ in range(3):
        a, b = b, a + b * 0.5
    return a * b


def test_loop_copies_are_parallel():
    a, b, da, db = 1.2, 1.44, 1.0, 2.4
    for _ in range(3):
        a, b, da, db = b, a + b * 0.5, db, da + db * 0.5
    assert_allclose(sourcegrad.grad(parallel_copies)(1.2), da * b + a * db, rtol=1e-14)


def returned_name_is_reused(x):
    y = x
    for _ in range(3):
        y = y * x + 1.0
    return y


def test_the_value_survives_the_reverse_sweep():
    value, gradient = sourcegrad.value_and_grad(returned_name_is_reused)(1.2)
    assert value == returned_name_is_reused(1.2)
    assert_allclose(gradient, 4 * 1.2**3 + 3 * 1.2**2 * 0 + 2 * 1.2 + 1, rtol=1e-14)


def header_reset(x, n):
    y = x
    for i in range(n):
        y = 0.5 * i * x
    return y * x


@pytest.mark.parametrize(("n", "slope"), [(0, 2.4), (1, 0.0), (3, 2.4)])
def test_the_cotangent_of_an_overwritten_carried_variable_is_dropped(n, slope):
    assert_allclose(sourcegrad.grad(header_reset)(1.2, n), slope, atol=1e-15)


def gathers_by_index(x):
    y = x + 0.0
    total = 0.0
    for i in range(3):
        total = total + x[i] * x[i - 1]
    return total + np.sum(y * W) + x[0] * np.sum(x)


def test_one_array_is_read_by_index_and_as_a_whole():
    expected = np.array([X[1] + X[2], X[0] + X[2], X[0] + X[1]]) + W
    expected += np.array([np.sum(X), 0, 0]) + X[0]
    assert_allclose(sourcegrad.grad(gathers_by_index)(X), expected, rtol=1e-14)


def index_changes_in_the_loop(x):
    j, total = 0, 0.0
    for i in range(4):
        j = (j * 2 + i) % 3
        total = total * 0.5 + x[j] * x[j]
        j = j + 1
    return total


def test_an_index_is_recorded_when_it_is_overwritten():
    weights, j = np.zeros(3), 0
    for i in range(4):
        j = (j * 2 + i) % 3
        weights *= 0.5
        weights[j] += 1.0
        j = j + 1
    got = sourcegrad.grad(index_changes_in_the_loop)(X)
    assert_allclose(got, 2 * X * weights, rtol=1e-14)


@needs_stores
class TestStores:
    def test_first_contribution_to_an_owned_buffer_is_copied(self):
        def f(x):
            a, b = np.sin(x), np.cos(x)
            a[0] = x[1]
            b[1] = x[2]
            u = a + b
            return np.sum(u * W)

        expected = W * (np.cos(X) * [0, 1, 1] - np.sin(X) * [1, 0, 1])
        expected += np.array([0, W[0], W[1]])
        assert_allclose(sourcegrad.grad(f)(X), expected, rtol=1e-14)

    def test_cotangent_of_an_increment_is_copied(self):
        def f(x):
            a, v = x.copy(), np.sin(x[:2])
            a[1:] = x[1:] * 2.0
            a[1:] += v
            return np.sum(a * W) + np.sum(v)

        expected = W * [1, 2, 2] + np.array([*(np.cos(X[:2]) * (W[1:] + 1)), 0])
        assert_allclose(sourcegrad.grad(f)(X), expected, rtol=1e-14)

    def test_a_load_is_not_repeated_after_a_later_store(self):
        def f(x):
            a, total = x.copy(), 0.0
            for i in range(3):
                t = a[i]
                total = total + t * t * t
                a[i] = 5.0 * i
                a[i - 1] = total
            return total + np.sum(a)

        from tests.oracle import central_difference_grad

        expected = central_difference_grad(f, (X,))
        assert_allclose(sourcegrad.grad(f)(X), expected, rtol=1e-8)

    def test_old_contents_are_read_after_an_increment(self):
        def f(x):
            a = x.copy()
            s = np.sum(np.sin(a))
            a += 2.0 * x
            return s + np.sum(a * a)

        assert_allclose(sourcegrad.grad(f)(X), np.cos(X) + 18 * X, rtol=1e-14)

    def test_repeated_positions(self):
        def stores(x):
            a = np.zeros(3)
            a[[0, 0, 2]] = x
            return np.sum(a * W)

        def increments(x):
            a = x.copy()
            a[[0, 0, 2]] += x
            return np.sum(a * W)

        assert_allclose(sourcegrad.grad(stores)(X), [0.0, W[0], W[2]])
        assert_allclose(sourcegrad.grad(increments)(X), W + [0.0, W[0], W[2]])
