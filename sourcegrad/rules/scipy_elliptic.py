"""Elliptic integrals and functions of SciPy, in every operand (DLMF 19, 22).

Conventions: Carlson's R_D and R_J have a second derivative where no operand equals
the last one; it is refused where one does.
"""

import math

import numpy as np
from scipy import special

from ..runtime import unbroadcast
from ..runtime_elliptic import differ, ellipeinc_slope, ellipkinc_slope, once
from .registry import adjoint, composite, constant, elementwise, tangent

constant(differ, pure=False)

# -------------------------------------------------------------- Legendre's forms


@elementwise(special.ellipk, source="K(m) = pi/2 F(1/2, 1/2; 1; m), DLMF 19.5.1")
def ellipk(y, m):
    return math.pi / 8.0 * special.hyp2f1(1.5, 1.5, 2.0, m)


@elementwise(special.ellipkm1, singular=True, source="DLMF 19.25.1: by R_D")
def ellipkm1(y, p):
    return -special.elliprd(0.0, 1.0, p) / 6.0


@elementwise(special.ellipe, source="E(m) = pi/2 F(-1/2, 1/2; 1; m), DLMF 19.5.2")
def ellipe(y, m):
    return -math.pi / 8.0 * special.hyp2f1(0.5, 1.5, 2.0, m)


@elementwise(special.ellipkinc, singular=True, source="DLMF 19.25.13: by R_D")
def ellipkinc(y, phi, m):
    sine = np.sin(phi)
    return 1.0 / np.sqrt(1.0 - m * sine * sine), ellipkinc_slope(phi, m)


@elementwise(special.ellipeinc, singular=True, source="DLMF 19.25.13: by R_D")
def ellipeinc(y, phi, m):
    sine = np.sin(phi)
    return np.sqrt(1.0 - m * sine * sine), ellipeinc_slope(phi, m)


@elementwise(ellipkinc_slope, singular=True, convention="nan in m at m = 0")
def ellipkinc_slope_again(y, phi, m):
    sine, rest = np.sin(phi), 1.0 - m
    delta = 1.0 - m * sine * sine
    root = np.sqrt(delta)
    turned = sine * np.cos(phi)
    # the derivative of E / (2 m (1 - m)) - F / (2 m) - s c / (2 (1 - m) root)
    e, f = special.ellipeinc(phi, m), special.ellipkinc(phi, m)
    by_m = (e - f) / (4.0 * m * m * rest) + f / (2.0 * m * m) - y / (2.0 * m)
    by_m = by_m - e * (1.0 - 2.0 * m) / (2.0 * m * m * rest * rest)
    by_m = by_m - turned / (2.0 * rest * root) * (1.0 / rest + 0.5 * sine**2 / delta)
    return 0.5 * sine * sine / (delta * root), by_m


@elementwise(ellipeinc_slope, singular=True, convention="nan in m at m = 0")
def ellipeinc_slope_again(y, phi, m):
    sine = np.sin(phi)
    root = np.sqrt(1.0 - m * sine * sine)
    by_m = (y - ellipkinc_slope(phi, m)) / (2.0 * m) - y / m
    return -0.5 * sine * sine / root, by_m


# -------------------------------------------------------------- Jacobi's functions


@adjoint(special.ellipj, source="DLMF 22.13; in m as functions of the amplitude")
def ellipj_adjoint(y, y_bar, u, m):
    sn, cn, dn, amplitude = y
    by_m = -dn * ellipkinc_slope(amplitude, m)
    along = y_bar[0] * cn - y_bar[1] * sn - y_bar[2] * (m * sn * cn / dn) + y_bar[3]
    from_m = along * by_m - y_bar[2] * (0.5 * sn * sn / dn)
    return unbroadcast(along * dn, u), unbroadcast(from_m, m)


@tangent(special.ellipj)
def ellipj_tangent(y, u, u_dot, m, m_dot):
    sn, cn, dn, amplitude = y
    moved = dn * (u_dot - ellipkinc_slope(amplitude, m) * m_dot)
    by_m = 0.5 * sn * sn / dn * m_dot
    return cn * moved, -sn * moved, -m * sn * cn / dn * moved - by_m, moved


# --------------------------------------------------------------- Carlson's forms


@elementwise(special.elliprf, singular=True, source="DLMF 19.18.1")
def elliprf(w, x, y, z):
    return (
        -special.elliprd(y, z, x) / 6.0,
        -special.elliprd(z, x, y) / 6.0,
        -special.elliprd(x, y, z) / 6.0,
    )


@elementwise(special.elliprc, singular=True, source="R_C(x, y) = R_F(x, y, y)")
def elliprc(w, x, y):
    return -special.elliprd(y, y, x) / 6.0, -special.elliprd(x, y, y) / 3.0


@elementwise(once)
def once_rule(y, value, close):
    return differ(close), None


def elliprd_slope(w, other, x, y, z):
    """The derivative in x of `w`, which is R_D(x, y, z); `other` is R_D(y, z, x).

    By partial fractions; where x is z, an integration by parts takes their place,
    and where y is z too the integrand is one power.
    """
    close, same = np.abs(x - z) <= 1e-8 * z, np.abs(y - z) <= 1e-8 * z
    apart = (other - w) / (2.0 * np.where(close, 1.0, x - z))
    ends = 0.375 * (w - np.sqrt(y) / (z * z)) / np.where(same, 1.0, y - z)
    return np.where(close, once(np.where(same, -0.3 * z**-2.5, ends), close), apart)


def elliprd_slopes(w, x, y, z):
    """The derivatives of `w`, which is R_D(x, y, z); the last by homogeneity."""
    by_x = elliprd_slope(w, special.elliprd(y, z, x), x, y, z)
    by_y = elliprd_slope(w, special.elliprd(z, x, y), y, x, z)
    return by_x, by_y, -(1.5 * w + x * by_x + y * by_y) / z


@elementwise(special.elliprd, singular=True, source="partial fractions; homogeneity")
def elliprd(w, x, y, z):
    by_x, by_y, by_z = elliprd_slopes(w, x, y, z)
    return by_x, by_y, by_z


def elliprj_slope(w, x, y, z, p):
    """The derivative in x of `w`, which is R_J(x, y, z, p), by partial fractions.

    Where x is p, the integrand is that of a derivative of R_D.
    """
    other = special.elliprd(y, z, x)
    close = np.abs(x - p) <= 1e-8 * np.abs(p)
    apart = (other - w) / (2.0 * np.where(close, 1.0, x - p))
    by_last = elliprd_slopes(other, y, z, x)[2]
    return np.where(close, once(by_last / 3.0, close), apart)


@elementwise(special.elliprj, singular=True, source="partial fractions; homogeneity")
def elliprj(w, x, y, z, p):
    by_x = elliprj_slope(w, x, y, z, p)
    by_y = elliprj_slope(w, y, z, x, p)
    by_z = elliprj_slope(w, z, x, y, p)
    return by_x, by_y, by_z, -(1.5 * w + x * by_x + y * by_y + z * by_z) / p


@composite(special.elliprg, source="DLMF 19.21.10")
def elliprg(x, y, z):
    whole = z * special.elliprf(x, y, z) + np.sqrt(x * y / z)
    return 0.5 * (whole - (x - z) * (y - z) / 3.0 * special.elliprd(x, y, z))
