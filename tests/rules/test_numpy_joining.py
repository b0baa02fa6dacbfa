"""The rules of functions that join and split arrays, against differences."""

import numpy as np
import pytest

from .check import check

V = np.array([0.7, -1.3, 2.1])
W = V[::-1] * 2
A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
C = np.arange(24.0).reshape(2, 3, 4) / 7
CASES = [
    (np.concatenate, (V, W, V[:1])),
    (np.concatenate, [A, A[:1]], 0),
    (np.concatenate, [A, A[:, :1]], 1),
    (np.concatenate, [A, V], None),
    (np.concatenate, [C, C[:, :1]], -2),
    (np.stack, [V, W]),
    (np.stack, (A, 2 * A, A), 1),
    (np.stack, (A, 2 * A), -1),
    (np.stack, [1.5, 2.5]),
    (np.vstack, [V, A]),
    (np.hstack, [V, W[:2]]),
    (np.hstack, [A, A[:, :1]]),
    (np.dstack, [A, A]),
    (np.dstack, [V, W]),
    (np.column_stack, [V, A.T, W]),
    (np.block, [V, 1.5, W]),
    (np.block, [[A, A[:, :1]], [V, 2.5]]),
    (np.block, [[[A]], [[2 * A]]]),
    (np.unstack, A) if hasattr(np, "unstack") else (np.split, V, 3),
    (np.broadcast_arrays, A, V),
    (np.append, V, W),
    (np.append, A, A, 0),
    (np.split, A, 3, 1),
    (np.split, V, [1]),
    (np.array_split, V, 2),
    (np.vsplit, A, 2),
    (np.hsplit, A, [1]),
    (np.hsplit, V, 3),
    (np.dsplit, C, 2),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)
