"""Incomplete gamma and beta functions of SciPy, and distribution functions by them.

Differentiated in every operand. The derivative in a parameter is a series
(`runtime_incomplete.py`) that is not differentiated in its parameters again: no
closed form is known. The derivative of an inverse is that of an implicit function.
Counts (`k`, `n` of the discrete distributions) are constants: SciPy cuts them to whole
numbers. Formulas: DLMF 8.2, 8.17.
"""

import math

import numpy as np
from scipy import special

from ..runtime_incomplete import betainc_slope, gammainc_slope
from ..runtime_special import log1p_ratio, no_partial
from .registry import composite, elementwise

TERMS = "DLMF 8.7.1, term by term, for a"
BETA_TERMS = "DLMF 8.17.8, term by term, for a and b"

# ------------------------------------------------------------ incomplete gamma


@elementwise(special.gammainc, source=TERMS)
def gammainc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    return gammainc_slope(a, x), density


@elementwise(special.gammaincc, source=TERMS)
def gammaincc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    return -gammainc_slope(a, x), -density


@elementwise(special.gammaincinv, singular=True, source=TERMS)
def gammaincinv(x, a, y):
    inverse = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    return -gammainc_slope(a, x) * inverse, inverse


@elementwise(special.gammainccinv, singular=True, source=TERMS)
def gammainccinv(x, a, y):
    inverse = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    return -gammainc_slope(a, x) * inverse, -inverse


