"""Second derivatives of programs that write into memory, against differences of their
gradients, which other tests hold against differences of the programs.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from tests.language import test_aliases as aliases
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
    (numerics.householder, A),
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
