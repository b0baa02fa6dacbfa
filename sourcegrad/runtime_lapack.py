"""Helpers of generated code: LAPACK by SciPy, which is imported when called."""

from __future__ import annotations

from typing import Any

import numpy as np


def inverse_or_inf(a: Any) -> Any:
    """The inverse of a matrix, infinite where it has none.

    As `scipy.linalg.inv`, which is quicker than NumPy's, without its checks.

    >>> inverse_or_inf(np.array([[2.0, 0.0], [0.0, 4.0]])).diagonal()
    array([0.5 , 0.25])
    """
    from scipy.linalg import get_lapack_funcs

    names = ("getrf", "getri", "getri_lwork")
    getrf, getri, getri_lwork = get_lapack_funcs(names, (a,))
    factors, pivots, singular = getrf(a)
    if singular:
        return np.full_like(a, np.inf)
    lwork = int(getri_lwork(len(a))[0].real)
    return getri(factors, pivots, lwork=lwork, overwrite_lu=True)[0]
