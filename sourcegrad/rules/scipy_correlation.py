"""Correlation and regression of two samples: `pearsonr` and `linregress`.

The results have the names of SciPy's, and are unpacked and indexed like them. The
p-values, of the hypothesis that the samples are unrelated, are smooth in the samples:
the coefficient then has a symmetric beta distribution on (-1, 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import special, stats

from ..runtime import not_differentiable
from .registry import composite


class Correlation:
    """A coefficient of correlation, and the p-value of none."""

    def __init__(self, statistic: Any, pvalue: Any) -> None:
        self.statistic = statistic
        self.pvalue = pvalue
        self.correlation = statistic

    def __iter__(self) -> Iterator[Any]:
        return iter((self.statistic, self.pvalue))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: Any) -> Any:
        return (self.statistic, self.pvalue)[index]


class Regression:
    """A line through points, with its standard errors."""

    def __init__(
        self,
        slope: Any,
        intercept: Any,
        rvalue: Any,
        pvalue: Any,
        stderr: Any,
        intercept_stderr: Any,
    ) -> None:
        self.slope = slope
        self.intercept = intercept
        self.rvalue = rvalue
        self.pvalue = pvalue
        self.stderr = stderr
        self.intercept_stderr = intercept_stderr

    def __iter__(self) -> Iterator[Any]:
        return iter((self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr))

    def __len__(self) -> int:
        return 5

    def __getitem__(self, index: Any) -> Any:
        whole = (self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr)
        return whole[index]


def chance(r, n, alternative):
    """The p-value of a coefficient of `n` unrelated pairs."""
    half = 0.5 * n - 1.0
    if alternative == "two-sided":
        return 2.0 * special.betainc(half, half, 0.5 * (1.0 - np.abs(r)))
    elif alternative == "less":
        return special.betainc(half, half, 0.5 * (1.0 + r))
    elif alternative == "greater":
        return special.betainc(half, half, 0.5 * (1.0 - r))
    else:
        raise ValueError("alternative must be 'less', 'greater' or 'two-sided'")


@composite(stats.pearsonr, builds=True)
def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    if method is not None:
        not_differentiable(
            "scipy.stats.pearsonr has a derivative rule for method=None only",
            why="a permutation or a simulation gives no smooth p-value",
        )
    if np.ndim(x) != np.ndim(y):
        not_differentiable(
            "scipy.stats.pearsonr has a derivative rule for samples of as many"
            " dimensions",
            hint="insert axes with np.expand_dims",
        )
    if axis is None:
        x, y, axis = np.ravel(x), np.ravel(y), 0
    x = x - np.mean(x, axis=axis, keepdims=True)
    y = y - np.mean(y, axis=axis, keepdims=True)
    n = x.shape[axis]
    if n < 2 or y.shape[axis] != n:
        raise ValueError("x and y must have one length, of at least 2, along axis")
    lengths = np.sqrt(np.sum(x * x, axis=axis) * np.sum(y * y, axis=axis))
    r = np.clip(np.sum(x * y, axis=axis) / lengths, -1.0, 1.0)
    if n == 2:
        return Correlation(np.round(r), np.ones_like(r))
    else:
        return Correlation(r, chance(r, n, alternative))


@composite(stats.pointbiserialr, builds=True)
def pointbiserialr(x, y):
    return stats.pearsonr(x, y)


@composite(stats.linregress, builds=True)
def linregress(x, y, alternative="two-sided"):
    n = len(x)
    if n < 3 or np.ndim(x) != 1 or np.ndim(y) != 1 or len(y) != n:
        not_differentiable(
            "scipy.stats.linregress has a derivative rule for two vectors of one"
            " length, of at least 3"
        )
    x_mean, y_mean = np.mean(x), np.mean(y)
    x, y = x - x_mean, y - y_mean
    xx, xy, yy = np.mean(x * x), np.mean(x * y), np.mean(y * y)
    slope = xy / xx
    r = np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0)
    spread = np.sqrt((1.0 - r * r) * yy / xx / (n - 2))
    return Regression(
        slope,
        y_mean - slope * x_mean,
        r,
        chance(r, n, alternative),
        spread,
        spread * np.sqrt(xx + x_mean * x_mean),
    )
