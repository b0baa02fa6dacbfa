"""Bessel, Kelvin, Struve and hypergeometric functions of SciPy.

The order of a Bessel function, and the parameters of a hypergeometric function, are
refused when they are active: no closed form is known. Formulas: NIST Digital Library
of Mathematical Functions 10.6, 10.29, 10.61, 11.4, 15.5, 13.3, 16.3.
"""

import math

import numpy as np
from scipy import special

from ..runtime import not_differentiable
from ..runtime_special import no_partial
from .registry import adjoint, constant, elementwise, tangent

constant(no_partial)

# --------------------------------------------------------- order zero and one


@elementwise(special.j0)
def j0(y, x):
    return -special.j1(x)


@elementwise(special.j1)
def j1(y, x):
    return 0.5 * (special.j0(x) - special.jv(2.0, x))


@elementwise(special.y0)
def y0(y, x):
    return -special.y1(x)


@elementwise(special.y1)
def y1(y, x):
    return 0.5 * (special.y0(x) - special.yv(2.0, x))


@elementwise(special.i0)
def i0(y, x):
    return special.i1(x)


@elementwise(special.i1)
def i1(y, x):
    return 0.5 * (special.i0(x) + special.iv(2.0, x))


@elementwise(special.i0e)
def i0e(y, x):
    return special.i1e(x) - np.sign(x) * y


@elementwise(special.i1e)
def i1e(y, x):
    return 0.5 * (special.i0e(x) + special.ive(2.0, x)) - np.sign(x) * y


@elementwise(special.k0)
def k0(y, x):
    return -special.k1(x)


@elementwise(special.k1)
def k1(y, x):
    return -0.5 * (special.k0(x) + special.kv(2.0, x))


@elementwise(special.k0e)
def k0e(y, x):
    return y - special.k1e(x)


@elementwise(special.k1e)
def k1e(y, x):
    return y - 0.5 * (special.k0e(x) + special.kve(2.0, x))


# ------------------------------------------------------------------ any order


@elementwise(special.jv)
def jv(y, v, z):
    slope = 0.5 * (special.jv(v - 1.0, z) - special.jv(v + 1.0, z))
    return no_partial("scipy.special.jv", "v"), slope


@elementwise(special.yv)
def yv(y, v, z):
    slope = 0.5 * (special.yv(v - 1.0, z) - special.yv(v + 1.0, z))
    return no_partial("scipy.special.yv", "v"), slope


@elementwise(special.yn)
def yn(y, n, x):
    slope = 0.5 * (special.yn(n - 1, x) - special.yn(n + 1, x))
    return no_partial("scipy.special.yn", "n"), slope


@elementwise(special.iv)
def iv(y, v, z):
    slope = 0.5 * (special.iv(v - 1.0, z) + special.iv(v + 1.0, z))
    return no_partial("scipy.special.iv", "v"), slope


@elementwise(special.ive)
def ive(y, v, z):
    if np.iscomplexobj(z):
        not_differentiable("scipy.special.ive has no rule for complex numbers")
    slope = 0.5 * (special.ive(v - 1.0, z) + special.ive(v + 1.0, z))
    return no_partial("scipy.special.ive", "v"), slope - np.sign(z) * y


@elementwise(special.kv)
def kv(y, v, z):
    slope = -0.5 * (special.kv(v - 1.0, z) + special.kv(v + 1.0, z))
    return no_partial("scipy.special.kv", "v"), slope


@elementwise(special.kn)
def kn(y, n, x):
    whole = np.trunc(n)  # as SciPy takes the order
    slope = -0.5 * (special.kv(whole - 1.0, x) + special.kv(whole + 1.0, x))
    return no_partial("scipy.special.kn", "n"), slope


@elementwise(special.kve)
def kve(y, v, z):
    slope = y - 0.5 * (special.kve(v - 1.0, z) + special.kve(v + 1.0, z))
    return no_partial("scipy.special.kve", "v"), slope


@elementwise(special.jve)
def jve(y, v, z):
    if np.iscomplexobj(z):
        not_differentiable("scipy.special.jve has no rule for complex numbers")
    slope = 0.5 * (special.jve(v - 1.0, z) - special.jve(v + 1.0, z))
    return no_partial("scipy.special.jve", "v"), slope


@elementwise(special.yve)
def yve(y, v, z):
    if np.iscomplexobj(z):
        not_differentiable("scipy.special.yve has no rule for complex numbers")
    slope = 0.5 * (special.yve(v - 1.0, z) - special.yve(v + 1.0, z))
    return no_partial("scipy.special.yve", "v"), slope


@elementwise(special.hankel1)
def hankel1(y, v, z):
    slope = 0.5 * (special.hankel1(v - 1.0, z) - special.hankel1(v + 1.0, z))
    return no_partial("scipy.special.hankel1", "v"), slope


