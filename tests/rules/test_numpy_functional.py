"""NumPy's functions that take functions, set operations, histograms, polynomials."""

import numpy as np
import pytest
from numpy.polynomial import (
    Chebyshev,
    Polynomial,
    chebyshev,
    hermite,
    hermite_e,
    laguerre,
    legendre,
    polynomial,
)

import sourcegrad as sg

V = np.array([3.0, 1.0, 2.1, 1.5, 0.5])
M = np.array([[1.0, 2.3, 3.7], [4.0, 5.5, 6.1], [2.0, 3.3, 9.0]])
W = np.array([0.3, -1.0, 2.0, 0.7, 1.1])
PLACES = np.array([0, 1, 1, 3, 0])
DATA = np.array([0.0, 1.0, 1.0, 3.0, 0.5])


@np.vectorize
def step(x):
    return x * x if x > 1.2 else np.sin(x)


smaller = np.vectorize(lambda x, y: x * y if x < y else y * y)
CUBIC = np.poly1d([1.0, 2.0, 3.0, -1.0])
SERIES = Polynomial([1.0, 2.0, 3.0], domain=[0.0, 4.0])
WAVES = Chebyshev([1.0, 2.0, 3.0, 0.5], domain=[-1.0, 5.0])

FUNCTIONS = [
    (lambda x: np.fromfunction(lambda i, j: x * i + j * x * x, (2, 3)), 1.3),
    (lambda x: np.apply_along_axis(lambda r: np.sum(r * r), 1, x), M),
    (lambda x: np.apply_along_axis(lambda r: r * r[0], 0, x), M),
    (lambda x: np.apply_along_axis(np.cumsum, 0, x), M),
    (lambda x: np.apply_along_axis(np.linalg.norm, -1, x), M),
    (lambda x: np.apply_over_axes(np.sum, x * x, [0, 1]), M),
    (lambda x: np.piecewise(x, [x < 1.2, x >= 2.5], [np.square, np.sin, 3.0]), V),
    (lambda x: np.piecewise(x, [x < 1.2], [lambda t: -t, lambda t: t * t]), V),
    (lambda x: step(x), V),
    (lambda x: step(x) * 2.0, 1.7),
    (lambda x: smaller(x[:, None], M[0] + 0.05), V),
    (lambda x: np.vectorize(lambda t, s: t * s * s)(x, x[0]), V),
]
SETS = [
    (lambda x: np.unique(x) ** 2, M),
    (lambda x: np.unique(x, return_counts=True)[0] ** 2, V),
    (lambda x: np.unique(x, axis=0) ** 2, M),
    (lambda x: np.union1d(x, x * 2 + 0.13) ** 2, V),
    (lambda x: np.setdiff1d(x, [1.2, 7.0]) ** 2, V),
    (lambda x: np.setxor1d(x, [1.2, 7.0]) ** 2, V),
    (lambda x: np.trim_zeros(x) ** 2, V),
    (lambda x: np.resize(x, (3, 4)) ** 2, V),
    (lambda w: np.bincount(PLACES, weights=w) ** 2, W),
    (lambda w: np.histogram(DATA, bins=3, weights=w)[0] ** 2, W),
    (lambda w: np.histogram(DATA, [0.2, 0.8, 2.0], weights=w)[0] ** 2, W),
    (lambda u: np.polydiv(u, [2.0, 1.0])[0], V),
    (lambda u: np.polydiv(V, u)[1], np.array([2.0, 1.0])),
]
BASES = [
    polynomial.polyval,
    chebyshev.chebval,
    legendre.legval,
    hermite.hermval,
    hermite_e.hermeval,
    laguerre.lagval,
]


@pytest.mark.parametrize(("f", "x"), [*FUNCTIONS, *SETS])
def test_against_the_function_itself(f, x):
    np.testing.assert_array_equal(sg.vjp(f, x)[0], f(x))
    sg.check_grad(f, (x,), order=2)


@pytest.mark.parametrize("value", BASES)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_values_of_polynomials(value, count):
    c = W[:count]
    np.testing.assert_array_equal(sg.vjp(value, V, c)[0], value(V, c))
    sg.check_grad(lambda x, c: value(x, c), (V, c), (0, 1), order=2)


@pytest.mark.parametrize("series", [CUBIC, SERIES, WAVES])
def test_polynomials_that_are_objects(series):
    x = 0.7
    want = series.deriv()(x)
    assert sg.grad(lambda x: series(x))(x) == pytest.approx(want)


def test_the_first_of_equal_elements():
    x = np.array([2.0, 1.0, 2.0])
    assert sg.grad(lambda x: np.sum(np.unique(x) ** 2))(x).tolist() == [4.0, 2.0, 0.0]
    both = sg.grad(lambda x: np.sum(np.intersect1d(x, np.array([2.0, 5.0]))))
    assert both(x).tolist() == [1.0, 0.0, 0.0]


def test_a_function_runs_once_for_each_part():
    seen = []

    def noted(r):
        seen.append(1)
        return np.sum(r * r)

    sg.grad(lambda x: np.sum(np.apply_along_axis(noted, 1, x)))(M)
    assert len(seen) == 3


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.histogram(DATA, weights=x, density=True)[0],
        lambda x: np.histogram(x)[1],
        lambda x: np.histogram2d(DATA, DATA, weights=x)[0],
        lambda x: np.unique_counts(x).values,
        lambda x: np.vectorize(np.sin, otypes=[float])(x),
    ],
)
def test_what_has_no_rule_is_refused(f):
    with pytest.raises(sg.SourcegradError):
        sg.vjp(f, W)[1](f(W))
