"""Methods of ufuncs: `reduce` and `accumulate` along an axis, `outer` of two arrays.

Each is defined by a function that has a rule. `np.add.reduce` and `np.add.accumulate`
stand with `np.sum` and `np.cumsum`. A ufunc method is a new object at each access, but
equal ones have equal hashes, so that a look-up finds them.

Convention: a running maximum or minimum is that of the first of equal elements.
"""

import numpy as np

from ..runtime_shapes import add_taken, running_position, segments
from .registry import composite, constant, linear

# ------------------------------------------------------------------- reduce


@linear(np.add.reduceat)
def add_reduceat(y, y_bar, array, indices, axis=0, dtype=None, out=None):
    places, owners = segments(indices, array.shape[axis])
    return add_taken(array, places, np.take(y_bar, owners, axis), axis)


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


@composite(np.logaddexp2.reduce)
def logaddexp2_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    shift = np.max(array, axis=axis, keepdims=True)
    total = np.sum(np.exp2(array - shift), axis=axis, keepdims=keepdims)
    return np.log2(total) + (shift if keepdims else np.squeeze(shift, axis))


@composite(np.hypot.reduce, convention="gradient 0 where all are 0")
def hypot_reduce(
    array, axis=0, dtype=None, out=None, keepdims=False, initial=0.0, where=True
):
    kept = array if where is True else np.where(where, array, 0.0)
    size = np.sqrt(np.sum(kept * kept, axis=axis, keepdims=keepdims))
    return np.hypot(size, initial)


@composite(np.divide.reduce)
def divide_reduce(array, axis=0, dtype=None, out=None, keepdims=False):
    first, rest = np.split(array, [1], axis)
    whole = first / np.prod(rest, axis=axis, keepdims=True)
    return whole if keepdims else np.squeeze(whole, axis)


# --------------------------------------------------------------- accumulate


@composite(np.subtract.accumulate)
def subtract_accumulate(array, axis=0, dtype=None, out=None):
    return 2.0 * np.take(array, [0], axis) - np.cumsum(array, axis=axis)


@composite(np.divide.accumulate)
def divide_accumulate(array, axis=0, dtype=None, out=None):
    first, rest = np.split(array, [1], axis)
    return first / np.cumprod(np.concatenate((np.ones_like(first), rest), axis), axis)


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


def outer_rule(ufunc: np.ufunc) -> None:
    """`ufunc.outer(a, b)`: the ufunc, with the axes of `a` before those of `b`."""

    @composite(ufunc.outer)
    def outer(a, b, *, dtype=None):
        return ufunc(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


for ufunc in (
    np.add,
    np.subtract,
    np.multiply,
    np.divide,
    np.power,
    np.maximum,
    np.minimum,
    np.hypot,
    np.arctan2,
    np.logaddexp,
    np.logaddexp2,
    np.fmax,
    np.fmin,
    np.float_power,
    np.remainder,
    np.fmod,
    np.copysign,
):
    outer_rule(ufunc)

for comparison in (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    np.logical_and,
    np.logical_or,
):
    constant(comparison.outer, comparison.reduce, comparison.accumulate)
constant(np.floor_divide.outer)
