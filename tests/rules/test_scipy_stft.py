"""Short-time transforms of `scipy.signal`, and every option of spectra."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import signal as s

from tests.rules.scipy_check import agrees

X = np.random.default_rng(3).normal(size=37)
M = np.random.default_rng(4).normal(size=(2, 24))
Z = np.random.default_rng(5).normal(size=(2, 5, 4))
TAPER = np.hamming(7)


def parts(z):
    """Real and imaginary parts as one real array."""
    return np.stack((np.real(z), np.imag(z)))


CASES = [
    (lambda x: parts(s.stft(x, nperseg=8)[2]), X),
    (lambda x: parts(s.stft(x, nperseg=8)[2]), M),
    (
        lambda x: parts(
            s.stft(x, 2.0, "hamming", 9, 4, 12, "linear", True, "even", False)[2]
        ),
        X,
    ),
    (lambda x: parts(s.stft(x, 2.0, nperseg=8, boundary="odd", scaling="psd")[2]), X),
    (lambda x: parts(s.stft(x + 1j * x**2, nperseg=8, boundary="constant")[2]), X),
    (lambda x: parts(s.stft(x, nperseg=8, boundary=None, axis=0)[2]), M.T),
    (lambda x: parts(s.stft(x, nperseg=6, return_onesided=False)[2]), X),
    (lambda x: s.stft(x, nperseg=8)[0] + x[0], X),
    (lambda x: s.stft(x, nperseg=8, boundary=None, noverlap=7)[1] + x[0], X),
    (lambda x: s.stft(x, 4.0, nperseg=9)[1] + x[0], X),
    (lambda x: s.spectrogram(x)[2], X),
    (lambda x: s.spectrogram(x, nperseg=8)[1] + x[0], X),
    (lambda x: s.spectrogram(x, axis=0, nperseg=6, mode="magnitude")[2], M.T),
    (lambda x: s.spectrogram(x, axis=-2, nperseg=6, mode="angle")[2][1:3], M.T),
    (lambda x: s.spectrogram(x, 1, TAPER, detrend=False, mode="phase")[2][1:], X),
    (
        lambda x: parts(
            s.spectrogram(x, 2.0, TAPER, mode="complex", return_onesided=False)[2]
        ),
        X,
    ),
    (lambda x: s.istft(x[0] + 1j * x[1])[1], Z),
    (lambda x: s.istft(x + 1j * x**2)[1], Z),
    (lambda x: s.istft(x[0], window=TAPER, nperseg=7, noverlap=5)[1], Z),
    (
        lambda x: s.istft(
            x + 1j * x**2, nperseg=9, noverlap=5, time_axis=0, boundary=False
        )[1],
        Z,
    ),
    (
        lambda x: parts(
            s.istft(
                x + 1j * x**2,
                2.0,
                "boxcar",
                2,
                1,
                8,
                False,
                False,
                1,
                0,
                "psd",
            )[1]
        ),
        Z,
    ),
    (lambda x: s.istft(s.stft(x, nperseg=8)[2] ** 2, nperseg=8)[1], X),
    (lambda x: s.welch(x, nperseg=8, detrend="linear", axis=0)[1], M.T),
    (lambda x: s.welch(x + 1j * x**2, nperseg=8)[1], X),
    (lambda x: s.periodogram(x, nfft=20, detrend=False)[1], X),
    (lambda x: s.periodogram(x, axis=0, return_onesided=False)[1], M.T),
    (lambda x: parts(s.csd(x, x[:21] ** 2, nperseg=8)[1]), X),
    (lambda x: parts(s.csd(x + 1j * x**2, x + 0j, nperseg=8)[1]), X),
    (lambda x: s.coherence(x, x[:, ::-1] ** 2, nperseg=8)[1], M),
]


@pytest.mark.filterwarnings("ignore:nperseg", "ignore:Input data", "ignore:NOLA")
@pytest.mark.parametrize("k", range(len(CASES)))
def test_every_option(k):
    f, x = CASES[k]
    y, _ = sg.vjp(f, x)
    np.testing.assert_allclose(y, f(x), rtol=1e-10, atol=1e-13)
    agrees(f, x, order=2 if k % 3 == 0 else 1)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: s.welch(x, nperseg=8, average="median")[1],
        lambda x: parts(s.csd(x, x[:21] ** 2, nperseg=6, average="median")[1]),
    ],
)
def test_the_median_of_segments(f):
    agrees(f, X, order=1, h=1e-5)


def test_a_spectrum_keeps_single_precision():
    x = X.astype(np.float32)
    for f in (
        lambda x: s.stft(x, nperseg=8)[2],
        lambda x: s.spectrogram(x, nperseg=8)[2],
        lambda x: s.welch(x, nperseg=8)[1],
        lambda x: s.istft(s.stft(x, nperseg=8)[2], nperseg=8)[1],
    ):
        y, pullback = sg.vjp(f, x)
        assert y.dtype == f(x).dtype
        np.testing.assert_allclose(y, f(x), rtol=2e-4, atol=1e-5)
        assert pullback(np.ones_like(y))[0].dtype == np.float32


def test_the_inverse_of_a_transform_is_the_identity():
    def again(x):
        return s.istft(s.stft(x, nperseg=8)[2], nperseg=8)[1][: x.size]

    np.testing.assert_allclose(sg.jacobian(again)(X), np.eye(X.size), atol=1e-12)


WINDOW = np.hamming(8) + 0.5
CUT = s.stft(X, 1.0, WINDOW, 8)[2]


@pytest.mark.parametrize(
    "f",
    [
        lambda w: s.stft(X, 1.0, w[:8], 8)[2],
        lambda w: s.stft(X, w[0], nperseg=8, scaling="psd")[2],
        lambda w: s.stft(X, w[0], nperseg=8)[1],
        lambda w: s.stft(X, w[0], nperseg=8)[0],
        lambda w: s.spectrogram(X, w[0], w[:8])[2],
        lambda w: s.welch(X, w[0], w[:8])[1],
        lambda w: s.istft(CUT, w[0], w[:8], scaling="psd")[1],
    ],
)
def test_the_rate_and_the_window_are_operands(f):
    agrees(lambda w: parts(f(w)), WINDOW, order=1, h=2e-5)


def test_what_is_left_out_is_refused():
    with pytest.raises(sg.SourcegradError, match=r"call signal\.detrend before"):
        sg.grad(lambda x: np.sum(s.welch(x, detrend=np.cumsum)[1]))(X)
    with pytest.raises(sg.SourcegradError, match="empty signal"):
        sg.grad(lambda x: np.sum(s.welch(x, nperseg=4, window="boxcar")[1]))(X[:0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: s.stft(x, nperseg=8, nfft=4)[2],
        lambda x: s.stft(x, nperseg=8, noverlap=8)[2],
        lambda x: s.stft(x, nperseg=8, boundary="none")[2],
        lambda x: s.welch(x, nperseg=8, scaling="none")[1],
        lambda x: s.welch(x, window=np.ones(50))[1],
        lambda x: s.spectrogram(x, nperseg=8, mode="none")[2],
    ],
)
def test_what_scipy_refuses_is_refused_alike(f):
    with pytest.raises(ValueError):
        f(X)
    with pytest.raises(ValueError):
        sg.grad(lambda x: np.sum(np.abs(f(x))))(X)
