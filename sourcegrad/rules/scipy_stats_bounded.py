"""Distributions of SciPy on an interval, or beyond a bound that is not 0."""

import math

import numpy as np
from scipy import special, stats

from .scipy_stats_forms import continuous
from .scipy_stats_shapes import (
    HALF_LOG,
    shape_a,
    shape_b,
    shape_c,
    shapes_ab,
    shapes_none,
)

# ------------------------------------------------------------------ beta and kin


def beta_logpdf(z, a, b):
    outside = (z < 0.0) | (z > 1.0)
    inside = np.where(outside, 0.5, z)
    body = special.xlogy(a - 1.0, inside) + special.xlog1py(b - 1.0, -inside)
    return np.where(outside, -np.inf, body - special.betaln(a, b))[()]


def beta_cdf(z, a, b):
    inside = np.where(z < 0.0, 0.0, np.where(z > 1.0, 1.0, z))
    return special.betainc(a, b, inside)


def beta_ppf(q, a, b):
    return special.betaincinv(a, b, q)


def beta_isf(q, a, b):
    return special.betainccinv(a, b, q)


continuous(stats.beta, shapes_ab, beta_logpdf, beta_cdf, beta_ppf, isf=beta_isf)


def uniform_logpdf(z):
    return np.where((z < 0.0) | (z > 1.0), -np.inf, 0.0)[()]


def uniform_cdf(z):
    return np.where(z < 0.0, 0.0, np.where(z > 1.0, 1.0, z))[()]


def uniform_ppf(q):
    return 1.0 * q


continuous(stats.uniform, shapes_none, uniform_logpdf, uniform_cdf, uniform_ppf)


def powerlaw_logpdf(z, a):
    outside = (z < 0.0) | (z > 1.0)
    inside = np.where(outside, 0.5, z)
    return np.where(outside, -np.inf, np.log(a) + special.xlogy(a - 1.0, inside))[()]


def powerlaw_cdf(z, a):
    inside = np.where(z < 0.0, 0.0, np.where(z > 1.0, 1.0, z))
    return np.power(inside, a)


def powerlaw_ppf(q, a):
    return np.power(q, 1.0 / a)


continuous(stats.powerlaw, shape_a, powerlaw_logpdf, powerlaw_cdf, powerlaw_ppf)


def arcsine_logpdf(z):
    outside = (z < 0.0) | (z > 1.0)
    inside = np.where(outside, 0.5, z)
    body = -0.5 * np.log(inside * (1.0 - inside)) - math.log(math.pi)
    return np.where(outside, -np.inf, body)[()]


def arcsine_cdf(z):
    inside = np.where(z < 0.0, 0.0, np.where(z > 1.0, 1.0, z))
    return 2.0 / math.pi * np.arcsin(np.sqrt(inside))


def arcsine_ppf(q):
    return np.square(np.sin(0.5 * math.pi * q))


continuous(stats.arcsine, shapes_none, arcsine_logpdf, arcsine_cdf, arcsine_ppf)


def triang_logpdf(z, c):
    outside = (z < 0.0) | (z > 1.0)
    inside = np.where(outside, 0.5, z)
    rising = inside < c
    part = np.where(rising, inside, 1.0 - inside)
    whole = np.where(rising, c, 1.0 - c)
    return np.where(outside, -np.inf, math.log(2.0) + np.log(part / whole))[()]


def triang_cdf(z, c):
    inside = np.where(z < 0.0, 0.0, np.where(z > 1.0, 1.0, z))
    rising = inside < c
    low = np.square(inside) / np.where(rising, c, 1.0)
    high = 1.0 - np.square(1.0 - inside) / np.where(rising, 1.0, 1.0 - c)
    return np.where(rising, low, high)[()]


continuous(stats.triang, shape_c, triang_logpdf, triang_cdf)


def johnsonsb_logpdf(z, a, b):
    outside = (z <= 0.0) | (z >= 1.0)
    inside = np.where(outside, 0.5, z)
    normal = a + b * special.logit(inside)
    body = np.log(b / (inside * (1.0 - inside))) - 0.5 * normal * normal - HALF_LOG
    return np.where(outside, -np.inf, body)[()]


def johnsonsb_cdf(z, a, b):
    inside = np.where((z <= 0.0) | (z >= 1.0), 0.5, z)
    part = special.ndtr(a + b * special.logit(inside))
    return np.where(z <= 0.0, 0.0, np.where(z >= 1.0, 1.0, part))[()]


def johnsonsb_ppf(q, a, b):
    return special.expit((special.ndtri(q) - a) / b)


continuous(stats.johnsonsb, shapes_ab, johnsonsb_logpdf, johnsonsb_cdf, johnsonsb_ppf)


def cosine_logpdf(z):
    outside = np.abs(z) > math.pi
    body = np.log1p(np.cos(np.where(outside, 0.0, z))) - math.log(2.0 * math.pi)
    return np.where(outside, -np.inf, body)[()]


def cosine_cdf(z):
    low = np.where(z < -math.pi, -math.pi, np.where(z > math.pi, math.pi, z))
    return (math.pi + low + np.sin(low)) / (2.0 * math.pi)


continuous(stats.cosine, shapes_none, cosine_logpdf, cosine_cdf)


def wrapcauchy_logpdf(z, c):
    outside = (z < 0.0) | (z > 2.0 * math.pi)
    turned = 1.0 + c * c - 2.0 * c * np.cos(np.where(outside, 0.0, z))
    body = np.log1p(-c * c) - math.log(2.0 * math.pi) - np.log(turned)
    return np.where(outside, -np.inf, body)[()]


continuous(stats.wrapcauchy, shape_c, wrapcauchy_logpdf)

