"""The rules of functions that select elements, against differences."""

import operator

import numpy as np
import pytest

from .check import check

V = np.array([0.7, -1.3, 2.1])
W3 = V * 3 + 1
A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
C = np.arange(24.0).reshape(2, 3, 4) / 7
CASES = [
    (np.where, A > 0, A, 2 * A),
    (np.where, A > 0, 1.5, A),
    (np.where, V > 0, V, 2.5),
    (np.where, A[:, :1] > 0, V, A),
    (np.take, A, [0, 3, 3, -1]),
    (np.take, A, 1, 1),
    (np.take, A, [[0, 2], [2, 2]], -1),
    (np.take, C, [1, 1], 0),
    (np.take_along_axis, A, np.argsort(A, axis=1), 1),
    (np.take_along_axis, A, np.array([[0, 0, 1]]), 0),
    (np.take_along_axis, A, np.array([3, 3]), None),
    (np.compress, [True, False, True], A, 1),
    (np.compress, [True, False, True], A),
    (np.extract, A > 0, A),
    (np.delete, A, 1),
    (np.delete, A, [0, 2], 1),
    (np.delete, A, slice(0, 2), -1),
    (np.insert, V, 1, 9.5),
    (np.insert, V, [2, 0, 3], W3),
    (np.insert, A, 1, V, 0),
    (np.insert, A, 1, V[:2], 1),
    (np.insert, A, [0, 2], 2.5, 1),
    (np.insert, A, 1, 2.5),
    (np.lib.stride_tricks.sliding_window_view, A, (2, 2)),
    (np.lib.stride_tricks.sliding_window_view, A, 2, 1),
    (operator.getitem, A, 1),
    (operator.getitem, C, (Ellipsis, slice(None, None, -2))),
    (operator.getitem, A, (np.array([0, 0, 1]), np.array([1, 1, -1]))),
    (operator.getitem, A, A > 0),
    (operator.getitem, A, (None, slice(1), np.array([2, 2]))),
    (np.select, [A > 1, A > 0], [A, 2 * A], 0.5),
    (np.choose, np.array([1, 0, 2]), [V, 2 * V, 3 * V]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)
