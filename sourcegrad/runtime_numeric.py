"""Helpers of generated code: partials that no NumPy function gives.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def product_of_others(x: Any, axis: Any = None) -> Any:
    """For each element, the product of the others along `axis`; zeros are no trouble.

    >>> product_of_others(np.array([2.0, 0.0, 3.0]))
    array([0., 6., 0.])
    """
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(x, axes, last)
    kept = moved.shape[: x.ndim - len(axes)]
    flat = np.reshape(moved, kept + (math.prod(moved.shape[len(kept) :]),))
    one = np.ones_like(flat[..., :1])
    before = np.cumprod(np.concatenate((one, flat[..., :-1]), axis=-1), axis=-1)
    turned = np.concatenate((one, np.flip(flat, -1)[..., :-1]), axis=-1)
    after = np.flip(np.cumprod(turned, axis=-1), -1)
    return np.moveaxis(np.reshape(before * after, moved.shape), last, axes)


def prod_pullback(y_bar: Any, y: Any, x: Any, axis: Any = None) -> Any:
    """The cotangent of `x` in `y = np.prod(x, axis)`; zeros are no trouble.

    `y_bar` and `y` are scalars, or have the axes that were reduced with length 1.

    >>> prod_pullback(2.0, 0.0, np.array([2.0, 0.0, 3.0]))
    array([ 0., 12.,  0.])
    """
    if np.all(y) and np.all(np.isfinite(y)):
        return y_bar * y / x
    return y_bar * product_of_others(x, axis)


def cumprod_pullback(y_bar: Any, y: Any, x: Any, axis: int) -> Any:
    """The cotangent of `x` in `y = np.cumprod(x, axis)`; zeros are no trouble.

    >>> cumprod_pullback(np.ones(3), np.zeros(3), np.array([0.0, 2.0, 3.0]), 0)
    array([9., 0., 0.])
    """
    last = np.take(y, [-1], axis) if np.size(y) else y
    if np.all(last) and np.all(np.isfinite(last)):  # then so are the others
        return np.flip(np.cumsum(np.flip(y_bar * y, axis), axis=axis), axis) / x
    factors, g = np.moveaxis(x, axis, 0), np.moveaxis(y_bar, axis, 0)
    one = np.ones_like(factors[:1])
    before = np.cumprod(np.concatenate((one, factors[:-1]), axis=0), axis=0)
    # Horner's scheme: each partial sum takes one more factor
    last = g[-1]
    sums = [last]
    for i in range(len(factors) - 1, 0, -1):
        last = g[i - 1] + factors[i] * last
        sums.append(last)
    return np.moveaxis(before * np.flip(np.stack(sums), 0), 0, axis)


def cumprod_pushforward(x_dot: Any, y: Any, x: Any, axis: int) -> Any:
    """The tangent of `y = np.cumprod(x, axis)`; zeros are no trouble.

    >>> cumprod_pushforward(np.ones(3), np.zeros(3), np.array([0.0, 2.0, 3.0]), 0)
    array([1., 2., 6.])
    """
    x, x_dot = np.atleast_1d(x), np.atleast_1d(x_dot)
    last = np.take(y, [-1], axis) if np.size(y) else y
    if np.all(last) and np.all(np.isfinite(last)):  # then so are the others
        return y * np.cumsum(x_dot / x, axis=axis)
    factors, dots = np.moveaxis(x, axis, 0), np.moveaxis(x_dot, axis, 0)
    product, total = np.ones_like(factors[0]), np.zeros_like(dots[0])
    totals = []
    for i in range(len(factors)):
        total = total * factors[i] + product * dots[i]
        product = product * factors[i]
        totals.append(total)
    return np.moveaxis(np.stack(totals), 0, axis)


def sinc_slope(x: Any, y: Any) -> Any:
    """The derivative of `y = np.sinc(x)`, by its series near 0.

    >>> float(sinc_slope(0.0, 1.0)), round(float(sinc_slope(1.0, 0.0)), 12)
    (-0.0, -1.0)
    """
    small = np.abs(x) < 0.05
    if not np.any(small):
        return (np.cos(math.pi * x) - y) / x
    t = math.pi * math.pi * x * x
    # d/dx of sum (-1)^k (pi x)^(2k) / (2k+1)!
    series = 1 / 3 - t * (1 / 30 - t * (1 / 840 - t * (1 / 45360 - t / 3991680)))
    series = -math.pi * math.pi * x * series
    divisor = np.where(small, 1.0, x)
    return np.where(small, series, (np.cos(math.pi * x) - y) / divisor)


def bessel_i(n: int, x: Any) -> Any:
    """The modified Bessel function I_n of integer order, for |x| < 700.

    The trapezoidal rule on its integral over a half circle, which converges
    geometrically for a periodic integrand (Abramowitz and Stegun 9.6.19).

    >>> round(float(bessel_i(1, 1.0)), 12)
    0.565159103992
    """
    x = np.asarray(x) * 1.0
    theta = np.arange(512) * (math.pi / 256)
    weight = np.cos(n * theta).astype(x.dtype) / 512
    terms = np.exp(np.multiply.outer(x, np.cos(theta).astype(x.dtype)))
    return np.sum(terms * weight, axis=-1)


def polygamma(n: int, x: float) -> float:
    """The n-th derivative of the digamma function at a real number.

    The recurrence carries x beyond 20, where the asymptotic series holds to the
    last digit (Abramowitz and Stegun 6.4.6, 6.4.11).

    >>> round(polygamma(0, 1.0), 12), round(polygamma(1, 1.0), 12)
    (-0.577215664902, 1.644934066848)
    """
    sign = -1.0 if n % 2 == 0 else 1.0
    total = 0.0
    while x < 20.0 + n:
        total += sign * math.factorial(n) / x ** (n + 1)
        x += 1.0
    bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
    if n == 0:
        tail = math.log(x) - 0.5 / x
        for k, b in enumerate(bernoulli, start=1):
            tail -= b / (2 * k * x ** (2 * k))
        return total + tail
    tail = math.factorial(n - 1) / x**n + math.factorial(n) / (2 * x ** (n + 1))
    for k, b in enumerate(bernoulli, start=1):
        ratio = math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        tail += b * ratio / x ** (2 * k + n)
    return total + sign * tail
