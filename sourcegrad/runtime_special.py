"""Helpers of generated code for special functions; SciPy is imported when called."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_TERMS = 100_000


def no_partial(function: str, operand: str) -> Any:
    """Raise: the function is differentiated in its other operands only.

    Raises:
        NonDifferentiableError: always.
    """
    from sourcegrad.runtime import not_differentiable

    not_differentiable(
        f"{function} has no derivative rule for its operand {operand!r}",
        "no closed form is known",
        f"take it as a constant: sourcegrad.stop_gradient({operand})",
    )


def gammainc_slope(a: Any, x: Any) -> Any:
    """The derivative of `scipy.special.gammainc(a, x)` in `a`.

    Term by term of the series `P(a, x) = sum x**(a+n) exp(-x) / gamma(a+n+1)`, whose
    terms are positive; the error is that of rounding, relative to 1.

    >>> float(np.round(gammainc_slope(1.0, 2.0), 12))
    -0.220825426212
    """
    from scipy import special

    a, x = np.broadcast_arrays(np.asarray(a, float), np.asarray(x, float))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log = np.log(x)
        size = np.exp(a * log - x - special.gammaln(a + 1.0))
        psi = special.digamma(a + 1.0)
        total = np.zeros(a.shape)
        for n in range(1, MOST_TERMS):
            term = np.where(size == 0, 0.0, size * (log - psi))
            total = total + term
            psi = psi + 1.0 / (a + n)
            size = size * (x / (a + n))
            past = (a + n > x) & (np.abs(term) <= 1e-17 * (1e-3 + np.abs(total)))
            if np.all(past | ~np.isfinite(total)):
                break
    return np.where(np.isinf(x), 0.0, total)[()]


def simpson_weights(count: int, x: Any, dx: Any) -> Any:
    """The weight of each sample in `scipy.integrate.simpson`.

    >>> np.round(simpson_weights(3, None, 3.0), 12).tolist()
    [1.0, 4.0, 1.0]
    """
    from scipy import integrate

    return integrate.simpson(np.eye(count), x=x, dx=dx, axis=-1)


def quotient(x: Any, y: Any) -> Any:
    """`x / y`, and 0 where `x` is 0, whatever `y` is.

    The slope of functions such as `xlogy(x, y)`, which is constant where `x` is 0.

    >>> quotient(np.array([0.0, 1.0]), np.array([0.0, 2.0])).tolist()
    [0.0, 0.5]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.divide(x, y)
    if np.all(np.isfinite(ratio)):
        return ratio
    return np.where(np.equal(x, 0), 0.0, ratio)[()]


def shares(a: Any, y: Any, axis: Any) -> Any:
    """`exp(a - y)` for `y = logsumexp(a, axis)`, which keeps its dimensions.

    Elements at `-inf` have no share, those at `+inf` have equal ones.

    >>> shares(np.array([-np.inf, -np.inf]), -np.inf, None).tolist()
    [0.0, 0.0]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        share = np.exp(np.subtract(a, y))
    if np.all(np.isfinite(share)):
        return share
    real = np.real(a)
    top = real == np.inf
    count = np.maximum(np.sum(top, axis=axis, keepdims=True), 1)
    share = np.where(real == -np.inf, 0.0, share)
    return np.where(top, 1.0 / count, share)
