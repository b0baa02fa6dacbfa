"""Interpolants of SciPy, in the point of evaluation and, where linear, in the values.

An interpolant made outside of the function is differentiated where it is called; one
made inside is, too, in the values (`CubicSpline`, `make_interp_spline`, `BSpline`,
`interp1d`, `RegularGridInterpolator`, `interpn`). Conventions: the points themselves
are refused, since no formula is written here; at a knot the slope is SciPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate
from scipy.interpolate import PPoly

from ..runtime import is_zero, not_differentiable
from ..runtime_special import no_partial
from ..runtime_spline import (
    grid_cell,
    grid_values,
    inside_grid,
    shaped_values,
    spline_values,
)
from .registry import adjoint, composite, constant, tangent

constant(grid_cell, inside_grid)

# --------------------------------------------------- interpolants from outside


def summed_like(g, x):
    """A cotangent summed over the axes that the values have beside the points'."""
    if np.ndim(x) == 0:
        return np.sum(g)
    else:
        rows = np.reshape(g, (x.size, -1))
        return np.reshape(np.sum(rows, axis=1), x.shape)


def spread_like(x_dot, y):
    """A tangent of points with axes of length 1 for those of the values."""
    extra = np.ndim(y) - np.ndim(x_dot)
    return np.reshape(x_dot, np.shape(x_dot) + (1,) * extra)


@adjoint(PPoly.__call__, source="the interpolant's own derivative")
def ppoly_adjoint(y, y_bar, self, x, nu=0, extrapolate=None):
    return None, summed_like(y_bar * self(x, nu + 1, extrapolate), x)


@tangent(PPoly.__call__)
def ppoly_tangent(y, self, x, x_dot, nu=0, extrapolate=None):
    return self(x, nu + 1, extrapolate) * spread_like(x_dot, y)


@adjoint(interpolate.BSpline.__call__, source="the interpolant's own derivative")
def bspline_adjoint(y, y_bar, self, x, nu=0, extrapolate=None):
    return None, summed_like(y_bar * self(x, nu + 1, extrapolate), x)


@tangent(interpolate.BSpline.__call__)
def bspline_tangent(y, self, x, x_dot, nu=0, extrapolate=None):
    return self(x, nu + 1, extrapolate) * spread_like(x_dot, y)


@adjoint(interpolate.UnivariateSpline.__call__, source="the spline's own derivative")
def univariate_adjoint(y, y_bar, self, x, nu=0, ext=None):
    return None, y_bar * self(x, nu + 1, ext)


@tangent(interpolate.UnivariateSpline.__call__)
def univariate_tangent(y, self, x, x_dot, nu=0, ext=None):
    return self(x, nu + 1, ext) * x_dot


@adjoint(interpolate.RectBivariateSpline.ev, source="the spline's own derivatives")
def bivariate_adjoint(z, z_bar, self, xi, yi, dx=0, dy=0):
    by_x = z_bar * self.ev(xi, yi, dx + 1, dy)
    return None, by_x, z_bar * self.ev(xi, yi, dx, dy + 1)


@tangent(interpolate.RectBivariateSpline.ev)
def bivariate_tangent(z, self, xi, xi_dot, yi, yi_dot, dx=0, dy=0):
    by_x = self.ev(xi, yi, dx + 1, dy) * xi_dot
    return by_x + self.ev(xi, yi, dx, dy + 1) * yi_dot


@adjoint(interpolate.splev, source="the spline's own derivative")
def splev_adjoint(y, y_bar, x, tck, der=0, ext=0):
    return y_bar * interpolate.splev(x, tck, der + 1, ext)


@tangent(interpolate.splev)
def splev_tangent(y, x, x_dot, tck, der=0, ext=0):
    return interpolate.splev(x, tck, der + 1, ext) * x_dot


# ---------------------------------------------------------- made of active values


