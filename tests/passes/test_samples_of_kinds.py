"""Kinds are found by samples only where a function checks what it is given."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad.kinds import UNKNOWN, kind_of
from sourcegrad.kinds_sampled import Known, infer_call


def test_pivots_are_not_made_up():
    linalg = pytest.importorskip("scipy.linalg")
    a = np.eye(3) + 0.1
    factors, pivots = linalg.lu_factor(a)
    kinds = [kind_of(factors), kind_of(pivots), kind_of(np.ones(3))]
    # A sample of one row with the pivot 1 swapped rows outside of the array.
    assert infer_call(linalg.lu_solve, [tuple(kinds[:2]), kinds[2]], {}) == UNKNOWN
    assert infer_call(linalg.lapack.dgetrs, kinds, {}) == UNKNOWN
    interpolate = pytest.importorskip("scipy.interpolate")
    assert infer_call(interpolate.splev, kinds, {}) == UNKNOWN


def test_functions_that_check_are_sampled():
    linalg = pytest.importorskip("scipy.linalg")
    a = kind_of(np.eye(3))
    assert infer_call(linalg.inv, [a], {}) == a


def test_helpers_that_call_them_are_not_sampled():
    interpolate = pytest.importorskip("scipy.interpolate")
    from sourcegrad.runtime_spline import fitpack_values, spline_values, within

    t = np.arange(6.0)
    tck = tuple(map(kind_of, interpolate.splrep(t, t * t)))
    x = kind_of(t)
    # Two knots of ones are no spline: FITPACK read what lies behind them.
    assert infer_call(fitpack_values, [tck, x, Known(1), Known(0)], {}) == UNKNOWN
    # SciPy wrote beside its matrix for a clamped spline through a single point.
    how = Known("make_interp_spline"), Known(((3, None, "clamped"), None))
    assert infer_call(spline_values, [*how, x, x, x, Known(0)], {}) == UNKNOWN
    assert infer_call(within, [x, Known(3), x], {}).dtype == "bool"
