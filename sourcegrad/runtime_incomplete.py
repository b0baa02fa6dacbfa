"""Helpers of generated code: incomplete gamma and beta functions in their parameters.

Term by term of series whose terms are positive, so that the error is that of
rounding, relative to 1. Where a series has not converged, the slope is nan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MOST_TERMS = 100_000


def gammainc_slope(a: Any, x: Any) -> Any:
    """The derivative of `scipy.special.gammainc(a, x)` in `a`.

    By the series `P(a, x) = sum x**(a+n) exp(-x) / gamma(a+n+1)` (DLMF 8.7.1).

    >>> float(np.round(gammainc_slope(1.0, 2.0), 12))
    -0.220825426212
    """
    from scipy import special

    a, x = np.broadcast_arrays(np.asarray(a, float), np.asarray(x, float))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log = np.log(x)
        size = np.exp(a * log - x - special.gammaln(a + 1.0))
        psi = special.digamma(a + 1.0)

        def term(n: int) -> Any:
            nonlocal psi
            if n:
                psi = psi + 1.0 / (a + n)
            return log - psi

        total = _summed(size, lambda n: x / (a + n), term, lambda n: a + n > x)
    return np.where(np.isinf(x), 0.0, total)[()]


def betainc_slope(a: Any, b: Any, x: Any, rest: Any) -> Any:
    """The derivative of `scipy.special.betainc(a, b, x)` in `a`; `rest` is `1 - x`.

    By the series `I = sum x**(a+n) (1-x)**b gamma(a+b+n) / gamma(b) / gamma(a+n+1)`
    (DLMF 8.17.8), or by that of `1 - I`, whichever converges faster.

    >>> float(np.round(betainc_slope(1.0, 1.0, 0.5, 0.5), 12))
    -0.34657359028
    """
    from scipy import special

    a, b, x, rest = np.broadcast_arrays(
        *(np.asarray(v, float) for v in (a, b, x, rest))
    )
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        turned = x > (a + 1.0) / (a + b + 2.0)
        first, second = np.where(turned, b, a), np.where(turned, a, b)
        u, v = np.where(turned, rest, x), np.where(turned, x, rest)
        log_x = np.log(x)
        log = special.xlogy(first, u) + special.xlogy(second, v)
        size = np.exp(log - special.betaln(first, second)) / first
        size = np.where(np.abs(x + rest - 1.0) < 1e-6, size, np.nan)
        of_both, of_one = special.digamma(a + b), special.digamma(first + 1.0)
        of_second = special.digamma(second)

        def term(n: int) -> Any:
            nonlocal of_both, of_one
            if n:
                of_both = of_both + 1.0 / (a + b + n - 1.0)
                of_one = of_one + 1.0 / (first + n)
            return log_x + of_both - np.where(turned, of_second, of_one)

        total = _summed(
            size, lambda n: u * (a + b + n - 1.0) / (first + n), term, lambda n: True
        )
    return np.where(turned, -total, total)[()]


def _summed(
    size: Any,
    ratio: Callable[[int], Any],
    factor: Callable[[int], Any],
    falling: Callable[[int], Any],
) -> Any:
    """The sum of `size_n * factor(n)` with `size_n = size_(n-1) * ratio(n)`.

    `falling(n)` tells where the sizes fall from there on. What underflows at the
    start is 0; what does not converge is nan.
    """
    total = np.zeros(size.shape)
    nothing = size == 0
    for n in range(MOST_TERMS):
        if n:
            size = size * ratio(n)
        term = np.where(size == 0, 0.0, size * factor(n))
        total = total + term
        left = np.abs(term) / np.maximum(1.0 - np.abs(ratio(n + 1)), 1e-300)
        past = falling(n) & (left <= 1e-17 * (1e-3 + np.abs(total))) & (n > 0)
        if np.all(past | nothing | ~np.isfinite(total)):
            return total
    return np.where(past | nothing, total, np.nan)
