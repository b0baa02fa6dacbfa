"""SciPy's functions, and their adjoints, as plain data.

Each row is a name, the shape of ``x``, the function of ``x``, and its adjoint: what the
cotangent ``g`` of the result ``y`` contributes to that of ``x``. For the
factorisations it is the whole: function and adjoint.
"""

import numpy as np
from scipy import (
    fft,
    integrate,
    interpolate,
    linalg,
    ndimage,
    signal,
    sparse,
    special,
    stats,
)
from scipy.spatial import distance

from benchmarks.rules_arrays import lower

VECTOR, IMAGE, SQUARE = (1_000_000,), (1000, 1000), (300, 300)
_rng = np.random.default_rng(15)
C = _rng.uniform(0.1, 0.9, 1_000_000)
ROOT_PI = np.sqrt(np.pi)
ROOT_2PI = np.sqrt(2.0 * np.pi)
KERNEL, STENCIL = _rng.random(301), _rng.random((5, 5))
B, A = signal.butter(4, 0.2)
MATRIX = sparse.random_array((10_000, 10_000), density=0.01, rng=_rng, format="csr")
SPLINE = interpolate.CubicSpline(np.linspace(0.0, 1.0, 50), _rng.random(50))
POINTS = _rng.random((1000, 8))
RIGHT = _rng.random((300, 300))
EYE = 300.0 * np.eye(300)
TRIANGLE = np.tril(_rng.random((300, 300))) + 30.0 * np.eye(300)


def _softmax(g, x, y):
    x_bar = g - np.sum(g * y, axis=1, keepdims=True)
    x_bar *= y
    return x_bar


def _rfft(g, x, y):
    half = 0.5 * len(x) * np.conj(g)
    half[0] *= 2.0
    half[-1] *= 2.0
    return fft.irfft(half, len(x))


def _distances(g, x, y):
    weights = g / y
    return np.sum(weights, axis=1)[:, None] * x - weights @ POINTS


def _trapezoid(g, x, y):
    x_bar = np.full_like(x, g)
    x_bar[0] *= 0.5
    x_bar[-1] *= 0.5
    return x_bar


def _running_trapezoid(g, x, y):
    total = 0.5 * np.cumsum(g[::-1])[::-1]
    x_bar = np.empty_like(x)
    x_bar[0], x_bar[-1] = total[0], total[-1]
    np.add(total[1:], total[:-1], out=x_bar[1:-1])
    return x_bar


def _solved(g, x):
    # SciPy hands out no factorisation: a second one is the price of its exact value
    a = x + EYE
    y = linalg.solve(a, RIGHT)
    return y, -linalg.solve(a.T, g) @ y.T


def _inverse(g, x):
    y = linalg.inv(x + EYE)
    return y, -y.T @ g @ y.T


def _determinant(g, x):
    a = x / 300.0 + np.eye(300)
    y = linalg.det(a)
    return y, (g * y / 300.0) * linalg.inv(a).T


def _cholesky(g, x):
    low = linalg.cholesky(x + EYE, lower=True)
    p = np.tril(low.T @ g)
    p[np.diag_indices(300)] *= 0.5
    half = linalg.solve_triangular(low, p, lower=True, trans=1)
    return low, lower(linalg.solve_triangular(low, half.T, lower=True, trans=1))


def _triangular(g, x):
    y = linalg.solve_triangular(TRIANGLE, x, lower=True)
    return y, linalg.solve_triangular(TRIANGLE, g, lower=True, trans=1)


def _eigenvalues(g, x):
    w, v = linalg.eigh(x)
    return w, lower((v * g) @ v.T)


def _singular_values(g, x):
    u, s, vt = linalg.svd(x, full_matrices=False)
    return s, (u * g) @ vt


def _exponential(g, x):
    a = x / 300.0
    y = linalg.expm(a)
    return y, linalg.expm_frechet(a.T, g, compute_expm=False) / 300.0


