"""Reductions and quantiles with their rarer options, against differences.

Each call is differentiated twice in both modes; options stand by keyword, by position,
as literals and as values that are known only at run time.
"""

import numpy as np
import pytest

import sourcegrad as sg

X = np.array([[0.7, -1.3, 2.1, 0.2], [0.4, 1.9, -0.6, -1.1], [1.4, 0.9, -0.3, 0.6]])
MASK = np.array([[1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 1, 0]], dtype=bool)
NONE = MASK & np.array([[True], [False], [True]])  # nothing is kept of one row
WEIGHTS = np.array([0.3, 0.2, 0.4, 0.1])
AXIS, KEEP, STEP = 1, True, 1e-6

CASES = {
    "sum, from": lambda x: np.sum(x, initial=x[0, 0] ** 2),
    "sum, by position": lambda x: np.sum(x, 1, None, None, True, x[0, 0], MASK),
    "sum, method": lambda x: x.sum(axis=0, initial=2.0, where=MASK),
    "prod": lambda x: np.prod(x, axis=AXIS, initial=x[0, 0], where=MASK),
    "prod, method": lambda x: x.prod(where=NONE, keepdims=KEEP),
    "max, from": lambda x: np.max(x, axis=1, initial=2.0 * x[0, 1]),
    "max, low": lambda x: np.max(x, initial=-9.0),
    "max, kept": lambda x: x.max(1, None, False, -0.5, MASK),
    "min, kept": lambda x: np.min(x, axis=(0, -1), where=NONE, initial=9.0),
    "amax": lambda x: np.amax(x, 0, initial=x[2, 0], keepdims=KEEP),
    "amin": lambda x: np.amin(x, axis=AXIS, initial=x[2, 1], where=NONE),
    "nanmax": lambda x: np.nanmax(x, axis=0, initial=x[2, 0], where=MASK),
    "nanmin": lambda x: np.nanmin(x, axis=0, initial=0.3),
    "mean": lambda x: np.mean(x, axis=1, where=MASK),
    "mean, method": lambda x: x.mean(where=MASK, keepdims=KEEP),
    "var": lambda x: np.var(x, axis=AXIS, where=MASK),
    "var, correction": lambda x: np.var(x, correction=1),
    "var, mean": lambda x: x.var(1, mean=np.sin(x[:, :1])),
    "std": lambda x: np.std(x, axis=0, where=MASK, keepdims=True),
    "std, mean": lambda x: np.std(x, 1, mean=np.mean(x, 1, keepdims=True), ddof=1),
    "mean, of a list": lambda x: np.mean([x[0], x[1]], axis=0, where=MASK[:2]),
    "nansum": lambda x: np.nansum(x, axis=1, initial=x[0, 0], where=MASK),
    "nanprod": lambda x: np.nanprod(x, axis=1, initial=x[0, 0], where=MASK),
    "nanmean": lambda x: np.nanmean(x, axis=1, where=MASK),
    "nanvar": lambda x: np.nanvar(x, axis=1, where=MASK, correction=0),
    "nanstd": lambda x: np.nanstd(x, where=MASK),
    "add.reduce": lambda x: np.add.reduce(x, 1, None, None, True, x[0, 0], MASK),
    "multiply.reduce": lambda x: np.multiply.reduce(x, initial=x[0, 0], where=MASK),
    "maximum.reduce": lambda x: np.maximum.reduce(x, initial=0.5, axis=AXIS),
    "minimum.reduce": lambda x: np.minimum.reduce(x, 1, initial=x[0, 0], where=MASK),
    "fmax.reduce": lambda x: np.fmax.reduce(x, initial=0.5, axis=(0, 1)),
    "fmin.reduce": lambda x: np.fmin.reduce(x, initial=0.5, where=NONE),
    "subtract.reduce": lambda x: np.subtract.reduce(x, 1, initial=x[0, 0] ** 2),
    "logaddexp.reduce": lambda x: np.logaddexp.reduce(x, 1, initial=0.5, where=NONE),
    "quantile, many": lambda x: np.quantile(x, [0.3, 0.7], 1, method="hazen"),
    "quantile, flat": lambda x: np.quantile(x, [[0.3], [0.7]], method="weibull"),
    "quantile, weights": lambda x: np.quantile(
        x, 0.4, axis=1, weights=WEIGHTS, method="inverted_cdf", keepdims=KEEP
    ),
    "quantile, own weights": lambda x: np.quantile(
        x, [0.2, 0.4], weights=np.abs(x), method="inverted_cdf"
    ),
    "percentile": lambda x: np.percentile(x, 40, (0, 1), None, False, "lower", True),
    "nanquantile": lambda x: np.nanquantile(x, 0.3, axis=0, method="median_unbiased"),
    "nanpercentile": lambda x: np.nanpercentile(x, [30], axis=1, method="midpoint"),
}
METHODS = (
    "inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf "
    "hazen weibull linear median_unbiased normal_unbiased lower higher midpoint nearest"
).split()


