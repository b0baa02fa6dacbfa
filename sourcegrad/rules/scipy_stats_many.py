"""Multivariate distributions of SciPy, and what freezes them.

Convention: a covariance is differentiated as a general matrix at a symmetric one, so
its gradient is symmetric.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special, stats
from scipy.stats import _multivariate as many

from ..runtime_special import log1p_ratio
from .registry import composite, same_rules


def apart(x, mean, size):
    """Points minus their mean, with `size` components along the last axis."""
    away = x if mean is None else x - mean
    if np.ndim(away) == 0:
        return np.reshape(away, (1,))
    elif np.ndim(away) == 1 and size == 1:
        return np.expand_dims(away, -1)
    else:
        return away


def square_form(away, cov):
    """`away @ inv(cov) @ away` along the last axis."""
    flat = np.reshape(away, (-1, away.shape[-1])).T
    total = np.sum(flat * np.linalg.solve(cov, flat), axis=0)
    return np.reshape(total, away.shape[:-1])


def as_matrix(cov, mean, x):
    """A covariance given as a number or a diagonal as a matrix."""
    if np.ndim(cov) == 2:
        return cov
    elif np.ndim(cov) == 1:
        return np.diag(cov)
    elif mean is not None and np.ndim(mean) == 1:
        return cov * np.eye(len(mean))
    else:
        return cov * np.eye(1)


@composite(stats.multivariate_normal.logpdf)
def multivariate_normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    matrix = as_matrix(cov, mean, x)
    away = apart(x, mean, len(matrix))
    base = np.linalg.slogdet(matrix)[1] + len(matrix) * math.log(2.0 * math.pi)
    return -0.5 * (base + square_form(away, matrix))


@composite(stats.multivariate_normal.pdf)
def multivariate_normal_pdf(x, mean=None, cov=1, allow_singular=False):
    matrix = as_matrix(cov, mean, x)
    away = apart(x, mean, len(matrix))
    base = np.linalg.slogdet(matrix)[1] + len(matrix) * math.log(2.0 * math.pi)
    return np.exp(-0.5 * (base + square_form(away, matrix)))


@composite(stats.multivariate_normal.entropy)
def multivariate_normal_entropy(mean=None, cov=1):
    matrix = as_matrix(cov, mean, mean)
    base = len(matrix) * (1.0 + math.log(2.0 * math.pi))
    return 0.5 * (base + np.linalg.slogdet(matrix)[1])


@composite(stats.multivariate_t.logpdf)
def multivariate_t_logpdf(x, loc=None, shape=1, df=1):
    matrix = as_matrix(shape, loc, x)
    size = len(matrix)
    half = 0.5 * (df + size)
    base = special.gammaln(half) - special.gammaln(0.5 * df)
    base = base - 0.5 * (size * np.log(df * math.pi) + np.linalg.slogdet(matrix)[1])
    return base - half * log1p_ratio(square_form(apart(x, loc, size), matrix), df)


@composite(stats.multivariate_t.pdf)
def multivariate_t_pdf(x, loc=None, shape=1, df=1):
    matrix = as_matrix(shape, loc, x)
    size = len(matrix)
    half = 0.5 * (df + size)
    base = special.gammaln(half) - special.gammaln(0.5 * df)
    base = base - 0.5 * (size * np.log(df * math.pi) + np.linalg.slogdet(matrix)[1])
    return np.exp(
        base - half * log1p_ratio(square_form(apart(x, loc, size), matrix), df)
    )


def dirichlet_form(x, alpha):
    """The logarithm of the density, x with its last component or without it."""
    if len(x) != len(alpha):
        x = np.concatenate((x, 1.0 - np.sum(x, axis=0, keepdims=True)))
    powers = (alpha - 1.0) if np.ndim(x) == 1 else np.expand_dims(alpha - 1.0, -1)
    base = special.gammaln(np.sum(alpha)) - np.sum(special.gammaln(alpha))
    return base + np.sum(special.xlogy(powers, x), axis=0)


@composite(stats.dirichlet.logpdf)
def dirichlet_logpdf(x, alpha):
    return dirichlet_form(x, alpha)


@composite(stats.dirichlet.pdf)
def dirichlet_pdf(x, alpha):
    return np.exp(dirichlet_form(x, alpha))


@composite(stats.multinomial.logpmf)
def multinomial_logpmf(x, n, p):
    ways = special.gammaln(n + 1.0) - np.sum(special.gammaln(x + 1.0), axis=-1)
    return ways + np.sum(special.xlogy(x, p), axis=-1)


@composite(stats.multinomial.pmf)
def multinomial_pmf(x, n, p):
    ways = special.gammaln(n + 1.0) - np.sum(special.gammaln(x + 1.0), axis=-1)
    return np.exp(ways + np.sum(special.xlogy(x, p), axis=-1))


# ---------------------------------------------------------------------- frozen


class FrozenNormal:
    """`stats.multivariate_normal(mean, cov)`."""

    def __init__(self, mean: Any, cov: Any, allow_singular: Any) -> None:
        self.mean = mean
        self.cov = cov
        self.allow_singular = allow_singular

    def logpdf(self, x: Any) -> Any:
        """`logpdf` of the distribution."""
        return stats.multivariate_normal.logpdf(
            x, self.mean, self.cov, self.allow_singular
        )

    def pdf(self, x: Any) -> Any:
        """`pdf` of the distribution."""
        return stats.multivariate_normal.pdf(
            x, self.mean, self.cov, self.allow_singular
        )

    def cdf(self, x: Any) -> Any:
        """`cdf` of the distribution."""
        return stats.multivariate_normal.cdf(
            x, self.mean, self.cov, self.allow_singular
        )

    def entropy(self) -> Any:
        """`entropy` of the distribution."""
        return stats.multivariate_normal.entropy(self.mean, self.cov)

    def rvs(self, size: Any = 1, random_state: Any = None) -> Any:
        """`rvs` of the distribution."""
        return stats.multivariate_normal.rvs(self.mean, self.cov, size, random_state)


@composite(many.multivariate_normal_gen.__call__, builds=True)
def freeze_normal(self, mean=None, cov=1, allow_singular=False, seed=None):
    return FrozenNormal(mean, cov, allow_singular)


@composite(many.multivariate_normal_frozen.logpdf)
def frozen_normal_logpdf(self, x):
    return stats.multivariate_normal.logpdf(x, self.mean, self.cov)


@composite(many.multivariate_normal_frozen.pdf)
def frozen_normal_pdf(self, x):
    return stats.multivariate_normal.pdf(x, self.mean, self.cov)


class FrozenDirichlet:
    """`stats.dirichlet(alpha)`."""

    def __init__(self, alpha: Any) -> None:
        self.alpha = alpha

    def logpdf(self, x: Any) -> Any:
        """`logpdf` of the distribution."""
        return stats.dirichlet.logpdf(x, self.alpha)

    def pdf(self, x: Any) -> Any:
        """`pdf` of the distribution."""
        return stats.dirichlet.pdf(x, self.alpha)


@composite(many.dirichlet_gen.__call__, builds=True)
def freeze_dirichlet(self, alpha, seed=None):
    return FrozenDirichlet(alpha)


for _dist in (
    stats.multivariate_normal,
    stats.multivariate_t,
    stats.dirichlet,
    stats.multinomial,
):
    same_rules(_dist)
