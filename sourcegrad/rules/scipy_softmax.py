"""`logsumexp`, `softmax` and `log_softmax` of SciPy.

Conventions: where every element is masked (the result is `-inf`) the gradient of
`logsumexp` is 0; elements that are `+inf` share it equally; an element of weight 0
gets none.
"""

import numpy as np
from scipy import special

from ..runtime import unbroadcast
from ..runtime_project import zero_wins
from ..runtime_special import shares
from .registry import adjoint, tangent

CORNERS = "gradient 0 where all is masked; elements at +inf share equally"


@adjoint(special.logsumexp, convention=CORNERS)
def logsumexp_adjoint(
    y, y_bar, a, axis=None, b=None, keepdims=False, return_sign=False
):
    if np.ndim(a) + np.ndim(b) == 0:
        axis = None
    if return_sign:
        y_bar = y_bar[0] * np.conj(y[1])
        y = y[0]
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
        y_bar = np.expand_dims(y_bar, axis)
    if b is None:
        return y_bar * shares(a, y, axis), None, None
    else:
        share = shares(a, y, axis)
        weighed = zero_wins(y_bar * share, b)
        return unbroadcast(weighed, a), None, unbroadcast(y_bar * share, b)


@tangent(special.logsumexp)
def logsumexp_tangent(
    y, a, a_dot, axis=None, b=None, b_dot=0.0, keepdims=False, return_sign=False
):
    if np.ndim(a) + np.ndim(b) == 0:
        axis = None
    if return_sign:
        sign, y = y[1], y[0]
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
    share = shares(a, y, axis)
    if b is None:
        moved = share * a_dot
    else:
        moved = zero_wins(share * a_dot, b) + share * b_dot
    total = np.sum(moved, axis=axis, keepdims=keepdims)
    if return_sign:
        return np.conj(sign) * total, 0.0 * total
    else:
        return total


@adjoint(shares)
def shares_adjoint(s, s_bar, a, y, axis):
    moved = zero_wins(s_bar, s)
    return unbroadcast(moved, a), -unbroadcast(moved, y)


@tangent(shares)
def shares_tangent(s, a, a_dot, y, y_dot, axis):
    return zero_wins(s, a_dot - y_dot)


@adjoint(special.softmax)
def softmax_adjoint(y, y_bar, x, axis=None):
    return (y_bar - np.sum(y_bar * y, axis=axis, keepdims=True)) * y


@tangent(special.softmax)
def softmax_tangent(y, x, x_dot, axis=None):
    return y * (x_dot - np.sum(y * x_dot, axis=axis, keepdims=True))


@adjoint(special.log_softmax)
def log_softmax_adjoint(y, y_bar, x, axis=None):
    return y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True)


@tangent(special.log_softmax)
def log_softmax_tangent(y, x, x_dot, axis=None):
    return x_dot - np.sum(np.exp(y) * x_dot, axis=axis, keepdims=True)
