"""Joins of lists whose length is known only at run time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import grad, hvp, jvp, vjp

X = np.arange(1.0, 7.0).reshape(3, 2)
WEIGHTS = np.array([0.5, -1.0, 2.0, 1.5, -0.3, 0.7])


@pytest.mark.parametrize(
    "join", ["concatenate", "hstack", "vstack", "column_stack", "dstack", "stack"]
)
def test_rows_collected_in_a_loop(join):
    joined = getattr(np, join)

    def f(x):
        rows = []
        for i in range(len(x)):
            rows.append(x[i] ** 2)
        return np.sum(np.ravel(joined(rows)) * WEIGHTS)

    # Each number goes to one place: its weight is the gradient by its square.
    place = np.ravel(joined(list(np.arange(6).reshape(3, 2))))
    weight = np.zeros(6)
    weight[place] = WEIGHTS
    weight = weight.reshape(3, 2)
    assert_allclose(grad(f)(X), 2.0 * weight * X)
    assert_allclose(vjp(f, X)[1](1.0)[0], 2.0 * weight * X)
    assert_allclose(jvp(f, (X,), (X,))[1], np.sum(2.0 * weight * X**2))
    assert_allclose(hvp(f)(X, X), 2.0 * weight * X)


def test_parts_of_different_length():
    def f(x):
        parts = [x[:k] * k for k in range(1, 4)]
        return np.sum(np.concatenate(parts) * WEIGHTS)

    expected = [0.5 - 2.0 + 3 * 1.5, 2 * 2.0 - 3 * 0.3, 3 * 0.7]
    assert_allclose(grad(f)(np.ones(3)), expected)
