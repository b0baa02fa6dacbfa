"""Orthogonal polynomials and spherical harmonics of SciPy, in their variable.

The derivative of a polynomial of degree n is one of degree n - 1 of another family,
so that the ends of the interval are no trouble (DLMF 18.9.15-27). A degree, an order
or a parameter is refused when it is active.
"""

import math

import numpy as np
from scipy import special

from ..runtime import not_differentiable, unbroadcast
from ..runtime_special import no_partial
from .registry import adjoint, composite, elementwise, tangent


@elementwise(special.eval_legendre)
def eval_legendre(y, n, x):
    slope = special.eval_gegenbauer(n - 1, 1.5, x)
    return no_partial("scipy.special.eval_legendre", "n"), slope


@elementwise(special.eval_sh_legendre)
def eval_sh_legendre(y, n, x):
    slope = 2.0 * special.eval_gegenbauer(n - 1, 1.5, 2.0 * x - 1.0)
    return no_partial("scipy.special.eval_sh_legendre", "n"), slope


@elementwise(special.eval_chebyt)
def eval_chebyt(y, n, x):
    slope = n * special.eval_chebyu(n - 1, x)
    return no_partial("scipy.special.eval_chebyt", "n"), slope


@elementwise(special.eval_chebyu)
def eval_chebyu(y, n, x):
    slope = 2.0 * special.eval_gegenbauer(n - 1, 2.0, x)
    return no_partial("scipy.special.eval_chebyu", "n"), slope


@elementwise(special.eval_chebyc)
def eval_chebyc(y, n, x):
    slope = n * special.eval_chebyu(n - 1, 0.5 * x)
    return no_partial("scipy.special.eval_chebyc", "n"), slope


@elementwise(special.eval_chebys)
def eval_chebys(y, n, x):
    slope = special.eval_gegenbauer(n - 1, 2.0, 0.5 * x)
    return no_partial("scipy.special.eval_chebys", "n"), slope


@elementwise(special.eval_sh_chebyt)
def eval_sh_chebyt(y, n, x):
    slope = 2.0 * n * special.eval_chebyu(n - 1, 2.0 * x - 1.0)
    return no_partial("scipy.special.eval_sh_chebyt", "n"), slope


@elementwise(special.eval_sh_chebyu)
def eval_sh_chebyu(y, n, x):
    slope = 4.0 * special.eval_gegenbauer(n - 1, 2.0, 2.0 * x - 1.0)
    return no_partial("scipy.special.eval_sh_chebyu", "n"), slope


@elementwise(special.eval_gegenbauer)
def eval_gegenbauer(y, n, alpha, x):
    return (
        no_partial("scipy.special.eval_gegenbauer", "n"),
        no_partial("scipy.special.eval_gegenbauer", "alpha"),
        2.0 * alpha * special.eval_gegenbauer(n - 1, alpha + 1.0, x),
    )


@elementwise(special.eval_jacobi)
def eval_jacobi(y, n, alpha, beta, x):
    lower = special.eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x)
    return (
        no_partial("scipy.special.eval_jacobi", "n"),
        no_partial("scipy.special.eval_jacobi", "alpha"),
        no_partial("scipy.special.eval_jacobi", "beta"),
        0.5 * (n + alpha + beta + 1.0) * lower,
    )


@composite(special.eval_sh_jacobi)
def eval_sh_jacobi(n, p, q, x):
    scale = special.gamma(n + 1.0) * special.gamma(n + p)
    scale = scale / special.gamma(2.0 * n + p)
    return scale * special.eval_jacobi(n, p - q, q - 1.0, 2.0 * x - 1.0)


@elementwise(special.eval_laguerre)
def eval_laguerre(y, n, x):
    slope = -special.eval_genlaguerre(n - 1, 1.0, x)
    return no_partial("scipy.special.eval_laguerre", "n"), slope


@elementwise(special.eval_genlaguerre)
def eval_genlaguerre(y, n, alpha, x):
    return (
        no_partial("scipy.special.eval_genlaguerre", "n"),
        no_partial("scipy.special.eval_genlaguerre", "alpha"),
        -special.eval_genlaguerre(n - 1, alpha + 1.0, x),
    )


