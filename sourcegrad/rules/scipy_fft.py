"""Fourier transforms of SciPy, defined by those of NumPy."""

import numpy as np
from scipy import fft

from ..runtime import not_differentiable
from .registry import composite, linear

# ---------------------------------------------------------------- one axis


@composite(fft.fft)
def fft_(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return np.fft.fft(x, n, axis, norm)


@composite(fft.ifft)
def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return np.fft.ifft(x, n, axis, norm)


@composite(fft.rfft)
def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return np.fft.rfft(x, n, axis, norm)


@composite(fft.irfft)
def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return np.fft.irfft(x, n, axis, norm)


@composite(fft.hfft)
def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return np.fft.hfft(x, n, axis, norm)


@composite(fft.ihfft)
def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None):
    return np.fft.ihfft(x, n, axis, norm)


# -------------------------------------------------------------- several axes


@composite(fft.fft2)
def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return np.fft.fft2(x, s, axes, norm)


@composite(fft.ifft2)
def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return np.fft.ifft2(x, s, axes, norm)


@composite(fft.fftn)
def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return np.fft.fftn(x, s, axes, norm)


@composite(fft.ifftn)
def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return np.fft.ifftn(x, s, axes, norm)


@composite(fft.rfft2)
def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return np.fft.rfft2(x, s, axes, norm)


@composite(fft.rfftn)
def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return np.fft.rfftn(x, s, axes, norm)


@composite(fft.irfft2)
def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None):
    return np.fft.irfft2(x, s, axes, norm)


@composite(fft.irfftn)
def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None):
    return np.fft.irfftn(x, s, axes, norm)


# -------------------------------------------------- cosine and sine transforms


@linear(fft.dct, source="the transform of type 2 is orthogonal with norm='ortho'")
def dct_adjoint(y, y_bar, x, type=2, n=None, axis=-1, norm=None):
    if norm != "ortho" or n is not None:
        not_differentiable(
            "scipy.fft.dct has a derivative rule for norm='ortho' and n=None only"
        )
    return fft.idct(y_bar, type, None, axis, "ortho")


@linear(fft.idct)
def idct_adjoint(y, y_bar, x, type=2, n=None, axis=-1, norm=None):
    if norm != "ortho" or n is not None:
        not_differentiable(
            "scipy.fft.idct has a derivative rule for norm='ortho' and n=None only"
        )
    return fft.dct(y_bar, type, None, axis, "ortho")


@linear(fft.dst)
def dst_adjoint(y, y_bar, x, type=2, n=None, axis=-1, norm=None):
    if norm != "ortho" or n is not None:
        not_differentiable(
            "scipy.fft.dst has a derivative rule for norm='ortho' and n=None only"
        )
    return fft.idst(y_bar, type, None, axis, "ortho")


@linear(fft.idst)
def idst_adjoint(y, y_bar, x, type=2, n=None, axis=-1, norm=None):
    if norm != "ortho" or n is not None:
        not_differentiable(
            "scipy.fft.idst has a derivative rule for norm='ortho' and n=None only"
        )
    return fft.dst(y_bar, type, None, axis, "ortho")
