"""Reductions along axes: sums, means, products, extrema, spreads.

Conventions: elements that tie for `max` or `min` share equally; `std` of constants
has gradient 0. A product is differentiated without dividing by a zero factor.

An array that is temporary stands on the left of a product with a NumPy scalar: NumPy
then writes the product into it.
"""

import numpy as np

from ..runtime import expand_reduced
from ..runtime_norms import per_norm
from ..runtime_numeric import prod_pullback, product_of_others
from .registry import adjoint, composite, linear, tangent

# --------------------------------------------------------- sums and means


@linear(np.sum)
def sum_adjoint(
    y, y_bar, a, axis=None, dtype=None, out=None, keepdims=False, *, where=True
):
    if where is not True:
        return np.where(where, expand_reduced(y_bar, a, axis, keepdims), 0.0)
    elif np.ndim(a) == 0:
        return y_bar
    elif axis is None or np.ndim(y) == 0:
        return np.full_like(a, y_bar)
    elif keepdims:
        return np.broadcast_to(y_bar, a.shape)
    else:
        return np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)


@linear(np.add.reduce)
def add_reduce_adjoint(y, y_bar, array, axis=0, dtype=None, out=None, keepdims=False):
    if axis is None or np.ndim(y) == 0:
        return np.full_like(array, y_bar)
    elif keepdims:
        return np.broadcast_to(y_bar, array.shape)
    else:
        return np.broadcast_to(np.expand_dims(y_bar, axis), array.shape)


