"""The rules of running sums and products, against differences."""

import numpy as np
import pytest

from .check import check

X = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
HOLES = np.array([[0.0, -1.3, 2.1], [0.4, 0.0, 0.0]])
CASES = [
    *[(np.cumsum, X, a) for a in (None, 0, 1, -1)],
    *[(np.cumprod, X, a) for a in (None, 0, 1, -1)],
    *[(np.cumprod, HOLES, a) for a in (None, 0, 1, -1)],
    (np.add.accumulate, X),
    *(
        [(np.cumulative_sum, X[0]), (np.cumulative_prod, X[0])]
        if hasattr(np, "cumulative_sum")
        else []
    ),
    (np.diff, X),
    (np.diff, X, 1, 0),
    (np.diff, X[0], 2),
    (np.ediff1d, X),
    (np.trapezoid, X),
    (np.trapezoid, X, np.array([0.0, 0.5, 2.0])),
    (np.trapezoid, X, None, 0.3, 0),
    (np.trapezoid, X[:, :1]),
    (np.trapezoid, X[:, :1], np.array([0.5])),
    (np.trapezoid, X[:, :2], None, 0.3),
    (np.trapezoid, X, np.cumsum(np.abs(X), axis=1)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)
