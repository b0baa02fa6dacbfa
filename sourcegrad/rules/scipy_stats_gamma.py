"""Gamma, chi-squared, F, beta prime, Lomax, Burr distributions of SciPy."""

import math

import numpy as np
from scipy import special, stats

from ..runtime_special import xlogy_less
from .scipy_stats_forms import at_least, continuous, inside, within
from .scipy_stats_shapes import (
    shape_a,
    shape_c,
    shape_df,
    shape_nu,
    shapes_ab,
    shapes_ac,
    shapes_cd,
    shapes_df_nc,
    shapes_none,
    shapes_two_df,
)

# --------------------------------------------------------------- gamma and kin


def expon_logpdf(z):
    return within(z, -z)


def expon_cdf(z):
    return -np.expm1(-at_least(z))


def expon_sf(z):
    return np.exp(-at_least(z))


def expon_logsf(z):
    return -at_least(z)


def expon_ppf(q):
    return -np.log1p(-q)


def expon_isf(q):
    return -np.log(q)


continuous(
    stats.expon,
    shapes_none,
    expon_logpdf,
    expon_cdf,
    expon_ppf,
    sf=expon_sf,
    logsf=expon_logsf,
    isf=expon_isf,
)


def gamma_logpdf(z, a):
    x = inside(z)
    return within(z, xlogy_less(a - 1.0, x) - special.gammaln(a))


def gamma_cdf(z, a):
    return special.gammainc(a, at_least(z))


def gamma_sf(z, a):
    return special.gammaincc(a, at_least(z))


def gamma_ppf(q, a):
    return special.gammaincinv(a, q)


def gamma_isf(q, a):
    return special.gammainccinv(a, q)


continuous(
    stats.gamma, shape_a, gamma_logpdf, gamma_cdf, gamma_ppf, sf=gamma_sf, isf=gamma_isf
)
continuous(
    stats.erlang,
    shape_a,
    gamma_logpdf,
    gamma_cdf,
    gamma_ppf,
    sf=gamma_sf,
    isf=gamma_isf,
)


def chi2_logpdf(z, df):
    half = 0.5 * df
    x = inside(z)
    body = special.xlogy(half - 1.0, x) - 0.5 * x
    return within(z, body - special.gammaln(half) - half * math.log(2.0))


def chi2_cdf(z, df):
    return special.gammainc(0.5 * df, 0.5 * at_least(z))


def chi2_sf(z, df):
    return special.gammaincc(0.5 * df, 0.5 * at_least(z))


def chi2_ppf(q, df):
    return 2.0 * special.gammaincinv(0.5 * df, q)


def chi2_isf(q, df):
    return 2.0 * special.gammainccinv(0.5 * df, q)


continuous(
    stats.chi2, shape_df, chi2_logpdf, chi2_cdf, chi2_ppf, sf=chi2_sf, isf=chi2_isf
)


def chi_logpdf(z, df):
    base = (1.0 - 0.5 * df) * math.log(2.0) - special.gammaln(0.5 * df)
    return within(z, base + special.xlogy(df - 1.0, inside(z)) - 0.5 * z * z)


def chi_cdf(z, df):
    return special.gammainc(0.5 * df, 0.5 * np.square(at_least(z)))


def chi_ppf(q, df):
    return np.sqrt(2.0 * special.gammaincinv(0.5 * df, q))


continuous(stats.chi, shape_df, chi_logpdf, chi_cdf, chi_ppf)


def ncx2_logpdf(z, df, nc):
    order, x = 0.5 * df - 1.0, inside(z)
    apart = np.sqrt(x) - np.sqrt(nc)
    bessel = np.log(special.ive(order, np.sqrt(nc * x)))
    body = 0.5 * order * np.log(x / nc) - 0.5 * apart * apart + bessel
    return within(z, body - math.log(2.0))


def ncx2_cdf(z, df, nc):
    return special.chndtr(at_least(z), df, nc)


continuous(stats.ncx2, shapes_df_nc, ncx2_logpdf, ncx2_cdf)


def invgamma_logpdf(z, a):
    x = inside(z)
    return within(z, -(a + 1.0) * np.log(x) - special.gammaln(a) - 1.0 / x)


def invgamma_cdf(z, a):
    return np.where(z <= 0.0, 0.0, special.gammaincc(a, 1.0 / inside(z)))[()]


def invgamma_ppf(q, a):
    return 1.0 / special.gammainccinv(a, q)


def invgamma_isf(q, a):
    return 1.0 / special.gammaincinv(a, q)


