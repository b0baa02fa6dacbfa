"""Products of vectors, matrices and tensors, by every name NumPy has for them."""

import operator

import numpy as np

from ..runtime import is_zero, not_differentiable, unbroadcast
from ..runtime_linalg import (
    einsum_bar,
    is_inner_product,
    tensordot_left,
    tensordot_right,
)
from .registry import adjoint, composite, tangent

# --------------------------------------------------- dot, matmul and kin


@adjoint(np.matmul, operator.matmul, np.linalg.matmul)
def matmul_adjoint(z, z_bar, x, y):
    if x.ndim == 1 and y.ndim == 1:
        return z_bar * y, z_bar * x
    elif x.ndim == 2 and y.ndim == 2:
        return z_bar @ y.T, x.T @ z_bar
    elif x.ndim == 2 and y.ndim == 1:
        return np.outer(z_bar, y), x.T @ z_bar
    elif x.ndim == 1 and y.ndim == 2:
        return y @ z_bar, np.outer(x, z_bar)
    elif x.ndim == 1:
        x_bar = np.matmul(y, np.expand_dims(z_bar, -1))[..., 0]
        y_bar = np.expand_dims(x, -1) * np.expand_dims(z_bar, -2)
        return unbroadcast(x_bar, x), unbroadcast(y_bar, y)
    elif y.ndim == 1:
        x_bar = np.expand_dims(z_bar, -1) * y
        y_bar = np.matmul(np.expand_dims(z_bar, -2), x)[..., 0, :]
        return unbroadcast(x_bar, x), unbroadcast(y_bar, y)
    else:
        x_bar = np.matmul(z_bar, np.swapaxes(y, -1, -2))
        y_bar = np.matmul(np.swapaxes(x, -1, -2), z_bar)
        return unbroadcast(x_bar, x), unbroadcast(y_bar, y)


@adjoint(np.dot)
def dot_adjoint(z, z_bar, a, b, out=None):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return unbroadcast(z_bar * b, a), unbroadcast(z_bar * a, b)
    elif a.ndim == 1 and b.ndim == 1:
        return z_bar * b, z_bar * a
    elif a.ndim == 2 and b.ndim == 2:
        return np.dot(z_bar, b.T), np.dot(a.T, z_bar)
    elif a.ndim == 2 and b.ndim == 1:
        return np.outer(z_bar, b), np.dot(a.T, z_bar)
    elif a.ndim == 1 and b.ndim == 2:
        return np.dot(b, z_bar), np.outer(a, z_bar)
    elif b.ndim == 1:
        return tensordot_left(z_bar, a, b, 1), tensordot_right(z_bar, a, b, 1)
    else:
        axes = (-1, -2)
        return tensordot_left(z_bar, a, b, axes), tensordot_right(z_bar, a, b, axes)


@adjoint(np.vdot)
def vdot_adjoint(z, z_bar, a, b, /):
    if np.iscomplexobj(a) or np.iscomplexobj(b):
        return (
            np.reshape(np.conj(z_bar) * np.conj(np.ravel(b)), np.shape(a)),
            np.reshape(z_bar * np.conj(np.ravel(a)), np.shape(b)),
        )
    else:
        return (
            np.reshape(z_bar * np.ravel(b), np.shape(a)),
            np.reshape(z_bar * np.ravel(a), np.shape(b)),
        )


@adjoint(np.inner)
def inner_adjoint(z, z_bar, a, b, /):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return unbroadcast(z_bar * b, a), unbroadcast(z_bar * a, b)
    elif a.ndim == 1 and b.ndim == 1:
        return z_bar * b, z_bar * a
    else:
        axes = (-1, -1)
        return tensordot_left(z_bar, a, b, axes), tensordot_right(z_bar, a, b, axes)


@adjoint(np.outer)
def outer_adjoint(z, z_bar, a, b, out=None):
    return (
        np.reshape(np.dot(z_bar, np.ravel(b)), np.shape(a)),
        np.reshape(np.dot(np.ravel(a), z_bar), np.shape(b)),
    )


