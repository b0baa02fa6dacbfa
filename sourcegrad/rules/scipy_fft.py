"""Fourier, cosine and sine transforms of SciPy.

Those that NumPy has too are defined by NumPy's. A cosine or sine transform of length
n is a real matrix; its transpose is the transform of the type given here, up to
factors at the ends of the axis. Normalisation and length follow as options.
"""

import numpy as np
from scipy import fft

from ..runtime_shapes import refit
from ..runtime_trig import trig_pullback
from .registry import composite, constant, linear

constant(
    fft.next_fast_len,
    fft.prev_fast_len,
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


# ---------------------------------------------------------------- one axis


@composite(fft.fft)
def fft_(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.fft(x, n, axis, norm)


@composite(fft.ifft)
def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.ifft(x, n, axis, norm)


@composite(fft.rfft)
def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.rfft(x, n, axis, norm)


@composite(fft.irfft)
def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.irfft(x, n, axis, norm)


@composite(fft.hfft)
def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.hfft(x, n, axis, norm)


@composite(fft.ihfft)
def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.ihfft(x, n, axis, norm)


# -------------------------------------------------------------- several axes


@composite(fft.fft2)
def fft2(
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return np.fft.fft2(x, s, axes, norm)


@composite(fft.ifft2)
def ifft2(
    x,
    s=None,
    axes=(-2, -1),
    norm=None,
    overwrite_x=False,
    workers=None,
    *,
    plan=None,
):
    return np.fft.ifft2(x, s, axes, norm)


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
    return np.fft.irfft2(x, s, axes, norm)


@composite(fft.fftn)
def fftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.fft.fftn(x, s, axes, norm)


@composite(fft.ifftn)
def ifftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.fft.ifftn(x, s, axes, norm)


@composite(fft.rfftn)
def rfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.fft.rfftn(x, s, axes, norm)


@composite(fft.irfftn)
def irfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.fft.irfftn(x, s, axes, norm)


# ------------------------------------------------------- Hermitian, several axes


def turned(norm):
    """The normalisation of the inverse transform."""
    if norm == "ortho":
        return "ortho"
    else:
        return "backward" if norm == "forward" else "forward"


@composite(fft.hfftn)
def hfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.fft.irfftn(np.conj(x), s, axes, turned(norm))


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
    return np.fft.irfftn(np.conj(x), s, axes, turned(norm))


@composite(fft.ihfftn)
def ihfftn(
    x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
):
    return np.conj(np.fft.rfftn(x, s, axes, turned(norm)))


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
    return np.conj(np.fft.rfftn(x, s, axes, turned(norm)))


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
            axes = tuple(range(-len(s), 0))
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