# ------------------------------------------------------------- cut distributions


def log_mass(a, b):
    """The logarithm of the mass of the normal distribution from `a` to `b`."""
    turned = a > 0.0
    high = special.log_ndtr(np.where(turned, -a, b))
    low = special.log_ndtr(np.where(turned, -b, a))
    return high + np.log(-np.expm1(low - high))


def truncnorm_logpdf(z, a, b):
    outside = (z < a) | (z > b)
    inside = np.where(outside, 0.0, z)
    body = -0.5 * inside * inside - HALF_LOG - log_mass(a, b)
    return np.where(outside, -np.inf, body)[()]


def truncnorm_cdf(z, a, b):
    inside = np.where(z < a, a, np.where(z > b, b, z))
    turned = a > 0.0
    part = np.where(
        turned,
        special.ndtr(-a) - special.ndtr(-inside),
        special.ndtr(inside) - special.ndtr(a),
    )
    return part / np.exp(log_mass(a, b))


def truncnorm_ppf(q, a, b):
    turned = a > 0.0
    mass = np.exp(log_mass(a, b))
    high = -special.ndtri(special.ndtr(-a) - q * mass)
    return np.where(turned, high, special.ndtri(special.ndtr(a) + q * mass))[()]


continuous(stats.truncnorm, shapes_ab, truncnorm_logpdf, truncnorm_cdf, truncnorm_ppf)


def truncexpon_logpdf(z, b):
    outside = (z < 0.0) | (z > b)
    body = -np.where(outside, 0.0, z) - np.log(-np.expm1(-b))
    return np.where(outside, -np.inf, body)[()]


def truncexpon_cdf(z, b):
    inside = np.where(z < 0.0, 0.0, np.where(z > b, b, z))
    return np.expm1(-inside) / np.expm1(-b)


def truncexpon_ppf(q, b):
    return -np.log1p(q * np.expm1(-b))


continuous(stats.truncexpon, shape_b, truncexpon_logpdf, truncexpon_cdf, truncexpon_ppf)

# ------------------------------------------------------------------ power laws


def loguniform_logpdf(z, a, b):
    outside = (z < a) | (z > b)
    inside = np.where(outside, a, z)
    return np.where(outside, -np.inf, -np.log(inside) - np.log(np.log(b / a)))[()]


def loguniform_cdf(z, a, b):
    inside = np.where(z < a, a, np.where(z > b, b, z))
    return np.log(inside / a) / np.log(b / a)


def loguniform_ppf(q, a, b):
    return np.exp(np.log(a) + q * np.log(b / a))


continuous(
    stats.loguniform, shapes_ab, loguniform_logpdf, loguniform_cdf, loguniform_ppf
)
continuous(
    stats.reciprocal, shapes_ab, loguniform_logpdf, loguniform_cdf, loguniform_ppf
)


def pareto_logpdf(z, b):
    outside = z < 1.0
    body = np.log(b) - (b + 1.0) * np.log(np.where(outside, 1.0, z))
    return np.where(outside, -np.inf, body)[()]


def pareto_logsf(z, b):
    return -b * np.log(np.where(z < 1.0, 1.0, z))


def pareto_sf(z, b):
    return np.power(np.where(z < 1.0, 1.0, z), -b)


def pareto_cdf(z, b):
    return -np.expm1(-b * np.log(np.where(z < 1.0, 1.0, z)))


def pareto_ppf(q, b):
    return np.power(1.0 - q, -1.0 / b)


def pareto_isf(q, b):
    return np.power(q, -1.0 / b)


continuous(
    stats.pareto,
    shape_b,
    pareto_logpdf,
    pareto_cdf,
    pareto_ppf,
    sf=pareto_sf,
    logsf=pareto_logsf,
    isf=pareto_isf,
)


def genpareto_logpdf(z, c):
    outside = (z < 0.0) | (1.0 + c * z <= 0.0)
    inside = np.where(outside, 0.0, z)
    body = -(1.0 + c) * np.log(special.inv_boxcox(inside, c))
    return np.where(outside, -np.inf, body)[()]


def genpareto_cdf(z, c):
    inside = np.where((z < 0.0) | (1.0 + c * z <= 0.0), 0.0, z)
    rest = 1.0 / special.inv_boxcox(inside, c)
    return np.where(z < 0.0, 0.0, np.where(1.0 + c * z <= 0.0, 1.0, 1.0 - rest))[()]


def genpareto_ppf(q, c):
    return special.boxcox(1.0 / (1.0 - q), c)


def genpareto_isf(q, c):
    return special.boxcox(1.0 / q, c)


continuous(
    stats.genpareto,
    shape_c,
    genpareto_logpdf,
    genpareto_cdf,
    genpareto_ppf,
    isf=genpareto_isf,
)


def genextreme_logpdf(z, c):
    outside = c * z >= 1.0
    power = special.inv_boxcox(-np.where(outside, 0.0, z), c)
    return np.where(outside, -np.inf, -power + (1.0 - c) * np.log(power))[()]


def genextreme_logcdf(z, c):
    outside = c * z >= 1.0
    power = special.inv_boxcox(-np.where(outside, 0.0, z), c)
    return np.where(outside, np.where(c > 0.0, 0.0, -np.inf), -power)[()]


def genextreme_cdf(z, c):
    return np.exp(genextreme_logcdf(z, c))


def genextreme_ppf(q, c):
    return -special.boxcox(-np.log(q), c)


continuous(
    stats.genextreme,
    shape_c,
    genextreme_logpdf,
    genextreme_cdf,
    genextreme_ppf,
    logcdf=genextreme_logcdf,
)
