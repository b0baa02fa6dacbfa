"""Interpolation of SciPy on regular grids, in the values and in the points.

Conventions: at a line of the grid the slope is that of the cell after it; the points of
the grid are constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate

from ..runtime import not_differentiable
from ..runtime_grid import (
    check_inside,
    grid_cell,
    grid_nearest,
    grid_values,
    inside_grid,
)
from .registry import composite, constant

constant(grid_cell, grid_nearest, inside_grid)
constant(check_inside, pure=False)


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


def in_cell(values, i, j, k, u, v, w):
    """Linear interpolation in a cell, in one to three dimensions."""
    if values.ndim == 1:
        return blended(values[i], values[i + 1], u)
    elif values.ndim == 2:
        return in_plane(values, i, j, u, v)
    else:
        return in_space(values, i, j, k, u, v, w)


def nearest(points, values, xi):
    """The values at the points of the grid that are nearest."""
    i = grid_nearest(points[0], xi[..., 0])
    if values.ndim == 1:
        return values[i]
    j = grid_nearest(points[1], xi[..., 1])
    if values.ndim == 2:
        return values[i, j]
    return values[i, j, grid_nearest(points[2], xi[..., 2])]


def multilinear(points, values, xi):
    """Linear interpolation on the grid, in each direction."""
    last = values.ndim - 1
    i = grid_cell(points[0], xi[..., 0])
    j = grid_cell(points[min(1, last)], xi[..., min(1, last)])
    k = grid_cell(points[last], xi[..., last])
    u = fraction(points[0], i, xi[..., 0])
    v = fraction(points[min(1, last)], j, xi[..., min(1, last)])
    w = fraction(points[last], k, xi[..., last])
    return in_cell(values, i, j, k, u, v, w)


@composite(grid_values, convention="0 in the points for method='nearest'")
def grid_values_definition(points, values, xi, method, bounds_error, fill_value):
    if values.ndim != len(points) or values.ndim > 3:
        not_differentiable(
            "interpolation on a grid has a derivative rule for numbers on a grid of up"
            " to three dimensions",
            hint="use one interpolation for each component",
        )
    if bounds_error:
        check_inside(points, xi)
    if method == "nearest":
        found = nearest(points, values, xi)
    elif method == "linear" or method == "slinear":
        found = multilinear(points, values, xi)
    else:
        not_differentiable(
            "interpolation on a grid has a derivative rule for method='linear' and"
            " 'nearest' only",
            hint="use method='linear', or one CubicSpline for each axis",
        )
    if bounds_error or fill_value is None:
        return found
    else:
        return np.where(inside_grid(points, xi), found, fill_value)


def as_points(xi, count):
    """Points as an array whose last axis goes along the coordinates."""
    if isinstance(xi, tuple):
        return np.stack(np.broadcast_arrays(*xi), axis=-1)
    else:
        x = np.asarray(xi)
        return np.reshape(x, (-1, count)) if x.ndim == 1 else x


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

    def __call__(self, xi: Any, method: Any = None) -> Any:
        """The value at points, one in each row."""
        return grid_values(
            self.points,
            self.values,
            as_points(xi, len(self.points)),
            self.method if method is None else method,
            self.bounds_error,
            self.fill_value,
        )


@composite(interpolate.RegularGridInterpolator, builds=True, fixed=("fill_value",))
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
        self.grid,
        self.values,
        as_points(xi, len(self.grid)),
        self.method if method is None else method,
        self.bounds_error,
        self.fill_value,
    )


@composite(interpolate.interpn, fixed=("fill_value",))
def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    places = as_points(xi, len(points))
    return grid_values(points, values, places, method, bounds_error, fill_value)
