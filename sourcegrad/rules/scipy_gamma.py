"""Gamma, polygamma, beta, binomial and zeta functions of SciPy (DLMF 5 and 25)."""

import math

import numpy as np
from scipy import special

from ..runtime import not_differentiable
from ..runtime_special import no_partial, psi_over_gamma, zeta_slope
from .registry import adjoint, composite, constant, elementwise, tangent


@elementwise(special.gamma)
def gamma(y, x):
    return y * special.digamma(x)


@elementwise(special.gammaln, special.loggamma)
def gammaln(y, x):
    return special.digamma(x)


@elementwise(special.rgamma, convention="finite at the poles of gamma")
def rgamma(y, x):
    return -psi_over_gamma(x)


@elementwise(psi_over_gamma, singular=True, convention="nan at the poles of gamma")
def psi_over_gamma_again(y, x):
    return special.rgamma(x) * special.polygamma(1, x) - y * special.digamma(x)


@elementwise(special.digamma)
def digamma(y, x):
    if np.iscomplexobj(x):
        not_differentiable("scipy.special.digamma has no rule for complex numbers")
    return special.polygamma(1, x)


@elementwise(special.polygamma)
def polygamma(y, n, x):
    return no_partial("scipy.special.polygamma", "n"), special.polygamma(n + 1, x)


@composite(special.multigammaln)
def multigammaln(a, d):
    parts = special.gammaln(np.expand_dims(a, -1) - 0.5 * np.arange(d))
    return np.sum(parts, axis=-1) + 0.25 * d * (d - 1) * math.log(math.pi)


@elementwise(special.beta)
def beta(y, a, b):
    both = special.digamma(a + b)
    return y * (special.digamma(a) - both), y * (special.digamma(b) - both)


@elementwise(special.betaln)
def betaln(y, a, b):
    both = special.digamma(a + b)
    return special.digamma(a) - both, special.digamma(b) - both


# ------------------------------------------------------- factorials and binomials


@elementwise(special.poch)
def poch(y, z, m):
    above = special.digamma(z + m)
    return y * (above - special.digamma(z)), y * above


@elementwise(special.binom, singular=True, convention="nan where n - k or k is -1, -2…")
def binom(y, n, k):
    rest = special.digamma(n - k + 1.0)
    by_n = y * (special.digamma(n + 1.0) - rest)
    return by_n, y * (rest - special.digamma(k + 1.0))


@composite(special.comb)
def comb(N, k, *, exact=False, repetition=False):
    if exact:
        not_differentiable("scipy.special.comb(exact=True) is a count of integers")
    if repetition:
        return special.binom(N + k - 1.0, k)
    else:
        inside = (k <= N) & (N >= 0) & (k >= 0)
        return np.where(inside, special.binom(N, k), 0.0)[()]


@composite(special.perm)
def perm(N, k, exact=False):
    if exact:
        not_differentiable("scipy.special.perm(exact=True) is a count of integers")
    inside = (k <= N) & (N >= 0) & (k >= 0)
    return np.where(inside, special.poch(N - k + 1.0, k), 0.0)[()]


@adjoint(special.factorial, convention="0 below zero")
def factorial_adjoint(y, y_bar, n, exact=False, extend="zero"):
    return y_bar * np.where(n < 0, 0.0, y * special.digamma(n + 1.0))


@tangent(special.factorial)
def factorial_tangent(y, n, n_dot, exact=False, extend="zero"):
    return np.where(n < 0, 0.0, y * special.digamma(n + 1.0)) * n_dot


constant(special.gammasgn, special.stirling2, special.bernoulli, special.euler)

# ------------------------------------------------------------------------ zeta


@elementwise(special.zeta, source="DLMF 25.11.17 for q, Euler-Maclaurin for x")
def zeta(y, x, q=None):
    if np.iscomplexobj(x):
        not_differentiable("scipy.special.zeta has no rule for complex numbers")
    if q is None:
        return zeta_slope(x, 1.0), None
    else:
        return zeta_slope(x, q), -x * special.zeta(x + 1.0, q)


@elementwise(special.zetac, source="Euler-Maclaurin")
def zetac(y, x):
    return zeta_slope(x, 1.0)


@elementwise(zeta_slope, singular=True)
def zeta_slope_again(y, x, q):
    again = no_partial("the derivative of scipy.special.zeta in x", "x")
    return again, -special.zeta(x + 1.0, q) - x * zeta_slope(x + 1.0, q)


@elementwise(special.agm, source="AGM = pi/4 (a + b) / K(((a - b)/(a + b))^2)")
def agm(y, a, b):
    # homogeneous of degree one; K' from Legendre's E
    k = np.square((a - b) / (a + b))
    first = special.ellipk(k)
    slope = math.pi / 8.0 * special.hyp2f1(1.5, 1.5, 2.0, k)
    twice = 4.0 * y * slope / first * (a - b) / (a + b) ** 3
    return y / (a + b) - twice * b, y / (a + b) + twice * a
