"""`np.diag` of a vector is new memory: it may be written, of a matrix it is a view."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from sourcegrad import grad, vjp

WEIGHTS = np.arange(1.0, 10.0).reshape(3, 3)


def filled(q, below):
    out = np.diag(np.exp(q))
    for j in range(2):
        out[j + 1 :, j] = below[: 2 - j]
    return np.sum(out * WEIGHTS)


def test_stores_below_the_diagonal():
    q, below = np.array([0.1, 0.2, 0.3]), np.array([2.0, 3.0])
    q_bar = np.diag(WEIGHTS) * np.exp(q)
    below_bar = [WEIGHTS[1, 0] + WEIGHTS[2, 1], WEIGHTS[2, 0]]
    for found in (grad(filled, (0, 1))(q, below), vjp(filled, q, below)[1](1.0)):
        assert_allclose(found[0], q_bar)
        assert_allclose(found[1], below_bar)
