"""Arguments that the program writes: overlaps are refused, zero wins all the same."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import grad, hessian, hvp, jacobian, jvp, linearize, vjp

X = np.array([0.3, 0.7, 1.1])
ONES = np.ones(3)


def written(x, y):
    x[0] = y[1] * y[1]
    return np.sum(x * y)


@pytest.mark.parametrize(
    "run",
    [
        lambda a: grad(written, (0, 1))(a, a),
        lambda a: vjp(written, a, a),
        lambda a: jvp(written, (a, a), (ONES, ONES)),
        lambda a: jvp(written, (a, a[::-1]), (ONES, None)),
        lambda a: linearize(written, a, a),
        lambda a: jacobian(written, (0, 1), "forward")(a, a),
        lambda a: jacobian(written, (0, 1), "reverse")(a, a),
        lambda a: hessian(written)(a, a),
        lambda a: hvp(written)(a, a, ONES),
    ],
)
def test_an_argument_that_is_written_must_be_apart_from_the_others(run):
    with pytest.raises(sourcegrad.AliasError, match="share memory"):
        run(X.copy())


def moved_up(x):
    """Writes its argument, and takes roots that a mask hides."""
    x[:2] = x[1:]
    return np.sum(np.where(x > 1.0, np.sqrt(np.maximum(x - 1.0, 0.0)), 0.0))


def norm_of_the_large(x):
    x *= 2.0
    return math.sqrt(np.sum(x[x > 9.0]))


def test_zero_wins_where_an_argument_is_written():
    # After the store x is (0.7, 1.1, 1.1): the last two depend on the last one.
    expected = np.array([0.0, 0.0, 2 * 0.5 / np.sqrt(0.1)])
    for run in (
        lambda x: grad(moved_up)(x),
        lambda x: vjp(moved_up, x)[1](1.0)[0],
        lambda x: jacobian(moved_up, 0, "forward")(x),
        lambda x: np.array([jvp(moved_up, (x.copy(),), (e,))[1] for e in np.eye(3)]),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_allclose(run(X.copy()), expected, rtol=1e-12)


def test_the_argument_is_left_as_the_primal_leaves_it():
    expected, x = X.copy(), X.copy()
    moved_up(expected)
    grad(moved_up)(x)
    assert_allclose(x, expected)
    x = X.copy()
    jvp(moved_up, (x,), (ONES,))
    assert_allclose(x, expected)


def test_nothing_is_chosen():
    assert_allclose(grad(norm_of_the_large)(X.copy()), np.zeros(3))
    assert jvp(norm_of_the_large, (X.copy(),), (ONES,)) == (0.0, 0.0)
