"""Less common continuous distributions of SciPy, each by the formula of its page."""

import math

import numpy as np
from scipy import special, stats

from .scipy_stats_forms import at_least, continuous, inside, within
from .scipy_stats_shapes import (
    HALF_LOG,
    shape_a,
    shape_b,
    shape_beta,
    shape_c,
    shape_kappa,
    shapes_ab,
    shapes_ac,
    shapes_cd,
    shapes_ks,
    shapes_none,
)


def in_unit(z, low, high):
    """The argument, and what lies half way where it is outside of the support."""
    return np.where((z < low) | (z > high), 0.5 * (low + high), z)


def bounded(z, low, high, body):
    """A logarithm of a density, and -inf outside of the support."""
    return np.where((z < low) | (z > high), -np.inf, body)[()]


# ------------------------------------------------------------------ of the normal


def gibrat_logpdf(z):
    log = np.log(inside(z))
    return within(z, -0.5 * log**2 - log - HALF_LOG)


def gibrat_cdf(z):
    part = special.ndtr(np.log(inside(z)))
    return np.where(z < 0.0, 0.0, part)[()]


def gibrat_ppf(q):
    return np.exp(special.ndtri(q))


continuous(stats.gibrat, shapes_none, gibrat_logpdf, gibrat_cdf, gibrat_ppf)


def wald_logpdf(z):
    x = inside(z)
    return within(z, -1.5 * np.log(x) - HALF_LOG - 0.5 * (x - 1.0) ** 2 / x)


def wald_cdf(z):
    root = np.sqrt(inside(z))
    first = special.ndtr(root - 1.0 / root)
    rest = math.exp(2.0) * special.ndtr(-root - 1.0 / root)
    return np.where(z < 0.0, 0.0, first + rest)[()]


continuous(stats.wald, shapes_none, wald_logpdf, wald_cdf)


def foldnorm_logpdf(z, c):
    both = np.logaddexp(c * z, -c * z)
    return within(z, both - 0.5 * (z**2 + c**2) - HALF_LOG)


def foldnorm_cdf(z, c):
    x = at_least(z)
    return special.ndtr(x - c) + special.ndtr(x + c) - 1.0


continuous(stats.foldnorm, shape_c, foldnorm_logpdf, foldnorm_cdf)


def powernorm_logpdf(z, c):
    return np.log(c) - 0.5 * z**2 - HALF_LOG + (c - 1.0) * special.log_ndtr(-z)


def powernorm_cdf(z, c):
    return -np.expm1(c * special.log_ndtr(-z))


def powernorm_ppf(q, c):
    return -special.ndtri((1.0 - q) ** (1.0 / c))


continuous(stats.powernorm, shape_c, powernorm_logpdf, powernorm_cdf, powernorm_ppf)


def fatiguelife_logpdf(z, c):
    x = inside(z)
    log = np.log1p(x) - np.log(2.0 * c) - 1.5 * np.log(x) - HALF_LOG
    return within(z, log - 0.5 * (x - 1.0) ** 2 / (x * c**2))


def fatiguelife_cdf(z, c):
    root = np.sqrt(inside(z))
    part = special.ndtr((root - 1.0 / root) / c)
    return np.where(z < 0.0, 0.0, part)[()]


def fatiguelife_ppf(q, c):
    tail = c * special.ndtri(q)
    return 0.25 * (tail + np.sqrt(tail**2 + 4.0)) ** 2


continuous(
    stats.fatiguelife, shape_c, fatiguelife_logpdf, fatiguelife_cdf, fatiguelife_ppf
)


def alpha_logpdf(z, a):
    x = inside(z)
    log = -2.0 * np.log(x) - special.log_ndtr(a) - HALF_LOG
    return within(z, log - 0.5 * (a - 1.0 / x) ** 2)


def alpha_cdf(z, a):
    part = special.ndtr(a - 1.0 / inside(z)) / special.ndtr(a)
    return np.where(z < 0.0, 0.0, part)[()]


def alpha_ppf(q, a):
    return 1.0 / (a - special.ndtri(q * special.ndtr(a)))


continuous(stats.alpha, shape_a, alpha_logpdf, alpha_cdf, alpha_ppf)


def norminvgauss_logpdf(z, a, b):
    size = np.sqrt(1.0 + z**2)
    log = np.log(a) + np.log(special.k1e(a * size)) - a * size
    gap = np.sqrt(a**2 - b**2)
    return log - math.log(math.pi) - np.log(size) + gap + b * z


continuous(stats.norminvgauss, shapes_ab, norminvgauss_logpdf)


# ----------------------------------------------------------- of Cauchy and Laplace


def foldcauchy_logpdf(z, c):
    both = 1.0 / (1.0 + (z - c) ** 2) + 1.0 / (1.0 + (z + c) ** 2)
    return within(z, np.log(both) - math.log(math.pi))


def foldcauchy_cdf(z, c):
    x = at_least(z)
    return (np.arctan(x - c) + np.arctan(x + c)) / math.pi


continuous(stats.foldcauchy, shape_c, foldcauchy_logpdf, foldcauchy_cdf)


def skewcauchy_logpdf(z, a):
    width = 1.0 + a * np.sign(z)
    return -np.log1p((z / width) ** 2) - math.log(math.pi)


def skewcauchy_cdf(z, a):
    width = 1.0 + a * np.sign(z)
    return 0.5 * (1.0 - a) + width / math.pi * np.arctan(z / width)


continuous(stats.skewcauchy, shape_a, skewcauchy_logpdf, skewcauchy_cdf)


def laplace_asymmetric_logpdf(z, kappa):
    slope = np.where(z < 0.0, 1.0 / kappa, -kappa)
    return z * slope - np.log(kappa + 1.0 / kappa)


