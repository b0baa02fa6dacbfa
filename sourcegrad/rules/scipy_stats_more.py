"""More continuous distributions of SciPy, each by the formula of its page."""

import math

import numpy as np
from scipy import special, stats

from ..runtime_special import xlogy_less
from .scipy_stats_forms import continuous, inside, within
from .scipy_stats_rare import bounded, in_unit
from .scipy_stats_shapes import (
    HALF_LOG,
    shape_a,
    shape_c,
    shape_chi,
    shape_mu,
    shape_skew,
    shapes_ab,
    shapes_abc,
    shapes_bc,
    shapes_cab,
    shapes_cd,
    shapes_cs,
    shapes_none,
)

# ---------------------------------------------------------------- the whole line


def dweibull_logpdf(z, c):
    size = np.abs(z)
    return np.log(0.5 * c) + special.xlogy(c - 1.0, size) - np.power(size, c)


def dweibull_cdf(z, c):
    tail = 0.5 * np.exp(-np.power(np.where(z > 0.0, z, -z), c))
    return np.where(z > 0.0, 1.0 - tail, tail)[()]


continuous(stats.dweibull, shape_c, dweibull_logpdf, dweibull_cdf)


def from_end(z, skew):
    """A shape and an argument of the gamma distribution behind Pearson's third."""
    beta = 2.0 / skew
    return beta * beta, inside(beta * (z + beta))


def pearson3_logpdf(z, skew):
    alpha, x = from_end(z, skew)
    body = xlogy_less(alpha - 1.0, x) - special.gammaln(alpha)
    return within(2.0 / skew * z + alpha, body + np.log(np.abs(2.0 / skew)))


def pearson3_cdf(z, skew):
    alpha, x = from_end(z, skew)
    lower, upper = special.gammainc(alpha, x), special.gammaincc(alpha, x)
    end = np.where(skew > 0.0, 0.0, 1.0)
    outside = 2.0 / skew * z + alpha < 0.0
    return np.where(outside, end, np.where(skew > 0.0, lower, upper))[()]


continuous(stats.pearson3, shape_skew, pearson3_logpdf, pearson3_cdf)


def leaning(z, a, b):
    """The argument of the beta distribution behind the skewed one of Student."""
    return z / np.sqrt(a + b + z * z)


def jf_skew_t_logpdf(z, a, b):
    u = leaning(z, a, b)
    base = (1.0 - a - b) * math.log(2.0) - special.betaln(a, b) - 0.5 * np.log(a + b)
    return base + (a + 0.5) * np.log1p(u) + (b + 0.5) * np.log1p(-u)


def jf_skew_t_cdf(z, a, b):
    return special.betainc(a, b, 0.5 + 0.5 * leaning(z, a, b))


continuous(stats.jf_skew_t, shapes_ab, jf_skew_t_logpdf, jf_skew_t_cdf)

# ------------------------------------------------------------------- a half line


def levy_l_logpdf(z):
    x = inside(-z)
    return within(-z, -1.5 * np.log(x) - 0.5 / x - HALF_LOG)


def levy_l_cdf(z):
    part = 2.0 * special.ndtr(1.0 / np.sqrt(inside(-z))) - 1.0
    return np.where(z > 0.0, 1.0, part)[()]


continuous(stats.levy_l, shapes_none, levy_l_logpdf, levy_l_cdf)


def kappa3_logpdf(z, a):
    x = inside(z)
    return within(z, np.log(a) - (1.0 / a + 1.0) * np.log(a + np.power(x, a)))


def kappa3_cdf(z, a):
    x = inside(z)
    part = x * np.power(a + np.power(x, a), -1.0 / a)
    return np.where(z < 0.0, 0.0, part)[()]


continuous(stats.kappa3, shape_a, kappa3_logpdf, kappa3_cdf)


def powerlognorm_logpdf(z, c, s):
    x = inside(z)
    u = np.log(x) / s
    body = np.log(c / (x * s)) - 0.5 * u * u - HALF_LOG
    return within(z, body + (c - 1.0) * special.log_ndtr(-u))


def powerlognorm_logsf(z, c, s):
    part = c * special.log_ndtr(-np.log(inside(z)) / s)
    return np.where(z < 0.0, 0.0, part)[()]


def powerlognorm_cdf(z, c, s):
    return -np.expm1(powerlognorm_logsf(z, c, s))


continuous(
    stats.powerlognorm,
    shapes_cs,
    powerlognorm_logpdf,
    powerlognorm_cdf,
    logsf=powerlognorm_logsf,
)


def recipinvgauss_logpdf(z, mu):
    x = inside(z)
    body = -0.5 * np.log(x) - HALF_LOG - (1.0 - mu * x) ** 2 / (2.0 * x * mu**2)
    return within(z, body)


def recipinvgauss_sf(z, mu):
    x = inside(z)
    down = special.ndtr((1.0 / mu - x) / np.sqrt(x))
    up = np.exp(2.0 / mu + special.log_ndtr(-(1.0 / mu + x) / np.sqrt(x)))
    return np.where(z < 0.0, 1.0, down + up)[()]


def recipinvgauss_cdf(z, mu):
    return 1.0 - recipinvgauss_sf(z, mu)


continuous(
    stats.recipinvgauss,
    shape_mu,
    recipinvgauss_logpdf,
    recipinvgauss_cdf,
    sf=recipinvgauss_sf,
)


