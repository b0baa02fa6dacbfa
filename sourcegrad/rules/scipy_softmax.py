"""`logsumexp`, `softmax` and `log_softmax` of SciPy."""

import numpy as np
from scipy import special

from ..runtime import not_differentiable, unbroadcast
from .registry import adjoint, tangent


@adjoint(special.logsumexp)
def logsumexp_adjoint(
    y, y_bar, a, axis=None, b=None, keepdims=False, return_sign=False
):
    if return_sign:
        not_differentiable("scipy.special.logsumexp with return_sign has no rule")
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
        y_bar = np.expand_dims(y_bar, axis)
    if b is None:
        return y_bar * np.exp(a - y), None, None
    else:
        share = y_bar * np.exp(a - y)
        return unbroadcast(share * b, a), None, unbroadcast(share, b)


@tangent(special.logsumexp)
def logsumexp_tangent(
    y, a, a_dot, axis=None, b=None, b_dot=0.0, keepdims=False, return_sign=False
):
    if return_sign:
        not_differentiable("scipy.special.logsumexp with return_sign has no rule")
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
    if b is None:
        return np.sum(np.exp(a - y) * a_dot, axis=axis, keepdims=keepdims)
    else:
        moved = np.exp(a - y) * (b * a_dot + b_dot)
        return np.sum(moved, axis=axis, keepdims=keepdims)


@adjoint(special.softmax)
def softmax_adjoint(y, y_bar, x, axis=None):
    return y * (y_bar - np.sum(y_bar * y, axis=axis, keepdims=True))


@tangent(special.softmax)
def softmax_tangent(y, x, x_dot, axis=None):
    return y * (x_dot - np.sum(y * x_dot, axis=axis, keepdims=True))


@adjoint(special.log_softmax)
def log_softmax_adjoint(y, y_bar, x, axis=None):
    return y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True)


@tangent(special.log_softmax)
def log_softmax_tangent(y, x, x_dot, axis=None):
    return x_dot - np.sum(np.exp(y) * x_dot, axis=axis, keepdims=True)
