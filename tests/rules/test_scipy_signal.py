"""Convolutions and filters of SciPy, in signals and coefficients."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import signal

from tests.rules.scipy_check import agrees

X = np.array([1.3, 0.7, 2.1])
L = np.cos(1.3 * np.arange(14.0)) + 0.1 * np.arange(14.0)
M = np.array([[2.0, 0.3, -0.4, 0.7], [0.1, 1.5, 0.2, -1.1], [0.5, -0.3, 1.8, 0.6]])
ONES = np.ones((2, 1))
SECTIONS = np.array([[0.4, 0.1], [-0.3, 0.2]])
B, A = np.array([0.3, 0.2]), np.array([1.0, -0.4, 0.1])

CASES = [
    (lambda x: signal.convolve2d(x, x[:2, :3]), M),
    (lambda x: signal.convolve2d(x, x[:2, :2], "same"), M),
    (lambda x: signal.convolve2d(x, x[:2, :3], "valid"), M),
    (lambda x: signal.convolve2d(x, x[:2, :3], "same", "symm"), M),
    (lambda x: signal.convolve2d(x, x[:2, :3], "full", "wrap"), M),
    (lambda x: signal.convolve2d(x, x[:2, :2], fillvalue=1.5), M),
    (lambda x: signal.convolve2d(x[:2, :3], x, "same"), M),
    (lambda x: signal.convolve2d(x[:2, :2], x, "valid"), M),
    (lambda x: signal.convolve2d(x, x[:1, :1]), M),
    (lambda x: np.abs(signal.convolve2d(x + 1j * x**2, x[:2] * 1j, "same")), M),
    (lambda x: signal.correlate2d(x, x[:2, :3]), M),
    (lambda x: signal.correlate2d(x, x[:2, :2], "same"), M),
    (lambda x: signal.correlate2d(x, x[:3, :3], "same", "wrap"), M),
    (lambda x: signal.correlate2d(x, x[:2, :3], "valid"), M),
    (lambda x: signal.lfilter(x[0, :2], x[2, :3] + 1.0, x), M),
    (lambda x: signal.lfilter(x[0, :2], x[2, :2], x, axis=0), M),
    (lambda x: signal.lfilter(B, A, x) * signal.lfilter(x[:3], A, x), L),
    (
        lambda x: signal.sosfilt(
            np.concatenate((x[:2, :3], ONES, SECTIONS), axis=1), x
        ),
        M,
    ),
    (lambda x: signal.filtfilt(B, A, x), L),
    (lambda x: signal.filtfilt(B, A, x, axis=0, padlen=1), M),
    (lambda x: signal.filtfilt(B, A, x, padtype=None), M),
    (lambda x: signal.detrend(x**2), M),
    (lambda x: signal.detrend(x**2, axis=0, type="constant"), M),
    (lambda x: np.abs(signal.hilbert(x)), M),
    (lambda x: np.imag(signal.hilbert(x, 5, axis=0)), M),
    (lambda x: signal.resample(x, 5) * signal.resample(x, 5), L),
    (lambda x: signal.resample(x, 7, axis=1), M),
    (lambda x: signal.resample(x, 2, axis=1), M),
    (lambda x: signal.upfirdn(x[:3], x, 3, 2), L),
    (lambda x: signal.savgol_filter(x, 5, 2), L),
    (lambda x: signal.savgol_filter(x, 3, 1, deriv=1, axis=0), M),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__code__.co_names[1])
def test_orders_one_and_two(case):
    agrees(*case)


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda x: np.sum(signal.filtfilt(x[:2], A, L)), "operand 'b'"),
        (lambda x: np.sum(signal.lfilter(B, A, x, zi=np.zeros(2))[0]), "zi"),
        (lambda x: np.sum(signal.wiener(x)), "wiener"),
        (lambda x: np.sum(signal.lombscargle(L, x, B)), "lombscargle"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(L)


def test_methods_of_what_a_designed_filter_gives_are_known():
    x = np.random.default_rng(0).normal(size=12)

    def f(x):
        b, a = signal.butter(2, 0.3)
        sos = signal.butter(2, 0.3, output="sos")
        return signal.lfilter(b, a, x).sum() - signal.sosfilt(sos, x).max()

    sg.check_grad(f, (x,))