def laplace_asymmetric_cdf(z, kappa):
    whole = kappa + 1.0 / kappa
    left = kappa / whole * np.exp(np.minimum(z, 0.0) / kappa)
    right = 1.0 - np.exp(-np.where(z < 0.0, 0.0, z) * kappa) / (kappa * whole)
    return np.where(z < 0.0, left, right)[()]


continuous(
    stats.laplace_asymmetric,
    shape_kappa,
    laplace_asymmetric_logpdf,
    laplace_asymmetric_cdf,
)


def loglaplace_logpdf(z, c):
    log = np.log(inside(z))
    return within(z, np.log(0.5 * c) - log - c * np.abs(log))


def loglaplace_cdf(z, c):
    log = c * np.log(inside(z))
    part = np.where(log < 0.0, 0.5 * np.exp(log), 1.0 - 0.5 * np.exp(-log))
    return np.where(z < 0.0, 0.0, part)[()]


continuous(stats.loglaplace, shape_c, loglaplace_logpdf, loglaplace_cdf)


# ------------------------------------------------------------------ of the powers


def exponweib_logpdf(z, a, c):
    x = inside(z)
    power = x**c
    log = np.log(a) + np.log(c) + (a - 1.0) * np.log(-np.expm1(-power))
    return within(z, log - power + (c - 1.0) * np.log(x))


def exponweib_cdf(z, a, c):
    return (-np.expm1(-(at_least(z) ** c))) ** a


def exponweib_ppf(q, a, c):
    return (-np.log1p(-(q ** (1.0 / a)))) ** (1.0 / c)


continuous(stats.exponweib, shapes_ac, exponweib_logpdf, exponweib_cdf, exponweib_ppf)


def exponpow_logpdf(z, b):
    x = inside(z)
    power = x**b
    return within(z, 1.0 + np.log(b) + (b - 1.0) * np.log(x) + power - np.exp(power))


def exponpow_cdf(z, b):
    return -np.expm1(-np.expm1(at_least(z) ** b))


def exponpow_ppf(q, b):
    return np.log1p(-np.log1p(-q)) ** (1.0 / b)


continuous(stats.exponpow, shape_b, exponpow_logpdf, exponpow_cdf, exponpow_ppf)


def halfgennorm_logpdf(z, beta):
    size = np.log(beta) - special.gammaln(1.0 / beta)
    return within(z, size - inside(z) ** beta)


def halfgennorm_cdf(z, beta):
    return special.gammainc(1.0 / beta, at_least(z) ** beta)


def halfgennorm_ppf(q, beta):
    return special.gammaincinv(1.0 / beta, q) ** (1.0 / beta)


continuous(
    stats.halfgennorm, shape_beta, halfgennorm_logpdf, halfgennorm_cdf, halfgennorm_ppf
)


def burr_logpdf(z, c, d):
    x = inside(z)
    log = np.log(c) + np.log(d) - (c + 1.0) * np.log(x)
    return within(z, log - (d + 1.0) * np.log1p(x ** (-c)))


def burr_cdf(z, c, d):
    part = (1.0 + inside(z) ** (-c)) ** (-d)
    return np.where(z < 0.0, 0.0, part)[()]


def burr_ppf(q, c, d):
    return (q ** (-1.0 / d) - 1.0) ** (-1.0 / c)


continuous(stats.burr, shapes_cd, burr_logpdf, burr_cdf, burr_ppf)


def mielke_logpdf(z, k, s):
    x = inside(z)
    log = np.log(k) + (k - 1.0) * np.log(x)
    return within(z, log - (1.0 + k / s) * np.log1p(x**s))


def mielke_cdf(z, k, s):
    x = at_least(z)
    return x**k / (1.0 + x**s) ** (k / s)


def mielke_ppf(q, k, s):
    part = q ** (s / k)
    return (part / (1.0 - part)) ** (1.0 / s)


continuous(stats.mielke, shapes_ks, mielke_logpdf, mielke_cdf, mielke_ppf)


# ------------------------------------------------------------------- of an interval


def semicircular_logpdf(z):
    x = in_unit(z, -1.0, 1.0)
    log = math.log(2.0 / math.pi) + 0.5 * np.log1p(-(x**2))
    return bounded(z, -1.0, 1.0, log)


def semicircular_cdf(z):
    x = np.where(np.abs(z) < 1.0, z, 0.0)
    part = 0.5 + (x * np.sqrt(1.0 - x**2) + np.arcsin(x)) / math.pi
    return np.where(z <= -1.0, 0.0, np.where(z >= 1.0, 1.0, part))[()]


continuous(stats.semicircular, shapes_none, semicircular_logpdf, semicircular_cdf)


def anglit_logpdf(z):
    end = 0.25 * math.pi
    return bounded(z, -end, end, np.log(np.cos(2.0 * in_unit(z, -end, end))))


def anglit_cdf(z):
    end = 0.25 * math.pi
    return np.sin(np.clip(z, -end, end) + end) ** 2


def anglit_ppf(q):
    return np.arcsin(np.sqrt(q)) - 0.25 * math.pi


continuous(stats.anglit, shapes_none, anglit_logpdf, anglit_cdf, anglit_ppf)


def bradford_logpdf(z, c):
    x = in_unit(z, 0.0, 1.0)
    log = np.log(c) - np.log1p(c * x) - np.log(np.log1p(c))
    return bounded(z, 0.0, 1.0, log)


def bradford_cdf(z, c):
    return np.log1p(c * np.clip(z, 0.0, 1.0)) / np.log1p(c)


def bradford_ppf(q, c):
    return np.expm1(q * np.log1p(c)) / c


continuous(stats.bradford, shape_c, bradford_logpdf, bradford_cdf, bradford_ppf)
