"""Transforms of SciPy: every type, normalisation, length and set of axes."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import fft

from tests.rules.scipy_check import agrees

X = np.array([1.3, 0.7, 2.1, -0.4, 0.2])
M = np.array([[2.0, 0.3, -0.4, 0.7], [0.1, 1.5, 0.2, -1.1], [0.5, -0.3, 1.8, 0.6]])


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_cosine_and_sine_transforms(name, kind, norm):
    transform = getattr(fft, name)
    matrix = transform(np.eye(5), kind, axis=0, norm=norm)
    g = np.cos(np.arange(5.0))
    _, pullback = sg.vjp(lambda x: transform(x, kind, norm=norm), X)
    np.testing.assert_allclose(pullback(g)[0], g @ matrix, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("norm", [None, "ortho", "forward", "backward"])
@pytest.mark.parametrize("n", [None, 4, 7])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "ihfft"])
def test_transforms_of_real_signals(name, n, norm):
    transform = getattr(fft, name)
    matrix = transform(np.eye(5), n, axis=0, norm=norm)
    y, pullback = sg.vjp(lambda x: transform(x, n, norm=norm), X)
    g = np.cos(np.arange(len(y))) + 1j * np.sin(1.0 + np.arange(len(y)))
    expected = np.real(g @ matrix)
    np.testing.assert_allclose(pullback(g)[0], expected, rtol=1e-12, atol=1e-13)
    assert not np.shares_memory(pullback(g)[0], g)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("n", [None, 4, 7])
@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft"])
def test_transforms_of_complex_signals(name, n, norm):
    transform = getattr(fft, name)
    z = X + 1j * X**2
    rows = transform(np.eye(5), n, axis=0, norm=norm)
    turned = transform(1j * np.eye(5), n, axis=0, norm=norm)
    y, pullback = sg.vjp(lambda z: transform(z, n, norm=norm), z)
    g = np.cos(np.arange(len(y)))  # z_bar pairs as real(z_bar * z_dot) does
    expected = np.real(g @ rows) - 1j * np.real(g @ turned)
    np.testing.assert_allclose(pullback(g)[0], expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "ifftn"])
def test_single_precision_stays(name, dtype):
    transform = getattr(fft, name)
    x = M.astype(dtype)
    y, pullback = sg.vjp(lambda x: transform(x), x)
    assert y.dtype == np.complex64 and pullback(np.ones_like(y))[0].dtype == dtype


CASES = [
    (lambda x: np.abs(fft.fft2(x, (2, 5), axes=(1, 0))), M),
    (lambda x: np.imag(fft.ifft2(x + 1j * x**2, norm="ortho")), M),
    (lambda x: np.abs(fft.fftn(x, s=(4,), axes=(0,))), M),
    (lambda x: np.abs(fft.ifftn(x, s=(2, 5))), M),
    (lambda x: np.abs(fft.fft(x, 3, 0) * fft.ifft(x**2, 3, axis=0)), M),
    (lambda x: fft.dct(x, n=7) ** 2, X),
    (lambda x: fft.dct(x, 3, n=4, norm="forward") ** 2, X),
    (lambda x: fft.dst(x, axis=0) ** 2, M),
    (lambda x: (0.1 * fft.dctn(x)) ** 2, M),
    (lambda x: fft.idctn(x, 3, axes=(0,)) ** 2, M),
    (lambda x: fft.dstn(x, 2, s=(2, 5), norm="ortho") ** 2, M),
    (lambda x: fft.idstn(x, axes=(1,)) ** 2, M),
    (lambda x: fft.fftshift(x**2) * fft.ifftshift(x, axes=1), M),
    (lambda x: fft.hfft(x + 1j * x**2), X),
    (lambda x: np.abs(fft.ihfft(x)), X),
    (lambda x: fft.hfft2(x + 1j * x**2), M),
    (lambda x: np.abs(fft.ihfft2(x, norm="ortho")), M),
    (lambda x: fft.hfftn(np.exp(1j * x), axes=(0, 1), norm="forward"), M),
    (lambda x: np.imag(fft.ihfftn(x, axes=(0,))), M),
    (lambda x: np.abs(fft.rfftn(x, s=(4, 3))), M),
    (lambda x: fft.irfft2(fft.rfft2(x) ** 2, s=(3, 4)), M),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__code__.co_names[1])
def test_orders_one_and_two(case):
    agrees(*case)


def test_orthogonalize_on_its_own_is_refused():
    with pytest.raises(sg.SourcegradError, match="orthogonalize"):
        sg.grad(lambda x: np.sum(fft.dct(x, orthogonalize=True)))(X)


def test_frequencies_in_the_spacing():
    for f in (np.fft.fftfreq, np.fft.rfftfreq, fft.fftfreq, fft.rfftfreq):
        g = sg.grad(lambda d, f=f: np.sum(f(5, d) ** 2))(0.5)
        assert g == sum(-2.0 * f(5) ** 2 / 0.5**3)