@composite(special.assoc_laguerre)
def assoc_laguerre(x, n, k=0.0):
    return special.eval_genlaguerre(n, k, x)


@elementwise(special.eval_hermite)
def eval_hermite(y, n, x):
    slope = 2.0 * n * special.eval_hermite(np.maximum(n - 1, 0), x)
    return no_partial("scipy.special.eval_hermite", "n"), slope


@elementwise(special.eval_hermitenorm)
def eval_hermitenorm(y, n, x):
    slope = n * special.eval_hermitenorm(np.maximum(n - 1, 0), x)
    return no_partial("scipy.special.eval_hermitenorm", "n"), slope


@elementwise(special.lpmv, singular=True, convention="nan at the ends, -1 and 1")
def lpmv(y, m, v, x):
    lower = v * x * y - (v + m) * special.lpmv(m, v - 1.0, x)
    return (
        no_partial("scipy.special.lpmv", "m"),
        no_partial("scipy.special.lpmv", "v"),
        lower / (x * x - 1.0),
    )


# ---------------------------------------------------------- spherical harmonics

RAISED = "DLMF 14.30.13: the orders m - 1 and m + 1"


def sphere_slope(n, m, theta, phi):
    """The derivative of `sph_harm_y(n, m, theta, phi)` in `theta`."""
    above = np.sqrt(np.maximum((n - m) * (n + m + 1.0), 0.0)) * np.exp(-1j * phi)
    below = np.sqrt(np.maximum((n + m) * (n - m + 1.0), 0.0)) * np.exp(1j * phi)
    higher = above * special.sph_harm_y(n, m + 1, theta, phi)
    return 0.5 * (higher - below * special.sph_harm_y(n, m - 1, theta, phi))


if hasattr(special, "sph_harm_y"):  # SciPy 1.15

    @adjoint(special.sph_harm_y, source=RAISED)
    def sph_harm_y_adjoint(y, y_bar, n, m, theta, phi):
        from_theta = y_bar * sphere_slope(n, m, theta, phi)
        return (
            None,
            None,
            unbroadcast(np.real(from_theta), theta),
            unbroadcast(np.real(1j * m * y * y_bar), phi),
        )

    @tangent(special.sph_harm_y)
    def sph_harm_y_tangent(y, n, m, theta, theta_dot, phi, phi_dot):
        return sphere_slope(n, m, theta, phi) * theta_dot + 1j * m * y * phi_dot

    @adjoint(special.legendre_p)
    def legendre_p_adjoint(y, y_bar, n, z, *, diff_n=0):
        if diff_n != 0:
            not_differentiable("scipy.special.legendre_p with diff_n has no rule")
        return None, unbroadcast(y_bar * special.eval_gegenbauer(n - 1, 1.5, z), z)

    @tangent(special.legendre_p)
    def legendre_p_tangent(y, n, z, z_dot, *, diff_n=0):
        if diff_n != 0:
            not_differentiable("scipy.special.legendre_p with diff_n has no rule")
        slope = special.eval_gegenbauer(n - 1, 1.5, z)
        return np.reshape(slope * z_dot, np.shape(y))  # y has a first axis for diff_n


# ------------------------------------------------------------ trigonometric sums


@composite(special.diric)
def diric(x, n):
    half = 0.5 * x
    sine = np.sin(half)
    whole = np.abs(sine) < 1e-9
    sign = np.where(n % 2 == 0, np.cos(half), 1.0)
    ratio = np.sin(n * half) / (n * np.where(whole, 1.0, sine))
    return np.where(whole, np.sign(sign), ratio)[()]


UNIT = math.pi / 180.0


@elementwise(special.sindg)
def sindg(y, x):
    return UNIT * special.cosdg(x)


@elementwise(special.cosdg)
def cosdg(y, x):
    return -UNIT * special.sindg(x)


@elementwise(special.tandg)
def tandg(y, x):
    return UNIT * (1.0 + y * y)


@elementwise(special.cotdg)
def cotdg(y, x):
    return -UNIT * (1.0 + y * y)


@elementwise(special.radian)
def radian(y, d, m, s):
    return UNIT, UNIT / 60.0, UNIT / 3600.0
