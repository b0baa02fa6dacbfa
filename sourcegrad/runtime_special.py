"""Helpers of generated code for special functions; SciPy is imported when called."""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime_norms import TELLS_ZEROS


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


def simpson_weights(count: int, x: Any, dx: Any) -> Any:
    """The weight of each sample in `scipy.integrate.simpson`.

    >>> np.round(simpson_weights(3, None, 3.0), 12).tolist()
    [1.0, 4.0, 1.0]
    """
    from scipy import integrate

    return integrate.simpson(np.eye(count), x=x, dx=dx, axis=-1)


def quotient(x: Any, y: Any) -> Any:
    """`x / y`, and 0 where `x` is 0, whatever number `y` is.

    The slope of functions such as `xlogy(x, y)`, which is constant where `x` is 0.

    >>> quotient(np.array([0.0, 1.0]), np.array([0.0, 2.0])).tolist()
    [0.0, 0.5]
    """
    if TELLS_ZEROS and not (np.iscomplexobj(x) or np.iscomplexobj(y)):
        try:  # the processor looks for 0 / 0 as it divides, which costs nothing
            with np.errstate(divide="ignore", invalid="raise"):
                return np.divide(x, y)
        except FloatingPointError:
            pass
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.divide(x, y)
        if np.isfinite(np.sum(ratio)):  # then so is each; quicker than to look at all
            return ratio
    return np.where(np.equal(x, 0), 0.0, ratio)[()]


def log1p_ratio(x: Any, y: Any) -> Any:
    """`log(1 + x / y)`, of which no derivative needs the ratio.

    >>> round(float(log1p_ratio(np.float64(6.0), 2.0)), 12)
    1.38629436112
    """
    return np.log1p(x / y)


def xlogy_less(x: Any, y: Any) -> Any:
    """`x log(y) - y`, what depends on `y` in a Gamma or Poisson log-probability.

    >>> float(xlogy_less(0.0, 0.0)), float(xlogy_less(2.0, 1.0))
    (0.0, -1.0)
    """
    from scipy import special

    return special.xlogy(x, y) - y


def made_safe(outside: Any, z: Any) -> Any:
    """The argument, and 1 outside of where what it is for is defined.

    Its slope is 1 everywhere: nothing that is made of it there is to be taken.

    >>> made_safe(np.array([True, False]), np.array([-1.0, 3.0])).tolist()
    [1.0, 3.0]
    """
    return np.where(outside, 1.0, z)


def shares(a: Any, y: Any, axis: Any) -> Any:
    """`exp(a - y)` for `y = logsumexp(a, axis)`, which keeps its dimensions.

    Elements at `-inf` have no share, those at `+inf` have equal ones.

    >>> shares(np.array([-np.inf, -np.inf]), -np.inf, None).tolist()
    [0.0, 0.0]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        share = np.subtract(a, y)
        share = np.exp(share, out=share if isinstance(share, np.ndarray) else None)
    if np.all(np.isfinite(y)):  # then no element is nan or +inf, and exp(-inf) is 0
        return share
    real = np.real(a)
    top = real == np.inf
    count = np.maximum(np.sum(top, axis=axis, keepdims=True), 1)
    share = np.where(real == -np.inf, 0.0, share)
    return np.where(top, 1.0 / count, share)


def psi_over_gamma(x: Any) -> Any:
    """`digamma(x) / gamma(x)`, an entire function.

    At a pole, `x = -n`, it is `(-1)**(n+1) * n!`.

    >>> psi_over_gamma(np.array([-1.0, 0.0, 1.0])).round(12).tolist()
    [1.0, -1.0, -0.577215664902]
    """
    from scipy import special

    x = np.asarray(x)
    at_pole = (np.real(x) <= 0) & (x == np.round(x))
    if not np.any(at_pole):
        return (special.digamma(x) * special.rgamma(x))[()]
    safe = np.where(at_pole, 0.5, x)
    n = np.where(at_pole, -np.real(x), 0.0)
    limit = special.gamma(n + 1.0) * np.where(n % 2 == 0, -1.0, 1.0)
    return np.where(at_pole, limit, special.digamma(safe) * special.rgamma(safe))[()]


def zeta_slope(s: Any, q: Any) -> Any:
    """The derivative in `s` of Hurwitz' zeta function, for `s > -2` and `q > 0`.

    Euler-Maclaurin summation (DLMF 25.11.28, differentiated), after 16 terms; it
    holds on the left of the pole at 1 too.

    >>> round(float(zeta_slope(2.0, 1.0)), 12)
    -0.937548254316
    """
    s, q = np.asarray(s, float), np.asarray(q, float)
    terms = np.add.outer(np.arange(16.0), q + np.zeros_like(s))
    total = -np.sum(np.log(terms) * np.power(terms, -s), axis=0)
    top = q + 16.0
    log = np.log(top)
    total = total - np.power(top, 1.0 - s) * (log / (s - 1.0) + 1.0 / (s - 1.0) ** 2)
    total = total - 0.5 * log * np.power(top, -s)
    # sum of B_2k / (2k)! (s)_(2k-1) top^(1-s-2k): each size with its slope
    power = np.power(top, -s - 1.0)
    size, slope = s * power, power * (1.0 - s * log)
    for k, b in enumerate(_BERNOULLI_OVER_FACTORIAL, start=1):
        total = total + b * slope
        for j in (2 * k - 1, 2 * k):
            size, slope = size * (s + j), slope * (s + j) + size
        size, slope = size / (top * top), slope / (top * top)
    return np.where((s > -2.0) & (q > 0.0), total, np.nan)[()]


_BERNOULLI_OVER_FACTORIAL = (
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160,
    -691 / 1307674368000, 1 / 74724249600,
)  # fmt: skip


def sinhc(x: Any) -> Any:
    """`sinh(x) / x`, and 1 at 0.

    >>> float(sinhc(0.0)), round(float(sinhc(1.0)), 12)
    (1.0, 1.175201193644)
    """
    return np.where(np.equal(x, 0), 1.0, np.sinh(x) / np.where(np.equal(x, 0), 1.0, x))[
        ()
    ]


def cumulative_weights(count: int, x: Any, dx: Any) -> Any:
    """The matrix that samples are multiplied by in `cumulative_simpson`.

    >>> cumulative_weights(3, None, 3.0).round(12).T.tolist()
    [[1.25, 2.0, -0.25], [1.0, 4.0, 1.0]]
    """
    from scipy import integrate

    return integrate.cumulative_simpson(np.eye(count), x=x, dx=dx, axis=-1)


def romb_weights(count: int) -> Any:
    """The weight of each sample in `scipy.integrate.romb` with `dx=1`.

    >>> romb_weights(3).round(12).tolist()
    [0.333333333333, 1.333333333333, 0.333333333333]
    """
    from scipy import integrate

    return integrate.romb(np.eye(count), axis=-1)


def standard_quantile(name: str, q: Any, *shapes: Any) -> Any:
    """The quantile of a distribution of SciPy at location 0 and scale 1.

    >>> float(standard_quantile("norm", 0.5))
    0.0
    """
    from scipy import stats

    return getattr(stats, name).ppf(q, *shapes)