# fmt: off
ROWS = (
    ("special.gammaln", VECTOR, lambda x: special.gammaln(x),
     lambda g, x, y: g * special.digamma(x)),
    ("special.erf", VECTOR, lambda x: special.erf(x),
     lambda g, x, y: (2.0 / ROOT_PI) * g * np.exp(-x * x)),
    ("special.erfinv", VECTOR, lambda x: special.erfinv(x),
     lambda g, x, y: (0.5 * ROOT_PI) * g * np.exp(y * y)),
    ("special.expit", VECTOR, lambda x: special.expit(x),
     lambda g, x, y: g * y * (1.0 - y)),
    ("special.logit", VECTOR, lambda x: special.logit(x),
     lambda g, x, y: g / (x * (1.0 - x))),
    ("special.ndtr", VECTOR, lambda x: special.ndtr(x),
     lambda g, x, y: (1.0 / ROOT_2PI) * g * np.exp(-0.5 * x * x)),
    ("special.log_ndtr", VECTOR, lambda x: special.log_ndtr(x),
     # the exponent -x**2 / 2 - y loses its digits where x is far below 0
     lambda g, x, y: (2.0 / ROOT_2PI) * g / special.erfcx(-x / np.sqrt(2.0))),
    ("special.j0", VECTOR, lambda x: special.j0(x),
     lambda g, x, y: -g * special.j1(x)),
    ("special.i0", VECTOR, lambda x: special.i0(x),
     lambda g, x, y: g * special.i1(x)),
    ("special.kv", (100_000,), lambda x: special.kv(1.5, x),
     lambda g, x, y: -0.5 * g * (special.kv(0.5, x) + special.kv(2.5, x))),
    ("special.xlogy", VECTOR, lambda x: special.xlogy(C, x),
     lambda g, x, y: g * C / x),
    ("special.gammainc", (300_000,), lambda x: special.gammainc(1.7, x),
     # by logarithms, since x**(a - 1) overflows where a is large; x = 0 is no trouble
     lambda g, x, y: g * np.exp(special.xlogy(0.7, x) - x - special.gammaln(1.7))),
    ("special.logsumexp", VECTOR, lambda x: special.logsumexp(x),
     lambda g, x, y: g * np.exp(x - y)),
    ("special.softmax", (1000, 1000), lambda x: special.softmax(x, axis=1), _softmax),
    ("fft.dct", VECTOR, lambda x: fft.dct(x, norm="ortho"),
     lambda g, x, y: fft.idct(g, norm="ortho")),
    ("fft.fft", VECTOR, lambda x: fft.fft(x), lambda g, x, y: np.real(fft.fft(g))),
    ("fft.rfft", VECTOR, lambda x: fft.rfft(x), _rfft),
    ("signal.fftconvolve", (200_000,), lambda x: signal.fftconvolve(x, KERNEL, "same"),
     lambda g, x, y: signal.fftconvolve(g, KERNEL[::-1], "same")),
    ("signal.convolve2d", IMAGE, lambda x: signal.convolve2d(x, STENCIL, "same"),
     lambda g, x, y: signal.correlate2d(g, STENCIL, "same")),
    ("signal.lfilter", VECTOR, lambda x: signal.lfilter(B, A, x),
     lambda g, x, y: signal.lfilter(B, A, g[::-1])[::-1].copy()),
    ("ndimage.gaussian_filter", IMAGE,
     lambda x: ndimage.gaussian_filter(x, 2.0, mode="constant"),
     lambda g, x, y: ndimage.gaussian_filter(g, 2.0, mode="constant")),
    ("ndimage.uniform_filter", IMAGE,
     lambda x: ndimage.uniform_filter(x, 5, mode="constant"),
     lambda g, x, y: ndimage.uniform_filter(g, 5, mode="constant")),
    ("ndimage.correlate", IMAGE,
     lambda x: ndimage.correlate(x, STENCIL, mode="constant"),
     lambda g, x, y: ndimage.convolve(g, STENCIL, mode="constant")),
    ("stats.norm.logpdf", VECTOR, lambda x: stats.norm.logpdf(x, 0.3, 1.7),
     lambda g, x, y: g * (0.3 - x) / 1.7**2),
    ("stats.norm.cdf", VECTOR, lambda x: stats.norm.cdf(x, 0.3, 1.7),
     lambda g, x, y: g / (1.7 * ROOT_2PI) * np.exp(-0.5 * ((x - 0.3) / 1.7) ** 2)),
    ("stats.gamma.logpdf", VECTOR, lambda x: stats.gamma.logpdf(x, 2.5),
     lambda g, x, y: np.where(x < 0.0, 0.0, g * (1.5 / x - 1.0))),
    ("stats.t.logpdf", VECTOR, lambda x: stats.t.logpdf(x, 4.0),
     lambda g, x, y: -5.0 * g * x / (4.0 + x * x)),
    ("interpolate.CubicSpline", VECTOR, lambda x: SPLINE(x),
     lambda g, x, y: g * SPLINE(x, 1)),
    ("sparse @ x", (10_000,), lambda x: MATRIX @ x, lambda g, x, y: MATRIX.T @ g),
    ("integrate.trapezoid", VECTOR, lambda x: integrate.trapezoid(x), _trapezoid),
    ("integrate.cumulative_trapezoid", VECTOR,
     lambda x: integrate.cumulative_trapezoid(x), _running_trapezoid),
    ("distance.cdist", (1000, 8), lambda x: distance.cdist(x, POINTS), _distances),
)

FACTORISATIONS = (
    ("linalg.solve", SQUARE, lambda x: linalg.solve(x + EYE, RIGHT), _solved),
    ("linalg.inv", SQUARE, lambda x: linalg.inv(x + EYE), _inverse),
    ("linalg.det", SQUARE, lambda x: linalg.det(x / 300.0 + np.eye(300)),
     _determinant),
    ("linalg.cholesky", SQUARE, lambda x: linalg.cholesky(x + EYE, lower=True),
     _cholesky),
    ("linalg.solve_triangular", SQUARE,
     lambda x: linalg.solve_triangular(TRIANGLE, x, lower=True), _triangular),
    ("linalg.eigh", SQUARE, lambda x: linalg.eigh(x)[0], _eigenvalues),
    ("linalg.svd", SQUARE, lambda x: linalg.svd(x, full_matrices=False)[1],
     _singular_values),
    ("linalg.expm", SQUARE, lambda x: linalg.expm(x / 300.0), _exponential),
)
