"""The `math` module: what it does not share with NumPy's elementwise functions.

Functions that both have, such as `sin`, stand in `numpy_elementwise.py`.
"""

import math

from ..runtime_numeric import polygamma
from .registry import adjoint, composite, constant, elementwise, tangent


@elementwise(math.erf, source="Abramowitz and Stegun 7.1.19")
def erf(y, x):
    return 2.0 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise(math.erfc, source="Abramowitz and Stegun 7.1.19")
def erfc(y, x):
    return -2.0 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise(math.gamma, singular=True, source="Abramowitz and Stegun 6.3.1")
def gamma(y, x):
    return y * polygamma(0, x)


@elementwise(math.lgamma, singular=True, source="Abramowitz and Stegun 6.3.1")
def lgamma(y, x):
    return polygamma(0, x)


@elementwise(math.fmod)
def fmod(z, x, y):
    return 1.0, -round((x - z) / y)


@elementwise(math.remainder)
def remainder(z, x, y):
    return 1.0, -round((x - z) / y)


@elementwise(math.copysign, convention="0 where x is 0, as for abs")
def copysign(z, x, y):
    if x == 0:
        return 0.0, None
    else:
        return math.copysign(1.0, x) * math.copysign(1.0, y), None


@adjoint(math.ldexp)
def ldexp_adjoint(y, y_bar, x, i):
    return math.ldexp(y_bar, i)


@tangent(math.ldexp)
def ldexp_tangent(y, x, x_dot, i):
    return math.ldexp(x_dot, i)


@adjoint(math.frexp)
def frexp_adjoint(y, y_bar, x):
    return math.ldexp(y_bar[0], -y[1])


@tangent(math.frexp)
def frexp_tangent(y, x, x_dot):
    return math.ldexp(x_dot, -y[1]), 0


@adjoint(math.modf)
def modf_adjoint(y, y_bar, x):
    return y_bar[0]


@tangent(math.modf)
def modf_tangent(y, x, x_dot):
    return x_dot, 0.0


@elementwise(math.nextafter)
def nextafter(z, x, y):
    return 1.0, None


@composite(math.dist)
def dist(p, q):
    total = 0.0
    for i in range(len(p)):
        total = total + (p[i] - q[i]) * (p[i] - q[i])
    return math.sqrt(total)


@composite(math.fsum)
def fsum(seq):
    total = 0.0
    for i in range(len(seq)):
        total = total + seq[i]
    return total


@composite(math.prod)
def prod(iterable, /, *, start=1):
    product = start
    for i in range(len(iterable)):
        product = product * iterable[i]
    return product


if hasattr(math, "sumprod"):  # Python 3.12

    @composite(math.sumprod)
    def sumprod(p, q):
        total = 0.0
        for i in range(len(p)):
            total = total + p[i] * q[i]
        return total


if hasattr(math, "fma"):  # Python 3.13

    @elementwise(math.fma)
    def fma(w, x, y, z):
        return y, x, 1.0


constant(
    math.ceil,
    math.comb,
    math.factorial,
    math.floor,
    math.gcd,
    math.isclose,
    math.isfinite,
    math.isinf,
    math.isnan,
    math.isqrt,
    math.lcm,
    math.perm,
    math.trunc,
    math.ulp,
)
