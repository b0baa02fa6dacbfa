"""Kinds are found by samples only where a function checks what it is given."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad.kinds import UNKNOWN, kind_of
from sourcegrad.kinds_sampled import infer_call


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
