"""Set operations and histograms: which elements are chosen is constant, what they are
is not.

An element that stands several times passes its cotangent to the first of them, as in
JAX.
"""

import numpy as np

from ..runtime import is_zero
from ..runtime_sets import (
    common_places,
    lone_places,
    trimmed,
    unique_places,
    values_places,
)
from ..runtime_special import no_partial
from .registry import adjoint, composite, constant, linear, tangent

FIRST = "of equal elements the first gets the cotangent"

constant(unique_places, values_places, common_places, lone_places, trimmed)


def distinct(ar, first, axis):
    if axis is None:
        return np.ravel(ar)[first]
    else:
        return np.take(ar, first, axis)


@composite(np.unique, convention=FIRST)
def unique(
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    first, inverse, counts = unique_places(ar, axis, equal_nan)
    values = distinct(ar, first, axis)
    if return_index and return_inverse and return_counts:
        return values, first, inverse, counts
    elif return_index and return_inverse:
        return values, first, inverse
    elif return_index and return_counts:
        return values, first, counts
    elif return_inverse and return_counts:
        return values, inverse, counts
    elif return_index:
        return values, first
    elif return_inverse:
        return values, inverse
    elif return_counts:
        return values, counts
    else:
        return values


@composite(np.unique_values, convention=FIRST)
def unique_values(x):
    return np.ravel(x)[values_places(x)]


@composite(np.union1d, convention=FIRST)
def union1d(ar1, ar2):
    whole = np.concatenate((np.ravel(ar1), np.ravel(ar2)))
    first, _, _ = unique_places(whole)
    return whole[first]


@composite(np.intersect1d, convention="the elements are those of the first array")
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    first, second = common_places(ar1, ar2, assume_unique)
    values = np.ravel(ar1)[first]
    if return_indices:
        return values, first, second
    else:
        return values


@composite(np.setdiff1d, convention=FIRST)
def setdiff1d(ar1, ar2, assume_unique=False):
    if assume_unique:
        return np.ravel(ar1)[np.isin(np.ravel(ar1), ar2, invert=True)]
    else:
        return np.ravel(ar1)[lone_places(ar1, ar2)]


@composite(np.setxor1d, convention=FIRST)
def setxor1d(ar1, ar2, assume_unique=False):
    left = np.ravel(ar1)[lone_places(ar1, ar2)]
    right = np.ravel(ar2)[lone_places(ar2, ar1)]
    return np.sort(np.concatenate((left, right)))


@composite(np.trim_zeros)
def trim_zeros(filt, trim="fb"):
    return filt[trimmed(filt, trim)]


# ----------------------------------------------------------------- histograms


@linear(np.bincount)
def bincount_adjoint(y, y_bar, x, /, weights=None, minlength=0):
    return None, np.take(y_bar, x)


@adjoint(np.histogram, convention="counts do not depend on the values")
def histogram_adjoint(y, y_bar, a, bins=10, range=None, density=None, weights=None):
    counts, edges = y
    counts_bar, edges_bar = y_bar
    if density or not is_zero(edges_bar):
        no_partial("numpy.histogram", "density, or of the edges")
    place = np.searchsorted(edges, np.ravel(a), side="right") - 1
    place = np.where(np.ravel(a) == edges[-1], len(edges) - 2, place)
    inside = (place >= 0) & (place < len(edges) - 1)
    share = np.where(inside, counts_bar[np.where(inside, place, 0)], 0.0)
    return None, None, None, None, np.reshape(share, np.shape(a))


@tangent(np.histogram)
def histogram_tangent(
    y,
    a,
    a_dot=0.0,
    bins=10,
    bins_dot=0.0,
    range=None,
    range_dot=0.0,
    density=None,
    weights=None,
    weights_dot=0.0,
):
    counts, edges = y
    if density or not is_zero(range_dot):
        no_partial("numpy.histogram", "density, or range")
    counts_dot, edges_dot = np.zeros(np.shape(counts)), np.zeros(np.shape(edges))
    if not is_zero(weights_dot):
        counts_dot = np.histogram(a, edges, weights=weights_dot)[0]
    if not is_zero(bins_dot):
        edges_dot = edges_dot + bins_dot
    elif np.ndim(bins) == 0 and range is None and not is_zero(a_dot):
        low, high = np.argmin(a), np.argmax(a)
        moved = np.ravel(a_dot)
        edges_dot = np.linspace(moved[low], moved[high], len(edges))
    return counts_dot, edges_dot