@adjoint(spline_values, source="linear in the values: a matrix for the points")
def spline_values_adjoint(z, z_bar, kind, options, t, y, x, nu):
    basis = spline_values(kind, options, t, np.eye(len(y)), x, nu)
    axes = list(range(np.ndim(x)))
    slope = spline_values(kind, options, t, y, x, nu + 1)
    return (
        None,
        None,
        no_partial("an interpolant of scipy.interpolate", "x"),
        np.reshape(np.tensordot(basis, z_bar, (axes, axes)), y.shape),
        summed_like(z_bar * slope, x),
    )


@tangent(spline_values)
def spline_values_tangent(z, kind, options, t, t_dot, y, y_dot, x, x_dot, nu):
    if not is_zero(t_dot):
        no_partial("an interpolant of scipy.interpolate", "x")
    total = np.zeros_like(z)
    if np.ndim(y_dot) > 0:
        total = total + spline_values(kind, options, t, y_dot, x, nu)
    slope = spline_values(kind, options, t, y, x, nu + 1)
    return total + slope * spread_like(0.0 + x_dot, z)


@adjoint(shaped_values, source="the interpolant's own derivative")
def shaped_values_adjoint(z, z_bar, kind, t, y, x, nu):
    return (
        None,
        no_partial("an interpolant of scipy.interpolate", "x"),
        no_partial("a shape-preserving interpolant of scipy.interpolate", "y"),
        summed_like(z_bar * shaped_values(kind, t, y, x, nu + 1), x),
    )


@tangent(shaped_values)
def shaped_values_tangent(z, kind, t, t_dot, y, y_dot, x, x_dot, nu):
    if not is_zero(t_dot):
        no_partial("an interpolant of scipy.interpolate", "x")
    if not is_zero(y_dot):
        no_partial("a shape-preserving interpolant of scipy.interpolate", "y")
    return shaped_values(kind, t, y, x, nu + 1) * spread_like(x_dot, z)


