"""Convolution, correlation and linear filters of SciPy.

Filters are differentiated in the signal, and `lfilter` and `sosfilt` in their
coefficients. Initial states (`zi`), axes of `fftconvolve`, filters by rank and the
design of filters are refused.
"""

import numpy as np
from scipy import ndimage, signal

from ..runtime import is_zero, not_differentiable
from ..runtime_shapes import full_widths
from ..runtime_signal import (
    analytic_gain,
    axes_of,
    filter_start,
    full_sizes,
    kept_places,
    lag_products,
    matches2d,
    product2d,
    resample_gain,
    savgol_rows,
)
from ..runtime_special import no_partial
from . import scipy_spectra  # noqa: F401  (it registers)
from .registry import adjoint, composite, constant, tangent

constant(
    analytic_gain,
    axes_of,
    full_sizes,
    kept_places,
    resample_gain,
    savgol_rows,
    signal.correlation_lags,
    signal.choose_conv_method,
    signal.unit_impulse,
    signal.max_len_seq,
    signal.savgol_coeffs,
)

# ----------------------------------------------------------------- convolutions


@adjoint(signal.convolve)
def convolve_adjoint(y, y_bar, in1, in2, mode="full", method="auto"):
    g = np.pad(y_bar, full_widths(in1, in2, mode))
    by_first = signal.convolve(g, np.flip(in2), "valid", method)
    return by_first, signal.convolve(g, np.flip(in1), "valid", method)


@tangent(signal.convolve)
def convolve_tangent(y, in1, in1_dot, in2, in2_dot, mode="full", method="auto"):
    if is_zero(in2_dot):
        return signal.convolve(in1_dot, in2, mode, method)
    elif is_zero(in1_dot):
        return signal.convolve(in1, in2_dot, mode, method)
    else:
        by_first = signal.convolve(in1_dot, in2, mode, method)
        return by_first + signal.convolve(in1, in2_dot, mode, method)


def along_axes(in1, in2, mode, axes):
    """A convolution along some axes, by the spectra there."""
    axes = axes_of(in1, axes)
    sizes = full_sizes(in1, in2, axes)
    spectrum = np.fft.fftn(in1, sizes, axes) * np.fft.fftn(in2, sizes, axes)
    full = np.fft.ifftn(spectrum, sizes, axes)
    found = full[kept_places(in1, in2, mode, axes)]
    if np.iscomplexobj(in1) or np.iscomplexobj(in2):
        return found
    else:
        return np.real(found)


@composite(signal.fftconvolve, signal.oaconvolve)
def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        return along_axes(in1, in2, mode, axes)
    elif np.size(in1) == 0 or np.size(in2) == 0:
        return np.ravel(in1)[:0]
    else:
        return signal.convolve(in1, in2, mode, "fft")


@composite(signal.correlate)
def correlate(in1, in2, mode="full", method="auto"):
    if mode == "valid" and in1.size < in2.size:
        turned = signal.convolve(np.flip(in1), np.conj(in2), mode, method)
        return np.flip(turned)
    else:
        return signal.convolve(in1, np.conj(np.flip(in2)), mode, method)


@adjoint(product2d)
def product2d_adjoint(y, y_bar, image, kernel, mode):
    g = np.pad(y_bar, full_widths(image, kernel, mode))
    return matches2d(g, kernel), matches2d(g, image)


@tangent(product2d)
def product2d_tangent(y, image, image_dot, kernel, kernel_dot, mode):
    if is_zero(kernel_dot):
        return product2d(image_dot, kernel, mode)
    elif is_zero(image_dot):
        return product2d(image, kernel_dot, mode)
    else:
        moved = product2d(image_dot, kernel, mode)
        return moved + product2d(image, kernel_dot, mode)


@adjoint(matches2d)
def matches2d_adjoint(y, y_bar, image, kernel):
    return product2d(y_bar, kernel, "full"), matches2d(image, y_bar)


@tangent(matches2d)
def matches2d_tangent(y, image, image_dot, kernel, kernel_dot):
    if is_zero(kernel_dot):
        return matches2d(image_dot, kernel)
    elif is_zero(image_dot):
        return matches2d(image, kernel_dot)
    else:
        return matches2d(image_dot, kernel) + matches2d(image, kernel_dot)


