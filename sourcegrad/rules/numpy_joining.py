"""Functions that join arrays, and those that split one.

The operand of a joining function is a list or tuple: so is its cotangent.
"""

import numpy as np

from ..runtime_shapes import split_like, unblock, unsplit
from .registry import composite, linear


@linear(np.concatenate, np.concat)
def concatenate_adjoint(y, y_bar, arrays, axis=0, out=None, dtype=None):
    return split_like(y_bar, arrays, axis)


@linear(np.stack)
def stack_adjoint(
    y, y_bar, arrays, axis=0, out=None, *, dtype=None, casting="same_kind"
):
    if isinstance(arrays, np.ndarray):
        return np.moveaxis(y_bar, axis, 0)
    elif axis == 0:
        return tuple(y_bar)
    elif axis == 1:
        return tuple(np.swapaxes(y_bar, 0, 1))
    else:
        return tuple(np.moveaxis(y_bar, axis, 0))


@linear(np.vstack, getattr(np, "row_stack", np.vstack))
def vstack_adjoint(y, y_bar, tup, *, dtype=None, casting="same_kind"):
    return split_like(y_bar, tup, 0)


@linear(np.hstack)
def hstack_adjoint(y, y_bar, tup, *, dtype=None, casting="same_kind"):
    return split_like(y_bar, tup, 0 if np.ndim(y) == 1 else 1)


@linear(np.dstack)
def dstack_adjoint(y, y_bar, tup):
    return split_like(y_bar, tup, 2)


@linear(np.column_stack)
def column_stack_adjoint(y, y_bar, tup):
    return split_like(y_bar, tup, 1)


@linear(np.block)
def block_adjoint(y, y_bar, arrays):
    return unblock(y_bar, arrays)


@composite(np.append)
def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    else:
        return np.concatenate((arr, values), axis=axis)


@linear(np.split, np.array_split, views=True)
def split_adjoint(y, y_bar, ary, indices_or_sections, axis=0):
    return unsplit(y_bar, ary, indices_or_sections, axis)


@linear(np.vsplit, views=True)
def vsplit_adjoint(y, y_bar, ary, indices_or_sections):
    return unsplit(y_bar, ary, indices_or_sections, 0)


@linear(np.hsplit, views=True)
def hsplit_adjoint(y, y_bar, ary, indices_or_sections):
    return unsplit(y_bar, ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


@linear(np.dsplit, views=True)
def dsplit_adjoint(y, y_bar, ary, indices_or_sections):
    return unsplit(y_bar, ary, indices_or_sections, 2)


if hasattr(np, "unstack"):  # NumPy 2.1

    @composite(np.unstack, builds=True)
    def unstack(x, /, *, axis=0):
        return list(np.moveaxis(x, axis, 0))


@composite(np.broadcast_arrays)
def broadcast_arrays(*args, subok=False):
    shape = np.broadcast_shapes(*[np.shape(a) for a in args])
    return tuple(np.broadcast_to(a, shape) for a in args)
