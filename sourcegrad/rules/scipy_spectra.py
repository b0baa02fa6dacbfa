"""Spectra of `scipy.signal` that average over windowed segments.

The density of a signal is differentiated in the signal; frequencies are constants.
Conventions: along the last axis, `average="mean"`, and `detrend` "constant" or False.
"""

import numpy as np
from scipy import signal

from ..runtime import not_differentiable
from ..runtime_signal import segment_plan, spectrum_weights
from .registry import composite, constant

constant(signal.get_window, segment_plan, spectrum_weights)


def refuse(axis, average, detrend, onesided):
    """Refuse what these definitions leave out."""
    if axis != -1 or average != "mean" or not onesided:
        not_differentiable(
            "spectra of scipy.signal have a rule along the last axis, for the mean of "
            "the segments, one-sided",
            hint="move the axis with np.moveaxis",
        )
    if detrend is not False and detrend != "constant":
        not_differentiable(
            "spectra of scipy.signal have a rule for detrend='constant' or False only",
            hint="call signal.detrend before",
        )


def segments(x, count, step, window, detrend):
    """The windowed pieces of a signal, along two last axes."""
    view = np.lib.stride_tricks.sliding_window_view(x, count, axis=-1)
    pieces = view[..., ::step, :]
    if detrend == "constant":
        pieces = pieces - np.mean(pieces, axis=-1, keepdims=True)
    return pieces * window


@composite(signal.welch)
def welch(
    x,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    refuse(axis, average, detrend, return_onesided)
    count, step, size, taper = segment_plan(
        x.shape[-1], window, nperseg, noverlap, nfft
    )
    spectra = np.fft.rfft(segments(x, count, step, taper, detrend), size)
    power = np.real(spectra) ** 2 + np.imag(spectra) ** 2
    weights = spectrum_weights(taper, size, fs, scaling)
    return np.fft.rfftfreq(size, 1.0 / fs), weights * np.mean(power, axis=-2)


@composite(signal.periodogram)
def periodogram(
    x,
    fs=1.0,
    window="boxcar",
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
):
    refuse(axis, "mean", detrend, return_onesided)
    if nfft is not None and nfft < x.shape[-1]:
        not_differentiable(
            "periodogram with nfft below the length has no rule",
            hint="cut the signal",
        )
    return signal.welch(
        x,
        fs,
        window,
        x.shape[-1],
        0,
        nfft,
        detrend,
        return_onesided,
        scaling,
        axis,
    )


@composite(signal.csd)
def csd(
    x,
    y,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    refuse(axis, average, detrend, return_onesided)
    if x.shape[-1] != y.shape[-1]:
        not_differentiable("csd has a rule for signals of one length only")
    count, step, size, taper = segment_plan(
        x.shape[-1], window, nperseg, noverlap, nfft
    )
    of_x = np.fft.rfft(segments(x, count, step, taper, detrend), size)
    of_y = np.fft.rfft(segments(y, count, step, taper, detrend), size)
    weights = spectrum_weights(taper, size, fs, scaling)
    cross = weights * np.mean(np.conj(of_x) * of_y, axis=-2)
    return np.fft.rfftfreq(size, 1.0 / fs), cross


@composite(signal.coherence)
def coherence(
    x,
    y,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    axis=-1,
):
    options = (fs, window, nperseg, noverlap, nfft, detrend, True, "density", axis)
    frequencies, of_x = signal.welch(x, *options)
    of_y = signal.welch(y, *options)[1]
    both = signal.csd(x, y, *options)[1]
    return frequencies, (np.real(both) ** 2 + np.imag(both) ** 2) / (of_x * of_y)


# ------------------------------------------------------------------- sweeps


@composite(signal.chirp)
def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    if complex or method not in ("linear", "lin", "li", "logarithmic", "log", "lo"):
        not_differentiable(
            "scipy.signal.chirp has a rule for real linear and logarithmic sweeps",
            hint="write the phase, and take its cosine",
        )
    if method in ("linear", "lin", "li"):
        turns = f0 * t + 0.5 * (f1 - f0) / t1 * t * t
    else:
        rate = np.log(f1 / f0)
        turns = f0 * t1 / rate * (np.power(f1 / f0, t / t1) - 1.0)
    return np.cos(2.0 * np.pi * turns + np.deg2rad(phi))