def bordered(in1, in2, mode, boundary, fillvalue):
    """A convolution of an image that goes on beyond its border."""
    rows, columns = in2.shape[0] - 1, in2.shape[1] - 1
    widths = ((rows, rows), (columns, columns))
    if boundary in ("wrap", "circular"):
        wide = np.pad(in1, widths, "wrap")
    elif boundary in ("symm", "symmetric"):
        wide = np.pad(in1, widths, "symmetric")
    else:
        wide = np.pad(in1 - fillvalue, widths) + fillvalue
    full = product2d(wide, in2, "valid")
    if mode == "same":
        top, left = rows // 2, columns // 2
        return full[top : top + in1.shape[0], left : left + in1.shape[1]]
    else:
        return full


@composite(signal.convolve2d)
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    if mode == "valid" or (boundary in ("fill", "pad") and fillvalue == 0):
        return product2d(in1, in2, mode)
    else:
        return bordered(in1, in2, mode, boundary, fillvalue)


@composite(signal.correlate2d)
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    turned = np.conj(np.flip(in2))
    if mode == "same":
        rows, columns = in2.shape[0] - 1, in2.shape[1] - 1
        full = signal.convolve2d(in1, turned, "full", boundary, fillvalue)
        top, left = rows - rows // 2, columns - columns // 2
        return full[top : top + in1.shape[0], left : left + in1.shape[1]]
    else:
        return signal.convolve2d(in1, turned, mode, boundary, fillvalue)


# ------------------------------------------------------------- recursive filters


@adjoint(signal.lfilter, source="y = b / a x, so dy = (db x - da y) / a + b / a dx")
def lfilter_adjoint(y, y_bar, b, a, x, axis=-1):
    turned = np.flip(y_bar, axis)
    g = np.flip(signal.lfilter(np.ones(1), a, turned, axis), axis)
    by_x = signal.lfilter(b, a, turned, axis)
    return (
        lag_products(g, x, len(b), axis),
        -lag_products(g, y, len(a), axis),
        np.flip(by_x, axis),
    )


@tangent(signal.lfilter)
def lfilter_tangent(y, b, b_dot, a, a_dot, x, x_dot, axis=-1):
    moved = np.zeros_like(y)
    if not is_zero(b_dot):
        moved = moved + signal.lfilter(b_dot, np.ones(1), x, axis)
    if not is_zero(a_dot):
        moved = moved - signal.lfilter(a_dot, np.ones(1), y, axis)
    if not is_zero(x_dot):
        moved = moved + signal.lfilter(b, np.ones(1), x_dot, axis)
    return signal.lfilter(np.ones(1), a, moved, axis)


@adjoint(lag_products)
def lag_products_adjoint(y, y_bar, g, x, count, axis):
    by_g = signal.lfilter(y_bar, np.ones(1), x, axis)
    turned = signal.lfilter(y_bar, np.ones(1), np.flip(g, axis), axis)
    return by_g, np.flip(turned, axis)


@tangent(lag_products)
def lag_products_tangent(y, g, g_dot, x, x_dot, count, axis):
    total = 0.0
    if not is_zero(g_dot):
        total = total + lag_products(g_dot, x, count, axis)
    if not is_zero(x_dot):
        total = total + lag_products(g, x_dot, count, axis)
    return total


@composite(signal.sosfilt)
def sosfilt(sos, x, axis=-1, zi=None):
    if zi is not None:
        not_differentiable("scipy.signal.sosfilt with zi has no derivative rule")
    for k in range(len(sos)):
        x = signal.lfilter(sos[k, :3], sos[k, 3:], x, axis)
    return x


@adjoint(filter_start)
def filter_start_adjoint(y, y_bar, b, a, count):
    return no_partial("scipy.signal.filtfilt", "b"), no_partial(
        "scipy.signal.filtfilt", "a"
    )


@tangent(filter_start)
def filter_start_tangent(y, b, b_dot, a, a_dot, count):
    if not is_zero(b_dot):
        no_partial("scipy.signal.filtfilt", "b")
    if not is_zero(a_dot):
        no_partial("scipy.signal.filtfilt", "a")
    return np.zeros_like(y)


