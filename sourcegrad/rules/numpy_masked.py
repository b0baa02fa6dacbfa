"""Reductions with `initial=`, `where=` and the rarer options of their kind.

Each stands beside the rule of the plain call, in whose generated code no option shows.
What a mask leaves out is filled before it meets a product: a nan there has derivative
0. Of elements and an `initial` that tie for `max` or `min`, each has an equal share.
"""

import numpy as np

from ..runtime import expand_reduced, is_zero, unbroadcast
from ..runtime_masked import (
    extreme,
    extreme_share,
    freedom,
    kept_count,
    log_shift,
    root,
    root_slope,
)
from .registry import adjoint, composite, constant, elementwise, tangent

# --------------------------------------------------------- sums and products


@composite(np.sum, options=True)
def sum_from(
    a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    total = np.sum(a, axis=axis, keepdims=keepdims, where=where)
    return total if initial is None else total + initial


@composite(np.add.reduce, options=True)
def add_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    total = np.sum(array, axis=axis, keepdims=keepdims, where=where)
    return total if initial is None else total + initial


@composite(np.prod, options=True)
def prod_from(
    a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    kept = a if where is True else np.where(where, a, 1.0)
    product = np.prod(kept, axis=axis, keepdims=keepdims)
    return product if initial is None else product * initial


@composite(np.multiply.reduce, options=True)
def multiply_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    return np.prod(array, axis=axis, keepdims=keepdims, initial=initial, where=where)


@composite(np.mean, options=True)
def mean_kept(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    total = np.sum(a, axis=axis, keepdims=keepdims, where=where)
    return total / kept_count(a, axis, keepdims, where)


# ------------------------------------------------------------------- extrema


@composite(np.max, np.amax, options=True)
def max_from(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return extreme(a, axis, keepdims, initial, where, True)


@composite(np.min, np.amin, options=True)
def min_from(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return extreme(a, axis, keepdims, initial, where, False)


@composite(np.nanmax, options=True)
def nanmax_from(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    known = np.logical_and(np.logical_not(np.isnan(a)), where)
    return extreme(a, axis, keepdims, initial, known, True)


@composite(np.nanmin, options=True)
def nanmin_from(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    known = np.logical_and(np.logical_not(np.isnan(a)), where)
    return extreme(a, axis, keepdims, initial, known, False)


@composite(np.maximum.reduce, options=True)
def maximum_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    return extreme(array, axis, keepdims, initial, where, True)


@composite(np.minimum.reduce, options=True)
def minimum_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    return extreme(array, axis, keepdims, initial, where, False)


@composite(np.fmax.reduce, options=True)
def fmax_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    known = np.logical_and(np.logical_not(np.isnan(array)), where)
    return extreme(array, axis, keepdims, initial, known, True)


@composite(np.fmin.reduce, options=True)
def fmin_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    known = np.logical_and(np.logical_not(np.isnan(array)), where)
    return extreme(array, axis, keepdims, initial, known, False)


@adjoint(extreme, convention="ties share equally")
def extreme_adjoint(y, y_bar, a, axis, keepdims, initial, where, largest):
    share, started = extreme_share(y, a, axis, keepdims, initial, where)
    spread = expand_reduced(y_bar, share, axis, keepdims)
    initial_bar = expand_reduced(y_bar, started, axis, keepdims) * started
    return share * spread, None, None, unbroadcast(initial_bar, initial)


@tangent(extreme)
def extreme_tangent(y, a, a_dot, axis, keepdims, initial, initial_dot, where, largest):
    share, started = extreme_share(y, a, axis, keepdims, initial, where)
    if is_zero(initial_dot):
        return np.sum(share * a_dot, axis=axis, keepdims=keepdims)
    elif is_zero(a_dot):
        return np.sum(started * initial_dot, axis=axis, keepdims=keepdims)
    else:
        moved = np.sum(share * a_dot, axis=axis, keepdims=keepdims)
        return moved + np.sum(started * initial_dot, axis=axis, keepdims=keepdims)


# ------------------------------------------------------------------- spreads


@composite(np.var, options=True)
def var_kept(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=None,
    correction=None,
):
    ddof = ddof if correction is None else correction
    kept = a if where is True else np.where(where, a, 0.0)
    if mean is None:
        total = np.sum(kept, axis=axis, keepdims=True)
        mean = total / kept_count(a, axis, True, where)
    deviation = kept - mean
    if np.iscomplexobj(deviation):
        squares = np.real(deviation * np.conj(deviation))
    else:
        squares = deviation * deviation
    total = np.sum(squares, axis=axis, keepdims=keepdims, where=where)
    return total / freedom(a, axis, keepdims, where, ddof)


@composite(np.std, options=True, convention="gradient 0 where all are equal")
def std_kept(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=None,
    correction=None,
):
    ddof = ddof if correction is None else correction
    return root(
        np.var(a, axis=axis, ddof=ddof, keepdims=keepdims, where=where, mean=mean)
    )


@elementwise(root, convention="gradient 0 where all are equal")
def root_partial(y, v):
    return root_slope(y)


@elementwise(root_slope)
def root_slope_partial(z, y):
    return -z / y


constant(kept_count, freedom, log_shift, extreme_share)

# -------------------------------------------------------------- skipping nan


@composite(np.nansum, options=True)
def nansum_from(
    a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    known = np.where(np.isnan(a), 0.0, a)
    return np.sum(known, axis=axis, keepdims=keepdims, initial=initial, where=where)


@composite(np.nanprod, options=True)
def nanprod_from(
    a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    known = np.where(np.isnan(a), 1.0, a)
    return np.prod(known, axis=axis, keepdims=keepdims, initial=initial, where=where)


@composite(np.nanmean, options=True)
def nanmean_kept(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    known = np.logical_and(np.logical_not(np.isnan(a)), where)
    return np.mean(a, axis=axis, keepdims=keepdims, where=known)


@composite(np.nanvar, options=True)
def nanvar_kept(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=None,
    correction=None,
):
    ddof = ddof if correction is None else correction
    known = np.logical_and(np.logical_not(np.isnan(a)), where)
    return np.var(a, axis=axis, ddof=ddof, keepdims=keepdims, where=known, mean=mean)


@composite(np.nanstd, options=True, convention="gradient 0 where all are equal")
def nanstd_kept(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    *,
    where=True,
    mean=None,
    correction=None,
):
    ddof = ddof if correction is None else correction
    known = np.logical_and(np.logical_not(np.isnan(a)), where)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims, where=known, mean=mean)


# ------------------------------------------------- other ufuncs along an axis


@composite(np.logaddexp.reduce, options=True)
def logaddexp_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    shift = log_shift(array, axis, where)
    kept = array if where is True else np.where(where, array, -np.inf)
    total = np.log(np.sum(np.exp(kept - shift), axis=axis, keepdims=True)) + shift
    if not keepdims:
        total = np.squeeze(total, axis)
    return total if initial is None else np.logaddexp(total, initial)


@composite(np.subtract.reduce, options=True)
def subtract_reduce_from(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    if initial is None:  # NumPy then takes no mask
        return np.subtract.reduce(array, axis=axis, keepdims=keepdims)
    else:
        return initial - np.sum(array, axis=axis, keepdims=keepdims, where=where)
