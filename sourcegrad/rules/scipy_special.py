"""Special functions of SciPy: error functions, exponentials, entropies, losses.

The other families stand in files of their own. Where no formula is known for an
operand (a parameter such as the order of a Bessel function), that operand is refused
when it is active; the others are differentiated. Conventions: a real function is
real, `huber` has the slope of its linear part beyond `delta`.

Formulas without a source are those of the NIST Digital Library of Mathematical
Functions, chapters 5, 7 and 8.
"""

import math

import numpy as np
from scipy import special

from ..runtime_special import log1p_ratio, quotient, xlogy_less
from . import (  # noqa: F401  (they register)
    scipy_airy,
    scipy_bessel,
    scipy_elliptic,
    scipy_gamma,
    scipy_incomplete,
    scipy_integrals,
    scipy_polynomials,
    scipy_softmax,
)
from .registry import adjoint, composite, elementwise, tangent


@elementwise(log1p_ratio, source="log(x + y) - log(y)")
def log1p_ratio_partials(z, x, y):
    whole = x + y
    return 1.0 / whole, -x / (y * whole)


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
    return math.sqrt(2.0 / math.pi) / special.erfcx(-x / math.sqrt(2.0))


@elementwise(special.ndtri_exp, singular=True)
def ndtri_exp(x, y):
    return math.sqrt(2.0 * math.pi) * np.exp(y + 0.5 * x * x)


@elementwise(special.wofz, source="DLMF 7.10.2")
def wofz(y, z):
    return 2j / math.sqrt(math.pi) - 2.0 * z * y


@elementwise(special.owens_t, source="Owen 1956")
def owens_t(y, h, a):
    tail = special.erf(a * h / math.sqrt(2.0)) / (2.0 * math.sqrt(2.0 * math.pi))
    turned = 1.0 + a * a
    by_a = np.exp(-0.5 * h * h * turned) / (2.0 * math.pi * turned)
    return -np.exp(-0.5 * h * h) * tail, by_a


# ------------------------------------------- exponentials, logarithms, entropy


@elementwise(special.expit)
def expit(y, x):
    return y * (1.0 - y)


@elementwise(special.log_expit)
def log_expit(y, x):
    return special.expit(-x)


if hasattr(special, "softplus"):  # SciPy 1.16

    @composite(special.softplus)
    def softplus(x):
        return np.logaddexp(0.0, x)


@elementwise(special.logit, singular=True)
def logit(y, x):
    return 1.0 / (x * (1.0 - x))


@elementwise(special.xlogy, singular=True, convention="0 / 0 is 0")
def xlogy(z, x, y):
    return np.log(y), quotient(x, y)


@elementwise(xlogy_less, singular=True, convention="0 / 0 is 0")
def xlogy_less_partials(z, x, y):
    return np.log(y), quotient(x, y) - 1.0


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
    log = np.log(x)
    by_lmbda = 0.5 * log * log * special.hyp1f1(2.0, 3.0, lmbda * log)
    return np.power(x, lmbda - 1.0), by_lmbda


@elementwise(special.boxcox1p, singular=True)
def boxcox1p(y, x, lmbda):
    log = np.log1p(x)
    by_lmbda = 0.5 * log * log * special.hyp1f1(2.0, 3.0, lmbda * log)
    return np.exp((lmbda - 1.0) * log), by_lmbda


@elementwise(special.inv_boxcox, singular=True, source="implicit function")
def inv_boxcox(x, y, lmbda):
    log = np.log(x)
    slope = np.power(x, 1.0 - lmbda)
    by_lmbda = 0.5 * log * log * special.hyp1f1(2.0, 3.0, lmbda * log)
    return slope, -by_lmbda * slope


@elementwise(special.inv_boxcox1p, singular=True, source="implicit function")
def inv_boxcox1p(x, y, lmbda):
    log = np.log1p(x)
    slope = np.exp((1.0 - lmbda) * log)
    by_lmbda = 0.5 * log * log * special.hyp1f1(2.0, 3.0, lmbda * log)
    return slope, -by_lmbda * slope


@elementwise(special.powm1, singular=True)
def powm1(z, x, y):
    return y * np.power(x, y - 1.0), (z + 1.0) * np.log(x)


@adjoint(special.lambertw, singular=True, convention="inf at the branch point")
def lambertw_adjoint(y, y_bar, z, k=0, tol=1e-08):
    return y_bar * np.exp(-y) / (1.0 + y)


@tangent(special.lambertw)
def lambertw_tangent(y, z, z_dot, k=0, tol=1e-08):
    return np.exp(-y) / (1.0 + y) * z_dot


@elementwise(special.wrightomega, singular=True)
def wrightomega(y, z):
    return y / (1.0 + y)


# --------------------------------------------------------------------- losses


@elementwise(special.huber, convention="continuous, so no choice at the kink")
def huber(y, delta, r):
    return np.maximum(np.abs(r) - delta, 0.0), np.clip(r, -delta, delta)


@elementwise(special.pseudo_huber)
def pseudo_huber(y, delta, r):
    root = np.sqrt(1.0 + (r / delta) * (r / delta))
    return 2.0 * delta * (root - 1.0) - r * r / (delta * root), r / root
