"""Random draws in location and scale, for a fixed stream of random numbers."""

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.rules import lookup

DRAWS = [
    lambda m, s, rng: rng.normal(m, s, size=5),
    lambda m, s, rng: rng.normal(loc=m * np.ones(3), scale=s),
    lambda m, s, rng: rng.laplace(m, s, size=5),
    lambda m, s, rng: rng.logistic(m, s, size=5),
    lambda m, s, rng: rng.gumbel(m, s, size=5),
    lambda m, s, rng: rng.uniform(m, s, size=(2, 3)),
    lambda m, s, rng: m * rng.exponential(s, size=5),
    lambda m, s, rng: m * rng.rayleigh(scale=s, size=5),
    lambda m, s, rng: m + s * rng.standard_normal(5),
    lambda m, s, rng: m * rng.gamma(1.7, s, size=3),
    lambda m, s, rng: rng.lognormal(m, 0.3 * s, size=3),
    lambda m, s, rng: rng.choice(m * np.arange(6.0), size=4) * s,
    lambda m, s, rng: rng.choice([m, s, m * s], p=[0.2, 0.3, 0.5]),
    lambda m, s, rng: rng.choice(5, 3, p=np.array([m, s, m, s, m]) / (3 * m + 2 * s)),
    lambda m, s, rng: rng.permutation(m + s * np.arange(4.0)) * np.arange(4.0),
    lambda m, s, rng: rng.permutation(np.outer([m, s], [s, 1, m]), 1) * np.arange(3.0),
    lambda m, s, rng: rng.normal(m, s) + rng.integers(3) * rng.uniform(s, 3.0 * s),
]


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("order", [1, 2])
def test_along_a_fixed_stream(draw, order):
    def total(m, s, rng):
        return np.sum(draw(m, s, rng) ** 2)

    for k in (0, 1):
        f = total if order == 1 else sg.grad(total, k)
        g = sg.grad(f, k)
        args, h = [0.5, 2.0], 1e-5
        up, down = list(args), list(args)
        up[k], down[k] = up[k] + h, down[k] - h
        rise = f(*up, np.random.default_rng(7)) - f(*down, np.random.default_rng(7))
        got = g(*args, np.random.default_rng(7))
        assert got == pytest.approx(rise / (2.0 * h), rel=1e-6, abs=1e-7)


def test_a_generator_made_inside_and_draws_in_a_loop():
    def f(s):
        rng = np.random.default_rng(3)
        total = 0.0
        for _ in range(4):
            total = total + rng.normal(0.0, s) ** 3
        return total

    assert sg.grad(f)(2.0) == pytest.approx(3.0 * f(1.0) * 4.0, rel=1e-12)


def test_the_old_interface():
    def f(m, s):
        np.random.seed(3)
        return np.sum(np.random.normal(m * np.ones(3), s) * np.random.uniform(m, s))

    h = 1e-6
    want = (f(0.5 + h, 2.0) - f(0.5 - h, 2.0)) / (2.0 * h)
    assert sg.grad(f)(0.5, 2.0) == pytest.approx(want, rel=1e-7)


OLD_DRAWS = [
    lambda m, s, rng: rng.normal(m, s, 5),
    lambda m, s, rng: rng.uniform(m, s, size=(2, 3)),
    lambda m, s, rng: m * rng.exponential(s, size=5) + rng.gumbel(m, s),
    lambda m, s, rng: m * rng.gamma(1.7, s, size=3) + rng.lognormal(m, 0.1 * s, 3),
    lambda m, s, rng: m * rng.randn(3, 2) + s * rng.rand() + rng.randint(4),
    lambda m, s, rng: rng.choice(m * np.arange(6.0), size=4) * s,
    lambda m, s, rng: rng.permutation(m + s * np.arange(4.0)) * np.arange(4.0),
]


