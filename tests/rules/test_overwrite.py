"""Leave to overwrite an operand changes no derivative: the reverse sweep reads it."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad import grad, jvp

linalg = pytest.importorskip("scipy.linalg")
fft = pytest.importorskip("scipy.fft")
signal = pytest.importorskip("scipy.signal")

A = np.array([[2.0, 0.3, 0.1], [0.4, 1.5, 0.2], [0.1, 0.6, 1.2]])
STEP = 1e-5


def det_by_place(a):
    return linalg.det(a, True)


def det(a):
    return linalg.det(a, overwrite_a=True) ** 2


def inv(a):
    return np.sum(linalg.inv(a, overwrite_a=True) ** 2)


def solve(a):
    return np.sum(linalg.solve(a, A, overwrite_a=True, overwrite_b=True) ** 2)


def solve_banded(a):
    right = np.array([1.0, 2.0, 3.0])
    return np.sum(linalg.solve_banded((1, 1), a, right, overwrite_ab=True) ** 3)


def cholesky(a):
    return np.sum(linalg.cholesky(a @ a.T, lower=True, overwrite_a=True) ** 3)


def svdvals(a):
    return np.sum(linalg.svdvals(a, overwrite_a=True) ** 3)


def qr(a):
    return np.sum(linalg.qr(a, overwrite_a=True)[1] ** 3)


def lu_factor(a):
    return np.sum(linalg.lu_factor(a, overwrite_a=True)[0] ** 3)


def spectrum(a):
    return np.sum(np.abs(fft.fft(a * a, overwrite_x=True)) ** 3)


def median(a):
    return np.median(a * a, overwrite_input=True)


def percentile(a):
    return np.percentile(a * a, 30, overwrite_input=True)


def detrend(a):
    return np.sum(signal.detrend(a, overwrite_data=True) ** 3)


def of_a_constant(a):
    fixed = np.array(A, order="F")
    total = np.sum(fixed * a**2)
    return total * linalg.det(fixed, overwrite_a=True)


def median_of_a_constant(a):
    fixed = A[0] * 1.0
    total = np.sum(fixed * a**2)
    return total * np.median(fixed, overwrite_input=True)


PROGRAMS = [
    of_a_constant,
    median_of_a_constant,
    det_by_place,
    det,
    inv,
    solve,
    solve_banded,
    cholesky,
    svdvals,
    qr,
    lu_factor,
    spectrum,
    median,
    percentile,
    detrend,
]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_leave_to_overwrite_changes_no_derivative(f, order):
    def given(h):
        return np.array(A + h * direction, order=order)

    direction = np.cos(np.arange(9.0)).reshape(3, 3)
    expected = (f(given(STEP)) - f(given(-STEP))) / (2 * STEP)
    assert np.sum(grad(f)(given(0.0)) * direction) == pytest.approx(expected, rel=1e-6)
    assert jvp(f, (given(0.0),), (direction,))[1] == pytest.approx(expected, rel=1e-6)
