"""Spectra of `scipy.signal` that go by windowed segments.

A density, a short-time transform and its inverse are differentiated in the signal, the
sampling rate and the window; frequencies and times in the rate. A `detrend` that is a
function is refused. `np.real` keeps the cotangent of a window real where the spectra
are complex.
"""

import numpy as np
from scipy import signal

from ..runtime import not_differentiable
from ..runtime_spectra import (
    inverse_plan,
    median_bias,
    named_window,
    one_sided_weights,
    overlap_add,
    real_dtype,
    segment_centres,
    segment_plan,
)
from .registry import composite, constant, linear

constant(
    inverse_plan,
    median_bias,
    named_window,
    one_sided_weights,
    real_dtype,
    segment_centres,
    segment_plan,
)


def taper_of(window, nperseg, length, dtype):
    """The samples of a window, given by name or by its samples."""
    if isinstance(window, (str, tuple)):
        return named_window(window, nperseg, length).astype(real_dtype(dtype))
    elif np.ndim(window) != 1 or np.iscomplexobj(window):
        raise ValueError("window must be real and 1-D")
    else:
        return np.real(np.asarray(window).astype(real_dtype(dtype)))


def scale_of(taper, fs, scaling):
    """What squares of a spectrum are multiplied by."""
    if scaling == "density" or scaling == "psd":
        return np.real(1.0 / (fs * np.sum(taper * taper)))
    elif scaling == "spectrum":
        return np.real(1.0 / np.sum(taper) ** 2)
    else:
        raise ValueError("scaling must be 'density' or 'spectrum'")


def frequencies_of(plan, fs, onesided):
    """The frequencies of a spectrum."""
    if onesided:
        return np.fft.rfftfreq(plan.size, 1.0 / fs)
    else:
        return np.fft.fftfreq(plan.size, 1.0 / fs)


def cut_up(x, count, step):
    """The segments of a signal, along two last axes."""
    return np.lib.stride_tricks.sliding_window_view(x, count, axis=-1)[..., ::step, :]


@linear(overlap_add)
def overlap_add_adjoint(y, y_bar, pieces, step):
    return cut_up(y_bar, pieces.shape[-1], step)


def spectra(x, taper, plan, detrend, onesided):
    """The transforms of the windowed segments, along two last axes."""
    pieces = cut_up(x, plan.width, plan.step)
    if detrend == "constant":
        pieces = pieces - np.mean(pieces, axis=-1, keepdims=True)
    elif detrend == "linear":
        pieces = signal.detrend(pieces)
    elif detrend:
        not_differentiable(
            "spectra of scipy.signal have a rule for detrend='constant', 'linear' or"
            " False only",
            hint="call signal.detrend before",
        )
    if onesided:
        return np.fft.rfft(pieces * taper, plan.size)
    else:
        return np.fft.fft(pieces * taper, plan.size)


def squares(z):
    """The squared magnitude of complex numbers."""
    return np.real(z) ** 2 + np.imag(z) ** 2


def average_of(power, average):
    """The mean or median of the segments' spectra."""
    if average == "mean":
        return np.mean(power, axis=-2)
    elif average != "median":
        raise ValueError("average must be 'median' or 'mean'")
    elif np.iscomplexobj(power):
        middle = np.median(np.real(power), -2) + 1j * np.median(np.imag(power), -2)
        return middle / median_bias(power.shape[-2])
    else:
        return np.median(power, axis=-2) / median_bias(power.shape[-2])


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
    x = np.moveaxis(x, axis, -1)
    onesided = return_onesided and not np.iscomplexobj(x)
    taper = taper_of(window, nperseg, x.shape[-1], x.dtype)
    plan = segment_plan(x.shape[-1], len(taper), nperseg, noverlap, nfft)
    power = squares(spectra(x, taper, plan, detrend, onesided))
    weights = one_sided_weights(plan.size, onesided, x.dtype)
    density = average_of(power, average) * (weights * scale_of(taper, fs, scaling))
    return frequencies_of(plan, fs, onesided), np.moveaxis(density, -1, axis)


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
    x = np.moveaxis(x, axis, -1)
    if nfft is not None and nfft < x.shape[-1]:
        x = x[..., :nfft]
    frequencies, density = signal.welch(
        x,
        fs,
        "boxcar" if window is None else window,
        x.shape[-1],
        0,
        nfft,
        detrend,
        return_onesided,
        scaling,
    )
    return frequencies, np.moveaxis(density, -1, axis)


def longer(x, length):
    """A signal with zeros appended up to a length."""
    if x.shape[-1] == length:
        return x
    else:
        return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, length - x.shape[-1])])


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
    x, y = np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1)
    onesided = return_onesided and not np.iscomplexobj(x)
    length, dtype = max(x.shape[-1], y.shape[-1]), np.result_type(x, y)
    x, y = longer(x, length), longer(y, length)
    taper = taper_of(window, nperseg, length, dtype)
    plan = segment_plan(length, len(taper), nperseg, noverlap, nfft)
    of_x = spectra(x, taper, plan, detrend, onesided)
    products = np.conj(of_x) * spectra(y, taper, plan, detrend, onesided)
    weights = one_sided_weights(plan.size, onesided, dtype)
    density = average_of(products, average) * (weights * scale_of(taper, fs, scaling))
    return frequencies_of(plan, fs, onesided), np.moveaxis(density, -1, axis)


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
    return frequencies, squares(signal.csd(x, y, *options)[1]) / (of_x * of_y)


