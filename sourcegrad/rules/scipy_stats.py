"""Distributions of SciPy: the parameters they take, and those of the whole line.

Differentiated in value, location, scale and shapes: `pdf`, `logpdf`, `cdf`, `logcdf`,
`sf`, `logsf`, `ppf`, `isf`, also of frozen distributions. The values are SciPy's own.
Conventions: outside of the support the density is constant; a count is a constant;
at the edge of the support the slope is that of the inside.
"""

import math

import numpy as np
from scipy import special, stats

from ..runtime_special import log1p_ratio, xlogy_less
from . import (  # noqa: F401  (they register)
    scipy_correlation,
    scipy_stats_bounded,
    scipy_stats_discrete,
    scipy_stats_frozen,
    scipy_stats_gamma,
    scipy_stats_kernels,
    scipy_stats_many,
    scipy_stats_more,
    scipy_stats_positive,
    scipy_stats_rare,
    scipy_stats_samples,
    scipy_stats_summaries,
)
from .scipy_stats_forms import continuous
from .scipy_stats_shapes import (
    HALF_LOG,
    shape_a,
    shape_beta,
    shape_c,
    shape_df,
    shape_k,
    shape_kappa,
    shapes_ab,
    shapes_none,
)

# -------------------------------------------------------------------- normal


def norm_logpdf(z):
    return -0.5 * z**2 - HALF_LOG


def norm_sf(z):
    return special.ndtr(-z)


def norm_logsf(z):
    return special.log_ndtr(-z)


def norm_isf(q):
    return -special.ndtri(q)


continuous(
    stats.norm,
    shapes_none,
    norm_logpdf,
    special.ndtr,
    special.ndtri,
    sf=norm_sf,
    logcdf=special.log_ndtr,
    logsf=norm_logsf,
    isf=norm_isf,
)


def skewnorm_logpdf(z, a):
    return special.log_ndtr(a * z) - 0.5 * z * z - HALF_LOG + math.log(2.0)


def skewnorm_cdf(z, a):
    return special.ndtr(z) - 2.0 * special.owens_t(z, a)


continuous(stats.skewnorm, shape_a, skewnorm_logpdf, skewnorm_cdf)


def exponnorm_logpdf(z, K):
    inverse = 1.0 / K
    body = special.log_ndtr(z - inverse) + inverse * (0.5 * inverse - z)
    return body - np.log(K)


def exponnorm_cdf(z, K):
    inverse = 1.0 / K
    tail = special.log_ndtr(z - inverse) + inverse * (0.5 * inverse - z)
    return special.ndtr(z) - np.exp(tail)


continuous(stats.exponnorm, shape_k, exponnorm_logpdf, exponnorm_cdf)


def johnsonsu_logpdf(z, a, b):
    normal = a + b * np.arcsinh(z)
    return np.log(b) - 0.5 * np.log1p(z * z) - 0.5 * normal * normal - HALF_LOG


def johnsonsu_cdf(z, a, b):
    return special.ndtr(a + b * np.arcsinh(z))


def johnsonsu_ppf(q, a, b):
    return np.sinh((special.ndtri(q) - a) / b)


continuous(stats.johnsonsu, shapes_ab, johnsonsu_logpdf, johnsonsu_cdf, johnsonsu_ppf)

# --------------------------------------------------------------------- Student


def t_logpdf(z, df):
    base = -special.betaln(0.5 * df, 0.5) - 0.5 * np.log(df)
    return base - 0.5 * (df + 1.0) * log1p_ratio(z * z, df)


def t_cdf(z, df):
    return special.stdtr(df, z)


def t_sf(z, df):
    return special.stdtr(df, -z)


def t_ppf(q, df):
    return special.stdtrit(df, q)


def t_isf(q, df):
    return -special.stdtrit(df, q)


continuous(stats.t, shape_df, t_logpdf, t_cdf, t_ppf, sf=t_sf, isf=t_isf)


def cauchy_logpdf(z):
    return -np.log1p(z * z) - math.log(math.pi)


def cauchy_cdf(z):
    return 0.5 + np.arctan(z) / math.pi


def cauchy_ppf(q):
    return np.tan(math.pi * (q - 0.5))


def cauchy_isf(q):
    return np.tan(math.pi * (0.5 - q))


continuous(
    stats.cauchy, shapes_none, cauchy_logpdf, cauchy_cdf, cauchy_ppf, isf=cauchy_isf
)

# ------------------------------------------------------------ Laplace, generalised


def laplace_logpdf(z):
    return -np.abs(z) - math.log(2.0)


def laplace_cdf(z):
    half = 0.5 * np.exp(np.where(z > 0.0, -z, z))
    return np.where(z > 0.0, 1.0 - half, half)[()]


def laplace_ppf(q):
    below = np.log(2.0 * np.where(q > 0.5, 0.5, q))
    above = -np.log(2.0 * (1.0 - np.where(q > 0.5, q, 0.5)))
    return np.where(q > 0.5, above, below)[()]


continuous(stats.laplace, shapes_none, laplace_logpdf, laplace_cdf, laplace_ppf)


