"""Linear filters and resamplings of `scipy.ndimage`, in the array and in weights.

What works on one axis at a time (Gaussian, uniform and spline filters, shifts,
zooms) is transposed by a small matrix for each axis. `output` may be a dtype, not an
array. Filters by rank and order are refused: select with NumPy instead.
"""

import numpy as np
from scipy import ndimage

from ..runtime import is_zero, not_differentiable
from ..runtime_ndimage import (
    axes_forward,
    axes_pullback,
    correlate_pullback,
    correlate_weights,
    each_axis,
    first_order,
    line_shape,
    one_axis,
    origin_along,
    other_axes,
    refuse_output,
    second_order,
    turned_origin,
)
from . import scipy_ranks, scipy_resample  # noqa: F401  (they register)
from .registry import adjoint, composite, constant, linear, tangent

constant(each_axis, one_axis, line_shape, turned_origin)
constant(first_order, second_order, other_axes, origin_along)
constant(refuse_output, pure=False)
constant(ndimage.generate_binary_structure, ndimage.iterate_structure)


def refuse_axes(axes):
    """Refuse to filter along chosen axes."""
    if axes is not None:
        not_differentiable(
            "filters of scipy.ndimage have a derivative rule for axes=None only",
            hint="filter one axis at a time, as with correlate1d",
        )


def refuse_radius(radius):
    """Refuse a radius of a Gaussian that is not that of `truncate`."""
    if radius is not None:
        not_differentiable(
            "Gaussian filters of scipy.ndimage have a derivative rule without radius",
            hint="use truncate=radius / sigma",
        )


# ----------------------------------------------------------------- correlations


