"""Functions that rearrange the elements of one array, or repeat them."""

import numpy as np

from ..runtime import not_differentiable, unbroadcast
from ..runtime_shapes import (
    add_padded,
    pad_linearly,
    place_diagonal,
    unpad,
    unrepeat,
    untile,
)
from .registry import adjoint, composite, constant, linear, tangent

# ------------------------------------------------------------------ reshape


@linear(np.reshape, views=True)
def reshape_adjoint(y, y_bar, a, /, shape, order="C", *, copy=None):
    return np.reshape(y_bar, np.shape(a), order=order)


@linear(np.ravel, views=True)
def ravel_adjoint(y, y_bar, a, order="C"):
    return np.reshape(y_bar, np.shape(a), order=order)


@linear(np.squeeze, views=True)
def squeeze_adjoint(y, y_bar, a, axis=None):
    return np.reshape(y_bar, np.shape(a))


@linear(np.atleast_1d, np.atleast_2d, np.atleast_3d, views=True)
def atleast_adjoint(y, y_bar, ary):
    return np.reshape(y_bar, np.shape(ary))


@linear(np.expand_dims, views=True)
def expand_dims_adjoint(y, y_bar, a, axis):
    return np.reshape(y_bar, np.shape(a))


# ---------------------------------------------------------------- transpose


@linear(np.transpose, np.permute_dims, views=True)
def transpose_adjoint(y, y_bar, a, axes=None):
    if axes is None:
        return np.transpose(y_bar)
    else:
        return np.transpose(y_bar, np.argsort(np.mod(axes, a.ndim)))


@linear(np.matrix_transpose, np.linalg.matrix_transpose, views=True)
def matrix_transpose_adjoint(y, y_bar, x, /):
    return np.swapaxes(y_bar, -1, -2)


@linear(np.swapaxes, views=True)
def swapaxes_adjoint(y, y_bar, a, axis1, axis2):
    return np.swapaxes(y_bar, axis1, axis2)


@linear(np.moveaxis, views=True)
def moveaxis_adjoint(y, y_bar, a, source, destination):
    return np.moveaxis(y_bar, destination, source)


@composite(np.rollaxis)
def rollaxis(a, axis, start=0):
    axis = axis % a.ndim
    start = start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


# ------------------------------------------------------------ flips and turns


@linear(np.flip, views=True)
def flip_adjoint(y, y_bar, m, axis=None):
    return np.flip(y_bar, axis)


@linear(np.fliplr, views=True)
def fliplr_adjoint(y, y_bar, m):
    return np.fliplr(y_bar)


@linear(np.flipud, views=True)
def flipud_adjoint(y, y_bar, m):
    return np.flipud(y_bar)


@linear(np.rot90, views=True)
def rot90_adjoint(y, y_bar, m, k=1, axes=(0, 1)):
    return np.rot90(y_bar, -k, axes)


@linear(np.roll)
def roll_adjoint(y, y_bar, a, shift, axis=None):
    if isinstance(shift, int):
        return np.roll(y_bar, -shift, axis)
    else:
        return np.roll(y_bar, np.negative(shift), axis)


# --------------------------------------------------------- repeated elements


@linear(np.broadcast_to, views=True)
def broadcast_to_adjoint(y, y_bar, array, shape, subok=False):
    return unbroadcast(y_bar, array)


@linear(np.tile)
def tile_adjoint(y, y_bar, A, reps):
    return untile(y_bar, A, reps)


@linear(np.repeat)
def repeat_adjoint(y, y_bar, a, repeats, axis=None):
    return unrepeat(y_bar, a, repeats, axis)


@adjoint(np.pad)
def pad_adjoint(y, y_bar, array, pad_width, mode="constant", *, constant_values=0):
    if mode == "constant":
        return unpad(y_bar, array, pad_width)
    else:
        return add_padded(y_bar, array, pad_width, mode)


@tangent(np.pad)
def pad_tangent(y, array, array_dot, pad_width, mode="constant", *, constant_values=0):
    if mode == "constant":
        return np.pad(array_dot, pad_width)
    else:
        return pad_linearly(array_dot, pad_width, mode)


@composite(np.pad, options=True, fixed=("end_values",))
def pad_by(
    array,
    pad_width,
    mode="constant",
    *,
    constant_values=0.0,
    end_values=0.0,
    stat_length=None,
    reflect_type="even",
):
    if mode == "constant" and np.ndim(constant_values) == 0:
        frame = np.pad(np.zeros(np.shape(array)), pad_width, constant_values=1.0)
        return np.pad(array, pad_width) + frame * constant_values
    elif mode == "constant":
        not_differentiable(
            "np.pad has a derivative in constant_values that are one number"
        )
    else:
        return pad_linearly(array, pad_width, mode, stat_length, reflect_type)


# --------------------------------------------------- triangles and diagonals


@linear(np.tril)
def tril_adjoint(y, y_bar, m, k=0):
    return unbroadcast(np.tril(y_bar, k), m)


@linear(np.triu)
def triu_adjoint(y, y_bar, m, k=0):
    return unbroadcast(np.triu(y_bar, k), m)


@linear(np.diag, views=True, copied_ndim=1)
def diag_adjoint(y, y_bar, v, k=0):
    if np.ndim(v) == 1:
        return np.diagonal(y_bar, k)
    else:
        return place_diagonal(y_bar, v, k, 0, 1)


@linear(np.diagflat)
def diagflat_adjoint(y, y_bar, v, k=0):
    return np.reshape(np.diagonal(y_bar, k), np.shape(v))


@linear(np.diagonal, views=True)
def diagonal_adjoint(y, y_bar, a, offset=0, axis1=0, axis2=1):
    return place_diagonal(y_bar, a, offset, axis1, axis2)


@linear(np.linalg.diagonal, views=True)
def linalg_diagonal_adjoint(y, y_bar, x, /, *, offset=0):
    return place_diagonal(y_bar, x, offset, -2, -1)


@linear(np.trace)
def trace_adjoint(y, y_bar, a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return place_diagonal(np.expand_dims(y_bar, -1), a, offset, axis1, axis2)


@linear(np.linalg.trace)
def linalg_trace_adjoint(y, y_bar, x, /, *, offset=0, dtype=None):
    return place_diagonal(np.expand_dims(y_bar, -1), x, offset, -2, -1)


constant(np.shape, np.ndim, np.size, np.broadcast_shapes)
