"""Averaged spectra of `scipy.signal`, in the signal."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import signal

from tests.rules.scipy_check import agrees

X = np.random.default_rng(3).normal(size=37)
TAPER = np.hamming(9)

CASES = [
    lambda x: signal.welch(x)[1],
    lambda x: signal.welch(x, 2.0, nperseg=8)[1],
    lambda x: signal.welch(x, 2.0, nperseg=8, nfft=11)[1],
    lambda x: signal.welch(x, window=TAPER, noverlap=3, detrend=False)[1],
    lambda x: signal.welch(x, nperseg=9, window="hamming", scaling="spectrum")[1],
    lambda x: signal.welch(np.stack((x, x**2)), nperseg=10)[1],
    lambda x: signal.periodogram(x, 3.0)[1],
    lambda x: signal.periodogram(x, window="hann", nfft=50, detrend=False)[1],
    lambda x: np.real(signal.csd(x, x**2, nperseg=16)[1]),
    lambda x: np.imag(signal.csd(x, x**2, nperseg=16)[1]),
]


@pytest.mark.parametrize("f", CASES)
def test_orders_one_and_two(f):
    y, _ = sg.vjp(f, X)
    np.testing.assert_allclose(y, f(X), rtol=1e-11, atol=1e-14)
    agrees(f, X)


SIGNAL = np.cos(np.arange(24.0) ** 1.3)
OTHER = np.sin(np.arange(24.0) ** 1.1)


@pytest.mark.parametrize(
    "f",
    [
        lambda v: signal.coherence(v, OTHER, nperseg=8)[1],
        lambda v: signal.coherence(OTHER, v**2, nperseg=8, detrend=False)[1],
        lambda v: signal.chirp(v[:9], 1.0 + v[9] ** 2, 4.0, 2.0 + v[10] ** 2),
        lambda v: signal.chirp(
            v[:9], 1.0 + v[9] ** 2, 4.0, 6.0, method="logarithmic", phi=30.0 * v[11]
        ),
    ],
)
def test_coherence_and_sweeps(f):
    agrees(f, SIGNAL, order=1, h=3e-4)
