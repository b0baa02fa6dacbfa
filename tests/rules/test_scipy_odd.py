"""Operands of SciPy's functions that are equal, of one element, or complex."""

import itertools

import mpmath
import numpy as np
import pytest
from scipy import fft, linalg, ndimage, special, stats

import sourcegrad as sg

RNG = np.random.default_rng(31)


def complex_array(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


def assert_right(f, x):
    """Both modes agree with central differences, along one direction."""
    h, kind = 1e-6, np.iscomplexobj(x)
    d = complex_array(*np.shape(x)) if kind else RNG.standard_normal(np.shape(x))
    expected = (f(x + h * d) - f(x - h * d)) / (2.0 * h)
    w = RNG.standard_normal(np.shape(expected)) + 0.0
    if np.iscomplexobj(expected):
        w = w + 1j * RNG.standard_normal(np.shape(expected))
    g = sg.vjp(f, x)[1](w[()])[0]
    slope = np.sum(np.real(w * expected))
    np.testing.assert_allclose(np.sum(np.real(g * d)), slope, rtol=1e-6, atol=1e-7)
    pushed = sg.jvp(f, (x,), (d,))[1]
    np.testing.assert_allclose(pushed, expected, rtol=1e-6, atol=1e-7)


# ------------------------------------------------------------------ Carlson's forms

EQUAL = [(1.0, 2.0, 3.0, 3.0), (1.0, 1.0, 1.0, 1.0), (2.0, 1.0, 1.0, 1.0),
         (1.0, 2.0, 3.0, 1.0), (1.0, 2.0, 2.0, 2.0), (0.5, 0.5, 0.5, 2.0)]  # fmt: skip


@pytest.mark.parametrize("point", EQUAL)
def test_carlson_of_equal_operands(point):
    g = sg.grad(lambda v: special.elliprj(v[0], v[1], v[2], v[3]))(np.array(point))
    orders = np.eye(4, dtype=int).tolist()
    expected = [float(mpmath.diff(mpmath.elliprj, point, tuple(n))) for n in orders]
    np.testing.assert_allclose(g, expected, rtol=1e-7)


@pytest.mark.parametrize("f", [special.elliprd, special.elliprj])
def test_second_derivatives_of_equal_operands_are_refused(f):
    n = f.nin
    hessian = sg.hessian(lambda v: f(*[v[k] for k in range(n)]))
    apart = np.arange(1.0, n + 1.0)
    assert np.isfinite(hessian(apart)).all()
    for equal in (np.ones(n), np.append(apart[:-1], 1.0)):
        with pytest.raises(sg.NonDifferentiableError, match="equals the last one"):
            hessian(equal)


# ------------------------------------------------------------------- linear algebra


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("kind", [np.real, np.asarray])
def test_the_other_triangle_of_a_factor_is_that_of_the_matrix(lower, kind):
    a = kind(complex_array(3, 3))
    a = a @ np.conj(a.T) + 3.0 * np.eye(3)
    assert_right(lambda a: linalg.cho_factor(a, lower=lower)[0], a)
    value = sg.vjp(lambda a: linalg.cho_factor(a, lower=lower)[0], a)[0]
    np.testing.assert_array_equal(value, linalg.cho_factor(a, lower=lower)[0])
    assert_right(lambda a: linalg.cho_solve(linalg.cho_factor(a, lower), a[0]), a)


@pytest.mark.parametrize("lower", [True, False])
def test_an_inverse_reads_one_triangle_and_real_diagonal(lower):
    assert_right(lambda a: linalg.pinvh(a, lower=lower), complex_array(3, 3))


def test_vectors_are_no_matrices_of_an_equation():
    q = np.array([[0.3, 0.1], [0.2, 0.4]])
    for call in (
        lambda a: np.sum(linalg.solve_discrete_lyapunov(a, q)),
        lambda a: np.sum(linalg.solve_discrete_lyapunov(a[:1], a[:1])),
    ):
        with pytest.raises(sg.NonDifferentiableError, match="for matrices only"):
            sg.grad(call)(q[0])
        with pytest.raises(sg.NonDifferentiableError, match="for matrices only"):
            sg.jvp(call, (q[0],), (q[0],))


# --------------------------------------------------------------------- one element


@pytest.mark.parametrize("shape", [(3, 1), (1, 1), (3, 2), (1, 4)])
@pytest.mark.parametrize("name", "irfft2 irfftn hfft2 hfftn".split())
def test_spectra_of_one_coefficient(name, shape):
    f, x = getattr(fft, name), complex_array(*shape)
    assert_right(lambda x: f(x), x)
    assert_right(lambda x: f(x, axes=(1, 0)), np.conj(x.T))
    assert_right(lambda x: f(x, s=(2, 3)), x)


@pytest.mark.parametrize("axis", [0, -1, None, (0,)])
@pytest.mark.parametrize("x", [1.5, np.array(1.5)])
def test_numbers_along_an_axis(axis, x):
    assert sg.grad(lambda x: special.logsumexp(x, axis=axis))(x) == 1.0
    assert sg.jvp(lambda x: special.logsumexp(x, axis=axis), (x,), (x,))[1] == 1.5
    assert sg.grad(lambda x: stats.tmean(x, axis=axis))(x) == 1.0
    assert sg.jvp(lambda x: stats.tmean(x, axis=axis), (x,), (x,))[1] == 1.5


# ------------------------------------------------------------------ complex images

IMAGE, KERNEL = complex_array(5, 4), complex_array(3, 2)
PAIRS = [
    (x, w)
    for x, w in itertools.product((IMAGE, IMAGE.real), (KERNEL, KERNEL.real))
    if np.iscomplexobj(x) or np.iscomplexobj(w)
]


@pytest.mark.parametrize("mode", ["reflect", "constant"])
@pytest.mark.parametrize("case", range(len(PAIRS)))
def test_complex_weights(case, mode):
    x, w = PAIRS[case]
    for f in (ndimage.correlate, ndimage.convolve):
        assert_right(lambda x, f=f: f(x, w, mode=mode), x)
        assert_right(lambda w, f=f: f(x, w, mode=mode), w)
    for g in (ndimage.correlate1d, ndimage.convolve1d):
        assert_right(lambda x, g=g: g(x, w[:, 0], mode=mode), x)
        assert_right(lambda w, g=g: g(x, w, mode=mode), w[:, 0])


def test_complex_weights_at_order_two():
    def total(w):
        y = ndimage.convolve(IMAGE, w * w)
        return np.sum(np.real(y * np.conj(y)))

    assert_right(lambda w: sg.grad(total)(w), KERNEL)

    def of_image(x):
        y = ndimage.correlate(x * x, KERNEL)
        return np.sum(np.real(y * np.conj(y)))

    assert_right(lambda x: sg.grad(of_image)(x), IMAGE)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: ndimage.rotate(x, 7.0),
        lambda x: ndimage.affine_transform(x, np.array([[0.9, 0.1], [0.0, 1.1]])),
        lambda x: ndimage.map_coordinates(x, np.array([[0.5, 1.2], [1.3, 2.4]])),
        lambda x: ndimage.map_coordinates(x, np.array([[0.5], [1.3]]), order=1),
    ],
)
def test_complex_images_are_resampled(f):
    assert_right(f, IMAGE)
