"""Vectors are pushed forward in the phase, and in the basis, that LAPACK gives them."""

import numpy as np
import pytest
from scipy import linalg

import sourcegrad as sg

RNG = np.random.default_rng(29)


def complex_matrix(*shape):
    return RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)


def assert_pushed(f, x, d, first=None):
    """The tangent is that of central differences, in the first columns."""
    h = 1e-6
    expected = ((f(x + h * d) - f(x - h * d)) / (2.0 * h))[..., :first]
    y, pushed = sg.jvp(f, (x,), (d,))
    assert y.dtype == pushed.dtype
    np.testing.assert_allclose(pushed[..., :first], expected, rtol=1e-6, atol=1e-7)
    return pushed


@pytest.mark.parametrize("svd", [np.linalg.svd, linalg.svd])
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (9, 2)])
def test_singular_vectors(svd, shape):
    x, d = complex_matrix(*shape), complex_matrix(*shape)
    for k in (0, 2):
        assert_pushed(lambda x, k=k: svd(x, full_matrices=False)[k], x, d)


@pytest.mark.parametrize("lower", [True, False])
def test_vectors_of_two_matrices(lower):
    x, d, e = complex_matrix(3, 3), complex_matrix(3, 3), complex_matrix(3, 3)

    def by_both(x):
        b = np.eye(3) + 0.1 * x @ np.conj(x.T)
        return linalg.eigh(x + np.conj(x.T), b, lower=lower)[1]

    def by_one(x):
        return linalg.eigh(x, e @ np.conj(e.T) + np.eye(3), lower=lower)[1]

    assert_pushed(by_both, x, d)
    assert_pushed(by_one, x, d)


@pytest.mark.parametrize("lower", [True, False])
def test_vectors_of_one_matrix(lower):
    x, d = complex_matrix(3, 3), complex_matrix(3, 3)

    def f(x):  # the sign that LAPACK gives them jumps
        v = linalg.eigh(x, lower=lower)[1]
        return v * np.sign(np.real(v[1]))

    assert_pushed(f, x, d)


@pytest.mark.parametrize("shape", [(4, 2), (5, 2), (3, 2)])
@pytest.mark.parametrize("kind", [np.real, np.asarray])
def test_columns_that_complete_a_qr(shape, kind):
    x, d = kind(complex_matrix(*shape)), kind(complex_matrix(*shape))
    assert_pushed(lambda x: linalg.qr(x)[0], x, d)
    assert_pushed(lambda x: np.linalg.qr(x, mode="complete")[0], x, d)
    stack = np.stack((x, 2.0 * d))
    assert_pushed(lambda x: np.linalg.qr(x, mode="complete")[0], stack, stack[::-1])


def test_vectors_that_complete_an_svd_have_none_unless_it_is_one():
    x, d = RNG.standard_normal((4, 3)), RNG.standard_normal((4, 3))
    assert_pushed(lambda x: np.linalg.svd(x)[0], x, d)
    for more in (x[:, :2], x + 0.1j * d):
        n = more.shape[1]
        pushed = assert_pushed(lambda x: np.linalg.svd(x)[0], more, d[:, :n], n)
        assert np.isnan(pushed[:, n:]).all()


def test_what_does_not_depend_on_the_phase_is_whole():
    x, d = complex_matrix(4, 3), complex_matrix(4, 3)

    def f(x):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        return (u * s**2) @ vh

    assert_pushed(f, x, d)
