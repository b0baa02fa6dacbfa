"""Helpers of generated code: interpolation of SciPy on regular grids."""

from __future__ import annotations

from typing import Any

import numpy as np


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


def check_inside(points: Any, xi: Any) -> None:
    """Raise as SciPy does where a point lies off a regular grid.

    Raises:
        ValueError: a point is out of bounds.

    >>> check_inside((np.arange(3.0),), np.array([[0.5]]))
    """
    for k, axis in enumerate(points):
        if not np.all((xi[..., k] >= axis[0]) & (xi[..., k] <= axis[-1])):
            raise ValueError(
                f"One of the requested xi is out of bounds in dimension {k}"
            )


def grid_nearest(points: Any, x: Any) -> Any:
    """The index of the point of a grid that is nearest to a coordinate.

    >>> grid_nearest(np.arange(3.0), np.array([-1.0, 0.5, 1.6])).tolist()
    [0, 0, 2]
    """
    points = np.asarray(points)
    cell = grid_cell(points, x)
    there = (x - points[cell]) / (points[cell + 1] - points[cell])
    return np.where(there <= 0.5, cell, cell + 1)
