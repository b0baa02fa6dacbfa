"""The rules of Fourier transforms, against differences, for even and odd lengths."""

import numpy as np
import pytest

from .check import check

RNG = np.random.default_rng(6)
NORMS = [None, "ortho", "forward"]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", [None, 4, 7])
@pytest.mark.parametrize("size", [5, 6])
@pytest.mark.parametrize("name", "fft ifft rfft irfft hfft ihfft".split())
def test_one_axis(name, size, n, norm):
    x = RNG.normal(size=(3, size))
    target = getattr(np.fft, name)
    check(target, x, n, norm=norm)
    check(target, x.T, n, 0, norm)
    if name not in ("rfft", "ihfft"):
        check(target, x + 1j * RNG.normal(size=x.shape), n, norm=norm)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    "name", "fft2 ifft2 fftn ifftn rfft2 rfftn irfft2 irfftn".split()
)
def test_several_axes(name, norm):
    x = RNG.normal(size=(3, 4, 5))
    target = getattr(np.fft, name)
    check(target, x, norm=norm)
    check(target, x, axes=(0, 1), norm=norm)
    check(target, x, (4, 6), (0, 2), norm)
    if name[0] != "r":
        check(target, x + 1j * RNG.normal(size=x.shape), norm=norm)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
def test_shifts(name):
    check(getattr(np.fft, name), RNG.normal(size=(3, 4)))
    check(getattr(np.fft, name), RNG.normal(size=(3, 5)), 1)