def there(b, a, x, start):
    """One pass of a filter that starts as if the first element had been before."""
    return signal.lfilter(b, a, x, -1) + start * x[..., :1]


@composite(signal.filtfilt)
def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    if method != "pad":
        not_differentiable(
            "scipy.signal.filtfilt has a derivative rule for method='pad' only"
        )
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    x = np.moveaxis(x, axis, -1)
    edge = 3 * max(len(a), len(b)) if padlen is None else padlen
    if padtype is None:
        edge = 0
    n = x.shape[-1]
    if edge > 0:
        before, after = x[..., edge:0:-1], x[..., -2 : -(edge + 2) : -1]
        if padtype == "odd":
            before, after = 2.0 * x[..., :1] - before, 2.0 * x[..., -1:] - after
        elif padtype == "constant":
            before, after = 0.0 * before + x[..., :1], 0.0 * after + x[..., -1:]
        x = np.concatenate((before, x, after), axis=-1)
    start = filter_start(b, a, x.shape[-1])
    once = there(b, a, x, start)
    twice = np.flip(there(b, a, np.flip(once, -1), start), -1)
    return np.moveaxis(twice[..., edge : edge + n], -1, axis)


# ---------------------------------------------------------------- other filters


@composite(signal.detrend)
def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    if np.any(np.asarray(bp) != 0):
        not_differentiable("scipy.signal.detrend with break points has no rule")
    x = np.moveaxis(data, axis, -1)
    x = x - np.mean(x, axis=-1, keepdims=True)
    if type in ("linear", "l"):
        t = np.arange(x.shape[-1]) - 0.5 * (x.shape[-1] - 1.0)
        slope = np.sum(x * t, axis=-1, keepdims=True) / np.sum(t * t)
        x = x - slope * t
    return np.moveaxis(x, -1, axis)


@composite(signal.hilbert)
def hilbert(x, N=None, axis=-1):
    spectrum = np.fft.fft(np.moveaxis(x, axis, -1), N)
    gain = analytic_gain(spectrum.shape[-1])
    return np.moveaxis(np.fft.ifft(spectrum * gain), -1, axis)


@composite(signal.resample)
def resample(x, num, t=None, axis=0, window=None, domain="time"):
    if t is not None or window is not None or domain != "time" or np.iscomplexobj(x):
        not_differentiable(
            "scipy.signal.resample has a derivative rule for real signals and its"
            " defaults only"
        )
    moved = np.moveaxis(x, axis, -1)
    gain = resample_gain(moved.shape[-1], num)
    spectrum = np.fft.rfft(moved)[..., : len(gain)]
    return np.moveaxis(np.fft.irfft(spectrum * gain, num), -1, axis)


@composite(signal.upfirdn)
def upfirdn(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    if mode != "constant" or cval != 0 or x.ndim != 1 or h.ndim != 1:
        not_differentiable(
            "scipy.signal.upfirdn has a rule for vectors only, with zeros beyond"
        )
    zeros = np.zeros((len(x), up - 1))
    spread = np.concatenate((np.expand_dims(x, 1), zeros), axis=1)
    flat = np.reshape(spread, (-1,))[: (len(x) - 1) * up + 1]
    return signal.convolve(h, flat, "full", "direct")[::down]


@composite(signal.savgol_filter)
def savgol_filter(
    x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0
):
    line = signal.savgol_coeffs(window_length, polyorder, deriv, delta)
    if mode != "interp":
        return ndimage.convolve1d(x, line, axis, None, mode, cval)
    inside = ndimage.convolve1d(x, line, axis, None, "constant")
    moved, found = np.moveaxis(x, axis, 0), np.moveaxis(inside, axis, 0)
    rows = savgol_rows(window_length, polyorder, deriv, delta)
    half, n = window_length // 2, len(moved)
    first = np.tensordot(rows[:half], moved[:window_length], 1)
    last = np.tensordot(rows[window_length - half :], moved[n - window_length :], 1)
    whole = np.concatenate((first, found[half : n - half], last))
    return np.moveaxis(whole, 0, axis)
