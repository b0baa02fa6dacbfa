"""Options of SciPy's filters and systems: the structures and the edges they assume."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import linalg, signal

from tests.rules.scipy_check import agrees

X = np.cos(np.arange(24.0)) + 0.1 * np.arange(24.0)
M = np.cos(np.arange(16.0)).reshape(4, 4) + 3.0 * np.eye(4)
V = np.array([1.3, 0.7, -0.4, 2.1])
B, A = np.array([0.2, 0.3, 0.1]), np.array([1.0, -0.4, 0.1])
FACTORS = linalg.lu_factor(M)
HALF = linalg.cho_factor(M @ M.T)
PARTS = 2.0 + np.cos(np.arange(32.0))


def complex_of(v):
    return v[:16].reshape(4, 4) + 1j * v[16:].reshape(4, 4)


FILTERS = [
    lambda x: signal.savgol_filter(x, 6, 2),
    lambda x: signal.savgol_filter(x, 5, 2, 1, 0.5, mode="mirror"),
    lambda x: signal.savgol_filter(x, 5, 3, mode="constant", cval=1.5),
    lambda x: signal.savgol_filter(x.reshape(8, 3), 4, 2, axis=0, mode="wrap"),
    lambda x: signal.filtfilt(B, A, x, padtype="even"),
    lambda x: signal.filtfilt(B, A, x, padtype="constant", padlen=23),
    lambda x: signal.filtfilt(B, A, x, padlen=23),
    lambda x: signal.filtfilt(B, 1.0, x),
    lambda x: signal.fftconvolve(x.reshape(4, 6), x[:8].reshape(4, 2), "same", axes=1),
    lambda x: signal.fftconvolve(x.reshape(4, 6), x[:2].reshape(1, 2), axes=[-1]),
    lambda x: signal.oaconvolve(
        x.reshape(2, 3, 4), x[:8].reshape(2, 1, 4), axes=(1, 2)
    ),
]


@pytest.mark.parametrize("f", FILTERS)
def test_filters(f):
    agrees(f, X, order=1)


SYSTEMS = [
    lambda m: linalg.solve(m, V, assume_a="tridiagonal"),
    lambda m: linalg.inv(m @ m.T, assume_a="pos", lower=True),
    lambda m: linalg.inv(m, assume_a="upper triangular"),
    lambda m: linalg.lu_solve(FACTORS, m),
    lambda m: linalg.cho_solve(HALF, m),
    lambda m: linalg.lstsq(m[:, :2], V)[1],
]


@pytest.mark.parametrize("f", SYSTEMS)
def test_systems(f):
    agrees(f, M, order=1)


HERMITIAN = [
    lambda a: linalg.solve(a, V, assume_a="her"),
    lambda a: linalg.solve(a, V, assume_a="her", lower=True),
    lambda a: linalg.solveh_banded(a[:2] * np.array([[0.2], [1.0]]), V),
    lambda a: linalg.solveh_banded(a[:2] * np.array([[1.0], [0.2]]), V, lower=True),
]


@pytest.mark.parametrize("f", HERMITIAN)
def test_the_diagonal_of_a_hermitian_matrix_is_read_as_real(f):
    agrees(lambda v: np.real(f(complex_of(v))), PARTS, order=1)


def test_a_break_point_in_a_list_is_refused():
    with pytest.raises(sg.SourcegradError, match="break points"):
        sg.grad(lambda x: np.sum(signal.detrend(x, bp=[3, 6])))(X)