def genexpon_logsf(z, a, b, c):
    x = np.where(z < 0.0, 0.0, z)
    return -(a + b) * x - b * np.expm1(-c * x) / c


def genexpon_logpdf(z, a, b, c):
    x = np.where(z < 0.0, 0.0, z)
    return within(z, np.log(a - b * np.expm1(-c * x)) + genexpon_logsf(z, a, b, c))


def genexpon_cdf(z, a, b, c):
    return -np.expm1(genexpon_logsf(z, a, b, c))


continuous(
    stats.genexpon, shapes_abc, genexpon_logpdf, genexpon_cdf, logsf=genexpon_logsf
)

# ------------------------------------------------------------------- an interval


def genhalflogistic_logpdf(z, c):
    base = 1.0 - c * in_unit(z, 0.0, 1.0 / c)
    body = math.log(2.0) + (1.0 / c - 1.0) * np.log(base)
    body = body - 2.0 * np.log1p(np.power(base, 1.0 / c))
    return bounded(z, 0.0, 1.0 / c, body)


def genhalflogistic_cdf(z, c):
    part = np.power(1.0 - c * in_unit(z, 0.0, 1.0 / c), 1.0 / c)
    part = (1.0 - part) / (1.0 + part)
    return np.where(z < 0.0, 0.0, np.where(z > 1.0 / c, 1.0, part))[()]


continuous(stats.genhalflogistic, shape_c, genhalflogistic_logpdf, genhalflogistic_cdf)


def rdist_logpdf(z, c):
    x = in_unit(z, -1.0, 1.0)
    body = (0.5 * c - 1.0) * np.log1p(-x * x) - special.betaln(0.5, 0.5 * c)
    return bounded(z, -1.0, 1.0, body)


def rdist_cdf(z, c):
    part = special.betainc(0.5 * c, 0.5 * c, 0.5 + 0.5 * in_unit(z, -1.0, 1.0))
    return np.where(z < -1.0, 0.0, np.where(z > 1.0, 1.0, part))[()]


continuous(stats.rdist, shape_c, rdist_logpdf, rdist_cdf)


def truncpareto_logpdf(z, b, c):
    x = in_unit(z, 1.0, c)
    mass = -np.expm1(-b * np.log(c))  # of the sign of b, which may be negative
    body = np.log(b / mass) - (b + 1.0) * np.log(x)
    return bounded(z, 1.0, c, body)


def truncpareto_cdf(z, b, c):
    part = np.expm1(-b * np.log(in_unit(z, 1.0, c))) / np.expm1(-b * np.log(c))
    return np.where(z < 1.0, 0.0, np.where(z > c, 1.0, part))[()]


continuous(stats.truncpareto, shapes_bc, truncpareto_logpdf, truncpareto_cdf)


def truncweibull_min_logpdf(z, c, a, b):
    x = in_unit(z, a, b)
    mass = np.exp(-np.power(a, c)) - np.exp(-np.power(b, c))
    body = np.log(c) + (c - 1.0) * np.log(x) - np.power(x, c) - np.log(mass)
    return bounded(z, a, b, body)


def truncweibull_min_cdf(z, c, a, b):
    start = np.exp(-np.power(a, c))
    part = start - np.exp(-np.power(in_unit(z, a, b), c))
    part = part / (start - np.exp(-np.power(b, c)))
    return np.where(z < a, 0.0, np.where(z > b, 1.0, part))[()]


continuous(
    stats.truncweibull_min, shapes_cab, truncweibull_min_logpdf, truncweibull_min_cdf
)


def trapezoid_logpdf(z, c, d):
    x = in_unit(z, 0.0, 1.0)
    body = np.where(x < c, x / c, np.where(x > d, (1.0 - x) / (1.0 - d), 1.0))
    return bounded(z, 0.0, 1.0, np.log(body) + math.log(2.0) - np.log(d - c + 1.0))


def trapezoid_cdf(z, c, d):
    x = in_unit(z, 0.0, 1.0)
    above = d - c + 1.0 - (1.0 - x) ** 2 / (1.0 - d)
    part = np.where(x < c, x * x / c, np.where(x > d, above, 2.0 * x - c))
    part = part / (d - c + 1.0)
    return np.where(z < 0.0, 0.0, np.where(z > 1.0, 1.0, part))[()]


continuous(stats.trapezoid, shapes_cd, trapezoid_logpdf, trapezoid_cdf)


def argus_logpdf(z, chi):
    x = in_unit(z, 0.0, 1.0)
    rest = (1.0 - x) * (1.0 + x)
    mass = 0.5 * special.gammainc(1.5, 0.5 * chi * chi)
    body = 3.0 * np.log(chi) - HALF_LOG - np.log(mass) + np.log(x)
    return bounded(z, 0.0, 1.0, body + 0.5 * np.log(rest) - 0.5 * chi * chi * rest)


def argus_sf(z, chi):
    x = in_unit(z, 0.0, 1.0)
    square = 0.5 * chi * chi
    rest = special.gammainc(1.5, square * (1.0 - x) * (1.0 + x))
    part = rest / special.gammainc(1.5, square)
    return np.where(z < 0.0, 1.0, np.where(z > 1.0, 0.0, part))[()]


def argus_cdf(z, chi):
    return 1.0 - argus_sf(z, chi)


continuous(stats.argus, shape_chi, argus_logpdf, argus_cdf, sf=argus_sf)
