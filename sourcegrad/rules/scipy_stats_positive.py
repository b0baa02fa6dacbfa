"""Distributions of SciPy on the positive half line: normal kin, Weibull, Gompertz."""

import math

import numpy as np
from scipy import special, stats

from .scipy_stats_forms import at_least, continuous, inside, within
from .scipy_stats_shapes import (
    HALF_LOG,
    shape_b,
    shape_c,
    shape_mu,
    shape_s,
    shapes_none,
)

# ----------------------------------------------------------- halves of the line


def halfnorm_logpdf(z):
    return within(z, math.log(2.0) - HALF_LOG - 0.5 * z * z)


def halfnorm_cdf(z):
    return special.erf(at_least(z) / math.sqrt(2.0))


def halfnorm_sf(z):
    return special.erfc(at_least(z) / math.sqrt(2.0))


def halfnorm_ppf(q):
    return special.ndtri(0.5 * (1.0 + q))


def halfnorm_isf(q):
    return -special.ndtri(0.5 * q)


continuous(
    stats.halfnorm,
    shapes_none,
    halfnorm_logpdf,
    halfnorm_cdf,
    halfnorm_ppf,
    sf=halfnorm_sf,
    isf=halfnorm_isf,
)


def halfcauchy_logpdf(z):
    return within(z, math.log(2.0 / math.pi) - np.log1p(z * z))


def halfcauchy_cdf(z):
    return 2.0 / math.pi * np.arctan(at_least(z))


def halfcauchy_ppf(q):
    return np.tan(0.5 * math.pi * q)


continuous(
    stats.halfcauchy, shapes_none, halfcauchy_logpdf, halfcauchy_cdf, halfcauchy_ppf
)


def halflogistic_logpdf(z):
    return within(z, math.log(2.0) - z + 2.0 * special.log_expit(inside(z)))


def halflogistic_cdf(z):
    return np.tanh(0.5 * at_least(z))


def halflogistic_ppf(q):
    return 2.0 * np.arctanh(q)


continuous(
    stats.halflogistic,
    shapes_none,
    halflogistic_logpdf,
    halflogistic_cdf,
    halflogistic_ppf,
)

# ------------------------------------------------------------ normal and its kin


def lognorm_logpdf(z, s):
    log = np.log(inside(z))
    ratio = log / s
    return within(z, -0.5 * ratio * ratio - log - np.log(s) - HALF_LOG)


def lognorm_cdf(z, s):
    return np.where(z <= 0.0, 0.0, special.ndtr(np.log(inside(z)) / s))[()]


def lognorm_ppf(q, s):
    return np.exp(s * special.ndtri(q))


def lognorm_isf(q, s):
    return np.exp(-s * special.ndtri(q))


continuous(
    stats.lognorm, shape_s, lognorm_logpdf, lognorm_cdf, lognorm_ppf, isf=lognorm_isf
)


def invgauss_logpdf(z, mu):
    x = inside(z)
    apart = (x - mu) / mu
    return within(z, -HALF_LOG - 1.5 * np.log(x) - 0.5 * apart * apart / x)


def invgauss_cdf(z, mu):
    x = inside(z)
    root = 1.0 / np.sqrt(x)
    high = special.ndtr(root * (x / mu - 1.0))
    low = np.exp(2.0 / mu + special.log_ndtr(-root * (x / mu + 1.0)))
    return np.where(z <= 0.0, 0.0, high + low)[()]


continuous(stats.invgauss, shape_mu, invgauss_logpdf, invgauss_cdf)


def rayleigh_logpdf(z):
    return within(z, np.log(inside(z)) - 0.5 * z * z)


def rayleigh_cdf(z):
    return -np.expm1(-0.5 * np.square(at_least(z)))


def rayleigh_logsf(z):
    return -0.5 * np.square(at_least(z))


def rayleigh_ppf(q):
    return np.sqrt(-2.0 * np.log1p(-q))


def rayleigh_isf(q):
    return np.sqrt(-2.0 * np.log(q))


continuous(
    stats.rayleigh,
    shapes_none,
    rayleigh_logpdf,
    rayleigh_cdf,
    rayleigh_ppf,
    logsf=rayleigh_logsf,
    isf=rayleigh_isf,
)


def rice_logpdf(z, b):
    x = inside(z)
    apart = x - b
    return within(z, np.log(x) - 0.5 * apart * apart + np.log(special.i0e(x * b)))


def rice_cdf(z, b):
    return special.chndtr(np.square(at_least(z)), 2.0, b * b)


continuous(stats.rice, shape_b, rice_logpdf, rice_cdf)


def levy_logpdf(z):
    x = inside(z)
    return within(z, -HALF_LOG - 1.5 * np.log(x) - 0.5 / x)


def levy_cdf(z):
    return np.where(z <= 0.0, 0.0, special.erfc(1.0 / np.sqrt(2.0 * inside(z))))[()]


def levy_ppf(q):
    return 1.0 / np.square(special.ndtri(0.5 * q))


continuous(stats.levy, shapes_none, levy_logpdf, levy_cdf, levy_ppf)

# ------------------------------------------------------------- Weibull and Gompertz


def weibull_min_logpdf(z, c):
    x = inside(z)
    return within(z, np.log(c) + special.xlogy(c - 1.0, x) - np.power(x, c))


def weibull_min_cdf(z, c):
    return -np.expm1(-np.power(at_least(z), c))


def weibull_min_logsf(z, c):
    return -np.power(at_least(z), c)


def weibull_min_ppf(q, c):
    return np.power(-np.log1p(-q), 1.0 / c)


def weibull_min_isf(q, c):
    return np.power(-np.log(q), 1.0 / c)


continuous(
    stats.weibull_min,
    shape_c,
    weibull_min_logpdf,
    weibull_min_cdf,
    weibull_min_ppf,
    logsf=weibull_min_logsf,
    isf=weibull_min_isf,
)


def weibull_max_logpdf(z, c):
    x = np.where(z > 0.0, 1.0, -z)
    body = np.log(c) + special.xlogy(c - 1.0, x) - np.power(x, c)
    return np.where(z > 0.0, -np.inf, body)[()]


def weibull_max_logcdf(z, c):
    return -np.power(np.where(z > 0.0, 0.0, -z), c)


def weibull_max_cdf(z, c):
    return np.exp(weibull_max_logcdf(z, c))


def weibull_max_ppf(q, c):
    return -np.power(-np.log(q), 1.0 / c)


continuous(
    stats.weibull_max,
    shape_c,
    weibull_max_logpdf,
    weibull_max_cdf,
    weibull_max_ppf,
    logcdf=weibull_max_logcdf,
)


def invweibull_logpdf(z, c):
    x = inside(z)
    return within(z, np.log(c) - (c + 1.0) * np.log(x) - np.power(x, -c))


def invweibull_cdf(z, c):
    return np.where(z <= 0.0, 0.0, np.exp(-np.power(inside(z), -c)))[()]


def invweibull_ppf(q, c):
    return np.power(-np.log(q), -1.0 / c)


continuous(stats.invweibull, shape_c, invweibull_logpdf, invweibull_cdf, invweibull_ppf)


def gompertz_logpdf(z, c):
    return within(z, np.log(c) + z - c * np.expm1(z))


def gompertz_cdf(z, c):
    return -np.expm1(-c * np.expm1(at_least(z)))


def gompertz_ppf(q, c):
    return np.log1p(-np.log1p(-q) / c)


continuous(stats.gompertz, shape_c, gompertz_logpdf, gompertz_cdf, gompertz_ppf)
