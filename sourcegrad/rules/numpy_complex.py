"""Parts of complex numbers. The convention for complex cotangents: `registry.py`.

The cotangent of a real result is real: where whether a factor is complex is known at
run time only, an imaginary part may have come along, which is dropped here.
"""

import math

import numpy as np

from ..runtime_special import quotient
from .registry import adjoint, by_value, constant, linear, tangent


@linear(np.real, views=True)
def real_adjoint(y, y_bar, val):
    return np.real(y_bar)


@linear(np.imag, views=True)
def imag_adjoint(y, y_bar, val):
    if np.iscomplexobj(val):
        return -1j * np.real(y_bar)
    else:
        return 0.0


@adjoint(np.conjugate)
def conjugate_adjoint(y, y_bar, x):
    return np.conjugate(y_bar)


@tangent(np.conjugate)
def conjugate_tangent(y, x, x_dot):
    return np.conjugate(x_dot)


@adjoint(np.angle, singular=True, convention="0 for a real operand; not finite at 0")
def angle_adjoint(y, y_bar, z, deg=False):
    if not np.iscomplexobj(z):
        return 0.0
    elif deg:
        return quotient(np.real(y_bar) * (-180.0 / math.pi * 1j), z)
    else:
        return quotient(np.real(y_bar) * -1j, z)


@tangent(np.angle)
def angle_tangent(y, z, z_dot, deg=False):
    if not np.iscomplexobj(z):
        return np.zeros_like(y)
    elif deg:
        return np.imag(quotient(z_dot, z)) * (180.0 / math.pi)
    else:
        return np.imag(quotient(z_dot, z))


@adjoint(np.real_if_close, views=True, convention="real where it gives a real array")
def real_if_close_adjoint(y, y_bar, a, tol=100):
    return y_bar


@tangent(np.real_if_close)
def real_if_close_tangent(y, a, a_dot, tol=100):
    if np.iscomplexobj(y):
        return a_dot
    else:
        return np.real(a_dot)


by_value(np.real_if_close)


constant(np.iscomplex, np.iscomplexobj, np.isreal, np.isrealobj)
