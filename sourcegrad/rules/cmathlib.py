"""The `cmath` module: what it does not share with NumPy's elementwise functions.

A real operand may stand for any point of the plane, on a branch cut too, where a sum
such as `1 - z` loses the sign of the zero that picks the side. So the inverse
functions have their derivatives from the result, which knows its branch.

The cotangent of a modulus or an angle is that of `abs` and of `numpy.angle`.
"""

import cmath

import numpy as np

from ..runtime_special import quotient
from .registry import adjoint, composite, constant, elementwise, tangent


@elementwise(cmath.sin)
def sin(y, z):
    return cmath.cos(z)


@elementwise(cmath.cos)
def cos(y, z):
    return -cmath.sin(z)


@elementwise(cmath.sinh)
def sinh(y, z):
    return cmath.cosh(z)


@elementwise(cmath.cosh)
def cosh(y, z):
    return cmath.sinh(z)


@elementwise(cmath.asin, singular=True, convention="on a cut, on the result's side")
def asin(y, z):
    return 1.0 / cmath.cos(y)


@elementwise(cmath.acos, singular=True, convention="on a cut, on the result's side")
def acos(y, z):
    return -1.0 / cmath.sin(y)


@elementwise(cmath.asinh, singular=True, convention="on a cut, on the result's side")
def asinh(y, z):
    return 1.0 / cmath.cosh(y)


@elementwise(cmath.acosh, singular=True, convention="on a cut, on the result's side")
def acosh(y, z):
    return 1.0 / cmath.sinh(y)


@elementwise(cmath.log, singular=True)
def log(y, z, base=None):
    if base is None:
        return 1.0 / z, None
    else:
        return 1.0 / (z * cmath.log(base)), -y / (base * cmath.log(base))


@adjoint(cmath.phase, singular=True, convention="0 for a real operand; not finite at 0")
def phase_adjoint(y, y_bar, z):
    if np.iscomplexobj(z):
        return quotient(np.real(y_bar) * -1j, z)
    else:
        return 0.0


@tangent(cmath.phase)
def phase_tangent(y, z, z_dot):
    if np.iscomplexobj(z):
        return np.imag(quotient(z_dot, z))
    else:
        return 0.0


@composite(cmath.polar, convention="as for abs and cmath.phase")
def polar(z, /):
    return abs(z), cmath.phase(z)


@elementwise(cmath.rect)
def rect(z, r, phi):
    return cmath.rect(1.0, phi), 1j * z


constant(cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan)
