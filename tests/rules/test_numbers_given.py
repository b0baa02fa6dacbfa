"""Numbers and lists given to SciPy for vectors and matrices, as SciPy takes them."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad import NonDifferentiableError, grad, jvp

linalg = pytest.importorskip("scipy.linalg")
ndimage = pytest.importorskip("scipy.ndimage")
fft = pytest.importorskip("scipy.fft")
signal = pytest.importorskip("scipy.signal")
stats = pytest.importorskip("scipy.stats")
distance = pytest.importorskip("scipy.spatial.distance")

STEP = 1e-5

PROGRAMS = {
    "solve": lambda x: np.sum(linalg.solve(2.0, x)) + np.sum(linalg.solve(x, 3)) * 0.5,
    "lists": lambda x: np.sum(linalg.solve([[x, 1.0], [0.5, 2]], (x, 1.0)) ** 2),
    "cholesky": lambda x: np.sum(linalg.cholesky(x) ** 3),
    "lu_factor": lambda x: np.sum(linalg.lu_factor(x)[0] ** 3),
    "expm": lambda x: np.sum(linalg.expm(x)),
    "lyapunov": lambda x: np.sum(linalg.solve_continuous_lyapunov(x, 2.0)),
    "toeplitz": lambda x: np.sum(linalg.toeplitz(x, [x, x * x])),
    "circulant": lambda x: np.sum(linalg.circulant(x) ** 2),
    "hankel": lambda x: np.sum(linalg.hankel([x, 1.0, x]) ** 2),
    "squareform": lambda x: np.sum(distance.squareform(x) ** 2),
    "convolve": lambda x: signal.convolve(x, x) * 0.5 + signal.fftconvolve(2.0, x),
    "fftn": lambda x: np.sum(np.abs(fft.fftn([x, 2.0, x * x], 2)) ** 2),
    "rfftn": lambda x: np.sum(np.abs(fft.rfftn([x, 2.0, x * x], axes=0)) ** 2),
    "means": lambda x: stats.gmean(x) * 2 + stats.hmean(x) + stats.pmean([x, 1], 3),
    "hfftn": lambda x: np.sum(fft.hfftn([x, 2.0, x * x], 3, 0) ** 2),
    "circulant solve": lambda x: np.sum(linalg.solve_circulant(x, x * x)),
    "filters": lambda x: ndimage.gaussian_filter(x, 1.0) * ndimage.uniform_filter(x),
    "lfilter": lambda x: np.sum(signal.lfilter(x, 2.0 * x * x, TAPS)),
    "moments": lambda x: np.sum(stats.moment(x * x, 1, nan_policy="propagate")) + x,
    "slope": lambda x: stats.boxcox_llf(x, TAPS),
}
TAPS = np.array([0.3, 0.7, 1.1])


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_and_lists_given_for_arrays(name):
    f = PROGRAMS[name]
    expected = (f(1.3 + STEP) - f(1.3 - STEP)) / (2 * STEP)
    assert grad(f)(1.3) == pytest.approx(expected, rel=1e-6)
    assert jvp(f, (1.3,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)
    x, one = np.array(1.3), np.array(1.0)
    assert float(grad(f)(x)) == pytest.approx(expected, rel=1e-6)
    assert float(jvp(f, (x,), (one,))[1]) == pytest.approx(expected, rel=1e-6)


NO_NUMBERS = {
    "sqrtm": lambda x: np.sum(linalg.sqrtm(x)),
    "sylvester": lambda x: np.sum(linalg.solve_sylvester(np.eye(2), np.eye(2), x)),
    "laplace": lambda x: np.sum(ndimage.laplace(x)),
    "convolve": lambda x: np.sum(ndimage.convolve(x, 2.0)),
    "correlate": lambda x: np.sum(ndimage.correlate(2.0, x)),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
@pytest.mark.parametrize("x", [1.3, np.float32(1.3), np.array(1.3)])
def test_numbers_that_rules_do_not_follow_are_refused(name, x):
    with pytest.raises(NonDifferentiableError, match="number") as caught:
        grad(NO_NUMBERS[name])(x)
    assert caught.value.where is not None
    with pytest.raises(NonDifferentiableError, match="number"):
        jvp(NO_NUMBERS[name], (x,), (np.ones_like(x),))


REFUSED = {
    "circulant": lambda x: np.sum(linalg.circulant(x) ** 2),
    "toeplitz": lambda x: np.sum(linalg.toeplitz(x[0], x) ** 2),
    "hankel": lambda x: np.sum(linalg.hankel(x[0], x) ** 2),
    "polar": lambda x: np.sum(linalg.polar(x)[1] ** 2),
    "lu_factor": lambda x: np.sum(linalg.lu_factor(x)[0] ** 2),
    "moment": lambda x: np.sum(stats.moment(x.ravel(), np.array([2, 3]))),
    "jensenshannon": lambda x: np.sum(distance.jensenshannon(x, x[:, 0])),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("name", REFUSED)
def test_shapes_without_a_rule_are_refused(name):
    x = np.array([[1.0, 0.2, 0.3], [0.4, 0.7, 0.6]])
    with pytest.raises(NonDifferentiableError):
        grad(REFUSED[name])(x)
    with pytest.raises(NonDifferentiableError):
        jvp(REFUSED[name], (x,), (x,))
