"""Zero wins also in the products of a cotangent that adjoint rules make themselves."""

import numpy as np
import pytest

import sourcegrad as sg

X = np.array([-1.0, 4.0, 0.25])

# What is cut off has no slope; the other elements have that of the function itself.
PROGRAMS = {
    "clip, then root": (
        lambda x: np.sqrt(np.clip(x, 0.0, None)).sum(),
        np.array([0.0, 0.25, 1.0]),
    ),
    "method clip between bounds": (
        lambda x: np.sqrt(x.clip(0.0, 3.0)).sum(),
        np.array([0.0, 0.0, 1.0]),
    ),
    "clip, then power": (
        lambda x: (np.clip(x, 0.0, None) ** 0.5).sum(),
        np.array([0.0, 0.25, 1.0]),
    ),
    "clip, then arc cosine": (
        lambda x: np.arccos(np.clip(x, -2.0, 1.0) * np.array([0.0, 1.0, 1.0])).sum(),
        np.array([0.0, 0.0, -1.0 / np.sqrt(1.0 - 0.25**2)]),
    ),
    "absolute value, then root": (
        lambda x: np.sqrt(np.abs(x * np.array([0.0, 1.0, 1.0]))).sum(),
        np.array([0.0, 0.25, 1.0]),
    ),
    "root, then clip": (
        lambda x: np.clip(np.sqrt(x + 1.0), 0.5, 1.2).sum(),
        np.array([0.0, 0.0, 0.5 / np.sqrt(1.25)]),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_zero_wins(name):
    f, want = PROGRAMS[name]
    assert np.allclose(sg.grad(f)(X), want)
    assert np.allclose(sg.vjp(f, X)[1](1.0)[0], want)
    for place in np.eye(3):
        assert np.isclose(sg.jvp(f, (X,), (place,))[1], want @ place)


def test_a_slope_without_bound_stays():
    def f(x):
        return np.sqrt(np.clip(x, -1.0, None) + 1.0).sum()

    assert sg.grad(f)(np.array([-1.0, 3.0])).tolist() == [np.inf, 0.25]
