"""Special functions of SciPy: the gamma and error function families, and the rest.

Bessel functions, elliptic integrals and hypergeometric functions are in
`scipy_bessel.py`. Where no formula is known for an operand (a parameter such as the
`a` of `betainc`), that operand is refused when it is active; the others are
differentiated. Conventions: a real function is real, `huber` has the slope of its
linear part beyond `delta`.

Formulas without a source are those of the NIST Digital Library of Mathematical
Functions, chapters 5, 7 and 8.
"""

import math

import numpy as np
from scipy import special

from ..runtime_special import gammainc_slope, no_partial, quotient
from . import scipy_bessel, scipy_softmax  # noqa: F401  (they register)
from .registry import adjoint, elementwise, tangent

# ------------------------------------------------------------- gamma and beta


@elementwise(special.gamma)
def gamma(y, x):
    return y * special.digamma(x)


@elementwise(special.gammaln, special.loggamma)
def gammaln(y, x):
    return special.digamma(x)


@elementwise(special.rgamma, singular=True, convention="nan at the poles of gamma")
def rgamma(y, x):
    return -y * special.digamma(x)


@elementwise(special.digamma)
def digamma(y, x):
    return special.polygamma(1, x)


@elementwise(special.polygamma)
def polygamma(y, n, x):
    return no_partial("scipy.special.polygamma", "n"), special.polygamma(n + 1, x)


@elementwise(special.beta)
def beta(y, a, b):
    both = special.digamma(a + b)
    return y * (special.digamma(a) - both), y * (special.digamma(b) - both)


@elementwise(special.betaln)
def betaln(y, a, b):
    both = special.digamma(a + b)
    return special.digamma(a) - both, special.digamma(b) - both


@elementwise(special.poch)
def poch(y, z, m):
    above = special.digamma(z + m)
    return y * (above - special.digamma(z)), y * above


@elementwise(special.binom)
def binom(y, n, k):
    rest = special.digamma(n - k + 1.0)
    by_n = y * (special.digamma(n + 1.0) - rest)
    return by_n, y * (rest - special.digamma(k + 1.0))


@elementwise(special.gammainc, source="DLMF 8.7.1, term by term, for a")
def gammainc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    return gammainc_slope(a, x), density


@elementwise(special.gammaincc, source="DLMF 8.7.1, term by term, for a")
def gammaincc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    return -gammainc_slope(a, x), -density


@elementwise(special.gammaincinv, singular=True)
def gammaincinv(x, a, y):
    inverse = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    return -gammainc_slope(a, x) * inverse, inverse


@elementwise(gammainc_slope)
def gammainc_slope_again(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    again = no_partial("the derivative of scipy.special.gammainc in a", "a")
    return again, density * (np.log(x) - special.digamma(a))


@elementwise(special.betainc)
def betainc(y, a, b, x):
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    return (
        no_partial("scipy.special.betainc", "a"),
        no_partial("scipy.special.betainc", "b"),
        np.exp(log - special.betaln(a, b)),
    )


@elementwise(special.betaincinv, singular=True)
def betaincinv(x, a, b, y):
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x)
    return (
        no_partial("scipy.special.betaincinv", "a"),
        no_partial("scipy.special.betaincinv", "b"),
        np.exp(special.betaln(a, b) - log),
    )


@elementwise(special.stdtr, source="the density of Student's t")
def stdtr(y, df, t):
    half = 0.5 * (df + 1.0)
    scale = (
        special.gammaln(half) - special.gammaln(0.5 * df) - 0.5 * np.log(math.pi * df)
    )
    density = np.exp(scale - half * np.log1p(t * t / df))
    return no_partial("scipy.special.stdtr", "df"), density


@elementwise(special.zeta)
def zeta(y, x, q=None):
    return no_partial("scipy.special.zeta", "x"), -x * special.zeta(x + 1.0, q)


# ------------------------------------------------------------- error functions


@elementwise(special.erf)
def erf(y, x):
    return 2.0 / math.sqrt(math.pi) * np.exp(-x * x)


@elementwise(special.erfc)
def erfc(y, x):
    return -2.0 / math.sqrt(math.pi) * np.exp(-x * x)


@elementwise(special.erfcx)
def erfcx(y, x):
    return 2.0 * x * y - 2.0 / math.sqrt(math.pi)


@elementwise(special.erfi)
def erfi(y, x):
    return 2.0 / math.sqrt(math.pi) * np.exp(x * x)


@elementwise(special.erfinv, singular=True)
def erfinv(y, x):
    return 0.5 * math.sqrt(math.pi) * np.exp(y * y)


@elementwise(special.erfcinv, singular=True)
def erfcinv(y, x):
    return -0.5 * math.sqrt(math.pi) * np.exp(y * y)


@elementwise(special.dawsn)
def dawsn(y, x):
    return 1.0 - 2.0 * x * y


