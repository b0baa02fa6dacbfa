"""Interpolants of SciPy, made outside and inside of the function."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import interpolate

from tests.rules.scipy_check import agrees
from tests.rules.versions import SCIPY

T = np.array([0.0, 0.7, 1.1, 2.0, 3.2, 3.9])
Y = np.array([1.3, 0.7, 2.1, 2.4, 2.9, 0.4])
X = np.array([0.31, 1.7, 2.55])
PLANE = (np.array([0.0, 1.0, 2.5]), np.array([0.0, 0.5, 2.0, 3.0]))
GRID = np.cos(np.arange(12.0)).reshape(3, 4)
CUBE = np.cos(np.arange(24.0)).reshape(2, 3, 4)

SPLINE = interpolate.CubicSpline(T, Y)
MANY = interpolate.CubicSpline(T, np.stack((Y, Y**2), axis=1))
PCHIP = interpolate.PchipInterpolator(T, Y)
AKIMA = interpolate.Akima1DInterpolator(T, Y)
BASIS = interpolate.make_interp_spline(T, Y, 4 if SCIPY >= (1, 15) else 5)
SMOOTH = interpolate.UnivariateSpline(T, Y, s=0)
SURFACE = interpolate.RectBivariateSpline(PLANE[0], PLANE[1], GRID, kx=2, ky=3)
TCK = interpolate.splrep(T, Y)
REGULAR = interpolate.RegularGridInterpolator(PLANE, GRID)

OUTSIDE = [
    (lambda x: SPLINE(x) + SPLINE(x, 1), X),
    (lambda x: MANY(x), X),
    (lambda x: PCHIP(x) * AKIMA(x), X),
    (lambda x: BASIS(x), X),
    (lambda x: SMOOTH(x), X),
    (lambda x: interpolate.splev(x, TCK), X),
    (lambda x: REGULAR(np.stack((0.6 * x, x), axis=1)), X),
]
INSIDE = [
    (lambda v: interpolate.CubicSpline(T, v)(0.5 * v), Y),
    (lambda v: interpolate.CubicSpline(T, v, bc_type="natural")(X, 1), Y),
    (lambda v: interpolate.CubicSpline(T, v).derivative()(0.5 * v), Y),
    (lambda v: interpolate.CubicSpline(T, np.outer(v, v[:2]))(0.5 * v), Y),
    (lambda v: interpolate.make_interp_spline(T, v, k=2)(0.5 * v), Y),
    (lambda v: interpolate.BSpline(TCK[0], v, 3)(0.5 * v[0]), Y),
    (lambda v: interpolate.interp1d(T, v)(0.5 * v), Y),
    (lambda v: interpolate.interp1d(T, v, kind="cubic")(0.5 * v), Y),
    (lambda v: interpolate.PchipInterpolator(T, Y)(0.5 * v), Y),
    (
        lambda v: interpolate.RegularGridInterpolator(PLANE, v)(
            np.stack((0.9 * np.abs(v[0]), 1.1 + v[1]), axis=1)
        ),
        GRID,
    ),
    (lambda v: interpolate.interpn(PLANE, v, np.abs(v[:, :2]) + 0.1), GRID),
    (
        lambda v: interpolate.interpn(
            (np.arange(2.0), np.arange(3.0), np.arange(4.0)), v, 0.4 + 0.3 * v[0, :, :3]
        ),
        CUBE,
    ),
    (
        lambda v: interpolate.interpn(
            PLANE, v, 3.0 * v[:, :2], bounds_error=False, fill_value=None
        ),
        GRID,
    ),
]


@pytest.mark.parametrize("case", OUTSIDE)
def test_made_outside(case):
    agrees(*case)


def test_a_surface():
    agrees(lambda x: SURFACE.ev(0.5 * x, x[::-1]), X, order=1)


@pytest.mark.parametrize("case", INSIDE)
def test_made_inside(case):
    agrees(*case)


def test_values_that_are_filled_in_are_constant():
    f = sg.grad(
        lambda x: float(
            interpolate.interp1d(T, Y, bounds_error=False, fill_value=0.0)(x)
        )
    )
    assert f(9.0) == 0.0


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda t: np.sum(interpolate.CubicSpline(t, Y)(X)), "no closed form"),
        (lambda t: np.sum(interpolate.PchipInterpolator(T, t)(X)), "operand 'y'"),
        (lambda t: np.sum(interpolate.griddata(t, Y, X)), "griddata"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(T)


@pytest.mark.parametrize(
    "made", [interpolate.CubicSpline, interpolate.PchipInterpolator]
)
def test_forward_mode_refuses_what_the_adjoint_refuses(made):
    y = np.array([1.0, 2.0, 0.5, 1.5, 2.5])

    def by_knots(t):
        return np.sum(made(t, y)(np.array([0.3, 1.7])))

    t = np.arange(5.0)
    with pytest.raises(sg.SourcegradError):
        sg.grad(by_knots)(t)
    with pytest.raises(sg.SourcegradError):
        sg.jvp(by_knots, (t,), (np.ones(5),))
