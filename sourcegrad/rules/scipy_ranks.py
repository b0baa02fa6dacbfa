"""Filters by rank of `scipy.ndimage` and `scipy.signal`: each picks an element.

Conventions: ties for the largest or smallest element of a window share equally, as
for `np.max`; a border that repeats an element counts it as often as the window does.
"""

import numpy as np
from scipy import ndimage, signal

from ..runtime import not_differentiable
from ..runtime_windows import (
    origin_at,
    percentile_rank,
    window_along,
    window_sizes,
    windows,
    windows_pullback,
)
from .registry import adjoint, composite, constant, linear, tangent

constant(origin_at, percentile_rank, window_along, window_sizes)


@adjoint(windows)
def windows_adjoint(y, y_bar, x, sizes, mode, cval, origin):
    return windows_pullback(y_bar, x.shape, sizes, mode, origin)


@tangent(windows)
def windows_tangent(y, x, x_dot, sizes, mode, cval, origin):
    return windows(x_dot, sizes, mode, 0.0, origin)


@linear(windows_pullback)
def windows_pullback_adjoint(y, y_bar, g, shape, sizes, mode, origin):
    return windows(y_bar, sizes, mode, 0.0, origin)


def seen(input, size, footprint, output, mode, cval, origin, axes):
    """What a filter sees around each element, along the last axis."""
    if output is not None or axes is not None:
        not_differentiable(
            "filters by rank of scipy.ndimage have a rule without output and axes"
        )
    sizes = window_sizes(np.ndim(input), size, footprint)
    every = windows(input, sizes, mode, cval, origin)
    if footprint is None:
        return every
    else:
        return every[..., np.flatnonzero(footprint)]


@composite(ndimage.maximum_filter, convention="ties share equally")
def maximum_filter(
    input,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    every = seen(input, size, footprint, output, mode, cval, origin, axes)
    return np.max(every, axis=-1)


@composite(ndimage.minimum_filter, convention="ties share equally")
def minimum_filter(
    input,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    every = seen(input, size, footprint, output, mode, cval, origin, axes)
    return np.min(every, axis=-1)


def ranked(every, rank):
    """The element of a rank; a negative one counts from the largest."""
    return np.take(np.sort(every, axis=-1), rank, axis=-1)


@composite(ndimage.rank_filter)
def rank_filter(
    input,
    rank,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    every = seen(input, size, footprint, output, mode, cval, origin, axes)
    return ranked(every, rank)


@composite(ndimage.median_filter)
def median_filter(
    input,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    every = seen(input, size, footprint, output, mode, cval, origin, axes)
    return ranked(every, every.shape[-1] // 2)


@composite(ndimage.percentile_filter)
def percentile_filter(
    input,
    percentile,
    size=None,
    footprint=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    every = seen(input, size, footprint, output, mode, cval, origin, axes)
    return ranked(every, percentile_rank(every.shape[-1], percentile))


def seen_along(input, size, axis, output, mode, cval, origin):
    """What a filter sees along one axis."""
    if output is not None:
        not_differentiable(
            "filters by rank of scipy.ndimage have a rule without output"
        )
    sizes = window_along(np.ndim(input), size, axis)
    return windows(input, sizes, mode, cval, origin_at(np.ndim(input), origin, axis))


@composite(ndimage.maximum_filter1d, convention="ties share equally")
def maximum_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    every = seen_along(input, size, axis, output, mode, cval, origin)
    return np.max(every, axis=-1)


@composite(ndimage.minimum_filter1d, convention="ties share equally")
def minimum_filter1d(
    input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    every = seen_along(input, size, axis, output, mode, cval, origin)
    return np.min(every, axis=-1)


@composite(signal.medfilt)
def medfilt(volume, kernel_size=None):
    sizes = window_sizes(
        np.ndim(volume), 3 if kernel_size is None else kernel_size, None
    )
    every = windows(volume, sizes, "constant", 0.0, 0)
    return ranked(every, every.shape[-1] // 2)


@composite(signal.medfilt2d)
def medfilt2d(input, kernel_size=3):
    every = windows(input, window_sizes(2, kernel_size, None), "constant", 0.0, 0)
    return ranked(every, every.shape[-1] // 2)