@adjoint(ndimage.correlate, source="padding and a correlation, each transposed")
def correlate_adjoint(
    y,
    y_bar,
    input,
    weights,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    refuse_axes(axes)
    by_input = correlate_pullback(y_bar, input, weights, mode, origin)
    by_weights = correlate_weights(y_bar, input, weights, mode, cval, origin)
    return by_input, np.conj(by_weights)  # a correlation conjugates its weights


@tangent(ndimage.correlate)
def correlate_tangent(
    y,
    input,
    input_dot,
    weights,
    weights_dot,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    refuse_axes(axes)
    if is_zero(weights_dot):
        return ndimage.correlate(input_dot, weights, None, mode, 0.0, origin)
    elif is_zero(input_dot):
        return ndimage.correlate(input, weights_dot, None, mode, cval, origin)
    else:
        by_input = ndimage.correlate(input_dot, weights, None, mode, 0.0, origin)
        return by_input + ndimage.correlate(
            input, weights_dot, None, mode, cval, origin
        )


@adjoint(correlate_pullback)
def correlate_pullback_adjoint(y, y_bar, g, x, weights, mode, origin):
    by_g = ndimage.correlate(y_bar, weights, None, mode, 0.0, origin)
    by_weights = correlate_weights(g, y_bar, weights, mode, 0.0, origin)
    return by_g, None, np.conj(by_weights)


@tangent(correlate_pullback)
def correlate_pullback_tangent(
    y, g, g_dot, x, x_dot, weights, weights_dot, mode, origin
):
    total = 0.0
    if not is_zero(g_dot):
        total = total + correlate_pullback(g_dot, x, weights, mode, origin)
    if not is_zero(weights_dot):
        total = total + correlate_pullback(g, x, weights_dot, mode, origin)
    return total


@adjoint(correlate_weights)
def correlate_weights_adjoint(y, y_bar, g, x, weights, mode, cval, origin):
    turned = np.conj(y_bar)
    by_g = ndimage.correlate(x, turned, None, mode, cval, origin)
    return by_g, correlate_pullback(g, x, turned, mode, origin), None


@tangent(correlate_weights)
def correlate_weights_tangent(
    y, g, g_dot, x, x_dot, weights, weights_dot, mode, cval, origin
):
    total = 0.0
    if not is_zero(g_dot):
        total = total + correlate_weights(g_dot, x, weights, mode, cval, origin)
    if not is_zero(x_dot):
        total = total + correlate_weights(g, x_dot, weights, mode, 0.0, origin)
    return total


@composite(ndimage.convolve)
def convolve(
    input,
    weights,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    refuse_axes(axes)
    refuse_output(output, "convolve")
    places = turned_origin(weights, origin)
    turned = np.flip(np.conj(weights))
    return ndimage.correlate(input, turned, None, mode, cval, places)


@composite(ndimage.correlate1d)
def correlate1d(
    input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    refuse_output(output, "correlate1d")
    line = np.reshape(weights, line_shape(input, axis))
    places = origin_along(input, axis, origin)
    return ndimage.correlate(input, line, None, mode, cval, places)


@composite(ndimage.convolve1d)
def convolve1d(
    input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    refuse_output(output, "convolve1d")
    line = np.reshape(np.flip(np.conj(weights)), line_shape(input, axis))
    even = 1 if len(weights) % 2 == 0 else 0
    places = origin_along(input, axis, -origin - even)
    return ndimage.correlate(input, line, None, mode, cval, places)


# --------------------------------------------------------- one axis at a time


def like(g, x):
    """A cotangent, with its shape known to the compiler."""
    return np.reshape(g, x.shape)


@linear(axes_pullback)
def axes_pullback_adjoint(y, y_bar, g, shape, name, options):
    return axes_forward(y_bar, name, options)


@linear(axes_forward)
def axes_forward_adjoint(y, y_bar, x, name, options):
    return axes_pullback(y_bar, x.shape, name, options)


@adjoint(ndimage.gaussian_filter1d, source="a matrix for each axis")
def gaussian_filter1d_adjoint(
    y,
    y_bar,
    input,
    sigma,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
):
    refuse_radius(radius)
    given = one_axis(input, axis, sigma, -1, order, None, mode, 0.0, truncate)
    return like(axes_pullback(y_bar, input.shape, "gaussian_filter1d", given), input)


@tangent(ndimage.gaussian_filter1d)
def gaussian_filter1d_tangent(
    y,
    input,
    input_dot,
    sigma,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
):
    refuse_radius(radius)
    return ndimage.gaussian_filter1d(
        input_dot, sigma, axis, order, None, mode, 0.0, truncate
    )


@adjoint(ndimage.gaussian_filter, source="a matrix for each axis")
def gaussian_filter_adjoint(
    y,
    y_bar,
    input,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    refuse_axes(axes)
    refuse_radius(radius)
    given = each_axis(input, sigma, -1, order, None, mode, 0.0, truncate)
    return like(axes_pullback(y_bar, input.shape, "gaussian_filter1d", given), input)


@tangent(ndimage.gaussian_filter)
def gaussian_filter_tangent(
    y,
    input,
    input_dot,
    sigma,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    *,
    radius=None,
    axes=None,
):
    refuse_axes(axes)
    refuse_radius(radius)
    return ndimage.gaussian_filter(input_dot, sigma, order, None, mode, 0.0, truncate)


@adjoint(ndimage.uniform_filter1d, source="a matrix for each axis")
def uniform_filter1d_adjoint(
    y, y_bar, input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    given = one_axis(input, axis, size, -1, None, mode, 0.0, origin)
    return like(axes_pullback(y_bar, input.shape, "uniform_filter1d", given), input)


@tangent(ndimage.uniform_filter1d)
def uniform_filter1d_tangent(
    y, input, input_dot, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    return ndimage.uniform_filter1d(input_dot, size, axis, None, mode, 0.0, origin)


@adjoint(ndimage.uniform_filter, source="a matrix for each axis")
def uniform_filter_adjoint(
    y,
    y_bar,
    input,
    size=3,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    refuse_axes(axes)
    given = each_axis(input, size, -1, None, mode, 0.0, origin)
    return like(axes_pullback(y_bar, input.shape, "uniform_filter1d", given), input)


@tangent(ndimage.uniform_filter)
def uniform_filter_tangent(
    y,
    input,
    input_dot,
    size=3,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    *,
    axes=None,
):
    refuse_axes(axes)
    return ndimage.uniform_filter(input_dot, size, None, mode, 0.0, origin)


@adjoint(ndimage.shift, source="a matrix for each axis")
def shift_adjoint(
    y,
    y_bar,
    input,
    shift,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    given = each_axis(input, shift, None, order, mode, 0.0, prefilter)
    return like(axes_pullback(y_bar, input.shape, "shift", given), input)


@tangent(ndimage.shift)
def shift_tangent(
    y,
    input,
    input_dot,
    shift,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    return ndimage.shift(input_dot, shift, None, order, mode, 0.0, prefilter)


@adjoint(ndimage.zoom, source="a matrix for each axis")
def zoom_adjoint(
    y,
    y_bar,
    input,
    zoom,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    grid_mode=False,
):
    if grid_mode:
        not_differentiable("scipy.ndimage.zoom with grid_mode has no derivative rule")
    given = each_axis(input, zoom, None, order, mode, 0.0, prefilter)
    return like(axes_pullback(y_bar, input.shape, "zoom", given), input)


@tangent(ndimage.zoom)
def zoom_tangent(
    y,
    input,
    input_dot,
    zoom,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    *,
    grid_mode=False,
):
    if grid_mode:
        not_differentiable("scipy.ndimage.zoom with grid_mode has no derivative rule")
    return ndimage.zoom(input_dot, zoom, None, order, mode, 0.0, prefilter)


@adjoint(ndimage.spline_filter1d, source="a matrix for each axis")
def spline_filter1d_adjoint(
    y, y_bar, input, order=3, axis=-1, output=np.float64, mode="mirror"
):
    given = one_axis(input, axis, order, -1, np.float64, mode)
    return like(axes_pullback(y_bar, input.shape, "spline_filter1d", given), input)


@tangent(ndimage.spline_filter1d)
def spline_filter1d_tangent(
    y, input, input_dot, order=3, axis=-1, output=np.float64, mode="mirror"
):
    return ndimage.spline_filter1d(input_dot, order, axis, y.dtype, mode)


@adjoint(ndimage.spline_filter, source="a matrix for each axis")
def spline_filter_adjoint(y, y_bar, input, order=3, output=np.float64, mode="mirror"):
    given = each_axis(input, order, -1, np.float64, mode)
    return like(axes_pullback(y_bar, input.shape, "spline_filter1d", given), input)


@tangent(ndimage.spline_filter)
def spline_filter_tangent(
    y, input, input_dot, order=3, output=np.float64, mode="mirror"
):
    return ndimage.spline_filter(input_dot, order, y.dtype, mode)


# ------------------------------------------------------------ sums and edges


def edges(input, axis, others, mode, cval):
    """A difference along one axis, smoothed along the others."""
    total = ndimage.correlate1d(input, EDGE, axis, None, mode, cval)
    for other in other_axes(input, axis):
        total = ndimage.correlate1d(total, others, other, None, mode, cval)
    return total


EDGE = np.array([-1.0, 0.0, 1.0])
SOBEL = np.array([1.0, 2.0, 1.0])
PREWITT = np.array([1.0, 1.0, 1.0])
SECOND = np.array([1.0, -2.0, 1.0])


@composite(ndimage.sobel)
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    refuse_output(output, "sobel")
    return edges(input, axis, SOBEL, mode, cval)


@composite(ndimage.prewitt)
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    refuse_output(output, "prewitt")
    return edges(input, axis, PREWITT, mode, cval)


@composite(ndimage.laplace)
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    refuse_axes(axes)
    refuse_output(output, "laplace")
    total = ndimage.correlate1d(input, SECOND, 0, None, mode, cval)
    for axis in range(1, input.ndim):
        total = total + ndimage.correlate1d(input, SECOND, axis, None, mode, cval)
    return total


@composite(ndimage.gaussian_laplace)
def gaussian_laplace(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, truncate=4.0
):
    refuse_axes(axes)
    refuse_output(output, "gaussian_laplace")
    order = second_order(input, 0)
    total = ndimage.gaussian_filter(input, sigma, order, None, mode, cval, truncate)
    for axis in range(1, input.ndim):
        order = second_order(input, axis)
        total = total + ndimage.gaussian_filter(
            input, sigma, order, None, mode, cval, truncate
        )
    return total


@composite(ndimage.gaussian_gradient_magnitude)
def gaussian_gradient_magnitude(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, truncate=4.0
):
    refuse_axes(axes)
    refuse_output(output, "gaussian_gradient_magnitude")
    order = first_order(input, 0)
    part = ndimage.gaussian_filter(input, sigma, order, None, mode, cval, truncate)
    total = part * part
    for axis in range(1, input.ndim):
        order = first_order(input, axis)
        part = ndimage.gaussian_filter(input, sigma, order, None, mode, cval, truncate)
        total = total + part * part
    return np.sqrt(total)
