"""Discrete distributions of SciPy, in their parameters; a count is a constant."""

import numpy as np
from scipy import special, stats

from ..runtime_special import xlogy_less
from .scipy_stats_forms import discrete
from .scipy_stats_shapes import (
    count_a,
    count_lambda,
    count_mu,
    count_nab,
    count_np,
    count_p,
)


def poisson_logpmf(k, mu):
    return xlogy_less(k, mu) - special.gammaln(k + 1.0)


def poisson_cdf(k, mu):
    return np.where(k < 0, 0.0, special.gammaincc(np.maximum(k, 0.0) + 1.0, mu))


discrete(stats.poisson, count_mu, poisson_logpmf, poisson_cdf)


def bernoulli_logpmf(k, p):
    return special.xlogy(k, p) + special.xlog1py(1.0 - k, -p)


def bernoulli_cdf(k, p):
    return np.where(k < 0, 0.0, np.where(k < 1, 1.0 - p, 1.0))


discrete(stats.bernoulli, count_p, bernoulli_logpmf, bernoulli_cdf)


def binom_logpmf(k, n, p):
    ways = special.gammaln(n + 1.0) - special.gammaln(k + 1.0)
    ways = ways - special.gammaln(n - k + 1.0)
    return ways + special.xlogy(k, p) + special.xlog1py(n - k, -p)


def binom_cdf(k, n, p):
    inside = (k >= 0) & (k < n)
    low = np.where(inside, k, 0.0)
    part = special.betaincc(low + 1.0, np.where(inside, n - low, 1.0), p)
    return np.where(inside, part, np.where(k < 0, 0.0, 1.0))


discrete(stats.binom, count_np, binom_logpmf, binom_cdf)


def nbinom_logpmf(k, n, p):
    ways = special.gammaln(n + k) - special.gammaln(k + 1.0) - special.gammaln(n)
    return ways + n * np.log(p) + special.xlog1py(k, -p)


def nbinom_cdf(k, n, p):
    return np.where(k < 0, 0.0, special.betainc(n, np.maximum(k, 0.0) + 1.0, p))


discrete(stats.nbinom, count_np, nbinom_logpmf, nbinom_cdf)


def geom_logpmf(k, p):
    return special.xlog1py(k - 1.0, -p) + np.log(p)


def geom_cdf(k, p):
    return -np.expm1(special.xlog1py(np.maximum(k, 0.0), -p))


discrete(stats.geom, count_p, geom_logpmf, geom_cdf)


def betabinom_logpmf(k, n, a, b):
    ways = -np.log(n + 1.0) - special.betaln(n - k + 1.0, k + 1.0)
    return ways + special.betaln(k + a, n - k + b) - special.betaln(a, b)


discrete(stats.betabinom, count_nab, betabinom_logpmf)


def betanbinom_logpmf(k, n, a, b):
    ways = -np.log(n + k) - special.betaln(n, k + 1.0)
    return ways + special.betaln(a + n, b + k) - special.betaln(a, b)


discrete(stats.betanbinom, count_nab, betanbinom_logpmf)


def logser_logpmf(k, p):
    return special.xlogy(k, p) - np.log(k) - np.log(-np.log1p(-p))


discrete(stats.logser, count_p, logser_logpmf)


def zipf_logpmf(k, a):
    return -a * np.log(k) - np.log(special.zeta(a, 1.0))


discrete(stats.zipf, count_a, zipf_logpmf)


def planck_logpmf(k, lambda_):
    return -lambda_ * k + np.log(-np.expm1(-lambda_))


def planck_cdf(k, lambda_):
    return -np.expm1(-lambda_ * np.maximum(k + 1.0, 0.0))


discrete(stats.planck, count_lambda, planck_logpmf, planck_cdf)


def dlaplace_logpmf(k, a):
    return np.log(np.tanh(0.5 * a)) - a * np.abs(k)


discrete(stats.dlaplace, count_a, dlaplace_logpmf)
