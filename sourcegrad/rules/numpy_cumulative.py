"""Running sums and products, differences, and sums over pieces."""

import numpy as np

from ..runtime_numeric import cumprod_pullback, cumprod_pushforward
from ..runtime_shapes import neighbour_sums, one_thick, undiff, unpaired
from .registry import adjoint, composite, linear, tangent


@linear(np.cumsum)
def cumsum_adjoint(y, y_bar, a, axis=None, dtype=None, out=None):
    if axis is None or np.ndim(a) == 0:
        return np.reshape(np.cumsum(y_bar[::-1])[::-1], np.shape(a))
    else:
        return np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


@linear(np.add.accumulate)
def add_accumulate_adjoint(y, y_bar, array, axis=0, dtype=None, out=None):
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


@adjoint(np.cumprod, convention="right with zeros among the factors")
def cumprod_adjoint(y, y_bar, a, axis=None, dtype=None, out=None):
    if axis is None or np.ndim(a) == 0:
        return np.reshape(cumprod_pullback(y_bar, y, np.ravel(a), 0), np.shape(a))
    else:
        return cumprod_pullback(y_bar, y, a, axis)


@tangent(np.cumprod)
def cumprod_tangent(y, a, a_dot, axis=None, dtype=None, out=None):
    if axis is None:
        return cumprod_pushforward(np.ravel(a_dot), y, np.ravel(a), 0)
    else:
        return cumprod_pushforward(a_dot, y, a, axis)


@linear(np.diff)
def diff_adjoint(y, y_bar, a, n=1, axis=-1):
    return undiff(y_bar, n, axis, np.shape(a))


@composite(np.diff, options=True)
def diff_joined(a, n=1, axis=-1, prepend=None, append=None):
    if n == 0:  # NumPy then joins nothing
        return a
    if prepend is not None:
        if np.ndim(prepend) == 0:
            prepend = np.broadcast_to(prepend, one_thick(a, axis))
        a = np.concatenate((prepend, a), axis=axis)
    if append is not None:
        if np.ndim(append) == 0:
            append = np.broadcast_to(append, one_thick(a, axis))
        a = np.concatenate((a, append), axis=axis)
    return np.diff(a, n, axis)


@composite(np.ediff1d)
def ediff1d(ary, to_end=None, to_begin=None):
    flat = np.ravel(ary)
    steps = flat[1:] - flat[:-1]
    if to_begin is not None:
        steps = np.concatenate((np.ravel(to_begin), steps))
    if to_end is not None:
        steps = np.concatenate((steps, np.ravel(to_end)))
    return steps


@linear(neighbour_sums)
def neighbour_sums_adjoint(y, y_bar, x):
    return unpaired(y_bar, np.shape(x))


@composite(np.trapezoid, getattr(np, "trapz", np.trapezoid))
def trapezoid(y, x=None, dx=1.0, axis=-1):
    moved = y if axis == -1 else np.moveaxis(y, axis, -1)
    if x is None and np.ndim(dx) == 0:
        first = np.sum(moved[..., :1], axis=-1)
        ends = first + np.sum(moved[..., -1:], axis=-1)
        return dx * (np.sum(moved, axis=-1) - 0.5 * ends)
    elif x is None:
        step = dx
    elif np.ndim(x) == 1:
        step = np.diff(x)
    else:
        step = np.diff(np.moveaxis(x, axis, -1))
    return np.sum(step * neighbour_sums(moved) / 2.0, axis=-1)


if hasattr(np, "cumulative_sum"):  # NumPy 2.1

    @composite(np.cumulative_sum)
    def cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
        axis = 0 if axis is None else axis
        if include_initial:
            first = np.zeros_like(np.take(x, [0], axis))
            return np.concatenate((first, np.cumsum(x, axis=axis)), axis=axis)
        else:
            return np.cumsum(x, axis=axis)

    @composite(np.cumulative_prod)
    def cumulative_prod(
        x, /, *, axis=None, dtype=None, out=None, include_initial=False
    ):
        axis = 0 if axis is None else axis
        if include_initial:
            first = np.ones_like(np.take(x, [0], axis))
            return np.concatenate((first, np.cumprod(x, axis=axis)), axis=axis)
        else:
            return np.cumprod(x, axis=axis)
