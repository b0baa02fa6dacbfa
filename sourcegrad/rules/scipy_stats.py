"""Common distributions of SciPy: densities and distribution functions.

Defined in value, location, scale and shape by the special functions that have rules.
Convention: outside of the support the density is constant.
"""

import math

import numpy as np
from scipy import special, stats

from .registry import composite

HALF_LOG = 0.5 * math.log(2.0 * math.pi)

# -------------------------------------------------------------------- normal


@composite(stats.norm.logpdf)
def norm_logpdf(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return -0.5 * z * z - np.log(scale) - HALF_LOG


@composite(stats.norm.pdf)
def norm_pdf(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return np.exp(-0.5 * z * z) / (math.sqrt(2.0 * math.pi) * scale)


@composite(stats.norm.cdf)
def norm_cdf(x, loc=0.0, scale=1.0):
    return special.ndtr((x - loc) / scale)


@composite(stats.norm.logcdf)
def norm_logcdf(x, loc=0.0, scale=1.0):
    return special.log_ndtr((x - loc) / scale)


@composite(stats.norm.sf)
def norm_sf(x, loc=0.0, scale=1.0):
    return special.ndtr((loc - x) / scale)


@composite(stats.norm.logsf)
def norm_logsf(x, loc=0.0, scale=1.0):
    return special.log_ndtr((loc - x) / scale)


@composite(stats.norm.ppf)
def norm_ppf(q, loc=0.0, scale=1.0):
    return loc + scale * special.ndtri(q)


# ------------------------------------------------------- exponential and gamma


@composite(stats.expon.logpdf)
def expon_logpdf(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return np.where(z < 0.0, -np.inf, -z - np.log(scale))[()]


@composite(stats.expon.pdf)
def expon_pdf(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return np.where(z < 0.0, 0.0, np.exp(-z) / scale)[()]


@composite(stats.expon.cdf)
def expon_cdf(x, loc=0.0, scale=1.0):
    return -np.expm1(-np.maximum((x - loc) / scale, 0.0))


@composite(stats.expon.sf)
def expon_sf(x, loc=0.0, scale=1.0):
    return np.exp(-np.maximum((x - loc) / scale, 0.0))


@composite(stats.gamma.logpdf)
def gamma_logpdf(x, a, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    body = special.xlogy(a - 1.0, np.maximum(z, 0.0)) - z - special.gammaln(a)
    return np.where(z < 0.0, -np.inf, body - np.log(scale))[()]


@composite(stats.gamma.pdf)
def gamma_pdf(x, a, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    body = special.xlogy(a - 1.0, np.maximum(z, 0.0)) - z - special.gammaln(a)
    return np.where(z < 0.0, 0.0, np.exp(body) / scale)[()]


@composite(stats.gamma.cdf)
def gamma_cdf(x, a, loc=0.0, scale=1.0):
    return special.gammainc(a, np.maximum((x - loc) / scale, 0.0))


@composite(stats.gamma.sf)
def gamma_sf(x, a, loc=0.0, scale=1.0):
    return special.gammaincc(a, np.maximum((x - loc) / scale, 0.0))


@composite(stats.chi2.logpdf)
def chi2_logpdf(x, df, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    half = 0.5 * df
    body = special.xlogy(half - 1.0, np.maximum(z, 0.0)) - 0.5 * z
    total = body - special.gammaln(half) - half * math.log(2.0)
    return np.where(z < 0.0, -np.inf, total - np.log(scale))[()]


# ------------------------------------------------------------------ the others


@composite(stats.beta.logpdf)
def beta_logpdf(x, a, b, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    inside = np.clip(z, 0.0, 1.0)
    body = special.xlogy(a - 1.0, inside) + special.xlog1py(b - 1.0, -inside)
    total = body - special.betaln(a, b) - np.log(scale)
    return np.where((z < 0.0) | (z > 1.0), -np.inf, total)[()]


@composite(stats.beta.cdf)
def beta_cdf(x, a, b, loc=0.0, scale=1.0):
    return special.betainc(a, b, np.clip((x - loc) / scale, 0.0, 1.0))


@composite(stats.t.logpdf)
def t_logpdf(x, df, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    half = 0.5 * (df + 1.0)
    base = (
        special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * np.log(math.pi * df)
    )
    return base - half * np.log1p(z * z / df) - np.log(scale)


@composite(stats.t.cdf)
def t_cdf(x, df, loc=0.0, scale=1.0):
    return special.stdtr(df, (x - loc) / scale)


@composite(stats.cauchy.logpdf)
def cauchy_logpdf(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return -np.log1p(z * z) - np.log(math.pi * scale)


@composite(stats.laplace.logpdf)
def laplace_logpdf(x, loc=0.0, scale=1.0):
    return -np.abs((x - loc) / scale) - np.log(2.0 * scale)


@composite(stats.logistic.logpdf)
def logistic_logpdf(x, loc=0.0, scale=1.0):
    z = (x - loc) / scale
    return special.log_expit(z) + special.log_expit(-z) - np.log(scale)


@composite(stats.logistic.cdf)
def logistic_cdf(x, loc=0.0, scale=1.0):
    return special.expit((x - loc) / scale)


@composite(stats.poisson.logpmf)
def poisson_logpmf(k, mu):
    return special.xlogy(k, mu) - special.gammaln(k + 1.0) - mu


@composite(stats.bernoulli.logpmf)
def bernoulli_logpmf(k, p):
    return special.xlogy(k, p) + special.xlog1py(1.0 - k, -p)


@composite(stats.binom.logpmf)
def binom_logpmf(k, n, p):
    ways = special.gammaln(n + 1.0) - special.gammaln(k + 1.0)
    ways = ways - special.gammaln(n - k + 1.0)
    return ways + special.xlogy(k, p) + special.xlog1py(n - k, -p)