@elementwise(special.hankel2)
def hankel2(y, v, z):
    slope = 0.5 * (special.hankel2(v - 1.0, z) - special.hankel2(v + 1.0, z))
    return no_partial("scipy.special.hankel2", "v"), slope


@elementwise(special.hankel1e)
def hankel1e(y, v, z):
    slope = 0.5 * (special.hankel1e(v - 1.0, z) - special.hankel1e(v + 1.0, z))
    return no_partial("scipy.special.hankel1e", "v"), slope - 1j * y


@elementwise(special.hankel2e)
def hankel2e(y, v, z):
    slope = 0.5 * (special.hankel2e(v - 1.0, z) - special.hankel2e(v + 1.0, z))
    return no_partial("scipy.special.hankel2e", "v"), slope + 1j * y


# ----------------------------------------------------------- Struve functions


@elementwise(special.struve)
def struve(y, v, x):
    extra = np.power(0.5 * x, v) * special.rgamma(v + 1.5) / math.sqrt(math.pi)
    slope = special.struve(v - 1.0, x) - special.struve(v + 1.0, x)
    return no_partial("scipy.special.struve", "v"), 0.5 * (slope + extra)


@elementwise(special.modstruve)
def modstruve(y, v, x):
    extra = np.power(0.5 * x, v) * special.rgamma(v + 1.5) / math.sqrt(math.pi)
    slope = special.modstruve(v - 1.0, x) + special.modstruve(v + 1.0, x)
    return no_partial("scipy.special.modstruve", "v"), 0.5 * (slope + extra)


# ------------------------------------------------------------ Kelvin functions


@elementwise(special.ber)
def ber(y, x):
    return special.berp(x)


@elementwise(special.bei)
def bei(y, x):
    return special.beip(x)


@elementwise(special.ker)
def ker(y, x):
    return special.kerp(x)


@elementwise(special.kei)
def kei(y, x):
    return special.keip(x)


@elementwise(special.berp, singular=True, convention="nan at 0")
def berp(y, x):
    return -special.bei(x) - y / x


@elementwise(special.beip, singular=True, convention="nan at 0")
def beip(y, x):
    return special.ber(x) - y / x


@elementwise(special.kerp, singular=True)
def kerp(y, x):
    return -special.kei(x) - y / x


@elementwise(special.keip, singular=True)
def keip(y, x):
    return special.ker(x) - y / x


@adjoint(special.kelvin, singular=True)
def kelvin_adjoint(y, y_bar, x):
    first = y_bar[0] * y[2] + y_bar[2] * (1j * y[0] - y[2] / x)
    second = y_bar[1] * y[3] + y_bar[3] * (1j * y[1] - y[3] / x)
    return np.real(first + second)


@tangent(special.kelvin)
def kelvin_tangent(y, x, x_dot):
    return (
        y[2] * x_dot,
        y[3] * x_dot,
        (1j * y[0] - y[2] / x) * x_dot,
        (1j * y[1] - y[3] / x) * x_dot,
    )


# ------------------------------------------------------------- hypergeometric


@elementwise(special.hyp0f1)
def hyp0f1(y, v, z):
    return no_partial("scipy.special.hyp0f1", "v"), special.hyp0f1(v + 1.0, z) / v


@elementwise(special.hyp1f1)
def hyp1f1(y, a, b, x):
    return (
        no_partial("scipy.special.hyp1f1", "a"),
        no_partial("scipy.special.hyp1f1", "b"),
        a / b * special.hyp1f1(a + 1.0, b + 1.0, x),
    )


@elementwise(special.hyp2f1)
def hyp2f1(y, a, b, c, z):
    return (
        no_partial("scipy.special.hyp2f1", "a"),
        no_partial("scipy.special.hyp2f1", "b"),
        no_partial("scipy.special.hyp2f1", "c"),
        a * b / c * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),
    )


@elementwise(special.hyperu)
def hyperu(y, a, b, x):
    return (
        no_partial("scipy.special.hyperu", "a"),
        no_partial("scipy.special.hyperu", "b"),
        -a * special.hyperu(a + 1.0, b + 1.0, x),
    )


@elementwise(special.wright_bessel)
def wright_bessel(y, a, b, x):
    return (
        no_partial("scipy.special.wright_bessel", "a"),
        no_partial("scipy.special.wright_bessel", "b"),
        special.wright_bessel(a, a + b, x),
    )


if hasattr(special, "log_wright_bessel"):  # SciPy 1.14

    @elementwise(special.log_wright_bessel)
    def log_wright_bessel(y, a, b, x):
        return (
            no_partial("scipy.special.log_wright_bessel", "a"),
            no_partial("scipy.special.log_wright_bessel", "b"),
            np.exp(special.log_wright_bessel(a, a + b, x) - y),
        )
