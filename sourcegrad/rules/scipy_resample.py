"""`map_coordinates`, `affine_transform` and `rotate` of `scipy.ndimage`.

Differentiated in the image and in the coordinates (the matrix, the offset, the
angle). Where a spline has a kink (order 0 and 1 at a pixel) the slope is that of one
side. The shape that a rotation gives its result is a constant.
"""

import math

import numpy as np
from scipy import ndimage

from ..runtime import is_zero, not_differentiable
from ..runtime_ndimage import refuse_output
from ..runtime_resample import (
    MODES,
    no_slopes,
    pixel_grid,
    raised,
    rotated_shape,
    spline_slopes,
    spline_spread,
    spline_sum,
)
from .registry import adjoint, composite, constant, tangent

constant(no_slopes, pixel_grid, raised, rotated_shape)


@adjoint(spline_sum, source="M. Unser 1999, Splines")
def spline_sum_adjoint(y, y_bar, c, coordinates, order, mode, nu):
    by_c = spline_spread(y_bar, c, coordinates, order, mode, nu)
    return by_c, y_bar * spline_slopes(c, coordinates, order, mode, nu)


@tangent(spline_sum)
def spline_sum_tangent(y, c, c_dot, coordinates, coordinates_dot, order, mode, nu):
    total = np.zeros_like(y)
    if not is_zero(c_dot):
        total = total + spline_sum(c_dot, coordinates, order, mode, nu)
    if not is_zero(coordinates_dot):
        slopes = spline_slopes(c, coordinates, order, mode, nu)
        total = total + np.sum(slopes * coordinates_dot, axis=0)
    return total


def border(image, order, mode, prefilter):
    """The coefficients of an image, and by how much it was made wider."""
    if mode not in MODES:
        not_differentiable(
            "resampling of scipy.ndimage has no derivative rule for this mode",
            hint="use mode='constant', 'nearest', 'mirror', 'reflect' or 'grid-wrap'",
        )
    if order > 1 and prefilter:
        kept = np.complex128 if np.iscomplexobj(image) else np.float64
        if mode == "nearest":
            wide = np.pad(image, 12, "edge")
            return ndimage.spline_filter(wide, order, kept, mode), 12
        else:
            return ndimage.spline_filter(image, order, kept, mode), 0
    else:
        return image, 0


@composite(ndimage.map_coordinates, convention="one side's slope at a kink")
def map_coordinates(
    input,
    coordinates,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    refuse_output(output, "map_coordinates")
    c, wider = border(input, order, mode, prefilter)
    return spline_sum(c, coordinates + wider, order, mode, no_slopes(c))


@composite(ndimage.affine_transform)
def affine_transform(
    input,
    matrix,
    offset=0.0,
    output_shape=None,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    refuse_output(output, "affine_transform")
    shape = input.shape if output_shape is None else output_shape
    grid = pixel_grid(shape)
    if np.ndim(matrix) == 1:
        turned = np.expand_dims(matrix, 1) * grid
    else:
        turned = matrix @ grid
    moved = turned + (offset if np.ndim(offset) == 0 else np.expand_dims(offset, 1))
    c, wider = border(input, order, mode, prefilter)
    flat = spline_sum(c, moved + wider, order, mode, no_slopes(c))
    return np.reshape(flat, shape)


@composite(ndimage.rotate, fixed=("cval",))
def rotate(
    input,
    angle,
    axes=(1, 0),
    reshape=True,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    refuse_output(output, "rotate")
    if input.ndim != 2 or tuple(axes) != (1, 0):
        not_differentiable(
            "scipy.ndimage.rotate has a derivative rule for one image only",
            hint="use scipy.ndimage.affine_transform",
        )
    shape = rotated_shape(input.shape, angle, reshape)
    turn = angle * (math.pi / 180.0)
    cosine, sine = np.cos(turn), np.sin(turn)
    grid = pixel_grid(shape)
    u = grid[0] - 0.5 * (shape[0] - 1)
    v = grid[1] - 0.5 * (shape[1] - 1)
    rows = cosine * u + sine * v + 0.5 * (input.shape[0] - 1)
    columns = cosine * v - sine * u + 0.5 * (input.shape[1] - 1)
    c, wider = border(input, order, mode, prefilter)
    moved = np.stack((rows, columns)) + wider
    flat = spline_sum(c, moved, order, mode, no_slopes(c))
    return np.reshape(flat, shape)


@adjoint(spline_spread)
def spline_spread_adjoint(y, y_bar, g, c, coordinates, order, mode, nu):
    by_g = spline_sum(y_bar, coordinates, order, mode, nu)
    slopes = spline_slopes(y_bar, coordinates, order, mode, nu)
    return by_g, None, g * slopes


@tangent(spline_spread)
def spline_spread_tangent(
    y, g, g_dot, c, c_dot, coordinates, coordinates_dot, order, mode, nu
):
    total = np.zeros_like(y)
    if not is_zero(g_dot):
        total = total + spline_spread(g_dot, c, coordinates, order, mode, nu)
    if not is_zero(coordinates_dot):
        not_differentiable(
            "resampling has second derivatives in image and coordinates by reverse"
            " mode only"
        )
    return total


@adjoint(spline_slopes)
def spline_slopes_adjoint(y, y_bar, c, coordinates, order, mode, nu):
    by_c, by_place = np.zeros_like(c), np.zeros_like(coordinates)
    for axis in range(len(coordinates)):
        up, g = raised(nu, axis), y_bar[axis]
        by_c = by_c + spline_spread(g, c, coordinates, order, mode, up)
        by_place = by_place + g * spline_slopes(c, coordinates, order, mode, up)
    return by_c, by_place


@tangent(spline_slopes)
def spline_slopes_tangent(y, c, c_dot, coordinates, coordinates_dot, order, mode, nu):
    total = np.zeros_like(y)
    if not is_zero(c_dot):
        total = total + spline_slopes(c_dot, coordinates, order, mode, nu)
    if not is_zero(coordinates_dot):
        not_differentiable(
            "resampling has second derivatives in the coordinates by reverse mode only"
        )
    return total
