"""Resampling of images at any coordinates, in the image and in where it is read."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import ndimage

from tests.rules.scipy_check import agrees, along, weighed

RNG = np.random.default_rng(3)
M = RNG.normal(size=(5, 6))
C = np.array([[0.3, 1.71, 3.2, -0.6, 4.9], [1.2, 4.4, 0.35, 2.2, 5.8]])
MODES = ["constant", "nearest", "mirror", "reflect", "grid-wrap"]
TURN = np.array([[0.9, 0.2], [-0.3, 1.1]])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [0, 1, 2, 3, 5])
def test_the_image(order, mode):
    def f(x):
        return ndimage.map_coordinates(x, C, order=order, mode=mode, cval=0.7)

    x_dot, g = np.cos(M), np.sin(np.arange(5.0))
    zero = f(np.zeros_like(M))
    y, pullback = sg.vjp(f, M)
    np.testing.assert_array_equal(y, f(M))
    want = np.sum(g * (f(x_dot) - zero))
    np.testing.assert_allclose(np.sum(pullback(g)[0] * x_dot), want, rtol=1e-9)
    y_dot = sg.jvp(f, (M,), (x_dot,))[1]
    np.testing.assert_allclose(y_dot, f(x_dot) - zero, atol=1e-10)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_the_coordinates(order, mode):
    def f(c):
        return ndimage.map_coordinates(M, c, order=order, mode=mode)

    agrees(f, C, order=1)


def test_second_order_in_both():
    def f(v):
        return ndimage.map_coordinates(v[2:], 1.3 + v[:2, :4] ** 2, mode="mirror")

    x = np.concatenate((0.4 + 0.3 * np.cos(M[:2]), M))
    total = weighed(f)
    d = np.sin(x)
    g = sg.grad(total)
    np.testing.assert_allclose(np.sum(g(x) * d), along(total, x, d), rtol=1e-6)
    again = sg.grad(lambda x: np.sum(g(x) * d))(x)
    np.testing.assert_allclose(again, along(g, x, d), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(
    "case",
    [
        (lambda t: ndimage.affine_transform(M, t, t[0], mode="mirror"), TURN),
        (lambda t: ndimage.affine_transform(M, t[0] + 0.3, 0.2, order=1), TURN),
        (lambda x: ndimage.affine_transform(x, TURN, 0.7, (3, 4), order=2), M),
        (lambda a: ndimage.rotate(M, 20.0 * a[0], reshape=False), np.array([1.3])),
        (lambda x: ndimage.rotate(x, 33.0), M),
    ],
)
def test_transforms(case):
    agrees(*case, order=1)


def test_refused():
    with pytest.raises(sg.SourcegradError, match="this mode"):
        sg.grad(lambda x: np.sum(ndimage.map_coordinates(x, C, mode="wrap")))(M)
    with pytest.raises(sg.SourcegradError, match="one image"):
        sg.grad(lambda x: np.sum(ndimage.rotate(np.stack((x, x)), 9.0)))(M)
