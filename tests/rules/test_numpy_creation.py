"""The rules of functions that make arrays, against differences."""

import numpy as np
import pytest

from .check import check

V = np.array([0.7, -1.3, 2.1])
A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
CASES = [
    (np.array, A),
    (np.array, [1.5, 2.5]),
    (np.array, [[1.5, 2.5], (3.5, 4.0)]),
    (np.array, [V, 2 * V]),
    (np.array, [[1.5, 0], [0, 2.5]]),
    (np.asarray, V),
    (np.asarray, [1.5, 2.5]),
    (np.ascontiguousarray, A),
    (np.copy, A),
    (np.float64, 1.5),
    (np.complex128, 1.5),
    (np.full, (2, 3), 1.5),
    (np.full, (2, 3), V),
    (np.full_like, A, 1.5),
    (np.linspace, 0.5, 2.5, 5),
    (np.linspace, V, 2 * V + 1, 4),
    (np.arange, 0.5, 2.7, 0.4),
    (np.arange, 0.5, 3.7),
    (np.kaiser, 7, 2.5),
    (np.logspace, 0.5, 1.5, 4),
    (np.logspace, V, 1.5, 4, True, 2.0),
    (np.geomspace, 0.5, 4.0, 4),
    (np.geomspace, np.abs(V), np.abs(V) + 1, 4),
    (np.ndarray.item, V, 1),
    (np.ndarray.item, A, (1, 0)),
    (np.meshgrid, V, V[:2]),
    (np.vander, V),
    (np.vander, V, 4, True),
    (np.ndarray.flatten, A),
    (np.ndarray.item, np.array([1.5])),
    (np.ndarray.tolist, V),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


def test_linspace_along_a_later_axis():
    check(np.linspace, V, 1.5, 4, False, axis=1)


def test_meshgrid_by_rows():
    check(np.meshgrid, V, V[:2], indexing="ij")
