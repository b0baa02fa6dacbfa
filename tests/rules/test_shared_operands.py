"""An array that stands in one call more than once, and stores at places of any kind."""

import numpy as np
import pytest

import sourcegrad as sg

A = np.array([[0.4, -1.2, 0.7], [1.5, 0.3, -0.6]])
T = np.linspace(-1.0, 2.0, 24).reshape(2, 3, 4)


def complex_step(f, x):
    grads = np.zeros(x.shape)
    for place in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[place] += 1e-30j
        grads[place] = f(moved).imag / 1e-30
    return grads


@pytest.mark.parametrize(
    "subscripts",
    [
        "ij,ij->j",
        "ij,ij->i",
        "ij,ij",
        "i...,i...->...",
        "...j,...j",
        "ij,kj->",
        "ij,kl->jl",
    ],
)
def test_einsum_of_one_array_twice(subscripts):
    def f(x):
        return (np.einsum(subscripts, x, x) ** 2).sum() + np.einsum("ij->", x)

    assert np.allclose(sg.grad(f)(A), complex_step(f, A))
    assert np.allclose(sg.vjp(f, A)[1](1.0)[0], complex_step(f, A))
    assert np.allclose(sg.jvp(f, (A,), (A,))[1], np.sum(complex_step(f, A) * A))


def test_einsum_by_numbers_of_axes():
    def f(x):
        return (np.einsum(x, [0, ...], x, [0, ...]) ** 3).sum()

    assert np.allclose(sg.grad(f)(A), complex_step(f, A))


def test_sums_of_one_array():
    def f(x):
        rows = np.einsum("ij,j->i", x, x[0]) + np.einsum("ij->i", x)
        return np.einsum("ij->", x) * rows[0] + rows[1]

    assert np.allclose(sg.grad(f)(A), complex_step(f, A))


PLACES = [
    np.s_[:, [0, 1], [2, 2]],
    np.s_[[0, 1, 0], :, [1, 2, 1]],
    np.s_[..., [0, 0]],
    np.s_[1:, ::-2],
    np.s_[..., 2],
    np.s_[[[0], [1]], [0, 2], 1:3],
    np.s_[[0, 0]],
    np.s_[T > 0.3],
]


@pytest.mark.parametrize("places", PLACES, ids=map(str, range(len(PLACES))))
@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.multiply, np.divide])
def test_ufunc_at_places_of_any_kind(ufunc, places):
    def f(x, v):
        y = np.exp(x)
        ufunc.at(y, places, v * 2.0)
        ufunc.at(y, places, v)
        return (y * y).sum()

    def want(x, v):  # slot by slot, as the documentation of `at` defines it
        y = np.exp(x).astype(complex)
        slots = np.arange(x.size).reshape(x.shape)[places].ravel()
        for factor in (2.0, 1.0):
            for slot in slots:
                y.flat[slot] = ufunc(y.flat[slot], v * factor)
        return (y * y).sum()

    x_bar, v_bar = sg.grad(f, (0, 1))(T, 0.7)
    assert np.allclose(x_bar, complex_step(lambda x: want(x, 0.7), T))
    assert np.allclose(v_bar, complex_step(lambda v: want(T, v), np.array(0.7)))
    dot = sg.jvp(f, (T, 0.7), (np.ones_like(T), 1.0))[1]
    assert np.allclose(dot, x_bar.sum() + v_bar)
