"""Selection of elements by functions. Indexing with brackets is the language's own."""

import operator

import numpy as np

from ..runtime import add_at_zeros, is_zero, unbroadcast
from ..runtime_shapes import add_along, add_taken, in_range
from .registry import adjoint, composite, constant, linear, tangent


@linear(np.where, convention="the operand that is not chosen gets 0")
def where_adjoint(z, z_bar, condition, x=None, y=None, /):
    return (
        None,
        unbroadcast(np.where(condition, z_bar, 0.0), x),
        unbroadcast(np.where(condition, 0.0, z_bar), y),
    )


@linear(np.take)
def take_adjoint(y, y_bar, a, indices, axis=None, out=None, mode="raise"):
    if mode != "raise":
        indices = in_range(indices, a.size if axis is None else a.shape[axis], mode)
    if axis is None and a.ndim == 1:
        return add_at_zeros(a, np.asarray(indices), y_bar)
    elif axis is None:
        flat = add_at_zeros(np.ravel(a), np.asarray(indices), y_bar)
        return np.reshape(flat, a.shape)
    else:
        return add_taken(a, indices, y_bar, axis)


@linear(np.take_along_axis)
def take_along_axis_adjoint(y, y_bar, arr, indices, axis=-1):
    return add_along(arr, indices, y_bar, axis)


@linear(np.compress)
def compress_adjoint(y, y_bar, condition, a, axis=None, out=None):
    if axis is None:
        flat = add_at_zeros(np.ravel(a), np.flatnonzero(condition), y_bar)
        return None, np.reshape(flat, a.shape)
    else:
        return None, add_taken(a, np.flatnonzero(condition), y_bar, axis)


@linear(np.extract)
def extract_adjoint(y, y_bar, condition, arr):
    flat = add_at_zeros(np.ravel(arr), np.flatnonzero(condition), y_bar)
    return None, np.reshape(flat, np.shape(arr))


@linear(np.delete)
def delete_adjoint(y, y_bar, arr, obj, axis=None):
    if axis is None:
        kept = np.delete(np.arange(arr.size), obj)
        return np.reshape(add_at_zeros(np.ravel(arr), kept, y_bar), arr.shape)
    else:
        return add_taken(arr, np.delete(np.arange(arr.shape[axis]), obj), y_bar, axis)


@adjoint(np.insert)
def insert_adjoint(y, y_bar, arr, obj, values, axis=None):
    n = np.size(arr) if axis is None else arr.shape[axis]
    m = (y.size if axis is None else y.shape[axis]) - n
    tags = np.insert(np.zeros(n, int), obj, np.arange(1, m + 1))
    order = np.argsort(tags, kind="stable")
    kept = np.take(y_bar, order[:n], axis)
    added = np.take(y_bar, order[n:], axis)
    if axis is not None and np.ndim(obj) == 0:
        added = np.moveaxis(added, axis, 0)
    return np.reshape(kept, np.shape(arr)), None, unbroadcast(added, values)


@tangent(np.insert)
def insert_tangent(y, arr, arr_dot, obj, values, values_dot, axis=None):
    if is_zero(values_dot):
        return np.insert(arr_dot, obj, np.zeros_like(values), axis)
    elif is_zero(arr_dot):
        return np.insert(np.zeros_like(arr), obj, values_dot, axis)
    else:
        return np.insert(arr_dot, obj, values_dot, axis)


@linear(np.lib.stride_tricks.sliding_window_view, views=True)
def sliding_window_view_adjoint(y, y_bar, x, window_shape, axis=None):
    places = np.reshape(np.arange(x.size), x.shape)
    read = np.lib.stride_tricks.sliding_window_view(places, window_shape, axis)
    return np.reshape(add_at_zeros(np.ravel(x), read, y_bar), x.shape)


@linear(operator.getitem, views=True)
def getitem_adjoint(y, y_bar, a, b, /):
    return add_at_zeros(a, b, y_bar)


@composite(np.select, convention="the first true condition chooses")
def select(condlist, choicelist, default=0):
    chosen = default
    pairs = zip(reversed(condlist), reversed(choicelist), strict=True)
    for condition, choice in pairs:
        chosen = np.where(condition, choice, chosen)
    return chosen


@composite(np.choose)
def choose(a, choices, out=None, mode="raise"):
    chosen = choices[-1]
    for i, choice in enumerate(choices):
        chosen = np.where(a == i, choice, chosen)
    return chosen


@composite(np.ix_)
def ix_(*args):
    count = len(args)
    return tuple(
        np.reshape(a, [-1 if k == place else 1 for k in range(count)])
        for place, a in enumerate(args)
    )


constant(
    np.argwhere,
    np.diag_indices,
    np.diag_indices_from,
    np.flatnonzero,
    np.indices,
    np.mask_indices,
    np.nonzero,
    np.ravel_multi_index,
    np.tril_indices,
    np.tril_indices_from,
    np.triu_indices,
    np.triu_indices_from,
    np.unravel_index,
)
