"""Integrals of SciPy: of samples, and by Gauss' rule of a function."""

import numpy as np
from scipy import integrate

from ..runtime import not_differentiable
from ..runtime_quad import finite_end
from ..runtime_shapes import neighbour_sums
from ..runtime_special import cumulative_weights, romb_weights, simpson_weights
from .registry import adjoint, composite, constant, elementwise, tangent

constant(cumulative_weights, romb_weights, np.polynomial.legendre.leggauss)


@composite(integrate.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


@composite(integrate.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    moved = y if axis == -1 else np.moveaxis(y, axis, -1)
    if x is None:
        step = dx
    elif np.ndim(x) == 1:
        step = np.diff(x)
    else:
        step = np.diff(np.moveaxis(x, axis, -1))
    sums = np.cumsum(0.5 * step * neighbour_sums(moved), axis=-1)
    if initial is not None:
        sums = np.concatenate((np.zeros_like(sums[..., :1]) + initial, sums), -1)
    return sums if axis == -1 else np.moveaxis(sums, -1, axis)


@adjoint(integrate.simpson, source="linear in y, with weights that x decides")
def simpson_adjoint(z, z_bar, y, *, x=None, dx=1.0, axis=-1):
    weights = simpson_weights(y.shape[axis], x, dx)
    moved = np.expand_dims(z_bar, -1) * weights
    return np.moveaxis(moved, -1, axis)


@tangent(integrate.simpson)
def simpson_tangent(z, y, y_dot, *, x=None, dx=1.0, axis=-1):
    weights = simpson_weights(y.shape[axis], x, dx)
    return np.sum(np.moveaxis(y_dot, axis, -1) * weights, axis=-1)


@composite(integrate.cumulative_simpson, fixed=("x",))
def cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
    if np.ndim(x) > 1 or np.ndim(dx) > 0:
        not_differentiable("cumulative_simpson has a rule for one x for all rows only")
    sums = np.moveaxis(y, axis, -1) @ cumulative_weights(y.shape[axis], x, 1.0)
    if x is None:
        sums = sums * dx
    if initial is not None:
        begin = np.zeros_like(sums[..., :1])
        sums = np.concatenate((begin, sums), axis=-1) + initial
    return np.moveaxis(sums, -1, axis)


@composite(integrate.romb)
def romb(y, dx=1.0, axis=-1, show=False):
    weights = romb_weights(y.shape[axis])
    return np.sum(np.moveaxis(y, axis, -1) * weights, axis=-1) * dx


@composite(integrate.fixed_quad, builds=True)
def fixed_quad(func, a, b, args=(), n=5):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    points = (b - a) * (nodes + 1.0) / 2.0 + a
    return (b - a) / 2.0 * np.sum(weights * func(points, *args), axis=-1), None


@elementwise(finite_end)
def finite_end_partial(y, x):
    return np.where(np.isfinite(x), 1.0, 0.0)


# ------------------------------------------------------------- several variables


def limit(end, *others):
    """A limit of integration that may go with the outer variables."""
    if callable(end):
        return end(*others)
    else:
        return end


@composite(integrate.dblquad, builds=True)
def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    def along_x(x):
        low, high = limit(gfun, x), limit(hfun, x)
        return integrate.quad(
            lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel
        )[0]

    return integrate.quad(along_x, a, b, epsabs=epsabs, epsrel=epsrel)


@composite(integrate.tplquad, builds=True)
def tplquad(
    func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8
):
    def along_y(y, x):
        low, high = limit(qfun, x, y), limit(rfun, x, y)
        return integrate.quad(
            lambda z: func(z, y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel
        )[0]

    return integrate.dblquad(along_y, a, b, gfun, hfun, epsabs=epsabs, epsrel=epsrel)