# ------------------------------------------------------ short-time transforms


def extended(x, reach, boundary):
    """A signal that goes on at both ends as SciPy's names say."""
    widths = [(0, 0)] * (x.ndim - 1) + [(reach, reach)]
    if boundary is None:
        return x
    elif boundary == "zeros":
        return np.pad(x, widths)
    elif boundary == "even":
        return np.pad(x, widths, "reflect")
    elif boundary == "odd":
        before = 2.0 * x[..., :1] - x[..., reach:0:-1]
        after = 2.0 * x[..., -1:] - x[..., -2 : -2 - reach : -1]
        return np.concatenate((before, x, after), axis=-1)
    elif boundary == "constant":
        return np.pad(x, widths, "edge")
    else:
        raise ValueError("boundary must be 'even', 'odd', 'constant', 'zeros' or None")


@composite(signal.stft)
def stft(
    x,
    fs=1.0,
    window="hann",
    nperseg=256,
    noverlap=None,
    nfft=None,
    detrend=False,
    return_onesided=True,
    boundary="zeros",
    padded=True,
    axis=-1,
    scaling="spectrum",
):
    x = np.moveaxis(x, axis, -1)
    onesided = return_onesided and not np.iscomplexobj(x)
    taper = taper_of(window, nperseg, x.shape[-1], x.dtype)
    plan = segment_plan(x.shape[-1], len(taper), nperseg, noverlap, nfft)
    x = extended(x, plan.width // 2, boundary)
    if padded:
        x = longer(x, x.shape[-1] + -(x.shape[-1] - plan.width) % plan.step)
    transforms = spectra(x, taper, plan, detrend, onesided)
    transforms = transforms * np.sqrt(scale_of(taper, fs, scaling))
    lead = 0.0 if boundary is None else plan.width / 2
    return (
        frequencies_of(plan, fs, onesided),
        segment_centres(x.shape[-1], plan, lead) / fs,
        np.moveaxis(transforms, -1, axis - 1 if axis < 0 else axis),
    )


@composite(signal.spectrogram)
def spectrogram(
    x,
    fs=1.0,
    window=("tukey", 0.25),
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    mode="psd",
):
    place = axis - 1 if axis < 0 else axis
    x = np.moveaxis(x, axis, -1)
    onesided = return_onesided and not np.iscomplexobj(x)
    taper = taper_of(window, nperseg, x.shape[-1], x.dtype)
    few = len(taper) // 8 if noverlap is None else noverlap
    plan = segment_plan(x.shape[-1], len(taper), nperseg, few, nfft)
    transforms = spectra(x, taper, plan, detrend, onesided)
    scale = scale_of(taper, fs, scaling)
    if mode == "psd":
        weights = one_sided_weights(plan.size, onesided, x.dtype)
        shown = squares(transforms) * (scale * weights)
    elif mode == "complex":
        shown = transforms * np.sqrt(scale)
    elif mode == "magnitude":
        shown = np.abs(transforms) * np.sqrt(scale)
    elif mode == "angle":
        shown = np.angle(transforms)
    elif mode == "phase":
        shown = np.unwrap(np.angle(transforms))
    else:
        raise ValueError(f"unknown value for mode {mode}")
    times = segment_centres(x.shape[-1], plan, 0.0) / fs
    return frequencies_of(plan, fs, onesided), times, np.moveaxis(shown, -1, place)


def back(z, plan, onesided):
    """The segments that have these transforms."""
    if onesided:
        return np.fft.irfft(z, plan.size)[..., : plan.width]
    else:
        return np.fft.ifft(z, plan.size)[..., : plan.width]


@composite(signal.istft)
def istft(
    Zxx,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    input_onesided=True,
    boundary=True,
    time_axis=-1,
    freq_axis=-2,
    scaling="spectrum",
):
    z = np.moveaxis(Zxx, (time_axis, freq_axis), (-2, -1))
    plan = inverse_plan(z.shape[-1], input_onesided, nperseg, noverlap, nfft)
    taper = taper_of(window, plan.width, plan.width, z.dtype)
    if len(taper) != plan.width:
        raise ValueError("window must have the length of a segment")
    x = overlap_add(back(z, plan, input_onesided) * taper, plan.step)
    norm = overlap_add(np.tile(taper * taper, (z.shape[-2], 1)), plan.step)
    if boundary:
        half = plan.width // 2
        kept = np.arange(x.shape[-1])[half:-half]
        x, norm = np.take(x, kept, axis=-1), np.take(norm, kept)
    gain = 1.0 / np.sqrt(scale_of(taper, fs, scaling))
    x = x * (gain / np.where(norm > 1e-10, norm, 1.0))
    t, f = time_axis % z.ndim, freq_axis % z.ndim
    x = np.moveaxis(x, -1, t - 1 if f < t else t)
    return np.arange(float(x.shape[0])) / fs, x


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
