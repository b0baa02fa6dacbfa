"""The rules of order statistics and interpolation, against differences."""

import numpy as np
import pytest

from .check import check

A = np.array([[0.7, -1.3, 2.1, 0.9], [0.4, 1.9, -0.6, 1.1]])
XP = np.array([0.0, 1.0, 2.5, 4.0])
FP = np.array([1.0, 3.0, 2.0, 5.0])
CASES = [
    (np.sort, A),
    (np.sort, A, 0),
    (np.sort, A, None),
    (np.partition, A, 2),
    (np.median, A),
    (np.median, A, 0),
    (np.median, A[:, :3], 1),
    (np.median, A, (0, 1)),
    (np.quantile, A, 0.3),
    (np.quantile, A, 0.3, 1),
    (np.quantile, A, [0.1, 0.5, 1.0], 1),
    (np.percentile, A, 30.0, 0),
    (np.percentile, A, [25, 75]),
    (np.interp, np.array([0.25, 3.0, -1.0, 9.0, np.nan]), XP, FP),
    (np.interp, 0.7, XP, FP, 0.5, 0.25),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    wrt = (0,) if case[0] in (np.quantile, np.percentile) else None
    check(*case, wrt=wrt)


def test_keepdims():
    check(np.median, A, 1, keepdims=True)
    check(np.quantile, A, 0.3, 1, keepdims=True, wrt=(0,))