continuous(
    stats.invgamma,
    shape_a,
    invgamma_logpdf,
    invgamma_cdf,
    invgamma_ppf,
    isf=invgamma_isf,
)


def gengamma_logpdf(z, a, c):
    x = inside(z)
    base = np.log(np.abs(c)) - special.gammaln(a)
    return within(z, base + special.xlogy(c * a - 1.0, x) - np.power(x, c))


def gengamma_cdf(z, a, c):
    part = special.gammainc(a, np.power(inside(z), c))
    return np.where(z < 0.0, 0.0, np.where(c > 0.0, part, 1.0 - part))[()]


continuous(stats.gengamma, shapes_ac, gengamma_logpdf, gengamma_cdf)


def nakagami_logpdf(z, nu):
    base = math.log(2.0) + special.xlogy(nu, nu) - special.gammaln(nu)
    return within(z, base + special.xlogy(2.0 * nu - 1.0, inside(z)) - nu * z * z)


def nakagami_cdf(z, nu):
    return special.gammainc(nu, nu * np.square(at_least(z)))


continuous(stats.nakagami, shape_nu, nakagami_logpdf, nakagami_cdf)


def maxwell_logpdf(z):
    base = 0.5 * math.log(2.0 / math.pi)
    return within(z, base + 2.0 * np.log(inside(z)) - 0.5 * z * z)


def maxwell_cdf(z):
    return special.gammainc(1.5, 0.5 * np.square(at_least(z)))


def maxwell_ppf(q):
    return np.sqrt(2.0 * special.gammaincinv(1.5, q))


continuous(stats.maxwell, shapes_none, maxwell_logpdf, maxwell_cdf, maxwell_ppf)

# ------------------------------------------------------------------- F and kin


def f_logpdf(z, dfn, dfd):
    x, n, m = inside(z), 0.5 * dfn, 0.5 * dfd
    body = special.xlogy(n, dfn) + special.xlogy(m, dfd) + special.xlogy(n - 1.0, x)
    return within(z, body - (n + m) * np.log(dfd + dfn * x) - special.betaln(n, m))


def f_cdf(z, dfn, dfd):
    return special.fdtr(dfn, dfd, at_least(z))


def f_sf(z, dfn, dfd):
    return special.fdtrc(dfn, dfd, at_least(z))


def f_ppf(q, dfn, dfd):
    return special.fdtri(dfn, dfd, q)


continuous(stats.f, shapes_two_df, f_logpdf, f_cdf, f_ppf, sf=f_sf)


def betaprime_logpdf(z, a, b):
    x = inside(z)
    body = special.xlogy(a - 1.0, x) - special.xlog1py(a + b, x)
    return within(z, body - special.betaln(a, b))


def betaprime_cdf(z, a, b):
    x = at_least(z)
    return special.betainc(a, b, x / (1.0 + x))


def betaprime_ppf(q, a, b):
    return special.betaincinv(a, b, q) / special.betainccinv(b, a, q)


continuous(stats.betaprime, shapes_ab, betaprime_logpdf, betaprime_cdf, betaprime_ppf)


def lomax_logpdf(z, c):
    return within(z, np.log(c) - (c + 1.0) * np.log1p(inside(z)))


def lomax_cdf(z, c):
    return -np.expm1(-c * np.log1p(at_least(z)))


def lomax_ppf(q, c):
    return np.expm1(-np.log1p(-q) / c)


continuous(stats.lomax, shape_c, lomax_logpdf, lomax_cdf, lomax_ppf)


def fisk_logpdf(z, c):
    log = np.log(inside(z))
    return within(
        z, np.log(c) - log + special.log_expit(c * log) - np.logaddexp(0.0, c * log)
    )


def fisk_cdf(z, c):
    return np.where(z <= 0.0, 0.0, special.expit(c * np.log(inside(z))))[()]


def fisk_ppf(q, c):
    return np.exp(special.logit(q) / c)


continuous(stats.fisk, shape_c, fisk_logpdf, fisk_cdf, fisk_ppf)


def burr12_logpdf(z, c, d):
    x = inside(z)
    body = np.log(c) + np.log(d) + special.xlogy(c - 1.0, x)
    return within(z, body - (d + 1.0) * np.log1p(np.power(x, c)))


def burr12_cdf(z, c, d):
    return -np.expm1(-d * np.log1p(np.power(at_least(z), c)))


continuous(stats.burr12, shapes_cd, burr12_logpdf, burr12_cdf)
