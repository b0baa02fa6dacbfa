"""The `statistics` module, of lists, tuples, arrays and generators."""

import statistics

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

SPREADS = ("variance", "pvariance", "stdev", "pstdev")
NAMES = ("mean", "fmean", "geometric_mean", "harmonic_mean", "median", *SPREADS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "form", [list, tuple, np.array, iter], ids=lambda f: f.__name__
)
def test_of_active_numbers(name, form):
    fn = getattr(statistics, name)
    if form is iter:

        def f(x):
            return fn(v * x for v in (x, 2.0, x * x)) * x

    elif form is np.array:

        def f(x):
            return fn(np.array([x, x * x, 3.0])) * x

    elif form is tuple:

        def f(x):
            return fn((x, x * x, 3.0)) * x

    else:

        def f(x):
            return fn([x, x * x, 3.0]) * x

    check(f, 1.3)


def weighted(x):
    return statistics.harmonic_mean([x, 2.0], weights=[1.0, 3.0]) * statistics.fmean(
        [x, x * x]
    )


def about_a_given_mean(x):
    data = [x, x * x, 3.0]
    m = statistics.mean(data)
    return (
        statistics.variance(data, m)
        + statistics.pstdev(data, m)
        + statistics.stdev(data, m)
        + statistics.pvariance(data, m)
    )


def regression(x):
    slope, intercept = statistics.linear_regression([x, x * x, 3.0], [1.0, 2.0, 5.0])
    return slope * intercept


def correlation(x):
    xs, ys = [x, x * x, 3.0], [1.0, 2.0, 5.0]
    return statistics.correlation(xs, ys) + statistics.covariance(xs, ys)


def normal(x):
    d = statistics.NormalDist(x, 2.0)
    return d.cdf(1.0) * d.pdf(x * x) + d.mean


PROGRAMS = [weighted, about_a_given_mean, regression, correlation, normal]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, 1.3)


def test_the_value_is_the_library_s_own():
    def f(xs):
        return statistics.mean(xs)

    xs = [0.1, 0.2, 0.3]
    value, gradient = sourcegrad.value_and_grad(f)(xs)
    assert value == statistics.mean(xs)
    assert gradient == pytest.approx([1 / 3] * 3)
