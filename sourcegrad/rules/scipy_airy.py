"""Functions of SciPy that solve an equation of second order: Airy, spherical Bessel,
parabolic cylinder functions, and derivatives of Bessel functions.

Each comes with its derivative, and the equation gives the second one (DLMF 9.2,
10.47, 10.51, 12.2).
"""

import numpy as np
from scipy import special

from ..runtime import not_differentiable, unbroadcast
from ..runtime_special import no_partial
from .registry import adjoint, is_static, tangent


@adjoint(special.airy)
def airy_adjoint(y, y_bar, z):
    first = y_bar[0] * y[1] + y_bar[1] * (z * y[0])
    return first + y_bar[2] * y[3] + y_bar[3] * (z * y[2])


@tangent(special.airy)
def airy_tangent(y, z, z_dot):
    return y[1] * z_dot, z * y[0] * z_dot, y[3] * z_dot, z * y[2] * z_dot


@adjoint(special.airye, convention="real numbers from 0 on")
def airye_adjoint(y, y_bar, z):
    if np.iscomplexobj(z):
        not_differentiable("scipy.special.airye has no rule for complex numbers")
    root = np.sqrt(z)
    first = y_bar[0] * (y[1] + root * y[0]) + y_bar[1] * (z * y[0] + root * y[1])
    second = y_bar[2] * (y[3] - root * y[2]) + y_bar[3] * (z * y[2] - root * y[3])
    return first + second


@tangent(special.airye)
def airye_tangent(y, z, z_dot):
    if np.iscomplexobj(z):
        not_differentiable("scipy.special.airye has no rule for complex numbers")
    root = np.sqrt(z)
    return (
        (y[1] + root * y[0]) * z_dot,
        (z * y[0] + root * y[1]) * z_dot,
        (y[3] - root * y[2]) * z_dot,
        (z * y[2] - root * y[3]) * z_dot,
    )


# ----------------------------------------------------- parabolic cylinder functions


@adjoint(special.pbdv)
def pbdv_adjoint(y, y_bar, v, x):
    return no_partial("scipy.special.pbdv", "v"), unbroadcast(
        y_bar[0] * y[1] + y_bar[1] * ((0.25 * x * x - v - 0.5) * y[0]), x
    )


@tangent(special.pbdv)
def pbdv_tangent(y, v, x, x_dot):
    return y[1] * x_dot, (0.25 * x * x - v - 0.5) * y[0] * x_dot


@adjoint(special.pbvv)
def pbvv_adjoint(y, y_bar, v, x):
    return no_partial("scipy.special.pbvv", "v"), unbroadcast(
        y_bar[0] * y[1] + y_bar[1] * ((0.25 * x * x - v - 0.5) * y[0]), x
    )


@tangent(special.pbvv)
def pbvv_tangent(y, v, x, x_dot):
    return y[1] * x_dot, (0.25 * x * x - v - 0.5) * y[0] * x_dot


@adjoint(special.pbwa)
def pbwa_adjoint(y, y_bar, a, x):
    return no_partial("scipy.special.pbwa", "a"), unbroadcast(
        y_bar[0] * y[1] + y_bar[1] * ((a - 0.25 * x * x) * y[0]), x
    )


@tangent(special.pbwa)
def pbwa_tangent(y, a, x, x_dot):
    return y[1] * x_dot, (a - 0.25 * x * x) * y[0] * x_dot


# --------------------------------------------------------- spherical Bessel functions


