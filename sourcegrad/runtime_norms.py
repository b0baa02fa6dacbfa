"""Helpers of generated code: derivatives of norms of an order other than 2.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _tells_zeros() -> bool:
    """Whether this machine tells NumPy of a division by zero: WebAssembly does not."""
    zeros = np.zeros(16)
    try:
        with np.errstate(invalid="raise"):
            zeros / zeros
    except FloatingPointError:
        return True
    return False


TELLS_ZEROS = _tells_zeros()


def one_over_norm(y: Any) -> Any:
    """`1 / y` for a slope of the slope of a norm `y`, which has none at 0.

    `norm(x)` and `norm(x) ** 2` have the same slope there by convention, 0, and quite
    different second derivatives: no number would be right for both.

    Raises:
        NonDifferentiableError: a norm is 0.

    >>> float(one_over_norm(4.0))
    0.25
    """
    if np.any(np.asarray(y) == 0):
        from sourcegrad.runtime import not_differentiable

        not_differentiable(
            "a norm that is 0 has no second derivative",
            "its slope jumps there",
            "add a small number under the root, or write np.sum(x * x) for its square",
        )
    return 1.0 / y


def per_norm(g: Any, y: Any) -> Any:
    """`g / y`, and `g` where the norm `y` is 0.

    There the norm has the gradient 0 by convention, but no second derivative: that
    of this function is nan.

    >>> per_norm(3.0, 2.0), per_norm(3.0, 0.0)
    (1.5, 3.0)
    """
    if not (isinstance(y, (np.ndarray, np.floating, float)) and TELLS_ZEROS):
        return g / (y + (y == 0))
    try:  # the processor looks for zeros as it divides, which costs nothing
        with np.errstate(divide="raise", invalid="raise"):
            return g / y
    except (FloatingPointError, ZeroDivisionError):
        return g / (y + (y == 0))


def vector_slope(y: Any, x: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    """The partials of `y = np.linalg.norm(x, ord, axis, keepdims)`, shaped like x.

    For complex x, of the pairing `real(slope * x_dot)`.

    >>> vector_slope(7.0, np.array([3.0, -4.0]), 1, -1, False)
    array([ 1., -1.])
    """
    if not keepdims:
        y = np.expand_dims(y, axis)
    if ord == 2:
        return per_norm(np.conj(x), y)
    sign, size = np.conj(np.sign(x)), np.abs(x)
    if ord == 0:
        return 0.0 * sign
    if ord == 1:
        return sign
    if ord in (np.inf, -np.inf):
        extreme = np.max if ord > 0 else np.min  # y may differ in the last digit
        chosen = size == extreme(size, axis=axis, keepdims=True)
        return (
            sign * chosen / np.sum(chosen, axis=axis, keepdims=True, dtype=size.dtype)
        )
    # sign is 0 where size is, so what stands in for a zero does not matter
    ratio = per_norm(np.where(size == 0, 1.0, size), y)
    at_zero = per_norm(np.zeros_like(size), y)
    return sign * np.where(y == 0, at_zero, ratio ** (ord - 1))


def matrix_slope(y: Any, x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """The partials of the norm of matrices in the two axes `axis`, shaped like x.

    >>> matrix_slope(7.0, np.array([[3.0, 1.0], [4.0, 2.0]]), 1, (0, 1), False)
    array([[1., 0.],
           [1., 0.]])
    """
    if ord == "fro":
        return per_norm(np.conj(x), y if keepdims else np.expand_dims(y, axis))
    last = (-2, -1)
    x = np.moveaxis(x, axis, last)
    if np.size(x) == 0:
        return np.moveaxis(np.conj(x), last, axis)
    if ord != "nuc" and ord != 2 and ord != -2:
        across = -2 if ord in (1, -1) else -1
        along = -3 - across
        sums = np.sum(np.abs(x), axis=across, keepdims=True)
        part = share(sums, ord > 0, along)
        return np.moveaxis(np.conj(np.sign(x)) * part, last, axis)
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    if ord == "nuc":
        weights = share_of_all(s)
    else:
        weights = share(s, ord == 2, -1)
    slope = np.conj(u * np.expand_dims(weights, -2) @ vh)
    return np.moveaxis(slope, last, axis)


def share(values: Any, largest: bool, axis: int) -> Any:
    """Equal parts, adding up to 1 along an axis, for the extreme values.

    >>> share(np.array([2.0, 5.0, 5.0]), True, 0)
    array([0. , 0.5, 0.5])
    """
    pick = np.max if largest else np.min
    chosen = values == pick(values, axis=axis, keepdims=True)
    return chosen / np.sum(chosen, axis=axis, keepdims=True, dtype=values.dtype)


def share_of_all(s: Any) -> Any:
    """1 for each singular value that is not 0 up to rounding.

    >>> share_of_all(np.array([2.0, 1e-30]))
    array([1., 0.])
    """
    return (s > np.finfo(s.dtype).eps * s[..., :1]).astype(s.dtype)
