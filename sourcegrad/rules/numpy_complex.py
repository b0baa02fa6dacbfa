"""Parts of complex numbers. The convention for complex cotangents: `registry.py`."""

import math

import numpy as np

from .registry import adjoint, constant, linear, tangent


@linear(np.real, views=True)
def real_adjoint(y, y_bar, val):
    return y_bar


@linear(np.imag, views=True)
def imag_adjoint(y, y_bar, val):
    if np.iscomplexobj(val):
        return -1j * y_bar
    else:
        return None


@adjoint(np.conjugate)
def conjugate_adjoint(y, y_bar, x):
    return np.conjugate(y_bar)


@tangent(np.conjugate)
def conjugate_tangent(y, x, x_dot):
    return np.conjugate(x_dot)


@adjoint(np.angle, singular=True, convention="0 for a real operand")
def angle_adjoint(y, y_bar, z, deg=False):
    if not np.iscomplexobj(z):
        return None
    elif deg:
        return y_bar * (180.0 / math.pi) * (-1j / z)
    else:
        return y_bar * (-1j / z)


@tangent(np.angle)
def angle_tangent(y, z, z_dot, deg=False):
    if not np.iscomplexobj(z):
        return np.zeros_like(y)
    elif deg:
        return np.imag(z_dot / z) * (180.0 / math.pi)
    else:
        return np.imag(z_dot / z)


@linear(np.real_if_close, views=True)
def real_if_close_adjoint(y, y_bar, a, tol=100):
    return y_bar


constant(np.iscomplex, np.iscomplexobj, np.isreal, np.isrealobj)
