"""`scipy.stats.gaussian_kde` in points, data and bandwidth."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import stats

from tests.rules.scipy_check import agrees

DATA = np.array([0.3, -1.2, 0.9, 2.1, 0.4])
PLANE = np.stack((DATA, np.cos(2.0 * DATA)))
ON_LINE = stats.gaussian_kde(DATA)
IN_PLANE = stats.gaussian_kde(PLANE, "silverman", weights=np.arange(1.0, 6.0))
X = np.array([0.2, 0.7, -0.5])

CASES = [
    (lambda x: ON_LINE(x), X),
    (lambda x: ON_LINE.logpdf(x), X),
    (lambda x: IN_PLANE(np.stack((x, x**2))), X),
    (lambda x: IN_PLANE.pdf(x[:2]), X),
    (lambda x: IN_PLANE.logpdf(np.stack((x, x**2))), X),
    (lambda x: stats.gaussian_kde(x)(X), DATA),
    (lambda x: stats.gaussian_kde(x, "silverman").evaluate(X), DATA),
    (lambda x: stats.gaussian_kde(np.stack((x, x**2))).logpdf(x[:2]), DATA),
    (lambda h: stats.gaussian_kde(DATA, h[0]).pdf(X), np.array([0.4])),
]


@pytest.mark.parametrize("case", CASES)
def test_orders_one_and_two(case):
    f, x = case
    np.testing.assert_allclose(sg.vjp(f, x)[0], f(x), rtol=1e-12)
    agrees(f, x)


def test_a_number_as_point():
    f = sg.grad(lambda t: ON_LINE(t)[0])
    want = (ON_LINE(0.3 + 1e-5) - ON_LINE(0.3 - 1e-5))[0] / 2e-5
    assert f(0.3) == pytest.approx(want, rel=1e-8)
