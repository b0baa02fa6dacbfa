"""Integral functions of SciPy: exponential, sine, Fresnel, Bessel, Struve integrals.

An integral from a fixed limit has its integrand as derivative (DLMF 6, 7, 10.43).
"""

import math

import numpy as np
from scipy import special

from ..runtime_special import no_partial, sinhc
from .registry import adjoint, elementwise, tangent


@elementwise(special.expi, singular=True)
def expi(y, x):
    return np.exp(x) / x


@elementwise(special.exp1, singular=True)
def exp1(y, x):
    return -np.exp(-x) / x


@elementwise(special.expn, singular=True)
def expn(y, n, x):
    lower = special.expn(np.maximum(n - 1, 0), x)
    at_zero = y * (1.0 + 1.0 / x)
    return no_partial("scipy.special.expn", "n"), -np.where(n < 1, at_zero, lower)


@elementwise(special.spence, singular=True, convention="-1 at 1")
def spence(y, x):
    if np.iscomplexobj(x):
        return np.log(x) / (1.0 - x)
    else:
        return -1.0 / special.exprel(np.log(x))


@adjoint(special.sici, singular=True)
def sici_adjoint(y, y_bar, x):
    return y_bar[0] * np.sinc(x / math.pi) + y_bar[1] * (np.cos(x) / x)


@tangent(special.sici)
def sici_tangent(y, x, x_dot):
    return np.sinc(x / math.pi) * x_dot, np.cos(x) / x * x_dot


@adjoint(special.shichi, singular=True)
def shichi_adjoint(y, y_bar, x):
    return y_bar[0] * sinhc(x) + y_bar[1] * (np.cosh(x) / x)


@tangent(special.shichi)
def shichi_tangent(y, x, x_dot):
    return sinhc(x) * x_dot, np.cosh(x) / x * x_dot


@elementwise(sinhc, singular=True, convention="nan at 0")
def sinhc_again(y, x):
    return (np.cosh(x) - y) / x


@adjoint(special.fresnel)
def fresnel_adjoint(y, y_bar, z):
    angle = 0.5 * math.pi * z * z
    return y_bar[0] * np.sin(angle) + y_bar[1] * np.cos(angle)


@tangent(special.fresnel)
def fresnel_tangent(y, z, z_dot):
    angle = 0.5 * math.pi * z * z
    return np.sin(angle) * z_dot, np.cos(angle) * z_dot


# ------------------------------------------------- integrals of Bessel functions


@adjoint(special.itj0y0)
def itj0y0_adjoint(y, y_bar, x):
    return y_bar[0] * special.j0(x) + y_bar[1] * special.y0(x)


@tangent(special.itj0y0)
def itj0y0_tangent(y, x, x_dot):
    return special.j0(x) * x_dot, special.y0(x) * x_dot


@adjoint(special.iti0k0)
def iti0k0_adjoint(y, y_bar, x):
    return y_bar[0] * special.i0(x) + y_bar[1] * special.k0(x)


@tangent(special.iti0k0)
def iti0k0_tangent(y, x, x_dot):
    return special.i0(x) * x_dot, special.k0(x) * x_dot


@adjoint(special.it2j0y0, singular=True)
def it2j0y0_adjoint(y, y_bar, x):
    return (y_bar[0] * (1.0 - special.j0(x)) - y_bar[1] * special.y0(x)) / x


@tangent(special.it2j0y0)
def it2j0y0_tangent(y, x, x_dot):
    return (1.0 - special.j0(x)) / x * x_dot, -special.y0(x) / x * x_dot


@adjoint(special.it2i0k0, singular=True)
def it2i0k0_adjoint(y, y_bar, x):
    return (y_bar[0] * (special.i0(x) - 1.0) - y_bar[1] * special.k0(x)) / x


@tangent(special.it2i0k0)
def it2i0k0_tangent(y, x, x_dot):
    return (special.i0(x) - 1.0) / x * x_dot, -special.k0(x) / x * x_dot


@elementwise(special.itstruve0)
def itstruve0(y, x):
    return special.struve(0.0, x)


@elementwise(special.it2struve0, singular=True)
def it2struve0(y, x):
    return -special.struve(0.0, x) / x


@elementwise(special.itmodstruve0)
def itmodstruve0(y, x):
    return special.modstruve(0.0, x)


@adjoint(special.itairy)
def itairy_adjoint(y, y_bar, x):
    ahead, behind = special.airy(x), special.airy(-x)
    first = y_bar[0] * ahead[0] + y_bar[1] * ahead[2]
    return first + y_bar[2] * behind[0] + y_bar[3] * behind[2]


@tangent(special.itairy)
def itairy_tangent(y, x, x_dot):
    ahead, behind = special.airy(x), special.airy(-x)
    return ahead[0] * x_dot, ahead[2] * x_dot, behind[0] * x_dot, behind[2] * x_dot
