"""Discrete Fourier transforms.

A transform is linear with a symmetric matrix, so without conjugation its adjoint is
the same transform of the cotangent. `refit` undoes the padding or cutting to a
length. Transforms of real signals keep one half of a symmetric spectrum: its
cotangent is padded (`rfft`) or doubled where an entry stands for two (`irfft`).
"""

import numpy as np

from ..runtime_shapes import fold_spectrum, halved_spectrum, refit
from .registry import composite, linear

# ---------------------------------------------------------------- complex


@linear(np.fft.fft)
def fft_adjoint(y, y_bar, a, n=None, axis=-1, norm=None, out=None):
    return refit(np.fft.fft(y_bar, axis=axis, norm=norm), a)


@linear(np.fft.ifft)
def ifft_adjoint(y, y_bar, a, n=None, axis=-1, norm=None, out=None):
    return refit(np.fft.ifft(y_bar, axis=axis, norm=norm), a)


@linear(np.fft.fft2)
def fft2_adjoint(y, y_bar, a, s=None, axes=(-2, -1), norm=None, out=None):
    return refit(np.fft.fft2(y_bar, axes=axes, norm=norm), a)


@linear(np.fft.ifft2)
def ifft2_adjoint(y, y_bar, a, s=None, axes=(-2, -1), norm=None, out=None):
    return refit(np.fft.ifft2(y_bar, axes=axes, norm=norm), a)


@linear(np.fft.fftn)
def fftn_adjoint(y, y_bar, a, s=None, axes=None, norm=None, out=None):
    if axes is None and s is not None:
        axes = tuple(range(-len(s), 0))
    return refit(np.fft.fftn(y_bar, axes=axes, norm=norm), a)


@linear(np.fft.ifftn)
def ifftn_adjoint(y, y_bar, a, s=None, axes=None, norm=None, out=None):
    if axes is None and s is not None:
        axes = tuple(range(-len(s), 0))
    return refit(np.fft.ifftn(y_bar, axes=axes, norm=norm), a)


# ------------------------------------------------------- one real axis


@linear(np.fft.rfft)
def rfft_adjoint(y, y_bar, a, n=None, axis=-1, norm=None, out=None):
    n = a.shape[axis] if n is None else n
    halves = halved_spectrum(y_bar, n, axis)
    if norm == "ortho":
        return refit(np.fft.irfft(halves, n, axis, "ortho"), a)
    elif norm == "forward":
        return refit(np.fft.irfft(halves, n, axis), a)
    else:
        return refit(np.fft.irfft(halves, n, axis, "forward"), a)


@linear(np.fft.ihfft)
def ihfft_adjoint(y, y_bar, a, n=None, axis=-1, norm=None, out=None):
    n = a.shape[axis] if n is None else n
    return refit(np.real(np.fft.ifft(y_bar, n, axis, norm)), a)


@linear(np.fft.irfft)
def irfft_adjoint(y, y_bar, a, n=None, axis=-1, norm=None, out=None):
    return refit(fold_spectrum(np.fft.ifft(y_bar, axis=axis, norm=norm), axis), a)


@linear(np.fft.hfft)
def hfft_adjoint(y, y_bar, a, n=None, axis=-1, norm=None, out=None):
    return refit(fold_spectrum(np.fft.fft(y_bar, axis=axis, norm=norm), axis), a)


# ------------------------------------------------------ several real axes


@linear(np.fft.rfft2)
def rfft2_adjoint(y, y_bar, a, s=None, axes=(-2, -1), norm=None, out=None):
    if axes is None:
        axes = tuple(range(-(a.ndim if s is None else len(s)), 0))
    sizes = tuple(y.shape[i] for i in axes[:-1])
    n = a.shape[axes[-1]] if s is None or s[-1] == -1 else s[-1]
    return refit(np.real(np.fft.fftn(y_bar, sizes + (n,), axes, norm)), a)


@linear(np.fft.rfftn)
def rfftn_adjoint(y, y_bar, a, s=None, axes=None, norm=None, out=None):
    if axes is None:
        axes = tuple(range(-(a.ndim if s is None else len(s)), 0))
    sizes = tuple(y.shape[i] for i in axes[:-1])
    n = a.shape[axes[-1]] if s is None or s[-1] == -1 else s[-1]
    return refit(np.real(np.fft.fftn(y_bar, sizes + (n,), axes, norm)), a)


@linear(np.fft.irfft2)
def irfft2_adjoint(y, y_bar, a, s=None, axes=(-2, -1), norm=None, out=None):
    if axes is None:
        axes = tuple(range(-(a.ndim if s is None else len(s)), 0))
    full = np.fft.ifftn(y_bar, axes=axes, norm=norm)
    return refit(fold_spectrum(full, axes[-1]), a)


@linear(np.fft.irfftn)
def irfftn_adjoint(y, y_bar, a, s=None, axes=None, norm=None, out=None):
    if axes is None:
        axes = tuple(range(-(a.ndim if s is None else len(s)), 0))
    full = np.fft.ifftn(y_bar, axes=axes, norm=norm)
    return refit(fold_spectrum(full, axes[-1]), a)


# ------------------------------------------------------------- orderings


@linear(np.fft.fftshift)
def fftshift_adjoint(y, y_bar, x, axes=None):
    return np.fft.ifftshift(y_bar, axes)


@linear(np.fft.ifftshift)
def ifftshift_adjoint(y, y_bar, x, axes=None):
    return np.fft.fftshift(y_bar, axes)


@composite(np.fft.fftfreq)
def fftfreq(n, d=1.0, device=None):
    return np.fft.fftfreq(n) / d


@composite(np.fft.rfftfreq)
def rfftfreq(n, d=1.0, device=None):
    return np.fft.rfftfreq(n) / d
