"""The definitions of statistics in terms of sums, against NumPy's own."""

import numpy as np
import pytest

from .check import check

A = np.array([[0.7, -1.3, np.nan, 0.9], [0.4, np.nan, -0.6, 1.1]])
FULL = np.where(np.isnan(A), 0.5, A)
NAMES = "sum prod mean var std max min median".split()


@pytest.mark.parametrize("axis", [None, 0, 1], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_axes(name, axis):
    if axis == 0 and name in ("var", "std"):
        return check(getattr(np, f"nan{name}"), FULL, axis=0)
    check(getattr(np, f"nan{name}"), A, axis=axis)
    if axis is not None:
        check(getattr(np, f"nan{name}"), A, axis=axis, keepdims=True)


CASES = [
    (np.nancumsum, A, 1),
    (np.nancumprod, A, 0),
    (np.nanquantile, A, 0.3, 1),
    (np.nanpercentile, A, [20.0, 50.0], 1),
    (np.cov, FULL),
    (np.cov, FULL[0]),
    (np.cov, FULL[0], FULL[1]),
    (np.cov, FULL.T, None, False),
    (np.corrcoef, FULL),
    (np.corrcoef, FULL + 1j * FULL[::-1] ** 2),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case, wrt=(0,))