@linear(np.mean)
def mean_adjoint(y, y_bar, a, axis=None, dtype=None, out=None, keepdims=False):
    if np.ndim(a) == 0:
        return y_bar
    elif axis is None or np.ndim(y) == 0:
        return np.full_like(a, y_bar / max(a.size, 1))
    elif keepdims:
        return np.broadcast_to(y_bar / (a.size // max(y.size, 1)), a.shape)
    elif isinstance(axis, int):
        y_bar = y_bar / max(a.shape[axis], 1)
        return np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)
    else:
        y_bar = y_bar / (a.size // max(y.size, 1))
        return np.broadcast_to(np.expand_dims(y_bar, axis), a.shape)


@composite(np.average)
def average(a, axis=None, weights=None, *, keepdims=False):
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    elif isinstance(axis, tuple) and np.shape(weights) != np.shape(a):
        spread = along_axes(weights, axis, np.shape(a))
        return np.sum(a * spread, axis=axis, keepdims=keepdims) / np.sum(weights)
    elif np.ndim(weights) == np.ndim(a):
        total = np.sum(weights, axis=axis, keepdims=keepdims)
        return np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    else:
        spread = np.expand_dims(weights, tuple(range(1, np.ndim(a))))
        spread = np.swapaxes(spread, 0, axis)
        return np.sum(a * spread, axis=axis, keepdims=keepdims) / np.sum(weights)


def along_axes(weights, axis, shape):
    axes = tuple([k % len(shape) for k in axis])
    sizes = [n if k in axes else 1 for k, n in enumerate(shape)]
    return np.reshape(np.transpose(weights, np.argsort(axes)), sizes)


@composite(np.average, options=True)
def average_returned(a, axis=None, weights=None, returned=False, *, keepdims=False):
    mean = np.average(a, axis=axis, weights=weights, keepdims=keepdims)
    if not returned:
        return mean
    elif weights is None:
        return mean, np.ones_like(mean) * (np.size(a) / np.size(mean))
    elif np.ndim(weights) == np.ndim(a):
        return mean, np.sum(weights, axis=axis, keepdims=keepdims)
    else:
        return mean, np.sum(weights) * np.ones_like(mean)


# --------------------------------------------------------------- products


@adjoint(np.prod, convention="right with zeros among the factors")
def prod_adjoint(y, y_bar, a, axis=None, dtype=None, out=None, keepdims=False):
    if np.ndim(a) == 0:
        return y_bar
    elif axis is None or keepdims or np.ndim(y) == 0:
        return prod_pullback(y_bar, y, a, axis)
    else:
        y = np.expand_dims(y, axis)
        return prod_pullback(np.expand_dims(y_bar, axis), y, a, axis)


@tangent(np.prod)
def prod_tangent(y, a, a_dot, axis=None, dtype=None, out=None, keepdims=False):
    if np.ndim(a) == 0:
        return a_dot
    else:
        others = product_of_others(a, axis)
        return np.sum(a_dot * others, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------- extrema


@adjoint(
    np.max,
    np.min,
    np.amax,
    np.amin,
    np.nanmax,
    np.nanmin,
    convention="ties share equally",
)
def max_adjoint(y, y_bar, a, axis=None, out=None, keepdims=False):
    if np.ndim(a) == 0:
        return y_bar
    elif axis is None or keepdims or np.ndim(y) == 0:
        chosen = a == y
        count = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=a.dtype)
        return chosen * (y_bar / count)
    else:
        chosen = a == np.expand_dims(y, axis)
        count = np.sum(chosen, axis=axis, keepdims=True, dtype=a.dtype)
        return chosen * (np.expand_dims(y_bar, axis) / count)


@tangent(np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin)
def max_tangent(y, a, a_dot, axis=None, out=None, keepdims=False):
    if np.ndim(a) == 0:
        return a_dot
    else:
        if axis is None or keepdims:
            chosen = a == y
        else:
            chosen = a == np.expand_dims(y, axis)
        count = np.sum(chosen, axis=axis, keepdims=keepdims, dtype=a.dtype)
        return np.sum(chosen * a_dot, axis=axis, keepdims=keepdims) / count


@composite(np.ptp)
def ptp(a, axis=None, out=None, keepdims=False):
    high = np.max(a, axis=axis, keepdims=keepdims)
    return high - np.min(a, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------- spreads


@adjoint(np.var)
def var_adjoint(y, y_bar, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    count = np.size(a) if axis is None else np.size(a) // max(np.size(y), 1)
    scale = 2.0 * y_bar / (max(count - ddof, 0) or np.nan)
    if axis is not None and not keepdims:
        scale = np.expand_dims(scale, axis)
    if np.iscomplexobj(a):
        return np.conj(a - np.mean(a, axis=axis, keepdims=True)) * scale
    elif axis is None:
        return (a - np.mean(a)) * scale
    else:
        return (a - np.mean(a, axis=axis, keepdims=True)) * scale


@tangent(np.var)
def var_tangent(y, a, a_dot, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    if np.iscomplexobj(a):
        product = np.real(np.conj(deviation) * a_dot)
    else:
        product = deviation * a_dot
    count = np.size(a) if axis is None else np.size(a) // max(np.size(y), 1)
    return np.sum(product, axis=axis, keepdims=keepdims) * (
        2.0 / (max(count - ddof, 0) or np.nan)
    )


@adjoint(np.std, convention="gradient 0 where all are equal")
def std_adjoint(y, y_bar, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    count = np.size(a) if axis is None else np.size(a) // max(np.size(y), 1)
    scale = per_norm(y_bar / (max(count - ddof, 0) or np.nan), y)
    if axis is not None and not keepdims:
        scale = np.expand_dims(scale, axis)
    if np.iscomplexobj(a):
        return np.conj(a - np.mean(a, axis=axis, keepdims=True)) * scale
    elif axis is None:
        return (a - np.mean(a)) * scale
    else:
        return (a - np.mean(a, axis=axis, keepdims=True)) * scale


@tangent(np.std)
def std_tangent(y, a, a_dot, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    deviation = a - np.mean(a, axis=axis, keepdims=True)
    if np.iscomplexobj(a):
        product = np.real(np.conj(deviation) * a_dot)
    else:
        product = deviation * a_dot
    count = np.size(a) if axis is None else np.size(a) // max(np.size(y), 1)
    total = np.sum(product, axis=axis, keepdims=keepdims)
    return per_norm(total / (max(count - ddof, 0) or np.nan), y)
