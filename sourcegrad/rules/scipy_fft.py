"""Fourier, cosine and sine transforms of SciPy.

A Fourier transform is linear with a symmetric matrix (see `numpy_fft`); those of
several real axes are defined by NumPy's. A cosine or sine transform of length n is a
real matrix; its transpose is the transform of the type given here, up to factors at
the ends of the axis. Normalisation and length follow as options.
"""

import numpy as np
from scipy import fft

from ..runtime_shapes import fold_spectrum, halved_spectrum, refit
from ..runtime_spectra import last_axes, lengths_of_signal
from ..runtime_trig import trig_pullback
from .registry import composite, constant, linear

constant(last_axes, lengths_of_signal)
constant(
    fft.next_fast_len,
    getattr(fft, "prev_fast_len", fft.next_fast_len),  # SciPy 1.14
    fft.get_workers,
)


@composite(fft.fftfreq)
def fftfreq(n, d=1.0, *, xp=None, device=None):
    return np.fft.fftfreq(n) / d


@composite(fft.rfftfreq)
def rfftfreq(n, d=1.0, *, xp=None, device=None):
    return np.fft.rfftfreq(n) / d


def several(axes):
    """Axes as functions of several take them."""
    return (axes,) if isinstance(axes, int) else axes


def turned(norm):
    """The normalisation of the inverse transform."""
    if norm == "ortho":
        return "ortho"
    else:
        return "backward" if norm == "forward" else "forward"


# ---------------------------------------------------------------- complex


@linear(fft.fft)
def fft_adjoint(
    y,
    y_bar,
    x,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return refit(fft.fft(y_bar, axis=axis, norm=norm), x)


@linear(fft.ifft)
def ifft_adjoint(
    y,
    y_bar,
    x,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return refit(fft.ifft(y_bar, axis=axis, norm=norm), x)


@linear(fft.fft2)
def fft2_adjoint(
    y,
    y_bar,
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return refit(fft.fft2(y_bar, axes=axes, norm=norm), x)


@linear(fft.ifft2)
def ifft2_adjoint(
    y,
    y_bar,
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return refit(fft.ifft2(y_bar, axes=axes, norm=norm), x)


def as_lengths(given):
    """Lengths or axes as NumPy takes them: SciPy takes one number for one axis."""
    return (given,) if isinstance(given, int) else given


@linear(fft.fftn)
def fftn_adjoint(
    y,
    y_bar,
    x,
    s=None,
    axes=None,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    if axes is None and s is not None:
        axes = tuple(range(-np.size(s), 0))
    return refit(fft.fftn(y_bar, axes=axes, norm=norm), x)


@linear(fft.ifftn)
def ifftn_adjoint(
    y,
    y_bar,
    x,
    s=None,
    axes=None,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    if axes is None and s is not None:
        axes = tuple(range(-np.size(s), 0))
    return refit(fft.ifftn(y_bar, axes=axes, norm=norm), x)


# ---------------------------------------------------------- one real axis


@linear(fft.rfft)
def rfft_adjoint(
    y,
    y_bar,
    x,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    n = x.shape[axis] if n is None else n
    halves = halved_spectrum(y_bar, n, axis)
    return refit(fft.irfft(halves, n, axis, turned(norm)), x)


@linear(fft.irfft)
def irfft_adjoint(
    y,
    y_bar,
    x,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return refit(fold_spectrum(fft.ifft(y_bar, axis=axis, norm=norm), axis), x)


@linear(fft.hfft)
def hfft_adjoint(
    y,
    y_bar,
    x,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return refit(fold_spectrum(fft.fft(y_bar, axis=axis, norm=norm), axis), x)


@linear(fft.ihfft)
def ihfft_adjoint(
    y,
    y_bar,
    x,
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    n = x.shape[axis] if n is None else n
    return refit(np.real(fft.ifft(y_bar, n, axis, norm)), x)


# ------------------------------------------------------ several real axes


@composite(fft.rfft2)
def rfft2(
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return np.fft.rfft2(x, s, axes, norm)


@composite(fft.irfft2)
def irfft2(
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return np.fft.irfft2(x, lengths_of_signal(x.shape, s, axes), axes, norm)


@composite(fft.rfftn)
def rfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.fft.rfftn(x, as_lengths(s), as_lengths(axes), norm)


@composite(fft.irfftn)
def irfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    axes = as_lengths(axes)
    sizes = lengths_of_signal(x.shape, as_lengths(s), axes)
    return np.fft.irfftn(x, sizes, last_axes(sizes, axes), norm)


# ------------------------------------------------------- Hermitian, several axes


@composite(fft.hfftn)
def hfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    axes = as_lengths(axes)
    sizes = lengths_of_signal(x.shape, as_lengths(s), axes)
    return np.fft.irfftn(np.conj(x), sizes, last_axes(sizes, axes), turned(norm))


@composite(fft.hfft2)
def hfft2(
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    axes = as_lengths(axes)
    sizes = lengths_of_signal(x.shape, as_lengths(s), axes)
    return np.fft.irfftn(np.conj(x), sizes, last_axes(sizes, axes), turned(norm))


@composite(fft.ihfftn)
def ihfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.conj(np.fft.rfftn(x, as_lengths(s), as_lengths(axes), turned(norm)))


@composite(fft.ihfft2)
def ihfft2(
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return np.conj(np.fft.rfftn(x, as_lengths(s), as_lengths(axes), turned(norm)))


@composite(fft.fftshift)
def fftshift(x, axes=None):
    return np.fft.fftshift(x, axes)


@composite(fft.ifftshift)
def ifftshift(x, axes=None):
    return np.fft.ifftshift(x, axes)


# -------------------------------------------------- cosine and sine transforms


def trig_rules(name: str) -> None:
    """The rules of a transform along one axis, and of that along several."""
    source = "the transform of the partner type"

    @linear(getattr(fft, name), source=source)
    def along_one(
        y,
        y_bar,
        x,
        type=2,
        n=None,
        axis=-1,
        norm=None,
        overwrite_x=False,
        workers=None,
        orthogonalize=None,
    ):
        return refit(trig_pullback(name, y_bar, type, axis, norm, orthogonalize), x)

    @linear(getattr(fft, f"{name}n"), source=source)
    def along_several(
        y,
        y_bar,
        x,
        type=2,
        s=None,
        axes=None,
        norm=None,
        overwrite_x=False,
        workers=None,
        *,
        orthogonalize=None,
    ):
        if axes is None and s is not None:
            axes = tuple(range(-np.size(s), 0))
        return refit(trig_pullback(name, y_bar, type, axes, norm, orthogonalize), x)


for name in ("dct", "idct", "dst", "idst"):
    trig_rules(name)


@linear(trig_pullback)
def trig_pullback_adjoint(y, y_bar, name, g, kind, axes, norm, orthogonalize):
    if name == "dct":
        return None, fft.dctn(y_bar, kind, None, several(axes), norm)
    elif name == "idct":
        return None, fft.idctn(y_bar, kind, None, several(axes), norm)
    elif name == "dst":
        return None, fft.dstn(y_bar, kind, None, several(axes), norm)
    else:
        return None, fft.idstn(y_bar, kind, None, several(axes), norm)
