"""Interpolants of SciPy: what options prescribe, and the forms of their points."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import interpolate

from tests.rules.scipy_check import agrees

T = np.array([0.0, 1.0, 2.5, 3.0, 4.2, 5.5])
V = np.array([0.6, -1.1, 0.3, 1.7, -0.4, 0.9])
TABLE = np.stack([V, V**2], axis=1)
X = np.array([0.3, 1.7, 2.2, 4.0])
AROUND = np.array([-0.5, 0.3, 3.3, 6.1])
ENDS = [(2, 1.0)], [(1, 0.5)]
GRID = np.arange(4.0), 0.7 * np.arange(5.0)
LEVELS = np.cos(np.arange(20.0)).reshape(4, 5)
PLACES = np.array([[0.3, 0.5], [1.7, 2.2], [2.6, 1.1]])

SPLINE = interpolate.CubicSpline(T, V)
ROWS = interpolate.CubicSpline(T, TABLE.T, axis=1)
HELD = interpolate.UnivariateSpline(T, V, s=0, ext=3)
SURFACE = interpolate.RectBivariateSpline(*GRID, LEVELS)
REGULAR = interpolate.RegularGridInterpolator(GRID, LEVELS)
LINES = interpolate.interp1d(T, V, bounds_error=False, fill_value=2.0)
CUBIC = interpolate.interp1d(T, TABLE, "cubic", axis=0)
BARYCENTRIC = interpolate.BarycentricInterpolator(T, V)

PRESCRIBED = [
    lambda v: interpolate.CubicSpline(T, v, bc_type=((1, 0.5), (2, 0.3)))(X),
    lambda v: interpolate.CubicSpline(T, v, bc_type=((1, 0.5), "natural"))(0.5 * v[:3]),
    lambda v: interpolate.make_interp_spline(T, v, bc_type="clamped")(X),
    lambda v: interpolate.make_interp_spline(T, v, bc_type=ENDS)(X),
    lambda v: interpolate.CubicSpline(T, np.append(v[:5], v[0]), 0, "periodic")(X),
    lambda v: interpolate.interp1d(T, v, bounds_error=False, fill_value=2.0)(AROUND),
    lambda v: interpolate.interp1d(T, v, bounds_error=False, fill_value=(1.0, 2.0))(
        AROUND * (1.0 + 0.01 * v[0])
    ),
    lambda v: interpolate.interp1d(T[::-1], v)(X + 0.01 * v[0]),
    lambda v: interpolate.CubicSpline(T, v).integrate(0.5, 2.0 + v[0]),
    lambda v: interpolate.BSpline(np.arange(10.0), v, 3).antiderivative()(X + 3.0),
    lambda v: interpolate.interp1d(T, np.stack([v, v * v]))(X + 0.1 * v[0]),
    lambda v: interpolate.CubicSpline(T, np.stack([v, v * v]), axis=1)(X + 0.1 * v[0]),
]


@pytest.mark.parametrize("f", PRESCRIBED)
def test_only_the_linear_part_carries_a_tangent(f):
    agrees(f, V, order=1)


FROM_OUTSIDE = [
    lambda x: SPLINE.derivative()(x) + SPLINE.antiderivative()(x),
    lambda x: SPLINE.integrate(x[0], x[1]) * x,
    lambda x: ROWS(x) * ROWS(x[0])[:, None],
    lambda x: HELD(x * 3.0 - 2.0),
    lambda x: HELD(x * 1.5 - 0.3, ext="extrapolate"),
    lambda x: HELD.integral(x[0], x[2]),
    lambda x: SURFACE.ev(x * 2.0 - 1.0, x),
    lambda x: SURFACE(np.sort(x), np.sort(0.5 * x)),
    lambda x: SURFACE(x, 0.5 * x, dx=1, grid=False) + SURFACE.ev(x, x[0]),
    lambda x: LINES(x * 3.0 - 2.0),
    lambda x: CUBIC(x),
    lambda x: BARYCENTRIC(x),
    lambda x: REGULAR((0.45 * x, 0.3 * x)),
    lambda x: REGULAR([0.5 * x[0], 0.3 * x[1]]),
    lambda x: interpolate.interpn(GRID, LEVELS, (0.45 * x, 0.3 * x), "slinear"),
]


@pytest.mark.parametrize("f", FROM_OUTSIDE)
def test_made_outside(f):
    agrees(f, X, order=1)


def test_the_method_of_a_call_is_its_own():
    def f(p):
        return np.sum(REGULAR(p, "nearest") * p[:, 0])

    value, gradient = sg.value_and_grad(f)(PLACES)
    assert value == f(PLACES)
    np.testing.assert_array_equal(gradient[:, 0], REGULAR(PLACES, "nearest"))

    def g(v):
        grid = interpolate.RegularGridInterpolator(GRID, v, "nearest")
        return np.sum(grid(PLACES) * np.arange(3.0))

    agrees(g, LEVELS, order=1)


def test_out_of_bounds_is_scipys_error():
    def f(v):
        return np.sum(interpolate.RegularGridInterpolator(GRID, v)(PLACES + 3.0))

    with pytest.raises(ValueError, match="out of bounds"):
        sg.grad(f)(LEVELS)


@pytest.mark.parametrize(
    "f",
    [
        lambda v: interpolate.CubicSpline(T, V, bc_type=((1, v[0]), (1, 0.0)))(X),
        lambda v: interpolate.interp1d(T, V, bounds_error=False, fill_value=v[0])(X),
    ],
)
def test_active_options_are_refused(f):
    with pytest.raises(sg.SourcegradError, match="has no derivative in its argument"):
        sg.grad(lambda v: np.sum(f(v)))(V)
