"""Helpers of generated code: interpolants of SciPy as functions of their values."""

from __future__ import annotations

from typing import Any

import numpy as np

_DEGREES = {"linear": 1, "slinear": 1, "quadratic": 2, "cubic": 3}


def spline_values(kind: str, options: Any, t: Any, y: Any, x: Any, nu: int) -> Any:
    """An interpolant made of `y` at `t`, or its derivative of order `nu`, at `x`.

    It is linear in `y`, whose first axis goes along `t`.

    Args:
        kind: "CubicSpline", "make_interp_spline", "BSpline" or "interp1d".
        options: what else the interpolant is made from, by kind.
        t: the points, or the knots of a B-spline.
        y: the values there, or the coefficients of a B-spline.
        x: where to evaluate.
        nu: the order of the derivative.

    >>> t = np.arange(4.0)
    >>> spline_values("CubicSpline", ("not-a-knot", None), t, t**3, 1.5, 1).item()
    6.75
    """
    from scipy import interpolate

    if kind == "CubicSpline":
        bc_type, extrapolate = options
        return interpolate.CubicSpline(t, y, 0, bc_type, extrapolate)(x, nu)
    if kind == "make_interp_spline":
        return interpolate.make_interp_spline(t, y, options)(x, nu)
    if kind == "BSpline":
        degree, extrapolate = options
        return interpolate.BSpline(t, y, degree, extrapolate)(x, nu)
    return _interp1d(options, t, y, x, nu)


def _interp1d(options: Any, t: Any, y: Any, x: Any, nu: int) -> Any:
    """`scipy.interpolate.interp1d`, or its slope; constant where it fills in."""
    from scipy import interpolate

    kind, bounds_error, fill_value = options
    if nu == 0:
        made = interpolate.interp1d(t, y, kind, 0, True, bounds_error, fill_value)
        return made(x)
    degree = _DEGREES.get(kind, kind if isinstance(kind, int) else 0)
    shape = np.shape(x) + np.shape(y)[1:]
    if nu > degree:
        return np.zeros(shape)
    slope = interpolate.make_interp_spline(t, y, degree)(x, nu)
    if isinstance(fill_value, str):
        return slope
    outside = (x < np.min(t)) | (x > np.max(t))
    return np.where(
        np.reshape(outside, np.shape(x) + (1,) * (np.ndim(y) - 1)), 0, slope
    )


def shaped_values(kind: str, t: Any, y: Any, x: Any, nu: int) -> Any:
    """An interpolant that keeps the shape of its values, and so is not linear in them.

    >>> t = np.arange(4.0)
    >>> shaped_values("PchipInterpolator", t, t * t, 1.0, 0).item()
    1.0
    """
    from scipy import interpolate

    return getattr(interpolate, kind)(t, y)(x, nu)


def grid_values(
    points: Any, values: Any, xi: Any, method: str, bounds_error: bool, fill_value: Any
) -> Any:
    """`scipy.interpolate.RegularGridInterpolator(points, values, …)(xi)`.

    >>> grid = (np.arange(3.0),)
    >>> grid_values(grid, np.arange(3.0), np.array([[0.5]]), "linear", True, 0.0)
    array([0.5])
    """
    from scipy import interpolate

    made = interpolate.RegularGridInterpolator(
        points, values, method, bounds_error, fill_value
    )
    return made(xi)


def grid_cell(points: Any, x: Any) -> Any:
    """The index of the cell of a grid that a coordinate is in, or nearest to.

    >>> grid_cell(np.arange(3.0), np.array([-1.0, 1.5, 7.0])).tolist()
    [0, 1, 1]
    """
    cell = np.searchsorted(points, x, side="right") - 1
    return np.clip(cell, 0, len(points) - 2)


def inside_grid(points: Any, xi: Any) -> Any:
    """Which points lie on a regular grid.

    >>> inside_grid((np.arange(3.0),), np.array([[0.5], [2.5]])).tolist()
    [True, False]
    """
    xi = np.asarray(xi)
    sides = [
        (xi[..., k] >= axis[0]) & (xi[..., k] <= axis[-1])
        for k, axis in enumerate(points)
    ]
    return np.all(sides, axis=0)
