"""Integrals of samples of SciPy. The integral of a function belongs to the solvers."""

import numpy as np
from scipy import integrate

from ..runtime_special import simpson_weights
from .registry import adjoint, composite, tangent


@composite(integrate.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


@composite(integrate.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    moved = np.moveaxis(y, axis, -1)
    if x is None:
        step = dx
    elif np.ndim(x) == 1:
        step = np.diff(x)
    else:
        step = np.diff(np.moveaxis(x, axis, -1))
    sums = np.cumsum(0.5 * step * (moved[..., 1:] + moved[..., :-1]), axis=-1)
    if initial is not None:
        sums = np.concatenate((np.zeros_like(sums[..., :1]) + initial, sums), -1)
    return np.moveaxis(sums, -1, axis)


@adjoint(integrate.simpson, source="linear in y, with weights that x decides")
def simpson_adjoint(z, z_bar, y, *, x=None, dx=1.0, axis=-1):
    weights = simpson_weights(y.shape[axis], x, dx)
    moved = np.expand_dims(z_bar, -1) * weights
    return np.moveaxis(moved, -1, axis)


@tangent(integrate.simpson)
def simpson_tangent(z, y, y_dot, *, x=None, dx=1.0, axis=-1):
    weights = simpson_weights(y.shape[axis], x, dx)
    return np.sum(np.moveaxis(y_dot, axis, -1) * weights, axis=-1)
