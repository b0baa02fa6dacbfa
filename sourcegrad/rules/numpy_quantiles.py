"""Medians, quantiles and percentiles: sums of one or two elements.

Convention: the order is constant, so a quantile moves with the elements between which
it stands; it has no derivative in `weights`, which decide only which ones these are.
"""

import numpy as np

from ..runtime_quantiles import (
    quantile_of,
    quantile_pullback,
    quantile_pushforward,
)
from .registry import adjoint, composite, linear, tangent


@adjoint(np.median, convention="half to each of two middle elements")
def median_adjoint(
    y, y_bar, a, axis=None, out=None, overwrite_input=False, keepdims=False
):
    return quantile_pullback(y_bar, a, 0.5, axis, keepdims)


@tangent(np.median)
def median_tangent(
    y, a, a_dot, axis=None, out=None, overwrite_input=False, keepdims=False
):
    return quantile_pushforward(a_dot, a, 0.5, axis, keepdims)


@adjoint(np.quantile)
def quantile_adjoint(
    y, y_bar, a, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pullback(y_bar, a, q, axis, keepdims)


@tangent(np.quantile)
def quantile_tangent(
    y, a, a_dot, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pushforward(a_dot, a, q, axis, keepdims)


@adjoint(np.percentile)
def percentile_adjoint(
    y, y_bar, a, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pullback(y_bar, a, np.divide(q, 100.0), axis, keepdims)


@adjoint(np.nanmedian, convention="half to each of two middle elements")
def nanmedian_adjoint(
    y, y_bar, a, axis=None, out=None, overwrite_input=False, keepdims=False
):
    return quantile_pullback(y_bar, a, 0.5, axis, keepdims, True)


@tangent(np.nanmedian)
def nanmedian_tangent(
    y, a, a_dot, axis=None, out=None, overwrite_input=False, keepdims=False
):
    return quantile_pushforward(a_dot, a, 0.5, axis, keepdims, True)


@adjoint(np.nanquantile)
def nanquantile_adjoint(
    y, y_bar, a, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pullback(y_bar, a, q, axis, keepdims, True)


@tangent(np.nanquantile)
def nanquantile_tangent(
    y, a, a_dot, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pushforward(a_dot, a, q, axis, keepdims, True)


@adjoint(np.nanpercentile)
def nanpercentile_adjoint(
    y, y_bar, a, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pullback(y_bar, a, np.divide(q, 100.0), axis, keepdims, True)


@tangent(np.nanpercentile)
def nanpercentile_tangent(
    y, a, a_dot, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pushforward(a_dot, a, np.divide(q, 100.0), axis, keepdims, True)


@tangent(np.percentile)
def percentile_tangent(
    y, a, a_dot, q, axis=None, out=None, overwrite_input=False, *, keepdims=False
):
    return quantile_pushforward(a_dot, a, np.divide(q, 100.0), axis, keepdims)


# ------------------------------------------------- other methods and weights


@composite(np.quantile, options=True, fixed=("q",))
def quantile_by(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    return quantile_of(a, q, axis, keepdims, False, method, weights)


@composite(np.percentile, options=True, fixed=("q",))
def percentile_by(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    return quantile_of(a, np.divide(q, 100.0), axis, keepdims, False, method, weights)


@composite(np.nanquantile, options=True, fixed=("q",))
def nanquantile_by(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    return quantile_of(a, q, axis, keepdims, True, method, weights)


@composite(np.nanpercentile, options=True, fixed=("q",))
def nanpercentile_by(
    a,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
):
    return quantile_of(a, np.divide(q, 100.0), axis, keepdims, True, method, weights)


@adjoint(quantile_of)
def quantile_of_adjoint(y, y_bar, a, q, axis, keepdims, skip_nan, method, weights):
    a_bar = quantile_pullback(y_bar, a, q, axis, keepdims, skip_nan, method, weights)
    return a_bar, None, None, None, None, None, None


@tangent(quantile_of)
def quantile_of_tangent(y, a, a_dot, q, axis, keepdims, skip_nan, method, weights):
    return quantile_pushforward(a_dot, a, q, axis, keepdims, skip_nan, method, weights)


# ------------------------------------------------------- and their derivatives


@linear(quantile_pullback)
def quantile_pullback_adjoint(
    z,
    z_bar,
    y_bar,
    a,
    q,
    axis,
    keepdims,
    skip_nan=False,
    method="linear",
    weights=None,
):
    bar = quantile_pushforward(z_bar, a, q, axis, keepdims, skip_nan, method, weights)
    return bar, None, None, None, None, None, None, None


@linear(quantile_pushforward)
def quantile_pushforward_adjoint(
    y,
    y_bar,
    a_dot,
    a,
    q,
    axis,
    keepdims,
    skip_nan=False,
    method="linear",
    weights=None,
):
    bar = quantile_pullback(y_bar, a, q, axis, keepdims, skip_nan, method, weights)
    return bar, None, None, None, None, None, None, None