@elementwise(special.ndtr)
def ndtr(y, x):
    return np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


@elementwise(special.ndtri, singular=True)
def ndtri(x, y):
    return math.sqrt(2.0 * math.pi) * np.exp(0.5 * x * x)


@elementwise(special.log_ndtr)
def log_ndtr(y, x):
    return np.exp(-0.5 * x * x - y) / math.sqrt(2.0 * math.pi)


@elementwise(special.owens_t, source="Owen 1956")
def owens_t(y, h, a):
    tail = special.erf(a * h / math.sqrt(2.0)) / (2.0 * math.sqrt(2.0 * math.pi))
    turned = 1.0 + a * a
    by_a = np.exp(-0.5 * h * h * turned) / (2.0 * math.pi * turned)
    return -np.exp(-0.5 * h * h) * tail, by_a


@adjoint(special.fresnel)
def fresnel_adjoint(y, y_bar, x):
    angle = 0.5 * math.pi * x * x
    return y_bar[0] * np.sin(angle) + y_bar[1] * np.cos(angle)


@tangent(special.fresnel)
def fresnel_tangent(y, x, x_dot):
    angle = 0.5 * math.pi * x * x
    return np.sin(angle) * x_dot, np.cos(angle) * x_dot


# ------------------------------------------- exponentials, logarithms, entropy


@elementwise(quotient, singular=True)
def quotient_partials(z, x, y):
    return 1.0 / y, -quotient(z, y)


@elementwise(special.expit)
def expit(y, x):
    return y * special.expit(-x)


@elementwise(special.log_expit)
def log_expit(y, x):
    return special.expit(-x)


@elementwise(special.logit, singular=True)
def logit(y, x):
    return 1.0 / (x * (1.0 - x))


@elementwise(special.xlogy, singular=True, convention="0 / 0 is 0")
def xlogy(z, x, y):
    return np.log(y), quotient(x, y)


@elementwise(special.xlog1py, singular=True, convention="0 / 0 is 0")
def xlog1py(z, x, y):
    return np.log1p(y), quotient(x, 1.0 + y)


@elementwise(special.entr, singular=True)
def entr(y, x):
    return -np.log(x) - 1.0


@elementwise(special.rel_entr, singular=True, convention="0 / 0 is 0")
def rel_entr(z, x, y):
    return np.log(x / y) + 1.0, -quotient(x, y)


@elementwise(special.kl_div, singular=True, convention="0 / 0 is 0")
def kl_div(z, x, y):
    return np.log(x / y), 1.0 - quotient(x, y)


@elementwise(special.exprel, source="exprel(x) = M(1, 2, x), DLMF 13.3.15")
def exprel(y, x):
    return 0.5 * special.hyp1f1(2.0, 3.0, x)


@elementwise(special.exp2)
def exp2(y, x):
    return math.log(2.0) * y


@elementwise(special.exp10)
def exp10(y, x):
    return math.log(10.0) * y


@elementwise(special.expm1)
def expm1(y, x):
    return np.exp(x)


@elementwise(special.log1p, singular=True)
def log1p(y, x):
    return 1.0 / (1.0 + x)


@elementwise(special.cosm1)
def cosm1(y, x):
    return -np.sin(x)


@elementwise(special.cbrt, singular=True)
def cbrt(y, x):
    return 1.0 / (3.0 * y * y)


@elementwise(special.boxcox, singular=True)
def boxcox(y, x, lmbda):
    return np.power(x, lmbda - 1.0), no_partial("scipy.special.boxcox", "lmbda")


@elementwise(special.expi, singular=True)
def expi(y, x):
    return np.exp(x) / x


@elementwise(special.exp1, singular=True)
def exp1(y, x):
    return -np.exp(-x) / x


@elementwise(special.expn, singular=True)
def expn(y, n, x):
    return no_partial("scipy.special.expn", "n"), -special.expn(n - 1, x)


@elementwise(special.spence, singular=True, convention="nan at 1")
def spence(y, x):
    return np.log(x) / (1.0 - x)


@adjoint(special.sici, singular=True)
def sici_adjoint(y, y_bar, x):
    return y_bar[0] * np.sinc(x / math.pi) + y_bar[1] * (np.cos(x) / x)


@tangent(special.sici)
def sici_tangent(y, x, x_dot):
    return np.sinc(x / math.pi) * x_dot, np.cos(x) / x * x_dot


# --------------------------------------------------------------------- losses


@elementwise(special.huber, convention="continuous, so no choice at the kink")
def huber(y, delta, r):
    return np.maximum(np.abs(r) - delta, 0.0), np.clip(r, -delta, delta)


@elementwise(special.pseudo_huber)
def pseudo_huber(y, delta, r):
    root = np.sqrt(1.0 + (r / delta) * (r / delta))
    return 2.0 * delta * (root - 1.0) - r * r / (delta * root), r / root
