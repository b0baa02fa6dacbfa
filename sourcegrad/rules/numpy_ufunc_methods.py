"""Methods of ufuncs: `reduce` and `accumulate` along an axis, `outer` of two arrays.

Each is defined by a function that has a rule. `np.add.reduce` and `np.add.accumulate`
stand with `np.sum` and `np.cumsum`. A ufunc method is a new object at each access, but
equal ones have equal hashes, so that a look-up finds them.

Convention: a running maximum or minimum is that of the first of equal elements.
"""

import numpy as np

from ..runtime_shapes import running_position
from .registry import composite, constant

# ------------------------------------------------------------------- reduce


@composite(np.multiply.reduce)
def multiply_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    return np.prod(array, axis=axis, keepdims=keepdims)


@composite(np.subtract.reduce)
def subtract_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    total = np.sum(array, axis=axis, keepdims=keepdims)
    first = np.take(array, [0], axis)
    return 2.0 * (first if keepdims else np.squeeze(first, axis)) - total


@composite(np.maximum.reduce, np.fmax.reduce)
def maximum_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    return np.max(array, axis=axis, keepdims=keepdims)


@composite(np.minimum.reduce, np.fmin.reduce)
def minimum_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    return np.min(array, axis=axis, keepdims=keepdims)


@composite(np.logaddexp.reduce)
def logaddexp_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    shift = np.max(array, axis=axis, keepdims=True)
    total = np.sum(np.exp(array - shift), axis=axis, keepdims=keepdims)
    return np.log(total) + (shift if keepdims else np.squeeze(shift, axis))


# --------------------------------------------------------------- accumulate


@composite(np.multiply.accumulate)
def multiply_accumulate(array, axis=0, dtype=None, out=None):
    return np.cumprod(array, axis=axis)


@composite(np.maximum.accumulate)
def maximum_accumulate(array, axis=0, dtype=None, out=None):
    return np.take_along_axis(array, running_position(array, axis, True), axis)


@composite(np.minimum.accumulate)
def minimum_accumulate(array, axis=0, dtype=None, out=None):
    return np.take_along_axis(array, running_position(array, axis, False), axis)


# -------------------------------------------------------------------- outer


@composite(np.add.outer)
def add_outer(a, b):
    return np.add(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.subtract.outer)
def subtract_outer(a, b):
    return np.subtract(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.multiply.outer)
def multiply_outer(a, b):
    return np.multiply(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.divide.outer)
def divide_outer(a, b):
    return np.divide(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.power.outer)
def power_outer(a, b):
    return np.power(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.maximum.outer)
def maximum_outer(a, b):
    return np.maximum(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.minimum.outer)
def minimum_outer(a, b):
    return np.minimum(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.hypot.outer)
def hypot_outer(a, b):
    return np.hypot(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.arctan2.outer)
def arctan2_outer(a, b):
    return np.arctan2(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


@composite(np.logaddexp.outer)
def logaddexp_outer(a, b):
    return np.logaddexp(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


for ufunc in (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    np.logical_and,
    np.logical_or,
):
    constant(ufunc.outer, ufunc.reduce, ufunc.accumulate)
constant(np.floor_divide.outer)
