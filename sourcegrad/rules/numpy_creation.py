"""Functions that make arrays: from active elements, or from nothing but shapes."""

import numpy as np

from ..runtime import add_at_zeros, is_zero, unbroadcast
from ..runtime_shapes import unnest
from ..runtime_special import no_partial
from .registry import adjoint, composite, constant, linear, tangent

# ------------------------------------------------ copies and conversions


@linear(np.array)
def array_adjoint(y, y_bar, object, dtype=None, *, copy=True, order="K", subok=False):
    if isinstance(object, (list, tuple)):
        return unnest(y_bar, object)
    else:
        return y_bar


@linear(np.asarray, np.asanyarray, views=True)
def asarray_adjoint(y, y_bar, a, dtype=None, order=None):
    if isinstance(a, (list, tuple)):
        return unnest(y_bar, a)
    else:
        return y_bar


@linear(np.ascontiguousarray, np.asfortranarray, views=True)
def ascontiguousarray_adjoint(y, y_bar, a, dtype=None):
    if isinstance(a, (list, tuple)):
        return unnest(y_bar, a)
    elif np.ndim(a) == 0:  # the result has one dimension
        return np.reshape(y_bar, ())
    else:
        return y_bar


@linear(np.asarray_chkfinite, np.require, views=True)
def require_adjoint(y, y_bar, a, dtype=None):
    return y_bar


@linear(np.copy)
def copy_adjoint(y, y_bar, a, order="K"):
    return y_bar


@linear(np.astype, np.ndarray.astype, views=True)
def astype_adjoint(y, y_bar, x, dtype, /, *, copy=True):
    return y_bar.astype(x.dtype)


@linear(
    np.float64,
    np.float32,
    np.float16,
    np.longdouble,
)
def float64_adjoint(y, y_bar, x=0.0):
    return y_bar


@linear(np.complex128, np.complex64, np.clongdouble)
def complex128_adjoint(y, y_bar, real=0.0, imag=0.0):
    return y_bar, 1j * y_bar


@linear(np.ndarray.item)
def item_adjoint(y, y_bar, a, index=None):
    if index is None:
        return np.full_like(a, y_bar)
    elif isinstance(index, int):
        return np.reshape(add_at_zeros(np.ravel(a), index, y_bar), a.shape)
    else:
        return add_at_zeros(a, index, y_bar)


@linear(np.ndarray.flatten)
def flatten_adjoint(y, y_bar, a, order="C"):
    return np.reshape(y_bar, np.shape(a), order=order)


@linear(np.ndarray.tolist)
def tolist_adjoint(y, y_bar, a):
    return np.array(y_bar, dtype=a.dtype)


# ---------------------------------------------------- filled from operands


@linear(np.full)
def full_adjoint(y, y_bar, shape, fill_value, dtype=None):
    return None, unbroadcast(y_bar, fill_value)


@linear(np.full_like)
def full_like_adjoint(y, y_bar, a, fill_value, dtype=None, order="K", subok=True):
    return None, unbroadcast(y_bar, fill_value)


@adjoint(np.linspace)
def linspace_adjoint(
    y, y_bar, start, stop, num=50, endpoint=True, *, dtype=None, axis=0
):
    weights = np.linspace(0.0, 1.0, num, endpoint).astype(y.dtype)
    y_bar = np.moveaxis(y_bar, axis, -1)
    return (
        unbroadcast(np.dot(y_bar, 1.0 - weights), start),
        unbroadcast(np.dot(y_bar, weights), stop),
    )


@tangent(np.linspace)
def linspace_tangent(
    y,
    start,
    start_dot,
    stop,
    stop_dot,
    num=50,
    endpoint=True,
    *,
    dtype=None,
    axis=0,
):
    if is_zero(start_dot):
        start_dot = np.zeros_like(start)
    if is_zero(stop_dot):
        stop_dot = np.zeros_like(stop)
    return np.linspace(start_dot, stop_dot, num, endpoint, axis=axis)