@adjoint(np.tensordot)
def tensordot_adjoint(z, z_bar, a, b, axes=2):
    return tensordot_left(z_bar, a, b, axes), tensordot_right(z_bar, a, b, axes)


# The tangent of a product is the sum of two, one where an operand is constant.


@tangent(np.matmul, operator.matmul, np.linalg.matmul)
def matmul_tangent(z, x, x_dot, y, y_dot):
    if is_zero(y_dot):
        return x_dot @ y
    elif is_zero(x_dot):
        return x @ y_dot
    else:
        return x_dot @ y + x @ y_dot


@tangent(np.dot)
def dot_tangent(z, a, a_dot, b, b_dot, out=None):
    if is_zero(b_dot):
        return np.dot(a_dot, b)
    elif is_zero(a_dot):
        return np.dot(a, b_dot)
    else:
        return np.dot(a_dot, b) + np.dot(a, b_dot)


@tangent(np.vdot)
def vdot_tangent(z, a, a_dot, b, b_dot, /):
    if is_zero(b_dot):
        return np.vdot(a_dot, b)
    elif is_zero(a_dot):
        return np.vdot(a, b_dot)
    else:
        return np.vdot(a_dot, b) + np.vdot(a, b_dot)


@tangent(np.inner)
def inner_tangent(z, a, a_dot, b, b_dot, /):
    if is_zero(b_dot):
        return np.inner(a_dot, b)
    elif is_zero(a_dot):
        return np.inner(a, b_dot)
    else:
        return np.inner(a_dot, b) + np.inner(a, b_dot)


@tangent(np.outer)
def outer_tangent(z, a, a_dot, b, b_dot, out=None):
    if is_zero(b_dot):
        return np.outer(a_dot, b)
    elif is_zero(a_dot):
        return np.outer(a, b_dot)
    else:
        return np.outer(a_dot, b) + np.outer(a, b_dot)


@tangent(np.tensordot)
def tensordot_tangent(z, a, a_dot, b, b_dot, axes=2):
    if is_zero(b_dot):
        return np.tensordot(a_dot, b, axes)
    elif is_zero(a_dot):
        return np.tensordot(a, b_dot, axes)
    else:
        return np.tensordot(a_dot, b, axes) + np.tensordot(a, b_dot, axes)


# ----------------------------------------------------------------- einsum


@adjoint(
    np.einsum,
    views="alone",
    convention="a string of subscripts and up to four operands",
)
def einsum_adjoint(y, y_bar, subscripts, a, b=None, c=None, d=None, *, optimize=False):
    if not isinstance(subscripts, str):
        return not_differentiable("np.einsum with lists of labels has no rule")
    elif b is None:
        return None, einsum_bar(y_bar, 0, subscripts, a), None, None, None
    elif c is None and is_inner_product(subscripts):
        a_bar, b_bar = unbroadcast(y_bar * b, a), unbroadcast(y_bar * a, b)
        return None, a_bar, b_bar, None, None
    elif c is None:
        return (
            None,
            einsum_bar(y_bar, 0, subscripts, a, b),
            einsum_bar(y_bar, 1, subscripts, a, b),
            None,
            None,
        )
    elif d is None:
        return (
            None,
            einsum_bar(y_bar, 0, subscripts, a, b, c),
            einsum_bar(y_bar, 1, subscripts, a, b, c),
            einsum_bar(y_bar, 2, subscripts, a, b, c),
            None,
        )
    else:
        return (
            None,
            einsum_bar(y_bar, 0, subscripts, a, b, c, d),
            einsum_bar(y_bar, 1, subscripts, a, b, c, d),
            einsum_bar(y_bar, 2, subscripts, a, b, c, d),
            einsum_bar(y_bar, 3, subscripts, a, b, c, d),
        )


