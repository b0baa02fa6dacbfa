"""Numbers and lists given to SciPy for vectors and matrices, as SciPy takes them."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad import NonDifferentiableError, grad, jvp

linalg = pytest.importorskip("scipy.linalg")
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
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_and_lists_given_for_arrays(name):
    f = PROGRAMS[name]
    expected = (f(1.3 + STEP) - f(1.3 - STEP)) / (2 * STEP)
    assert grad(f)(1.3) == pytest.approx(expected, rel=1e-6)
    assert jvp(f, (1.3,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)


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
