"""Bessel and Airy functions, elliptic integrals, hypergeometric functions of SciPy.

The order of a Bessel function, and the parameters of a hypergeometric function, are
refused when they are active: no closed form is known. Formulas: NIST Digital Library
of Mathematical Functions 10.6, 10.29, 9.2, 19.4, 15.5, 13.3, 16.3.
"""

import math

import numpy as np
from scipy import special

from ..runtime_special import no_partial
from .registry import adjoint, elementwise, tangent

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
    slope = 0.5 * (special.ive(v - 1.0, z) + special.ive(v + 1.0, z))
    return no_partial("scipy.special.ive", "v"), slope - np.sign(z) * y


@elementwise(special.kv)
def kv(y, v, z):
    slope = -0.5 * (special.kv(v - 1.0, z) + special.kv(v + 1.0, z))
    return no_partial("scipy.special.kv", "v"), slope


@elementwise(special.kn)
def kn(y, n, x):
    slope = -0.5 * (special.kv(n - 1, x) + special.kv(n + 1, x))
    return no_partial("scipy.special.kn", "n"), slope


@elementwise(special.kve)
def kve(y, v, z):
    slope = y - 0.5 * (special.kve(v - 1.0, z) + special.kve(v + 1.0, z))
    return no_partial("scipy.special.kve", "v"), slope


@adjoint(special.airy)
def airy_adjoint(y, y_bar, z):
    first = y_bar[0] * y[1] + y_bar[1] * (z * y[0])
    return first + y_bar[2] * y[3] + y_bar[3] * (z * y[2])


@tangent(special.airy)
def airy_tangent(y, z, z_dot):
    return y[1] * z_dot, z * y[0] * z_dot, y[3] * z_dot, z * y[2] * z_dot


# ----------------------------------------------------------- elliptic integrals


@elementwise(special.ellipk, source="K(m) = pi/2 F(1/2, 1/2; 1; m), DLMF 19.5.1")
def ellipk(y, m):
    return math.pi / 8.0 * special.hyp2f1(1.5, 1.5, 2.0, m)


@elementwise(special.ellipe, source="E(m) = pi/2 F(-1/2, 1/2; 1; m), DLMF 19.5.2")
def ellipe(y, m):
    return -math.pi / 8.0 * special.hyp2f1(0.5, 1.5, 2.0, m)


@elementwise(special.ellipkinc, singular=True, convention="nan in m at m = 0")
def ellipkinc(y, phi, m):
    sine = np.sin(phi)
    root = np.sqrt(1.0 - m * sine * sine)
    rest = 1.0 - m
    by_m = special.ellipeinc(phi, m) / (2.0 * m * rest) - y / (2.0 * m)
    return 1.0 / root, by_m - sine * np.cos(phi) / (2.0 * rest * root)


@elementwise(special.ellipeinc, singular=True, convention="nan in m at m = 0")
def ellipeinc(y, phi, m):
    sine = np.sin(phi)
    by_m = (y - special.ellipkinc(phi, m)) / (2.0 * m)
    return np.sqrt(1.0 - m * sine * sine), by_m


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