@tangent(np.einsum)
def einsum_tangent(
    y,
    subscripts,
    a,
    a_dot,
    b=None,
    b_dot=0.0,
    c=None,
    c_dot=0.0,
    d=None,
    d_dot=0.0,
    *,
    optimize=False,
):
    y_dot = 0.0
    if b is None:
        return np.einsum(subscripts, a_dot)
    elif c is None:
        if not is_zero(a_dot):
            y_dot = y_dot + np.einsum(subscripts, a_dot, b, optimize=optimize)
        if not is_zero(b_dot):
            y_dot = y_dot + np.einsum(subscripts, a, b_dot, optimize=optimize)
        return y_dot
    elif d is None:
        if not is_zero(a_dot):
            y_dot = y_dot + np.einsum(subscripts, a_dot, b, c, optimize=optimize)
        if not is_zero(b_dot):
            y_dot = y_dot + np.einsum(subscripts, a, b_dot, c, optimize=optimize)
        if not is_zero(c_dot):
            y_dot = y_dot + np.einsum(subscripts, a, b, c_dot, optimize=optimize)
        return y_dot
    else:
        if not is_zero(a_dot):
            y_dot = y_dot + np.einsum(subscripts, a_dot, b, c, d, optimize=optimize)
        if not is_zero(b_dot):
            y_dot = y_dot + np.einsum(subscripts, a, b_dot, c, d, optimize=optimize)
        if not is_zero(c_dot):
            y_dot = y_dot + np.einsum(subscripts, a, b, c_dot, d, optimize=optimize)
        if not is_zero(d_dot):
            y_dot = y_dot + np.einsum(subscripts, a, b, c, d_dot, optimize=optimize)
        return y_dot


# ---------------------------------------------------- in terms of others


@composite(np.kron)
def kron(a, b):
    ndim = max(np.ndim(a), np.ndim(b))
    left = np.reshape(a, (1,) * (ndim - np.ndim(a)) + np.shape(a))
    right = np.reshape(b, (1,) * (ndim - np.ndim(b)) + np.shape(b))
    product = np.multiply(
        np.expand_dims(left, tuple(range(1, 2 * ndim, 2))),
        np.expand_dims(right, tuple(range(0, 2 * ndim, 2))),
    )
    pairs = zip(np.shape(left), np.shape(right), strict=True)
    return np.reshape(product, tuple([m * n for m, n in pairs]))


@composite(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa, axisb, axisc = axis, axis, axis
    a = np.moveaxis(a, axisa, 0)
    b = np.moveaxis(b, axisb, 0)
    c0 = a[1] * b[2] - a[2] * b[1]
    c1 = a[2] * b[0] - a[0] * b[2]
    c2 = a[0] * b[1] - a[1] * b[0]
    return np.stack((c0, c1, c2), axis=axisc)


@composite(np.vecdot)
def vecdot(x1, x2, /, *, axis=-1, keepdims=False):
    return np.sum(np.conj(x1) * x2, axis=axis, keepdims=keepdims)


@composite(np.linalg.vecdot)
def linalg_vecdot(x1, x2, /, *, axis=-1):
    return np.sum(np.conj(x1) * x2, axis=axis)


@composite(np.linalg.cross)
def linalg_cross(x1, x2, /, *, axis=-1):
    return np.cross(x1, x2, axis=axis)


@composite(np.linalg.outer)
def linalg_outer(x1, x2, /):
    return np.outer(x1, x2)


@composite(np.linalg.tensordot)
def linalg_tensordot(x1, x2, /, *, axes=2):
    return np.tensordot(x1, x2, axes)


if hasattr(np, "matvec"):  # NumPy 2.2

    @composite(np.matvec)
    def matvec(x1, x2, /):
        return np.matmul(x1, np.expand_dims(x2, -1))[..., 0]

    @composite(np.vecmat)
    def vecmat(x1, x2, /):
        return np.matmul(np.expand_dims(np.conj(x1), -2), x2)[..., 0, :]


@composite(np.linalg.multi_dot)
def multi_dot(arrays, *, out=None):
    product = arrays[0]
    for factor in arrays[1:]:
        product = np.dot(product, factor)
    return product
