"""Linear filters of `scipy.ndimage` by every mode, in the array and in the weights."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import ndimage

from tests.rules.scipy_check import agrees

M = np.array([[2.0, 0.3, -0.4, 0.7], [0.1, 1.5, 0.2, -1.1], [0.5, -0.3, 1.8, 0.6]])
W = np.array([[0.3, -1.2, 0.4], [0.9, 0.1, -0.5]])
MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "f",
    [
        lambda x, mode: ndimage.correlate(x, W, mode=mode, cval=1.5),
        lambda x, mode: ndimage.convolve(x, W, mode=mode, origin=-1),
        lambda x, mode: ndimage.correlate1d(x, W[0], 0, mode=mode, origin=1),
        lambda x, mode: ndimage.convolve1d(x, W[:, 0], mode=mode),
        lambda x, mode: ndimage.gaussian_filter1d(x, 0.8, 0, 1, mode=mode),
        lambda x, mode: ndimage.gaussian_filter(x, (0.8, 0.5), mode=mode, cval=2.0),
        lambda x, mode: ndimage.uniform_filter1d(x, 3, mode=mode),
        lambda x, mode: ndimage.uniform_filter(x, 2, mode=mode),
        lambda x, mode: ndimage.sobel(x, 0, mode=mode) + ndimage.prewitt(x, mode=mode),
        lambda x, mode: ndimage.laplace(x, mode=mode),
        lambda x, mode: ndimage.gaussian_laplace(x, 0.8, mode=mode),
        lambda x, mode: ndimage.shift(x, (0.3, -1.2), mode=mode, order=1),
        lambda x, mode: ndimage.shift(x, 0.4, mode=mode),
        lambda x, mode: ndimage.zoom(x, (1.7, 0.8), mode=mode),
    ],
)
def test_the_transposed_filter(f, mode):
    x_dot, g = np.cos(M), np.sin(np.arange(f(M, mode).size)).reshape(f(M, mode).shape)
    _, pullback = sg.vjp(lambda x: f(x, mode), M)
    zero = f(np.zeros_like(M), mode)
    want = np.sum(g * (f(x_dot, mode) - zero))  # the linear part of the filter
    np.testing.assert_allclose(np.sum(pullback(g)[0] * x_dot), want, rtol=1e-10)
    y, y_dot = sg.jvp(lambda x: f(x, mode), (M,), (x_dot,))
    np.testing.assert_array_equal(y, f(M, mode))
    np.testing.assert_allclose(y_dot, f(x_dot, mode) - zero, atol=1e-13)


CASES = [
    (lambda x: ndimage.correlate(x, x[:2, :3] ** 2), M),
    (lambda x: ndimage.correlate(x, x[:2, :2], mode="constant", cval=1.5), M),
    (lambda x: ndimage.convolve(x, x[:2, 1:], mode="wrap", origin=(0, -1)), M),
    (lambda x: ndimage.correlate1d(x, x[0, :3], 0, mode="mirror"), M),
    (lambda x: ndimage.convolve1d(x, x[0], mode="nearest"), M),
    (lambda x: ndimage.gaussian_filter(x, 0.8) ** 2, M),
    (lambda x: ndimage.gaussian_gradient_magnitude(x, 0.8), M),
    (lambda x: ndimage.spline_filter(x) + ndimage.spline_filter1d(x, axis=0), M),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__code__.co_names[1])
def test_orders_one_and_two(case):
    agrees(*case)


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda s: np.sum(ndimage.gaussian_filter(M, s)), "sigma"),
        (lambda s: np.sum(ndimage.shift(M, s)), "shift"),
        (lambda s: np.sum(ndimage.grey_erosion(s * M, 3)), "grey_erosion"),
        (lambda s: np.sum(ndimage.gaussian_filter(s * M, 1.0, axes=0)), "axes=None"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(0.8)
