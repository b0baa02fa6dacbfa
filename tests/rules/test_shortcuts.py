"""Where a helper of an adjoint takes a shortcut, it gives what the long way gives."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad as sg
from sourcegrad.runtime_shapes import undiff
from sourcegrad.runtime_spatial import pulls
from sourcegrad.runtime_special import quotient, shares

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_undiff_is_the_transpose_of_diff(n, axis, dtype):
    x = RNG.standard_normal((5, 4)).astype(dtype)
    y = np.diff(x, n, axis)
    g = np.asfortranarray(RNG.standard_normal(y.shape)).astype(dtype)
    x_bar = undiff(g, n, axis, x.shape)
    assert x_bar.dtype == dtype and x_bar.shape == x.shape
    assert not np.shares_memory(x_bar, g)
    assert_allclose(np.sum(x_bar * x), np.sum(g * y), rtol=1e-4)


@pytest.mark.parametrize("n", [1, 2])
def test_a_difference_of_too_few_elements(n):
    assert undiff(np.zeros((3, 0)), n, -1, (3, 1)).tolist() == [[0.0]] * 3
    one = undiff(np.array([2.0]), n, 0, (n + 1,))
    assert one.tolist() == ([-2.0, 2.0] if n == 1 else [2.0, -4.0, 2.0])


def test_a_gradient_through_a_spectrum_is_memory_of_its_own():
    x = RNG.standard_normal(8)
    y, pullback = sg.vjp(lambda x: np.fft.rfft(x), x)
    seed = np.ones_like(y)
    first = pullback(seed)[0]
    kept = first.copy()
    second = pullback(seed)[0]
    second[:] = 7.0
    assert first.flags.writeable and np.array_equal(first, kept)
    padded = sg.vjp(lambda x: np.fft.rfft(x, 5), x)[1](np.ones(3, complex))[0]
    assert padded.shape == (8,) and padded[5:].tolist() == [0.0] * 3


def long_way(g, y, u, v):
    return np.sum((g / y)[..., None] * (u[:, None] - v[None]), axis=1)


@pytest.mark.parametrize("spread", [1.0, 1e-3, 1e-7])
def test_pulls_of_points_close_together_and_apart(spread):
    u = 1.0 + spread * RNG.standard_normal((6, 3))
    v = np.concatenate((u + spread * 1e-3, RNG.standard_normal((2, 3)) * 5.0))
    y = np.linalg.norm(u[:, None] - v[None], axis=-1)
    g = RNG.standard_normal(y.shape)
    assert_allclose(pulls(g, y, u, v), long_way(g, y, u, v), rtol=1e-9)


def test_pulls_of_more_points_than_are_worked_on_at_once():
    rng = np.random.default_rng(6)
    u, v = rng.standard_normal((300, 3)), rng.standard_normal((500, 3))
    g, y = rng.standard_normal((300, 500)), np.linalg.norm(u[:, None] - v, axis=-1)
    assert_allclose(pulls(g, y, u, v), long_way(g, y, u, v), rtol=1e-9)
    assert_allclose(pulls(g, 1.0, u, v), long_way(g, 1.0, u, v), rtol=1e-9)
    wide = rng.standard_normal((2, 70_000))
    assert_allclose(
        pulls(wide, 2.0, u[:2], np.ones((70_000, 3))),
        long_way(wide, 2.0, u[:2], np.ones((70_000, 3))),
        rtol=1e-7,
    )


def test_pulls_of_sizes_whose_squares_overflow():
    u, v = np.array([[1.0, 2.0]]), np.array([[0.0, 0.0], [3.0, 1.0]])
    g, y = np.array([[1e200, 1e201]]), np.ones((1, 2))
    assert_allclose(pulls(g, y, u, v), long_way(g, y, u, v), rtol=1e-12)


@pytest.mark.parametrize("size", [1.0, 1e-200, 1e170])
def test_pulls_of_weights_whose_squares_are_no_numbers(size):
    u = 1.0 + 1e-9 * RNG.standard_normal((4, 2))
    v = np.concatenate((u + 1e-12, [[-3.0, 5.0]]))
    y = np.linalg.norm(u[:, None] - v[None], axis=-1)
    g = size * RNG.standard_normal(y.shape)
    g[:, -1] = 0.0  # the far point stretches the sums, and has no part in them
    assert_allclose(pulls(g, y, u, v), long_way(g, y, u, v), rtol=1e-9)


def test_shares_beside_masked_and_infinite_elements():
    a = np.array([0.0, -np.inf, np.log(3.0)])
    assert_allclose(shares(a, np.log(4.0), None), [0.25, 0.0, 0.75])
    assert shares(np.full(3, -np.inf), -np.inf, None).tolist() == [0.0] * 3
    top = shares(np.array([np.inf, 1.0, np.inf]), np.inf, None)
    assert top.tolist() == [0.5, 0.0, 0.5]
    rows = shares(
        np.array([[0.0, 0.0], [-np.inf, -np.inf]]), [[np.log(2)], [-np.inf]], 1
    )
    assert_allclose(rows, [[0.5, 0.5], [0.0, 0.0]])


def test_an_infinite_element_of_weight_zero_has_no_share():
    special = pytest.importorskip("scipy.special")
    a, b = np.array([0.0, np.inf, 0.0]), np.array([1.0, 0.0, 1.0])
    found = sg.grad(lambda a: special.logsumexp(a, b=b))(a)
    assert_allclose(found, [0.5, 0.0, 0.5])


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.complex128])
@pytest.mark.parametrize("y", [0.0, 2.0, np.inf, -np.inf])
def test_a_quotient_of_zero_is_zero(kind, y):
    assert quotient(kind(0.0), y) == 0.0
    found = quotient(np.array([0.0, 3.0]).astype(kind), np.array([y, 2.0]))
    assert found[0] == 0.0 and found[1] == 1.5


def test_zero_times_a_logarithm_has_no_slope():
    special = pytest.importorskip("scipy.special")
    y = np.array([np.nan, 0.0, 2.0])
    found = sg.grad(lambda y: np.sum(special.xlogy(np.array([0.0, 0.0, 3.0]), y)))(y)
    assert found.tolist() == [0.0, 0.0, 1.5]


def test_numbers_of_a_chain_are_one_number():
    def f(x):
        return np.sum(np.sin(-(x * 3.0 / 1.5) / 0.7) / 1.7)

    x = RNG.standard_normal(4)
    step = 1e-30j  # complex step: the program is analytic
    expected = [np.imag(f(x + step * (np.arange(4) == k))) / 1e-30 for k in range(4)]
    assert_allclose(sg.grad(f)(x), expected, rtol=1e-14)
    text = sg.grad(lambda x: np.sum(np.sin(-x / 1.7) / 1.7)).source(x)
    assert "y_bar * np.cos(-(x / 1.7))" in text  # what the forward sweep had stays
    assert "/ 3" in sg.grad(lambda x: np.sum(x * x / 3)).source(x)


@pytest.mark.parametrize("mode", ["constant", "reflect", "wrap"])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_filters_along_three_axes_leave_the_cotangent_as_it_is(mode, dtype):
    ndimage = pytest.importorskip("scipy.ndimage")

    def mean(x):
        return ndimage.uniform_filter(x, (2, 3, 4), mode=mode, origin=(0, 1, -1))

    def bell(x):
        return ndimage.gaussian_filter(x, (1.0, 0.5, 0.7), order=(1, 0, 2), mode=mode)

    x, d, g = (RNG.standard_normal((7, 6, 5)).astype(dtype) for _ in range(3))
    for f in (mean, bell):
        kept = g.copy()
        found = sg.vjp(f, x)[1](g)[0]
        assert_allclose(np.sum(found * d), np.sum(g * f(d)), rtol=1e-9)  # f is linear
        assert np.array_equal(g, kept)
