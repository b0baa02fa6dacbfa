"""Sorting and interpolation.

Convention: the order is constant, so each result moves with the element it is. Of
equal elements the one that a stable sort puts there.
"""

import numpy as np

from .registry import composite, constant


@composite(np.sort)
def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    if axis is None:
        flat = np.ravel(a)
        return flat[np.argsort(flat, kind="stable")]
    else:
        return np.take_along_axis(a, np.argsort(a, axis=axis, kind="stable"), axis)


@composite(np.partition)
def partition(a, kth, axis=-1, kind="introselect", order=None):
    return np.take_along_axis(a, np.argpartition(a, kth, axis=axis), axis)


# ----------------------------------------------------------- interpolation


@composite(np.interp, convention="at a knot, the slope to its right")
def interp(x, xp, fp, left=None, right=None, period=None):
    xp, fp = np.asarray(xp), np.asarray(fp)
    if period is not None:
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate((xp[-1:] - period, xp, xp[:1] + period))
        fp = np.concatenate((fp[-1:], fp, fp[:1]))
    last = len(xp) - 2
    j = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, last)
    slope = (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j])
    inside = slope * (x - xp[j]) + fp[j]
    below = fp[0] if left is None else left
    beyond = fp[-1] if right is None else right
    return np.where(x < xp[0], below, np.where(x > xp[-1], beyond, inside))


constant(
    np.argmax,
    np.argmin,
    np.argpartition,
    np.argsort,
    np.digitize,
    np.lexsort,
    np.nanargmax,
    np.nanargmin,
    np.searchsorted,
)
