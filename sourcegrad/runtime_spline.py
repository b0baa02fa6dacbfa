"""Helpers of generated code: interpolants of SciPy as functions of their values."""

from __future__ import annotations

from typing import Any

import numpy as np

_DEGREES = {"linear": 1, "slinear": 1, "quadratic": 2, "cubic": 3}


def spline_values(kind: str, options: Any, t: Any, y: Any, x: Any, nu: int) -> Any:
    """An interpolant made of `y` at `t`, or its derivative of order `nu`, at `x`.

    It is linear in `y`, whose first axis goes along `t`, but for what the options add.

    Args:
        kind: "CubicSpline", "make_interp_spline", "BSpline" or "interp1d".
        options: what else the interpolant is made from, by kind, and whether it
            extrapolates.
        t: the points, or the knots of a B-spline.
        y: the values there, or the coefficients of a B-spline.
        x: where to evaluate.
        nu: the order of the derivative.

    >>> t = np.arange(4.0)
    >>> spline_values("CubicSpline", ("not-a-knot", None), t, t**3, 1.5, 1).item()
    6.75
    """
    from scipy import interpolate

    given, extrapolate = options
    if kind == "interp1d":
        return _interp1d(given, t, y, x, nu)
    if kind == "CubicSpline":
        made = interpolate.CubicSpline(t, y, 0, given, extrapolate)
    elif kind == "make_interp_spline":
        degree, knots, ends = given
        made = interpolate.make_interp_spline(t, y, degree, knots, ends)
    else:
        made = interpolate.BSpline(t, y, given, extrapolate)
    if nu < 0:
        return made.antiderivative(-nu)(x, extrapolate=extrapolate)
    return made(x, nu, extrapolate)


def linear_part(kind: str, options: Any, like: Any) -> Any:
    """The options of the part of an interpolant that is linear in its values.

    Derivatives prescribed at the ends are zero in it, as is what fills in outside.

    >>> linear_part("interp1d", (("linear", False, 2.0), None), np.zeros(3))
    (('linear', False, 0.0), None)
    """
    given, extrapolate = options
    if kind == "CubicSpline":
        return _without_ends(given, like), extrapolate
    if kind == "make_interp_spline":
        degree, knots, ends = given
        return (degree, knots, _without_ends(ends, like)), extrapolate
    if kind == "interp1d" and not isinstance(given[2], str):
        fill = given[2]
        zero = (0.0, 0.0) if isinstance(fill, tuple) else 0.0
        kept = given[2] if np.size(fill) == 1 and np.all(np.isnan(fill)) else zero
        return (given[0], given[1], kept), extrapolate
    return options


def _without_ends(ends: Any, like: Any) -> Any:
    """Boundary conditions with zeros as the values of derivatives."""
    if ends is None or isinstance(ends, str):
        return ends
    zero = np.zeros(np.shape(like)[1:])

    def freed(end: Any) -> Any:
        if end is None or isinstance(end, str):
            return end
        if len(end) > 0 and isinstance(end[0], (tuple, list)):
            return [(order, zero) for order, _ in end]
        return (end[0], zero)

    return freed(ends[0]), freed(ends[1])


def unit_values(kind: str, options: Any, y: Any) -> Any:
    """The values of which the basis of an interpolant is made, one in each column.

    The last value of a periodic spline is its first one, and has no column.

    >>> unit_values("CubicSpline", ("periodic", None), np.zeros(3)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    unit = np.eye(len(y))
    ends = options[0][2] if kind == "make_interp_spline" else options[0]
    if kind != "interp1d" and isinstance(ends, str) and ends == "periodic":
        unit[-1] = unit[0]
    return unit


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
    order = np.argsort(t, kind="stable")
    t, y = np.asarray(t)[order], np.asarray(y)[order]
    slope = interpolate.make_interp_spline(t, y, degree)(x, nu)
    if isinstance(fill_value, str):
        return slope
    outside = (np.asarray(x) < np.min(t)) | (np.asarray(x) > np.max(t))
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


def piece_values(made: Any, x: Any, order: int, extrapolate: Any) -> Any:
    """An interpolant's derivative, or antiderivative, as one of a negative order.

    >>> from scipy import interpolate
    >>> t = np.arange(4.0)
    >>> piece_values(interpolate.CubicSpline(t, t**3), 2.0, -1, None).item()
    4.0
    """
    if order < 0:
        return made.antiderivative(-order)(x, extrapolate=extrapolate)
    return made(x, order, extrapolate)


def fitpack_values(tck: Any, x: Any, nu: int, ext: Any) -> Any:
    """The derivative of a spline of FITPACK; zero where the spline is held constant.

    >>> from scipy import interpolate
    >>> t = np.arange(5.0)
    >>> fitpack_values(interpolate.splrep(t, t * t), np.array([1.5, 7.0]), 1, 3)
    array([3., 0.])
    """
    from scipy import interpolate

    if np.size(x) == 0 or nu > tck[2]:
        return np.zeros(np.shape(x))
    slope = interpolate.splev(x, tck, nu, ext)
    if ext != 3:
        return slope
    return np.where(within(tck[0], tck[2], x), slope, 0.0)


def fitpack_ext(given: Any, own: int) -> int:
    """What a spline of FITPACK is outside of its interval, as the number of a choice.

    >>> fitpack_ext("const", 0), fitpack_ext(None, 1)
    (3, 1)
    """
    if given is None:
        return own
    return {"extrapolate": 0, "zeros": 1, "raise": 2, "const": 3}.get(given, given)


def within(knots: Any, degree: int, x: Any) -> Any:
    """Which points lie in the interval that a spline is given for.

    >>> within(np.array([0.0, 0, 1, 1]), 1, np.array([0.5, 2.0])).tolist()
    [True, False]
    """
    x = np.asarray(x)
    return (x >= knots[degree]) & (x <= knots[len(knots) - degree - 1])


def interpolator_values(made: Any, x: Any, nu: int) -> Any:
    """The derivative of an `interp1d`, or of a polynomial through given points.

    >>> from scipy import interpolate
    >>> made = interpolate.interp1d(np.arange(3.0), np.array([0.0, 1.0, 4.0]))
    >>> interpolator_values(made, np.array([1.5]), 1)
    array([3.])
    """
    from scipy import interpolate

    if not isinstance(made, interpolate.interp1d):
        return made.derivative(x, nu)
    kind = made._spline.k if made._kind == "spline" else made._kind
    fill = "extrapolate" if made._extrapolate else made.fill_value
    options = kind, made.bounds_error, fill
    return _interp1d(options, made.x, np.moveaxis(made.y, made.axis, 0), x, nu)