def slope(f, x, d):
    return (f(x + STEP * d) - f(x - STEP * d)) / (2 * STEP)


def check(f, x):
    rng = np.random.default_rng(3)
    d, u = rng.normal(size=x.shape), rng.normal(size=x.shape)
    value = f(x)
    w = rng.normal(size=np.shape(value))

    def total(x):
        return np.sum(w * np.sin(f(x)))

    gradient = sg.grad(total)
    assert np.sum(gradient(x) * d) == pytest.approx(slope(total, x, d), rel=1e-6)
    result, moved = sg.jvp(f, (x,), (d,))
    np.testing.assert_allclose(result, value, rtol=1e-14)
    np.testing.assert_allclose(moved, slope(f, x, d), rtol=1e-6, atol=1e-8)
    second = sg.jvp(gradient, (x,), (d,))[1]
    want = slope(lambda x: np.sum(gradient(x) * u), x, d)
    assert np.sum(second * u) == pytest.approx(want, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", CASES)
def test_options(name):
    check(CASES[name], X)


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_quantiles(method):
    def f(x):
        return np.quantile(x, 0.37, axis=1, method=method)

    check(f, X)


@pytest.mark.parametrize("method", METHODS)
def test_methods_beside_nan(method):
    x = X.copy()
    x[1, 2] = np.nan
    pull = sg.vjp(lambda x: np.nanquantile(x, 0.37, axis=1, method=method), x)[1]
    known = sg.vjp(
        lambda v: np.stack(
            (
                np.quantile(v[0], 0.37, method=method),
                np.quantile(v[1, np.array([0, 1, 3])], 0.37, method=method),
                np.quantile(v[2], 0.37, method=method),
            )
        ),
        x,
    )[1]
    bar = np.array([0.4, 1.3, -0.2])
    np.testing.assert_allclose(pull(bar)[0], known(bar)[0], atol=1e-14)


MASKED = {
    "sum": lambda x: np.sum(x, where=~np.isnan(x)),
    "prod": lambda x: np.prod(x, where=~np.isnan(x)),
    "mean": lambda x: np.mean(x, where=~np.isnan(x)),
    "var": lambda x: np.var(x, where=~np.isnan(x)),
    "std": lambda x: np.std(x, where=~np.isnan(x)),
    "max": lambda x: np.max(x, where=~np.isnan(x), initial=-1.0),
    "nanstd": lambda x: np.nanstd(x, ddof=1, where=x != 0),
    "logaddexp": lambda x: np.logaddexp.reduce(x, where=~np.isnan(x)),
}


@pytest.mark.parametrize("name", MASKED)
@pytest.mark.filterwarnings("error")
def test_a_nan_that_is_left_out_has_no_derivative(name):
    f, x = MASKED[name], np.array([0.7, np.nan, 2.1, 0.2])
    got = sg.grad(f)(x)
    assert got[1] == 0.0
    for k in (0, 2, 3):
        assert got[k] == pytest.approx(slope(f, x, np.eye(4)[k]), rel=1e-6)


def test_an_empty_array_has_the_initial_value():
    def f(x):
        return np.max(x[x > 5.0], initial=x[0]) + np.sum(x[x > 5.0], initial=x[1])

    np.testing.assert_array_equal(sg.grad(f)(np.array([1.0, 2.0])), [1.0, 1.0])


def test_an_initial_value_that_ties_has_an_equal_share():
    def f(x, start):
        return np.max(x, initial=start)

    x_bar, start_bar = sg.grad(f, argnums=(0, 1))(np.array([2.0, 1.0, 2.0]), 2.0)
    np.testing.assert_allclose(x_bar, [1 / 3, 0.0, 1 / 3])
    assert start_bar == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", ["mean", "var", "std", "prod", "nanmax"])
def test_float32_stays_float32(name):
    f, x = CASES[name], X.astype(np.float32)
    value, pull = sg.vjp(f, x)
    assert value.dtype == np.float32
    assert pull(np.ones_like(value))[0].dtype == np.float32
    assert sg.jvp(f, (x,), (x,))[1].dtype == np.float32


def test_complex_variance():
    z = X + 0.5j * X[::-1]

    def f(z):
        return np.sum(np.var(z, axis=1, where=MASK))

    d = np.cos(z)
    assert np.real(np.sum(sg.grad(f)(z) * d)) == pytest.approx(slope(f, z, d))


def test_std_of_constants_has_gradient_zero():
    got = sg.grad(lambda x: np.std(x, where=np.array([True, True, False])))(np.ones(3))
    np.testing.assert_array_equal(got, np.zeros(3))


def test_a_quantile_has_no_derivative_in_its_rank():
    with pytest.raises(sg.NonDifferentiableError, match="'q'"):
        sg.grad(lambda q: np.quantile(X, q, method="hazen"))(0.3)
