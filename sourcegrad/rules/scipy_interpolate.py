"""Interpolants of SciPy that were made outside of the function, in their points.

Those that are made inside are in `scipy_interpolants`, those of regular grids in
`scipy_grids`. Conventions: at a knot the slope is SciPy's; outside of the interval the
derivative is that of what SciPy gives there, zero where a spline is held constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate
from scipy.interpolate import BivariateSpline, BPoly, BSpline, PPoly, UnivariateSpline

from ..runtime import unbroadcast
from ..runtime_spline import (
    fitpack_ext,
    fitpack_values,
    interpolator_values,
    piece_values,
    within,
)
from . import scipy_grids, scipy_interpolants  # noqa: F401  (they register)
from .registry import adjoint, composite, constant, tangent
from .scipy_interpolants import spread_like, summed_like

constant(fitpack_ext, within)

# ------------------------------------------------------- piecewise polynomials


@adjoint(PPoly.__call__, source="the interpolant's own derivative")
def ppoly_adjoint(y, y_bar, self, x, nu=0, extrapolate=None):
    slope = self(x, nu + 1, extrapolate)
    return None, summed_like(y_bar * slope, x, self.axis)


@tangent(PPoly.__call__)
def ppoly_tangent(y, self, x, x_dot, nu=0, extrapolate=None):
    return self(x, nu + 1, extrapolate) * spread_like(x_dot, y, self.axis)


@adjoint(BSpline.__call__, source="the interpolant's own derivative")
def bspline_adjoint(y, y_bar, self, x, nu=0, extrapolate=None):
    slope = self(x, nu + 1, extrapolate)
    return None, summed_like(y_bar * slope, x, self.axis)


@tangent(BSpline.__call__)
def bspline_tangent(y, self, x, x_dot, nu=0, extrapolate=None):
    return self(x, nu + 1, extrapolate) * spread_like(x_dot, y, self.axis)


@adjoint(PPoly.integrate, BPoly.integrate, BSpline.integrate)
def integrate_adjoint(y, y_bar, self, a, b, extrapolate=None):
    by_a = -np.sum(y_bar * self(a, extrapolate=extrapolate))
    return None, by_a, np.sum(y_bar * self(b, extrapolate=extrapolate))


@tangent(PPoly.integrate, BPoly.integrate, BSpline.integrate)
def integrate_tangent(y, self, a, a_dot, b, b_dot, extrapolate=None):
    by_b = self(b, extrapolate=extrapolate) * b_dot
    return by_b - self(a, extrapolate=extrapolate) * a_dot


class Derived:
    """A derivative or an antiderivative of an interpolant."""

    def __init__(self, made: Any, order: Any) -> None:
        self.made = made
        self.order = order

    def __call__(self, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
        """Its value, or its derivative of order `nu`, at `x`."""
        return piece_values(self.made, x, self.order + nu, extrapolate)

    def derivative(self, nu: Any = 1) -> Any:
        """Its derivative."""
        return Derived(self.made, self.order + nu)

    def antiderivative(self, nu: Any = 1) -> Any:
        """Its antiderivative."""
        return Derived(self.made, self.order - nu)


@composite(PPoly.derivative, BPoly.derivative, BSpline.derivative, builds=True)
def derivative(self, nu=1):
    return Derived(self, nu)


@composite(
    PPoly.antiderivative, BPoly.antiderivative, BSpline.antiderivative, builds=True
)
def antiderivative(self, nu=1):
    return Derived(self, -nu)


@adjoint(piece_values)
def piece_values_adjoint(y, y_bar, made, x, order, extrapolate):
    slope = piece_values(made, x, order + 1, extrapolate)
    return None, summed_like(y_bar * slope, x, made.axis), None, None


@tangent(piece_values)
def piece_values_tangent(y, made, x, x_dot, order, extrapolate):
    slope = piece_values(made, x, order + 1, extrapolate)
    return slope * spread_like(x_dot, y, made.axis)


# --------------------------------------------------------------------- FITPACK


@adjoint(UnivariateSpline.__call__, source="the spline's own derivative")
def univariate_adjoint(y, y_bar, self, x, nu=0, ext=None):
    outside = fitpack_ext(ext, self.ext)
    return None, y_bar * fitpack_values(self._eval_args, x, nu + 1, outside)


@tangent(UnivariateSpline.__call__)
def univariate_tangent(y, self, x, x_dot, nu=0, ext=None):
    outside = fitpack_ext(ext, self.ext)
    return fitpack_values(self._eval_args, x, nu + 1, outside) * x_dot


@adjoint(interpolate.splev, source="the spline's own derivative")
def splev_adjoint(y, y_bar, x, tck, der=0, ext=0):
    return y_bar * fitpack_values(tck, x, der + 1, ext)


@tangent(interpolate.splev)
def splev_tangent(y, x, x_dot, tck, der=0, ext=0):
    return fitpack_values(tck, x, der + 1, ext) * x_dot


@adjoint(fitpack_values)
def fitpack_values_adjoint(y, y_bar, tck, x, nu, ext):
    return None, y_bar * fitpack_values(tck, x, nu + 1, ext)


@tangent(fitpack_values)
def fitpack_values_tangent(y, tck, x, x_dot, nu, ext):
    return fitpack_values(tck, x, nu + 1, ext) * x_dot


@adjoint(UnivariateSpline.integral)
def integral_adjoint(y, y_bar, self, a, b):
    return None, -y_bar * self(a, 0, 1), y_bar * self(b, 0, 1)


@tangent(UnivariateSpline.integral)
def integral_tangent(y, self, a, a_dot, b, b_dot):
    return self(b, 0, 1) * b_dot - self(a, 0, 1) * a_dot


def inside(self, k, x):
    """Where a bivariate spline is not that of the nearest point of its domain."""
    return within(self.tck[k], self.degrees[k], x)


@adjoint(BivariateSpline.ev, source="the spline's own derivatives")
def bivariate_adjoint(z, z_bar, self, xi, yi, dx=0, dy=0):
    by_x = np.where(inside(self, 0, xi), z_bar * self.ev(xi, yi, dx + 1, dy), 0.0)
    by_y = np.where(inside(self, 1, yi), z_bar * self.ev(xi, yi, dx, dy + 1), 0.0)
    return None, unbroadcast(by_x, xi), unbroadcast(by_y, yi)


@tangent(BivariateSpline.ev)
def bivariate_tangent(z, self, xi, xi_dot, yi, yi_dot, dx=0, dy=0):
    by_x = np.where(inside(self, 0, xi), self.ev(xi, yi, dx + 1, dy), 0.0)
    by_y = np.where(inside(self, 1, yi), self.ev(xi, yi, dx, dy + 1), 0.0)
    return by_x * xi_dot + by_y * yi_dot


@composite(BivariateSpline.__call__)
def bivariate_call(self, x, y, dx=0, dy=0, grid=True):
    if grid:
        rows = np.expand_dims(np.atleast_1d(x), 1)
        return self.ev(rows, np.expand_dims(np.atleast_1d(y), 0), dx, dy)
    else:
        return self.ev(x, y, dx, dy)


# ------------------------------------------------- interp1d, Krogh, barycentric


@adjoint(
    interpolate.interp1d.__call__,
    interpolate.BarycentricInterpolator.__call__,
    source="the interpolant's own derivative",
)
def interpolator_adjoint(y, y_bar, self, x):
    slope = interpolator_values(self, x, 1)
    return None, summed_like(y_bar * slope, x)


@tangent(interpolate.interp1d.__call__, interpolate.BarycentricInterpolator.__call__)
def interpolator_tangent(y, self, x, x_dot):
    return interpolator_values(self, x, 1) * spread_like(x_dot, y)


@adjoint(interpolator_values)
def interpolator_values_adjoint(y, y_bar, made, x, nu):
    slope = interpolator_values(made, x, nu + 1)
    return None, summed_like(y_bar * slope, x), None


@tangent(interpolator_values)
def interpolator_values_tangent(y, made, x, x_dot, nu):
    return interpolator_values(made, x, nu + 1) * spread_like(x_dot, y)