@composite(np.linspace, options=True)
def linspace_stepping(
    start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0
):
    points = np.linspace(start, stop, num, endpoint, axis=axis)
    if retstep:
        steps = num - 1 if endpoint else num
        return points, (stop - start) / (steps or np.nan)
    else:
        return points


@adjoint(np.arange, convention="the number of elements is taken as constant")
def arange_adjoint(y, y_bar, start, stop=None, step=1, dtype=None):
    by_step = np.dot(y_bar, np.arange(len(y)))
    if stop is None:  # a single number is where the range ends
        return None, None, by_step
    else:
        return np.sum(y_bar), None, by_step


@tangent(np.arange)
def arange_tangent(
    y, start, start_dot=0.0, stop=None, step=1, step_dot=0.0, dtype=None
):
    if stop is None:
        return step_dot * np.arange(len(y))
    else:
        return start_dot + step_dot * np.arange(len(y))


@adjoint(np.bartlett, np.blackman, np.hamming, np.hanning)
def window_adjoint(y, y_bar, M):
    return no_partial("a window of NumPy", "M")


@tangent(np.bartlett, np.blackman, np.hamming, np.hanning)
def window_tangent(y, M, M_dot):
    return no_partial("a window of NumPy", "M")


@composite(np.kaiser, fixed=("M",), source="NumPy's documentation of kaiser")
def kaiser(M, beta):
    middle = (M - 1) / 2.0
    height = 1.0 - ((np.arange(M) - middle) / max(middle, 0.5)) ** 2
    return np.i0(beta * np.sqrt(np.maximum(height, 0.0))) / np.i0(beta)


@composite(np.logspace)
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if np.ndim(base) > 0:
        shape = np.broadcast_shapes(np.shape(start), np.shape(stop), np.shape(base))
        first, last = np.broadcast_to(start, shape), np.broadcast_to(stop, shape)
        powers = np.linspace(first, last, num, endpoint, axis=axis)
        return np.power(np.expand_dims(np.broadcast_to(base, shape), axis), powers)
    else:
        return np.power(base, np.linspace(start, stop, num, endpoint, axis=axis))


@composite(np.geomspace)
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    ratio = stop / start
    power = np.linspace(0.0 * ratio, 0.0 * ratio + 1.0, num, endpoint, axis=axis)
    base = np.expand_dims(ratio, axis) if np.ndim(ratio) else ratio
    return (np.expand_dims(start, axis) if np.ndim(ratio) else start) * base**power


@composite(np.meshgrid)
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    count = len(xi)
    grids = tuple(
        np.reshape(x, [-1 if k == place else 1 for k in range(count)])
        for place, x in enumerate(xi)
    )
    if indexing == "xy" and count > 1:
        grids = tuple(np.swapaxes(g, 0, 1) for g in grids)
    if not sparse:
        shape = np.broadcast_shapes(*[np.shape(g) for g in grids])
        grids = tuple(np.array(np.broadcast_to(g, shape)) for g in grids)
    return grids


@adjoint(np.vander)
def vander_adjoint(y, y_bar, x, N=None, increasing=False):
    powers = np.arange(y.shape[1]) if increasing else np.arange(y.shape[1])[::-1]
    slope = powers * np.expand_dims(x, 1) ** np.maximum(powers - 1, 0)
    return np.sum(y_bar * slope, axis=1)


@tangent(np.vander)
def vander_tangent(y, x, x_dot, N=None, increasing=False):
    powers = np.arange(y.shape[1]) if increasing else np.arange(y.shape[1])[::-1]
    slope = powers * np.expand_dims(x, 1) ** np.maximum(powers - 1, 0)
    return np.expand_dims(x_dot, 1) * slope


constant(
    np.empty,
    np.empty_like,
    np.eye,
    np.identity,
    np.ones,
    np.ones_like,
    np.tri,
    np.zeros,
    np.zeros_like,
)
