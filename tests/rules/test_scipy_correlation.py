"""Correlation and regression of `scipy.stats`, with their p-values."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import stats

from tests.rules.scipy_check import agrees
from tests.rules.versions import SCIPY

RNG = np.random.default_rng(2)
X = RNG.normal(size=9)
Y = 0.5 * X + RNG.normal(size=9)
SHUFFLED = stats.PermutationMethod()
M = RNG.normal(size=(2, 3, 6))


def unpacked_line(x):
    slope, intercept, r, p, error = stats.linregress(x, Y)
    return np.stack((slope, intercept, r, p, error))


def unpacked_correlation(x):
    r, p = stats.pearsonr(x, Y)
    return r * p


def residuals(x):
    line = stats.linregress(x, Y)
    return Y - line.slope * x - line.intercept


CASES = [
    (lambda x: stats.pearsonr(x, Y)[0], X, 2),
    (lambda x: stats.pearsonr(x, Y).pvalue, X, 1),
    (lambda x: stats.pearsonr(X, x, alternative="less").pvalue, Y, 1),
    (lambda x: stats.pearsonr(x, Y, alternative="greater")[1], X, 1),
    (lambda x: stats.pointbiserialr(X > 0.0, x)[0], Y, 1),
    (lambda x: stats.linregress(X, x, "less").pvalue, Y, 1),
    (lambda x: stats.linregress(x, x**2).stderr, X, 2),
    (lambda x: stats.linregress(x, Y).intercept_stderr, X, 1),
    (lambda x: stats.linregress(x, Y)[1], X, 1),
    (unpacked_line, X, 2),
    (unpacked_correlation, X, 1),
    (residuals, X, 1),
]
if SCIPY >= (1, 14):
    CASES += [
        (lambda x: stats.pearsonr(x[0], x[1]).statistic, M, 1),
        (lambda x: stats.pearsonr(x[0], x[1], axis=1).pvalue, M, 1),
        (lambda x: stats.pearsonr(x[0], x[1], axis=None)[1], M, 1),
    ]


@pytest.mark.parametrize("k", range(len(CASES)))
def test_derivatives(k):
    f, x, order = CASES[k]
    y, _ = sg.vjp(f, x)
    np.testing.assert_allclose(y, f(x), rtol=1e-10, atol=1e-13)
    agrees(f, x, order)


def test_two_points_and_points_on_a_line_have_no_slope():
    for f in (
        lambda x: stats.pearsonr(x[:2], Y[:2])[0],
        lambda x: stats.pearsonr(x, 2.0 * x)[0],
    ):
        np.testing.assert_allclose(sg.grad(f)(X), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda x: stats.linregress(x[:2], Y[:2]).slope, "at least 3"),
        (lambda x: np.sum(stats.linregress(M[0] + x[0], M[1]).slope), "two vectors"),
        (lambda x: np.sum(stats.pearsonr(M[0, :, :1] * x, Y)[0]), "expand_dims"),
        (lambda x: stats.pearsonr(x, Y).confidence_interval()[0], "confidence"),
        (lambda x: stats.pearsonr(x, Y, method=SHUFFLED)[0], "method=None"),
        (lambda x: stats.spearmanr(x, Y)[0], "use pearsonr"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(X)