@adjoint(special.spherical_jn, convention="order two: nan at 0")
def spherical_jn_adjoint(y, y_bar, n, z, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_jn(n, z) * (n * (n + 1.0) / (z * z) - 1.0)
        return None, unbroadcast(y_bar * (turned - 2.0 * y / z), z)
    else:
        return None, unbroadcast(y_bar * special.spherical_jn(n, z, True), z)


@tangent(special.spherical_jn)
def spherical_jn_tangent(y, n, z, z_dot, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_jn(n, z) * (n * (n + 1.0) / (z * z) - 1.0)
        return (turned - 2.0 * y / z) * z_dot
    else:
        return special.spherical_jn(n, z, True) * z_dot


@adjoint(special.spherical_yn, convention="order two: nan at 0")
def spherical_yn_adjoint(y, y_bar, n, z, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_yn(n, z) * (n * (n + 1.0) / (z * z) - 1.0)
        return None, unbroadcast(y_bar * (turned - 2.0 * y / z), z)
    else:
        return None, unbroadcast(y_bar * special.spherical_yn(n, z, True), z)


@tangent(special.spherical_yn)
def spherical_yn_tangent(y, n, z, z_dot, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_yn(n, z) * (n * (n + 1.0) / (z * z) - 1.0)
        return (turned - 2.0 * y / z) * z_dot
    else:
        return special.spherical_yn(n, z, True) * z_dot


@adjoint(special.spherical_in, convention="order two: nan at 0")
def spherical_in_adjoint(y, y_bar, n, z, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_in(n, z) * (n * (n + 1.0) / (z * z) + 1.0)
        return None, unbroadcast(y_bar * (turned - 2.0 * y / z), z)
    else:
        return None, unbroadcast(y_bar * special.spherical_in(n, z, True), z)


@tangent(special.spherical_in)
def spherical_in_tangent(y, n, z, z_dot, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_in(n, z) * (n * (n + 1.0) / (z * z) + 1.0)
        return (turned - 2.0 * y / z) * z_dot
    else:
        return special.spherical_in(n, z, True) * z_dot


@adjoint(special.spherical_kn, convention="order two: nan at 0")
def spherical_kn_adjoint(y, y_bar, n, z, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_kn(n, z) * (n * (n + 1.0) / (z * z) + 1.0)
        return None, unbroadcast(y_bar * (turned - 2.0 * y / z), z)
    else:
        return None, unbroadcast(y_bar * special.spherical_kn(n, z, True), z)


@tangent(special.spherical_kn)
def spherical_kn_tangent(y, n, z, z_dot, derivative=False):
    if derivative:
        n = int(n) if is_static(n) else np.trunc(n)
        turned = special.spherical_kn(n, z) * (n * (n + 1.0) / (z * z) + 1.0)
        return (turned - 2.0 * y / z) * z_dot
    else:
        return special.spherical_kn(n, z, True) * z_dot


# ---------------------------------------------------- derivatives of Bessel functions


@adjoint(special.jvp)
def jvp_adjoint(y, y_bar, v, z, n=1):
    return no_partial("scipy.special.jvp", "v"), unbroadcast(
        y_bar * special.jvp(v, z, n + 1), z
    )


@tangent(special.jvp)
def jvp_tangent(y, v, z, z_dot, n=1):
    return special.jvp(v, z, n + 1) * z_dot


@adjoint(special.yvp)
def yvp_adjoint(y, y_bar, v, z, n=1):
    return no_partial("scipy.special.yvp", "v"), unbroadcast(
        y_bar * special.yvp(v, z, n + 1), z
    )


@tangent(special.yvp)
def yvp_tangent(y, v, z, z_dot, n=1):
    return special.yvp(v, z, n + 1) * z_dot


@adjoint(special.ivp)
def ivp_adjoint(y, y_bar, v, z, n=1):
    return no_partial("scipy.special.ivp", "v"), unbroadcast(
        y_bar * special.ivp(v, z, n + 1), z
    )


@tangent(special.ivp)
def ivp_tangent(y, v, z, z_dot, n=1):
    return special.ivp(v, z, n + 1) * z_dot


@adjoint(special.kvp)
def kvp_adjoint(y, y_bar, v, z, n=1):
    return no_partial("scipy.special.kvp", "v"), unbroadcast(
        y_bar * special.kvp(v, z, n + 1), z
    )


@tangent(special.kvp)
def kvp_tangent(y, v, z, z_dot, n=1):
    return special.kvp(v, z, n + 1) * z_dot


@adjoint(special.h1vp)
def h1vp_adjoint(y, y_bar, v, z, n=1):
    return no_partial("scipy.special.h1vp", "v"), unbroadcast(
        y_bar * special.h1vp(v, z, n + 1), z
    )


@tangent(special.h1vp)
def h1vp_tangent(y, v, z, z_dot, n=1):
    return special.h1vp(v, z, n + 1) * z_dot


@adjoint(special.h2vp)
def h2vp_adjoint(y, y_bar, v, z, n=1):
    return no_partial("scipy.special.h2vp", "v"), unbroadcast(
        y_bar * special.h2vp(v, z, n + 1), z
    )


@tangent(special.h2vp)
def h2vp_tangent(y, v, z, z_dot, n=1):
    return special.h2vp(v, z, n + 1) * z_dot
