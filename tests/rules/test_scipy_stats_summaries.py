"""Mean, variance and entropy of SciPy's distributions, in their parameters."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import stats

from tests.rules.scipy_check import agrees

NONE = ("norm", "expon", "uniform", "logistic", "laplace", "gumbel_r")
ONE = ("gamma", "chi2", "lognorm", "weibull_min")
METHODS = ("mean", "var", "std", "entropy")
X = np.array([0.7, 1.3, 0.9, 1.6])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NONE + ONE + ("beta",))
def test_summaries(name, method):
    summary = getattr(getattr(stats, name), method)
    if name in NONE:
        agrees(lambda x: summary(x[0], x[1]), X, order=1)
    elif name in ONE:
        agrees(lambda x: summary(x[0], x[1], scale=x[2]), X, order=1)
    else:
        agrees(lambda x: summary(x[0], x[1], x[2], x[3]), X, order=1)


def test_frozen_distributions_and_order_two():
    agrees(lambda x: stats.gamma(x[0], scale=x[1]).entropy(), X)
    agrees(lambda x: stats.beta(x[0], x[1]).std() + stats.norm(x[2], x[3]).var(), X)
    shapes = np.stack((X, X**2))
    got = sg.grad(lambda a: np.sum(stats.gamma.mean(a, scale=2.0)))(shapes)
    np.testing.assert_allclose(got, 2.0)


WEIGHTS = np.array([0.4, 1.1, 0.7, 1.6])
SQUARE = 1.0 + 0.4 * np.cos(np.arange(16.0)).reshape(4, 4)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: stats.gmean(a, axis=0, weights=WEIGHTS),
        lambda a: stats.hmean(a, axis=1, weights=a[0]),
        lambda a: stats.pmean(a, 2.0, axis=0, weights=WEIGHTS),
        lambda a: stats.pmean(a, 0, axis=0, weights=WEIGHTS),
        lambda a: stats.kurtosis(a[:3], bias=False),
        lambda a: stats.skew(a[:2], bias=False),
    ],
)
def test_weights_are_broadcast_and_few_elements_not_corrected(f):
    agrees(f, SQUARE, order=1)
