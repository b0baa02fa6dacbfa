"""Second derivatives of programs that write into memory, against differences of their
gradients, which other tests hold against differences of the programs.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from tests.language import test_aliases as aliases
from tests.language import test_matrices_in_place as matrices
from tests.language import test_numerics_in_place as numerics

X = np.random.default_rng(5).uniform(0.5, 1.5, 6)
A = np.random.default_rng(5).uniform(-1, 1, (4, 4))
P = np.random.default_rng(5).uniform(-1, 1, (6, 2))
B = np.random.default_rng(5).uniform(0.5, 1.5, (3, 4))

FORWARD_OVER_REVERSE = [
    (aliases.while_swap, X),
    (aliases.swap_three, X),
    (aliases.nonlocal_acc, X),
    (aliases.row_alias_carry, X),
    (aliases.nested_views_loop, B),
    (aliases.closure_counter, X),
    (aliases.deque_buffer, X),
    (aliases.list_slots, X),
    (aliases.temp_pow, X[:5]),
    (matrices.householder, A),
    (numerics.nbody, P),
]
REVERSE_OVER_REVERSE = [
    (aliases.list_slots, X),
    (aliases.temp_pow, X[:5]),
]


def squares(f):
    def total(x):
        return np.sum(np.asarray(f(x)) ** 2)

    return total


def expected(total, x, v):
    gradient, h = sourcegrad.grad(total), 1e-5
    return (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)


def named(cases):
    return [f.__name__ for f, _ in cases]


@pytest.mark.parametrize(
    ("f", "x"), FORWARD_OVER_REVERSE, ids=named(FORWARD_OVER_REVERSE)
)
def test_forward_over_reverse(f, x):
    total, v = squares(f), np.random.default_rng(0).normal(size=x.shape)
    right = expected(total, x, v)
    scale = np.max(np.abs(right))
    assert_allclose(sourcegrad.hvp(total)(x, v), right, rtol=1e-5, atol=1e-6 * scale)


@pytest.mark.parametrize(
    ("f", "x"), REVERSE_OVER_REVERSE, ids=named(REVERSE_OVER_REVERSE)
)
def test_reverse_over_reverse(f, x):
    total, v = squares(f), np.random.default_rng(0).normal(size=x.shape)
    right = expected(total, x, v)
    scale = np.max(np.abs(right))
    got = sourcegrad.grad(lambda z: np.sum(sourcegrad.grad(total)(z) * v))(x)
    assert_allclose(got, right, rtol=1e-5, atol=1e-6 * scale)


def recurrence(inputs, w):
    h = np.zeros((4, 3))
    for t in range(3):
        h[t + 1] = np.dot(inputs[t], w) + h[t]
    return np.sum(h[1:] ** 2)


def covariance(x):
    return np.sum(np.cov(x.reshape(2, 3)) ** 2)


def correlation(x):
    return np.sum(np.corrcoef(x.reshape(2, 3)) ** 3)


def joined_with_a_list(x):
    return np.sum(np.concatenate([x, x[:2] * 2, [1.0]]) ** 3)


def parts(x):
    y = np.split(x, 2)
    return np.sum(y[0] * y[1] ** 2)


def powers(x):
    return np.sum(np.linalg.matrix_power(x[:4].reshape(2, 2), 3) ** 2)


@pytest.mark.parametrize(
    "f", [covariance, correlation, joined_with_a_list, parts, powers]
)
def test_both_ways_at_order_two(f):
    v = np.random.default_rng(0).normal(size=X.shape)
    right = expected(f, X, v)
    scale = np.max(np.abs(right))
    assert_allclose(sourcegrad.hvp(f)(X, v), right, rtol=1e-5, atol=1e-6 * scale)
    _, pull = sourcegrad.vjp(sourcegrad.grad(f), X)
    assert_allclose(pull(v)[0], right, rtol=1e-5, atol=1e-6 * scale)


def test_what_is_read_of_a_row_that_is_written_is_its_shape():
    inputs, w = P[:3, :].copy(), P[3:5, :1] @ np.ones((1, 3))
    rng = np.random.default_rng(0)
    seeds = rng.normal(size=inputs.shape), rng.normal(size=w.shape)
    gradient = sourcegrad.grad(recurrence, (0, 1))
    _, pull = sourcegrad.vjp(gradient, inputs, w)
    got = pull(seeds)
    h = 1e-5
    moved = [gradient(inputs + s * h * seeds[0], w + s * h * seeds[1]) for s in (1, -1)]
    for k in range(2):  # the second derivative is symmetric
        right = (moved[0][k] - moved[1][k]) / (2 * h)
        assert_allclose(got[k], right, rtol=1e-6, atol=1e-7)


COUNTED = [
    lambda x, n: np.sum(np.roll(x, -n) * x[0]),
    lambda x, n: np.sum(np.repeat(x, n + 1) ** 2),
    lambda x, n: np.sum(np.diff(x, n - 1) ** 2),
    lambda x, n: np.sum(np.tril(np.outer(x, x), -n)),
    lambda x, n: np.sum(np.linalg.matrix_power(x[:4].reshape(2, 2), n + 1)),
]


@pytest.mark.parametrize("f", COUNTED)
def test_an_int_that_counts_may_be_computed_with(f):
    _, pull = sourcegrad.vjp(f, X, 2)
    assert_allclose(pull(1.0)[0], sourcegrad.grad(lambda x: f(x, 2))(X), rtol=1e-12)
    _, again = sourcegrad.vjp(sourcegrad.grad(f), X, 2)
    right = expected(lambda x: f(x, 2), X, np.ones(6))
    assert_allclose(again(np.ones(6))[0], right, rtol=1e-5, atol=1e-6)


def square_of_zeros(x, n):
    a = np.zeros((n, n))
    for i in range(n):
        a[i, 1] = x[i]
        if i == 2:
            a[i, i] += x[i] ** 2
    return a


def shapes_by_a_count(x, n):
    columns = np.reshape(x[:n], (n, 1)) * np.eye(n) + np.full((n, n), x[0])
    return np.tile(columns, (2, n)) + np.broadcast_to(x[1], (2 * n, n * n))


@pytest.mark.parametrize("f", [square_of_zeros, shapes_by_a_count])
def test_an_int_in_a_shape_may_be_one_that_a_cotangent_is_asked_for(f):
    value, pull = sourcegrad.vjp(f, X, 3)
    seed = np.random.default_rng(0).normal(size=value.shape)
    h = 1e-6

    def moved(k):
        step = h * np.eye(len(X))[k]
        return np.sum(seed * (f(X + step, 3) - f(X - step, 3))) / (2 * h)

    right = [moved(k) for k in range(len(X))]
    assert_allclose(pull(seed)[0], right, rtol=1e-7, atol=1e-8)
