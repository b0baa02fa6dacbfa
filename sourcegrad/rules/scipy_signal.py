"""Convolution, correlation and linear filters of SciPy."""

import numpy as np
from scipy import signal

from ..runtime import is_zero, not_differentiable
from ..runtime_shapes import full_widths
from .registry import adjoint, composite, tangent


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


@composite(signal.fftconvolve, signal.oaconvolve)
def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        not_differentiable("scipy.signal.fftconvolve with axes has no derivative rule")
    return signal.convolve(in1, in2, mode, "fft")


@composite(signal.correlate)
def correlate(in1, in2, mode="full", method="auto"):
    if mode == "valid" and in1.size < in2.size:
        turned = signal.convolve(np.flip(in1), np.conj(in2), mode, method)
        return np.flip(turned)
    else:
        return signal.convolve(in1, np.conj(np.flip(in2)), mode, method)


@adjoint(signal.lfilter, source="y = b / a x, so dy = (db x - da y) / a + b / a dx")
def lfilter_adjoint(y, y_bar, b, a, x, axis=-1):
    if x.ndim != 1:
        not_differentiable("scipy.signal.lfilter has a derivative rule for 1-d x only")
    last = len(x) - 1
    g = signal.lfilter(np.ones(1), a, np.flip(y_bar))[::-1]
    by_b = np.convolve(np.pad(g, (0, len(b))), x[::-1])[last : last + len(b)]
    by_a = np.convolve(np.pad(g, (0, len(a))), y[::-1])[last : last + len(a)]
    return by_b, -by_a, signal.lfilter(b, np.ones(1), np.flip(g))[::-1]


@tangent(signal.lfilter)
def lfilter_tangent(y, b, b_dot, a, a_dot, x, x_dot, axis=-1):
    moved = 0.0 * y
    if not is_zero(b_dot):
        moved = moved + signal.lfilter(b_dot, np.ones(1), x, axis)
    if not is_zero(a_dot):
        moved = moved - signal.lfilter(a_dot, np.ones(1), y, axis)
    if not is_zero(x_dot):
        moved = moved + signal.lfilter(b, np.ones(1), x_dot, axis)
    return signal.lfilter(np.ones(1), a, moved, axis)
