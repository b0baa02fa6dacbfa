"""Interpolants of SciPy made inside of the function, in their values and points.

`CubicSpline`, `make_interp_spline`, `BSpline` and `interp1d` are linear in their
values, but for what their options prescribe. Conventions: the points that they go
through are refused, since no formula is written here; at a knot the slope is SciPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate

from ..runtime import is_zero, not_differentiable
from ..runtime_special import no_partial
from ..runtime_spline import linear_part, shaped_values, spline_values, unit_values
from .registry import adjoint, composite, constant, tangent

constant(linear_part, unit_values)

# ------------------------------------------------------- points among the axes


def summed_like(g, x, axis=0):
    """A cotangent summed over the axes that the values have beside the points'."""
    after = axis + np.ndim(x)
    others = tuple(range(axis)) + tuple(range(after, np.ndim(g)))
    if np.ndim(x) == 0:
        return np.sum(g)
    else:
        return np.reshape(np.sum(g, axis=others), np.shape(x))


def spread_like(x_dot, y, axis=0):
    """A tangent of points with axes of length 1 for those of the values."""
    after = np.ndim(y) - axis - np.ndim(x_dot)
    return np.reshape(x_dot, (1,) * axis + np.shape(x_dot) + (1,) * after)


def along(z, x, axis):
    """The values at points with the points' axes where the values had theirs."""
    count = np.ndim(x)
    return np.moveaxis(z, tuple(range(count)), tuple(range(axis, axis + count)))


# ---------------------------------------------------------- made of active values


@adjoint(spline_values, source="linear in the values: a matrix for the points")
def spline_values_adjoint(z, z_bar, kind, options, t, y, x, nu):
    unit = unit_values(kind, options, y)
    basis = spline_values(kind, linear_part(kind, options, unit), t, unit, x, nu)
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
        part = linear_part(kind, options, y)
        total = total + spline_values(kind, part, t, y_dot, x, nu)
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

    def __init__(
        self, kind: Any, options: Any, t: Any, y: Any, axis: Any, nu: Any
    ) -> None:
        self.kind = kind
        self.options = options
        self.t = t
        self.y = y
        self.axis = axis
        self.nu = nu

    def __call__(self, x: Any, nu: Any = 0, extrapolate: Any = None) -> Any:
        """Its value, or its derivative of order `nu`, at `x`."""
        given = self.options
        if extrapolate is not None:
            given = (self.options[0], extrapolate)
        order = self.nu + nu
        if self.axis == 0:
            return spline_values(self.kind, given, self.t, self.y, x, order)
        else:
            y = np.moveaxis(self.y, self.axis, 0)
            z = spline_values(self.kind, given, self.t, y, x, order)
            return along(z, x, self.axis)

    def derivative(self, nu: Any = 1) -> Any:
        """The interpolant's derivative."""
        return Interpolant(
            self.kind, self.options, self.t, self.y, self.axis, self.nu + nu
        )

    def antiderivative(self, nu: Any = 1) -> Any:
        """The interpolant's integral from its first point."""
        return self.derivative(-nu)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        """Its integral from `a` to `b`."""
        whole = self.antiderivative()
        return whole(b, 0, extrapolate) - whole(a, 0, extrapolate)


class ShapedInterpolant:
    """An interpolant that keeps the shape of its values."""

    def __init__(self, kind: Any, t: Any, y: Any, nu: Any) -> None:
        self.kind = kind
        self.t = t
        self.y = y
        self.nu = nu

    def __call__(self, x: Any, nu: Any = 0) -> Any:
        """Its value, or its derivative of order `nu`, at `x`."""
        return shaped_values(self.kind, self.t, self.y, x, self.nu + nu)

    def derivative(self, nu: Any = 1) -> Any:
        """The interpolant's derivative."""
        return ShapedInterpolant(self.kind, self.t, self.y, self.nu + nu)


def first_axis(y, axis):
    """Refuse values that do not go along the first axis."""
    if axis != 0 and np.ndim(y) > 1:
        not_differentiable(
            "a shape-preserving interpolant made inside of the function has axis=0",
            hint="use np.moveaxis on the values",
        )


@composite(interpolate.CubicSpline, builds=True, fixed=("bc_type",))
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    y = np.asarray(y)
    given = (bc_type, extrapolate)
    return Interpolant("CubicSpline", given, x, y, axis % y.ndim, 0)


@composite(interpolate.make_interp_spline, builds=True, fixed=("t", "bc_type"))
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    y = np.asarray(y)
    given = ((k, t, bc_type), None)
    return Interpolant("make_interp_spline", given, x, y, axis % y.ndim, 0)


@composite(interpolate.BSpline, builds=True)
def bspline(t, c, k, extrapolate=True, axis=0):
    c = np.asarray(c)
    return Interpolant("BSpline", (k, extrapolate), t, c, axis % c.ndim, 0)


@composite(interpolate.interp1d, builds=True, fixed=("fill_value",))
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
    y = np.asarray(y)
    given = ((kind, bounds_error, fill_value), None)
    return Interpolant("interp1d", given, x, y, axis % y.ndim, 0)


@composite(interpolate.PchipInterpolator, builds=True)
def pchip(x, y, axis=0, extrapolate=None):
    first_axis(y, axis)
    if extrapolate is not None:
        not_differentiable("PchipInterpolator with options is to be made outside")
    return ShapedInterpolant("PchipInterpolator", x, y, 0)


@composite(interpolate.Akima1DInterpolator, builds=True)
def akima(x, y, axis=0, *, method="akima", extrapolate=None):
    first_axis(y, axis)
    if method != "akima" or extrapolate is not None:
        not_differentiable("Akima1DInterpolator with options is to be made outside")
    return ShapedInterpolant("Akima1DInterpolator", x, y, 0)