@pytest.mark.parametrize("draw", OLD_DRAWS)
@pytest.mark.parametrize("make", [np.random.RandomState, None])
def test_an_old_generator_and_that_of_the_module(draw, make):
    def f(m, s):
        rng = np.random.RandomState(7)
        return np.sum(draw(m, s, rng) ** 2)

    def g(m, s):
        np.random.seed(7)
        return np.sum(draw(m, s, np.random) ** 2)

    f = f if make else g
    for k in (0, 1):
        args, h = [0.5, 2.0], 1e-5
        up, down = list(args), list(args)
        up[k], down[k] = up[k] + h, down[k] - h
        rise = (f(*up) - f(*down)) / (2.0 * h)
        assert sg.grad(f, k)(*args) == pytest.approx(rise, rel=1e-6, abs=1e-7)
        dots = (1.0, 0.0) if k == 0 else (0.0, 1.0)
        slope = sg.jvp(f, tuple(args), dots)[1]
        assert slope == pytest.approx(rise, rel=1e-6, abs=1e-7)


def test_a_location_moves_all_that_is_drawn_around_it():
    def f(m):
        return np.sum(np.random.default_rng(0).normal(m, 1.0, size=(4, 5)))

    assert sg.jvp(f, (0.5,), (1.0,))[1] == 20.0


def test_methods_of_what_is_drawn_are_known():
    def f(s):
        rng = np.random.default_rng(0)
        kept = rng.random((4, 5)) > 0.5
        paths = s * np.cumsum(rng.standard_normal((4, 5)), axis=1)
        return (paths * kept).mean(axis=1).max() + paths[:, -1].std(ddof=1)

    assert sg.grad(f)(2.0) == pytest.approx(f(1.0), rel=1e-12)
    assert sg.jvp(f, (2.0,), (1.0,))[1] == pytest.approx(f(1.0), rel=1e-12)


def test_shuffling_active_elements_is_refused():
    def f(x):
        y = 2.0 * x
        np.random.shuffle(y)
        return y[0]

    with pytest.raises(sg.SourcegradError, match="permutation"):
        sg.grad(f)(np.ones(3))


@pytest.mark.parametrize("name", ["gamma", "poisson", "chisquare"])
def test_what_is_no_location_and_scale_is_refused(name):
    draw = {
        "gamma": lambda a, rng: rng.gamma(a),
        "poisson": lambda a, rng: rng.poisson(a),
        "chisquare": lambda a, rng: rng.chisquare(a),
    }[name]
    with pytest.raises(sg.SourcegradError, match=name):
        sg.grad(draw)(1.5, np.random.default_rng(0))


def test_a_draw_is_not_pure():
    assert not lookup(np.random.Generator.normal).pure
    assert not lookup(np.random.normal).pure


def minibatches(x):
    rng = np.random.default_rng(1)
    order, total = np.arange(5), 0.0
    for _ in range(3):
        rng.shuffle(order)
        for k in range(0, 5, 2):
            total = 0.9 * total + np.prod(x[order[k : k + 2]])
    return total


def shuffled_by_the_module(x):
    np.random.seed(0)
    order, total = list(range(5)), 0.0
    for _ in range(3):
        np.random.shuffle(order)
        total = 0.9 * total + x[order[0]] * x[order[1]] ** 2
    return total


def shuffled_rows(x):
    rng = np.random.default_rng(2)
    data, w = np.arange(10.0).reshape(5, 2), x[:2]
    for _ in range(3):
        rng.shuffle(data)
        for i in range(0, 5, 2):
            rows = data[i : i + 2]
            w = w - 0.01 * rows.T @ (rows @ w - 1)
    return w @ w


@pytest.mark.parametrize("f", [minibatches, shuffled_by_the_module, shuffled_rows])
def test_what_is_shuffled_in_place_is_read_as_it_was(f):
    sg.check_grad(f, (np.array([0.5, 1.5, 0.3, 2.0, 0.9]),))


def test_a_mask_that_is_a_list():
    def f(x):
        return x[[True, False, True]].sum() * x.take([1, 2]).prod()

    sg.check_grad(f, (np.array([0.5, 1.5, 0.3]),))


def resampled(x):
    rng = np.random.default_rng(1)
    weights = x / x.sum()
    if weights[0] > 0.01:
        x = x[rng.choice(5, 5, p=weights)]
    return x.sum() * rng.choice([x[0], x[1]], p=[weights[2], 1.0 - weights[2]])


def test_drawn_by_active_weights():
    sg.check_grad(resampled, (np.array([0.5, 1.5, 0.3, 2.0, 0.9]),))