@elementwise(gammainc_slope)
def gammainc_slope_again(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    again = no_partial("the derivative of scipy.special.gammainc in a", "a")
    return again, density * (np.log(x) - special.digamma(a))


# ------------------------------------------------------------- incomplete beta


@elementwise(special.betainc, source=BETA_TERMS)
def betainc(y, a, b, x):
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    return (
        betainc_slope(a, b, x, 1.0 - x),
        -betainc_slope(b, a, 1.0 - x, x),
        np.exp(log - special.betaln(a, b)),
    )


@elementwise(special.betaincc, source=BETA_TERMS)
def betaincc(y, a, b, x):
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    return (
        -betainc_slope(a, b, x, 1.0 - x),
        betainc_slope(b, a, 1.0 - x, x),
        -np.exp(log - special.betaln(a, b)),
    )


@elementwise(special.betaincinv, singular=True, source=BETA_TERMS)
def betaincinv(x, a, b, y):
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    inverse = np.exp(special.betaln(a, b) - log)
    return (
        -betainc_slope(a, b, x, 1.0 - x) * inverse,
        betainc_slope(b, a, 1.0 - x, x) * inverse,
        inverse,
    )


@elementwise(special.betainccinv, singular=True, source=BETA_TERMS)
def betainccinv(x, a, b, y):
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    inverse = np.exp(special.betaln(a, b) - log)
    return (
        -betainc_slope(a, b, x, 1.0 - x) * inverse,
        betainc_slope(b, a, 1.0 - x, x) * inverse,
        -inverse,
    )


@elementwise(betainc_slope)
def betainc_slope_again(y, a, b, x, rest):
    log = special.xlogy(a - 1.0, x) + special.xlogy(b - 1.0, rest)
    by_x = np.log(x) - special.digamma(a) + special.digamma(a + b)
    return (
        no_partial("the derivative of scipy.special.betainc in a", "a"),
        no_partial("the derivative of scipy.special.betainc in a", "b"),
        np.exp(log - special.betaln(a, b)) * by_x,
        None,  # it is 1 - x, and so counted with x
    )


# --------------------------------------- gamma, chi-squared, Poisson distributions


@composite(special.chdtr)
def chdtr(v, x):
    return special.gammainc(0.5 * v, 0.5 * x)


@composite(special.chdtrc)
def chdtrc(v, x):
    return special.gammaincc(0.5 * v, 0.5 * x)


@composite(special.chdtri)
def chdtri(v, p):
    return 2.0 * special.gammainccinv(0.5 * v, p)


@elementwise(special.chdtriv, singular=True, source="implicit function")
def chdtriv(v, p, x):
    slope = gammainc_slope(0.5 * v, 0.5 * x)
    log = special.xlogy(0.5 * v - 1.0, 0.5 * x) - 0.5 * x - special.gammaln(0.5 * v)
    return 2.0 / slope, -np.exp(log) / slope


@composite(special.gdtr)
def gdtr(a, b, x):
    return special.gammainc(b, a * x)


@composite(special.gdtrc)
def gdtrc(a, b, x):
    return special.gammaincc(b, a * x)


@composite(special.gdtria)
def gdtria(p, b, x):
    return special.gammaincinv(b, p) / x


@composite(special.gdtrix)
def gdtrix(a, b, p):
    return special.gammaincinv(b, p) / a


@elementwise(special.gdtrib, singular=True, source="implicit function")
def gdtrib(b, a, p, x):
    slope = gammainc_slope(b, a * x)
    log = special.xlogy(b - 1.0, a * x) - a * x - special.gammaln(b)
    density = np.exp(log)
    return -x * density / slope, 1.0 / slope, -a * density / slope


@composite(special.pdtr)
def pdtr(k, m):
    return special.gammaincc(np.floor(k) + 1.0, m)


@composite(special.pdtrc)
def pdtrc(k, m):
    return special.gammainc(np.floor(k) + 1.0, m)


@composite(special.pdtri)
def pdtri(k, y):
    return special.gammainccinv(np.floor(k) + 1.0, y)


# ------------------------------------ beta, binomial, F and Student distributions


@composite(special.bdtr)
def bdtr(k, n, p):
    whole = np.floor(k)
    return special.betaincc(whole + 1.0, np.floor(n) - whole, p)


@composite(special.bdtrc)
def bdtrc(k, n, p):
    whole = np.floor(k)
    return special.betainc(whole + 1.0, np.floor(n) - whole, p)


@composite(special.bdtri)
def bdtri(k, n, y):
    whole = np.floor(k)
    return special.betainccinv(whole + 1.0, np.floor(n) - whole, y)


@composite(special.nbdtr)
def nbdtr(k, n, p):
    return special.betainc(np.floor(n), np.floor(k) + 1.0, p)


@composite(special.nbdtrc)
def nbdtrc(k, n, p):
    return special.betaincc(np.floor(n), np.floor(k) + 1.0, p)


@composite(special.nbdtri)
def nbdtri(k, n, y):
    return special.betaincinv(np.floor(n), np.floor(k) + 1.0, y)


@elementwise(special.btdtria, singular=True, source="implicit function")
def btdtria(a, p, b, x):
    slope = betainc_slope(a, b, x, 1.0 - x)
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    by_b = betainc_slope(b, a, 1.0 - x, x)
    return 1.0 / slope, by_b / slope, -np.exp(log - special.betaln(a, b)) / slope


@elementwise(special.btdtrib, singular=True, source="implicit function")
def btdtrib(b, a, p, x):
    slope = -betainc_slope(b, a, 1.0 - x, x)
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    by_a = -betainc_slope(a, b, x, 1.0 - x)
    return by_a / slope, 1.0 / slope, -np.exp(log - special.betaln(a, b)) / slope


@composite(special.fdtr)
def fdtr(dfn, dfd, x):
    return special.betainc(0.5 * dfn, 0.5 * dfd, dfn * x / (dfd + dfn * x))


@composite(special.fdtrc)
def fdtrc(dfn, dfd, x):
    return special.betainc(0.5 * dfd, 0.5 * dfn, dfd / (dfd + dfn * x))


@composite(special.fdtri)
def fdtri(dfn, dfd, p):
    rest = special.betainccinv(0.5 * dfd, 0.5 * dfn, p)
    return (dfd / rest - dfd) / dfn


@elementwise(special.stdtr, source="the density of Student's t; DLMF 8.17.8 for df")
def stdtr(y, df, t):
    half, square = 0.5 * df, t * t
    log = -0.5 * (df + 1.0) * log1p_ratio(square, df) - 0.5 * np.log(df)
    density = np.exp(log - special.betaln(half, 0.5))
    slope = betainc_slope(half, 0.5, df / (df + square), square / (df + square))
    return -0.25 * np.sign(t) * slope - 0.5 * density * t / df, density


@elementwise(special.stdtrit, singular=True, source="implicit function")
def stdtrit(t, df, p):
    half, square = 0.5 * df, t * t
    log = -0.5 * (df + 1.0) * log1p_ratio(square, df) - 0.5 * np.log(df)
    density = np.exp(log - special.betaln(half, 0.5))
    slope = betainc_slope(half, 0.5, df / (df + square), square / (df + square))
    by_df = -0.25 * np.sign(t) * slope - 0.5 * density * t / df
    return -by_df / density, 1.0 / density


# ---------------------------------------------------------- other distributions


@composite(special.nrdtrimn)
def nrdtrimn(p, std, x):
    return x - std * special.ndtri(p)


@composite(special.nrdtrisd)
def nrdtrisd(mn, p, x):
    return (x - mn) / special.ndtri(p)


@elementwise(special.chndtr, source="Johnson, Kotz, Balakrishnan 1995, 29.4")
def chndtr(y, x, df, nc):
    order = 0.5 * df - 1.0
    root = np.sqrt(nc * x)
    apart = np.sqrt(x) - np.sqrt(nc)
    log = 0.5 * order * np.log(x / nc) - 0.5 * apart * apart
    return (
        0.5 * np.exp(log) * special.ive(order, root),
        no_partial("scipy.special.chndtr", "df"),
        0.5 * (special.chndtr(x, df + 2.0, nc) - y),
    )


@elementwise(special.tklmbda, singular=True, source="its quantile function")
def tklmbda(p, x, lmbda):
    slope = np.power(p, lmbda - 1.0) + np.power(1.0 - p, lmbda - 1.0)
    inside = np.where((p > 0.0) & (p < 1.0), 1.0 / slope, 0.0)
    return inside, no_partial("scipy.special.tklmbda", "lmbda")


@elementwise(special.voigt_profile, source="DLMF 7.19: w' = -2 z w + 2i / sqrt(pi)")
def voigt_profile(y, x, sigma, gamma):
    scale = math.sqrt(2.0) * sigma
    z = (x + 1j * gamma) / scale
    w = special.wofz(z)
    slope = 2j / math.sqrt(math.pi) - 2.0 * z * w
    unit = sigma * math.sqrt(2.0 * math.pi)
    return (
        np.real(slope / scale) / unit,
        -(y + np.real(z * slope) / unit) / sigma,
        np.real(1j * slope / scale) / unit,
    )
