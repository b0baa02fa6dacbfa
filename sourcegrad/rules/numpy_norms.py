"""Norms of vectors and matrices, of every order and over any axes.

Conventions: the gradient of a norm is 0 at 0; entries that tie for a maximum share
equally; entries that are 0 have derivative 0 in a norm of order below 1.
"""

import math

import numpy as np

from ..runtime_norms import matrix_slope, per_norm, vector_slope
from .registry import adjoint, composite, tangent


@adjoint(np.linalg.norm, convention="gradient 0 at 0; ties share equally")
def norm_adjoint(y, y_bar, x, ord=None, axis=None, keepdims=False):
    if ord is None:
        conjugate = np.conj(x) if np.iscomplexobj(x) else x
        if axis is None or keepdims:
            return per_norm(y_bar, y) * conjugate
        else:
            return np.expand_dims(per_norm(y_bar, y), axis) * conjugate
    elif axis is None and np.ndim(x) == 1:
        return y_bar * vector_slope(y, x, ord, 0, keepdims)
    elif axis is None:
        return y_bar * matrix_slope(y, x, ord, (0, 1), keepdims)
    else:
        if not keepdims:
            y_bar = np.expand_dims(y_bar, axis)
        if isinstance(axis, int):
            return y_bar * vector_slope(y, x, ord, axis, keepdims)
        elif len(axis) == 1:
            return y_bar * vector_slope(y, x, ord, axis[0], keepdims)
        else:
            return y_bar * matrix_slope(y, x, ord, axis, keepdims)


@tangent(np.linalg.norm)
def norm_tangent(y, x, x_dot, ord=None, axis=None, keepdims=False):
    if ord is None:
        product = np.real(np.conj(x) * x_dot) if np.iscomplexobj(x) else x * x_dot
        total = np.sum(product, axis=axis, keepdims=keepdims)
        return per_norm(total, y)
    else:
        if axis is None and np.ndim(x) == 1:
            slope = vector_slope(y, x, ord, 0, keepdims)
        elif axis is None:
            slope = matrix_slope(y, x, ord, (0, 1), keepdims)
        elif isinstance(axis, int):
            slope = vector_slope(y, x, ord, axis, keepdims)
        elif len(axis) == 1:
            slope = vector_slope(y, x, ord, axis[0], keepdims)
        else:
            slope = matrix_slope(y, x, ord, axis, keepdims)
        return np.sum(np.real(slope * x_dot), axis=axis, keepdims=keepdims)


@composite(np.linalg.matrix_norm)
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return np.linalg.norm(x, ord, (-2, -1), keepdims)


@composite(np.linalg.vector_norm)
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    if axis is None:
        norm = np.linalg.norm(np.ravel(x), ord)
        return np.reshape(norm, (1,) * x.ndim) if keepdims else norm
    elif isinstance(axis, int):
        return np.linalg.norm(x, ord, axis, keepdims)
    else:
        moved = np.moveaxis(x, axis, tuple(range(-len(axis), 0)))
        kept = moved.shape[: x.ndim - len(axis)]
        flat = np.reshape(moved, (*kept, math.prod(moved.shape[len(kept) :])))
        norm = np.linalg.norm(flat, ord, -1)
        return np.expand_dims(norm, axis) if keepdims else norm


@composite(np.linalg.cond)
def cond(x, p=None):
    if p is None or p == 2:
        s = np.linalg.svdvals(x)
        return s[..., 0] / s[..., -1]
    elif p == -2:
        s = np.linalg.svdvals(x)
        return s[..., -1] / s[..., 0]
    else:
        inverse = np.linalg.inv(x)
        return np.linalg.norm(x, p, (-2, -1)) * np.linalg.norm(inverse, p, (-2, -1))
