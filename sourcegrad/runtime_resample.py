"""Helpers of generated code: splines of an image at any coordinates.

What `scipy.ndimage.map_coordinates` does without its filter, its derivatives in the
coordinates, and the transpose of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Which rule the coefficients follow beyond the border, by the mode of the image.
_BORDERS = {"constant": "mirror", "nearest": "mirror"}
MODES = ("constant", "nearest", "mirror", "reflect", "grid-wrap")


def _mapped(x: Any, n: int, mode: str) -> Any:
    """Coordinates or indices mapped into an axis of length `n`."""
    if mode == "nearest":
        return np.clip(x, 0, n - 1)
    if mode == "grid-wrap":
        return np.mod(x, n)
    if n == 1:
        return np.zeros_like(x)
    if mode == "mirror":
        turn = np.mod(x, 2 * n - 2)
        return np.where(turn > n - 1, 2 * n - 2 - turn, turn)
    if mode == "reflect":
        turn = np.mod(x + 0.5, 2 * n)
        return np.where(turn > n, 2 * n - turn, turn) - 0.5
    return x


def _slope_sign(x: Any, n: int, mode: str) -> Any:
    """The derivative of `_mapped`."""
    if mode == "nearest":
        return np.where((x >= 0) & (x <= n - 1), 1.0, 0.0)
    if mode == "mirror" and n > 1:
        return np.where(np.mod(x, 2 * n - 2) > n - 1, -1.0, 1.0)
    if mode == "reflect":
        return np.where(np.mod(x + 0.5, 2 * n) > n, -1.0, 1.0)
    return np.ones_like(x)


def _weights(away: Any, order: int, nu: int) -> Any:
    """The centred B-spline, or its derivative of order `nu`."""
    from scipy.interpolate import BSpline

    if nu > order:
        return np.zeros_like(away)
    knots = np.arange(order + 2.0) - 0.5 * (order + 1)
    basis = BSpline.basis_element(knots, extrapolate=False)
    return np.nan_to_num(basis(away, nu))


def _sites(
    shape: Any, coordinates: Any, order: int, mode: str, nu: Any
) -> tuple[list[Any], list[Any], Any]:
    """For each axis the indices and weights of each point, and which are inside."""
    indices, weights = [], []
    inside = np.ones(np.shape(coordinates)[1:], bool)
    for n, x, k in zip(shape, coordinates, nu, strict=True):
        if mode == "constant":
            inside &= (x >= 0) & (x <= n - 1)
        place = _mapped(x, n, mode)
        start = np.floor(place if order % 2 else place + 0.5) - order // 2
        found = np.add.outer(np.arange(order + 1.0), start)
        weight = _weights(place - found, order, k) * _slope_sign(x, n, mode) ** k
        if order == 0:
            weight = np.full_like(weight, 1.0 if k == 0 else 0.0)
        border = _BORDERS.get(mode, mode)
        index = np.round(_mapped(found, n, border)).astype(int)
        indices.append(np.clip(index, 0, n - 1))
        weights.append(weight)
    return indices, weights, inside


def spline_sum(
    c: Any, coordinates: Any, order: int, mode: str, nu: tuple[int, ...]
) -> Any:
    """The spline with coefficients `c` at coordinates; 0 where a constant is filled in.

    Args:
        c: the coefficients, one for each pixel.
        coordinates: one row for each axis.
        order: of the spline, from 0 to 5.
        mode: how it goes on beyond the border.
        nu: the order of the derivative along each axis.

    >>> spline_sum(np.array([1.0, 3.0]), np.array([[0.25]]), 1, "nearest", (0,))
    array([1.5])
    """
    indices, weights, inside = _sites(c.shape, coordinates, order, mode, nu)
    total = np.zeros(inside.shape)
    for corner in np.ndindex(*(order + 1,) * c.ndim):
        place = tuple(i[k] for i, k in zip(indices, corner, strict=True))
        weight = np.prod([w[k] for w, k in zip(weights, corner, strict=True)], axis=0)
        total = total + weight * c[place]
    return np.where(inside, total, 0.0)


def spline_spread(
    g: Any, c: Any, coordinates: Any, order: int, mode: str, nu: tuple[int, ...]
) -> Any:
    """The transpose of `spline_sum` in `c`, of which only the shape is read.

    >>> c = np.zeros(2)
    >>> spline_spread(np.ones(1), c, np.array([[0.25]]), 1, "nearest", (0,)).tolist()
    [0.75, 0.25]
    """
    indices, weights, inside = _sites(c.shape, coordinates, order, mode, nu)
    total = np.zeros(c.shape, np.result_type(g, np.float64))
    for corner in np.ndindex(*(order + 1,) * c.ndim):
        place = tuple(i[k] for i, k in zip(indices, corner, strict=True))
        weight = np.prod([w[k] for w, k in zip(weights, corner, strict=True)], axis=0)
        np.add.at(total, place, np.where(inside, weight * g, 0.0))
    return total


def spline_slopes(
    c: Any, coordinates: Any, order: int, mode: str, nu: tuple[int, ...]
) -> Any:
    """The derivative of `spline_sum` in each coordinate, axes first.

    >>> c = np.array([1.0, 3.0])
    >>> spline_slopes(c, np.array([[0.25]]), 1, "nearest", (0,)).tolist()
    [[2.0]]
    """
    slopes = [
        spline_sum(c, coordinates, order, mode, raised(nu, axis))
        for axis in range(c.ndim)
    ]
    return np.stack(slopes)


def raised(nu: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """One derivative more along an axis.

    >>> raised((0, 1), 0)
    (1, 1)
    """
    return (*nu[:axis], nu[axis] + 1, *nu[axis + 1 :])


def no_slopes(c: Any) -> tuple[int, ...]:
    """No derivative along any axis.

    >>> no_slopes(np.zeros((2, 2)))
    (0, 0)
    """
    return (0,) * c.ndim


def pixel_grid(shape: Any) -> Any:
    """The coordinates of all pixels, one row for each axis.

    >>> pixel_grid((1, 2)).tolist()
    [[0.0, 0.0], [0.0, 1.0]]
    """
    return np.indices(tuple(int(n) for n in shape), float).reshape(len(shape), -1)


def rotated_shape(shape: Any, angle: Any, reshape: bool) -> Any:
    """The shape of an image rotated in its plane by an angle in degrees.

    >>> rotated_shape((2, 4), 90.0, True).tolist()
    [4, 2]
    """
    rows, columns = shape
    if not reshape:
        return np.array([rows, columns])
    angle = np.deg2rad(angle)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = turn @ np.array([[0, 0, rows, rows], [0, columns, 0, columns]])
    return (np.ptp(corners, axis=1) + 0.5).astype(int)