class Interpolant:
    """An interpolant of values, as `interpolate.CubicSpline(t, y)` makes one."""

    def __init__(self, kind: Any, options: Any, t: Any, y: Any, nu: Any) -> None:
        self.kind = kind
        self.options = options
        self.t = t
        self.y = y
        self.nu = nu

    def __call__(self, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
        """Its value, or its derivative of order `nu`, at `x`."""
        order = self.nu + nu
        return spline_values(self.kind, self.options, self.t, self.y, x, order)

    def derivative(self, nu: Any = 1) -> Any:
        """The interpolant's derivative."""
        return Interpolant(self.kind, self.options, self.t, self.y, self.nu + nu)


class ShapedInterpolant:
    """An interpolant that keeps the shape of its values."""

    def __init__(self, kind: Any, t: Any, y: Any, nu: Any) -> None:
        self.kind = kind
        self.t = t
        self.y = y
        self.nu = nu

    def __call__(self, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
        """Its value, or its derivative of order `nu`, at `x`."""
        return shaped_values(self.kind, self.t, self.y, x, self.nu + nu)

    def derivative(self, nu: Any = 1) -> Any:
        """The interpolant's derivative."""
        return ShapedInterpolant(self.kind, self.t, self.y, self.nu + nu)


def first_axis(axis):
    """Refuse values that do not go along the first axis."""
    if axis != 0 and axis != -1:
        not_differentiable(
            "an interpolant made inside of the function has axis=0",
            hint="use np.moveaxis on the values",
        )


@composite(interpolate.CubicSpline, builds=True)
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    first_axis(axis)
    return Interpolant("CubicSpline", (bc_type, extrapolate), x, y, 0)


@composite(interpolate.make_interp_spline, builds=True)
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    first_axis(axis)
    if t is not None or bc_type is not None:
        not_differentiable(
            "make_interp_spline with knots or boundary conditions has no rule",
            hint="use CubicSpline with bc_type",
        )
    return Interpolant("make_interp_spline", k, x, y, 0)


@composite(interpolate.BSpline, builds=True)
def bspline(t, c, k, extrapolate=True, axis=0):
    first_axis(axis)
    return Interpolant("BSpline", (k, extrapolate), t, c, 0)


@composite(interpolate.interp1d, builds=True)
def interp1d(
    x,
    y,
    kind="linear",
    axis=-1,
    copy=True,
    bounds_error=None,
    fill_value=np.nan,
    assume_sorted=False,
):
    if y.ndim != 1:
        not_differentiable("interp1d made inside of the function has vectors y only")
    return Interpolant("interp1d", (kind, bounds_error, fill_value), x, y, 0)


@composite(interpolate.PchipInterpolator, builds=True)
def pchip(x, y, axis=0, extrapolate=None):
    first_axis(axis)
    return ShapedInterpolant("PchipInterpolator", x, y, 0)


@composite(interpolate.Akima1DInterpolator, builds=True)
def akima(x, y, axis=0, *, method="akima", extrapolate=None):
    first_axis(axis)
    if method != "akima" or extrapolate is not None:
        not_differentiable("Akima1DInterpolator with options is to be made outside")
    return ShapedInterpolant("Akima1DInterpolator", x, y, 0)


# ----------------------------------------------------------------- regular grids


def fraction(points, cell, x):
    """Where in its cell a coordinate is, from 0 to 1."""
    low = points[cell]
    return (x - low) / (points[cell + 1] - low)


def blended(low, high, u):
    """What lies between two values."""
    return low + u * (high - low)


def in_plane(values, i, j, u, v):
    """Bilinear interpolation in a cell of the last two axes."""
    low = blended(values[..., i, j], values[..., i, j + 1], v)
    high = blended(values[..., i + 1, j], values[..., i + 1, j + 1], v)
    return blended(low, high, u)


def in_space(values, i, j, k, u, v, w):
    """Trilinear interpolation in a cell."""
    low = blended(values[i, j, k], values[i, j, k + 1], w)
    middle = blended(values[i, j + 1, k], values[i, j + 1, k + 1], w)
    front = blended(low, middle, v)
    low = blended(values[i + 1, j, k], values[i + 1, j, k + 1], w)
    middle = blended(values[i + 1, j + 1, k], values[i + 1, j + 1, k + 1], w)
    return blended(front, blended(low, middle, v), u)


@composite(grid_values)
def grid_values_definition(points, values, xi, method, bounds_error, fill_value):
    if method != "linear" or values.ndim > 3:
        not_differentiable(
            "interpolation on a grid has a derivative rule for method='linear' in up to"
            " three dimensions",
            hint="use method='linear', or one CubicSpline for each axis",
        )
    x = xi[..., 0]
    i = grid_cell(points[0], x)
    u = fraction(points[0], i, x)
    if values.ndim == 1:
        found = blended(values[i], values[i + 1], u)
    else:
        y = xi[..., 1]
        j = grid_cell(points[1], y)
        v = fraction(points[1], j, y)
        if values.ndim == 2:
            found = in_plane(values, i, j, u, v)
        else:
            z = xi[..., 2]
            k = grid_cell(points[2], z)
            w = fraction(points[2], k, z)
            found = in_space(values, i, j, k, u, v, w)
    if bounds_error or fill_value is None:
        return found
    else:
        return np.where(inside_grid(points, xi), found, fill_value)


class Grid:
    """`interpolate.RegularGridInterpolator(points, values)`."""

    def __init__(
        self, points: Any, values: Any, method: Any, bounds_error: Any, fill: Any
    ) -> None:
        self.points = points
        self.values = values
        self.method = method
        self.bounds_error = bounds_error
        self.fill_value = fill

    def __call__(self, xi: Any) -> Any:
        """The value at points, one in each row."""
        return grid_values(
            self.points,
            self.values,
            xi,
            self.method,
            self.bounds_error,
            self.fill_value,
        )


@composite(interpolate.RegularGridInterpolator, builds=True)
def regular_grid(
    points,
    values,
    method="linear",
    bounds_error=True,
    fill_value=np.nan,
    *,
    solver=None,
    solver_args=None,
):
    return Grid(points, values, method, bounds_error, fill_value)


@composite(interpolate.RegularGridInterpolator.__call__)
def regular_grid_call(self, xi, method=None, *, nu=None):
    return grid_values(
        self.grid, self.values, xi, self.method, self.bounds_error, self.fill_value
    )


@composite(interpolate.interpn)
def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    return grid_values(points, values, xi, method, bounds_error, fill_value)
