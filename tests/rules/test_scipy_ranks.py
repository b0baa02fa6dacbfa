"""Filters by rank of SciPy: the gradient goes to the elements that are picked."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import ndimage, signal

from tests.rules.scipy_check import agrees

M = np.random.default_rng(3).normal(size=(5, 6))
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])
MODES = ["reflect", "constant", "nearest", "mirror", "wrap"]

CASES = [
    (lambda x: ndimage.minimum_filter(x, (2, 3), origin=(0, 1)), M),
    (lambda x: ndimage.maximum_filter1d(x, 3, 0, origin=1), M),
    (lambda x: ndimage.minimum_filter1d(x, 3), M),
    (lambda x: ndimage.median_filter(x, 3), M),
    (lambda x: ndimage.median_filter(x, footprint=CROSS), M),
    (lambda x: ndimage.rank_filter(x, -2, 3, mode="nearest"), M),
    (lambda x: ndimage.percentile_filter(x, 30, 3), M),
    (lambda x: signal.medfilt(x, 3), M),
    (lambda x: signal.medfilt2d(x, 3), M),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__code__.co_names[1])
def test_orders_one_and_two(case):
    agrees(*case)


@pytest.mark.parametrize("mode", MODES)
def test_borders(mode):
    agrees(lambda x: ndimage.maximum_filter(x, 3, mode=mode, cval=0.1), M, order=1)


def test_ties_share_equally():
    got = sg.grad(lambda x: np.sum(ndimage.maximum_filter(x, 3, mode="constant")))
    np.testing.assert_allclose(got(np.ones(4)), [5 / 6, 7 / 6, 7 / 6, 5 / 6])


def test_an_output_is_refused():
    with pytest.raises(sg.SourcegradError, match="without output"):
        sg.grad(lambda x: np.sum(ndimage.median_filter(x, 3, output=float)))(M)