def gennorm_logpdf(z, beta):
    base = np.log(0.5 * beta) - special.gammaln(1.0 / beta)
    return base - np.power(np.abs(z), beta)


def gennorm_cdf(z, beta):
    part = special.gammainc(1.0 / beta, np.power(np.abs(z), beta))
    slope = 0.5 * beta / special.gamma(1.0 / beta)  # of the centre, where abs has none
    centre = slope * np.where(z == 0.0, z, 0.0)
    return 0.5 + 0.5 * np.sign(z) * part + centre


continuous(stats.gennorm, shape_beta, gennorm_logpdf, gennorm_cdf)


def dgamma_logpdf(z, a):
    size = np.abs(z)
    body = xlogy_less(a - 1.0, size)
    return body - special.gammaln(a) - math.log(2.0)


def dgamma_cdf(z, a):
    half = 0.5 * special.gammainc(a, np.where(z < 0.0, -z, z))
    return np.where(z < 0.0, 0.5 - half, 0.5 + half)[()]


continuous(stats.dgamma, shape_a, dgamma_logpdf, dgamma_cdf)

# ------------------------------------------------------------ logistic and kin


def logistic_logpdf(z):
    return special.log_expit(z) + special.log_expit(-z)


def logistic_sf(z):
    return special.expit(-z)


def logistic_logsf(z):
    return special.log_expit(-z)


def logistic_isf(q):
    return -special.logit(q)


continuous(
    stats.logistic,
    shapes_none,
    logistic_logpdf,
    special.expit,
    special.logit,
    sf=logistic_sf,
    logcdf=special.log_expit,
    logsf=logistic_logsf,
    isf=logistic_isf,
)


def genlogistic_logpdf(z, c):
    return np.log(c) - z + (c + 1.0) * special.log_expit(z)


def genlogistic_cdf(z, c):
    return np.exp(c * special.log_expit(z))


def genlogistic_ppf(q, c):
    return special.logit(np.power(q, 1.0 / c))


continuous(
    stats.genlogistic, shape_c, genlogistic_logpdf, genlogistic_cdf, genlogistic_ppf
)


def hypsecant_logpdf(z):
    return math.log(2.0 / math.pi) - np.logaddexp(z, -z)


def hypsecant_cdf(z):
    return 2.0 / math.pi * np.arctan(np.exp(z))


def hypsecant_ppf(q):
    return np.log(np.tan(0.5 * math.pi * q))


continuous(stats.hypsecant, shapes_none, hypsecant_logpdf, hypsecant_cdf, hypsecant_ppf)

# --------------------------------------------------------------- extreme values


def gumbel_r_logpdf(z):
    return -z - np.exp(-z)


def gumbel_r_cdf(z):
    return np.exp(-np.exp(-z))


def gumbel_r_logcdf(z):
    return -np.exp(-z)


def gumbel_r_sf(z):
    return -np.expm1(-np.exp(-z))


def gumbel_r_ppf(q):
    return -np.log(-np.log(q))


def gumbel_r_isf(q):
    return -np.log(-np.log1p(-q))


continuous(
    stats.gumbel_r,
    shapes_none,
    gumbel_r_logpdf,
    gumbel_r_cdf,
    gumbel_r_ppf,
    sf=gumbel_r_sf,
    logcdf=gumbel_r_logcdf,
    isf=gumbel_r_isf,
)


def gumbel_l_logpdf(z):
    return z - np.exp(z)


def gumbel_l_cdf(z):
    return -np.expm1(-np.exp(z))


def gumbel_l_sf(z):
    return np.exp(-np.exp(z))


def gumbel_l_logsf(z):
    return -np.exp(z)


def gumbel_l_ppf(q):
    return np.log(-np.log1p(-q))


def gumbel_l_isf(q):
    return np.log(-np.log(q))


continuous(
    stats.gumbel_l,
    shapes_none,
    gumbel_l_logpdf,
    gumbel_l_cdf,
    gumbel_l_ppf,
    sf=gumbel_l_sf,
    logsf=gumbel_l_logsf,
    isf=gumbel_l_isf,
)


def moyal_logpdf(z):
    return -0.5 * (z + np.exp(-z)) - HALF_LOG


def moyal_cdf(z):
    return special.erfc(np.exp(-0.5 * z) / math.sqrt(2.0))


continuous(stats.moyal, shapes_none, moyal_logpdf, moyal_cdf)


def loggamma_logpdf(z, c):
    return c * z - np.exp(z) - special.gammaln(c)


def loggamma_cdf(z, c):
    return special.gammainc(c, np.exp(z))


def loggamma_ppf(q, c):
    return np.log(special.gammaincinv(c, q))


continuous(stats.loggamma, shape_c, loggamma_logpdf, loggamma_cdf, loggamma_ppf)

# ------------------------------------------------------------------- on a circle


def vonmises_logpdf(z, kappa):
    return kappa * (np.cos(z) - 1.0) - np.log(2.0 * math.pi * special.i0e(kappa))


continuous(stats.vonmises, shape_kappa, vonmises_logpdf)
