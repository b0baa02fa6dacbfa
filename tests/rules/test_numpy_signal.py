"""The rules of convolution, gradients and polynomials, against differences."""

import numpy as np
import pytest

from .check import check

V = np.array([0.7, -1.3, 2.1, 0.3, 1.1])
K = np.array([1.0, -2.0, 0.5])
A = np.arange(20.0).reshape(4, 5) ** 1.5 / 7
MODES = ["full", "same", "valid"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pair", [(V, K), (K, V), (V, K[:2]), (V + 1j, K * 1j)])
def test_convolutions(pair, mode):
    check(np.convolve, *pair, mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "pair", [(V, K), (V, K[:2]), (K, V), (K[:2], V), (V + 1j, K * (1 + 2j))]
)
def test_correlations(pair, mode):
    check(np.correlate, *pair, mode)


CASES = [
    (np.gradient, V),
    (np.gradient, V, 0.3),
    (np.gradient, V, np.array([0.0, 0.5, 2.0, 2.5, 4.0])),
    (np.unwrap, 4 * V),
    (np.polyval, K, V),
    (np.polyval, K, 1.5),
    (np.polyadd, K, V),
    (np.polysub, K, V),
    (np.polymul, K, V),
    (np.polyder, V),
    (np.polyint, V),
    (np.polyint, V, 2),
    (np.poly, V),
    (np.roots, V),
    (np.polyfit, V, A[1], 2),
    (np.polyfit, V, A.T, 1),
    (np.polyder, V, 2),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


def test_gradient_along_an_axis():
    check(np.gradient, A, 0.3, axis=1)
    check(np.gradient, A, 0.3, axis=0, edge_order=2)
    x = np.array([0.0, 0.5, 2.0, 2.5, 4.0])
    check(np.gradient, A, x, axis=1, edge_order=2)
