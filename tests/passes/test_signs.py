"""Signs are gathered, and memory stays apart."""

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(1)


def sigmoid(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def test_two_signs_cancel():
    assert "-" not in statement(text(sigmoid, np.ones(3)), "x_bar =")
    gradient = assert_right(sigmoid, RNG.normal(size=4))
    assert gradient.shape == (4,)


def test_a_difference_is_subtracted():
    def f(x):
        return x[0] ** 2 - x[1] ** 2

    assert statement(text(f, np.ones(3)), "x_bar[1]").startswith("x_bar[1] = -2.0 * ")
    assert_right(f, RNG.normal(size=4))


def test_the_seed_is_not_returned():
    def f(x):
        y = -x
        return -y

    seed = np.ones(3)
    _, pullback = sourcegrad.vjp(f, np.ones(3))
    (gradient,) = pullback(seed)
    assert gradient.tolist() == [1.0, 1.0, 1.0]
    assert not np.shares_memory(gradient, seed)


def test_accumulation_leaves_the_other_cotangent_alone():
    def f(x, w):
        a = np.sin(x)
        b = -(-a)
        return np.sum(a * w) + np.sum(b * b) + np.sum(-(-x) * x)

    assert_right(f, RNG.normal(size=3), RNG.normal(size=3))


def test_the_value_keeps_its_signs():
    def f(x):
        return -(-x) * 0.0

    value, _ = sourcegrad.value_and_grad(f)(-1.0)
    assert str(value) == str(f(-1.0)) == "-0.0"


def test_the_sign_of_what_a_ufunc_adds_stays_with_it():
    places = np.array([0, 1, 0])

    def f(x):
        total = np.zeros_like(x)
        square = x * x
        np.add.at(total, places, -square)
        return total

    x = np.array([1.0, 2.0, 3.0])
    y, y_dot = sourcegrad.jvp(f, (x,), (np.ones(3),))
    assert y.tolist() == [-10.0, -4.0, 0.0]
    assert y_dot.tolist() == [-8.0, -4.0, 0.0]


def test_a_function_that_adds_keeps_the_sign_of_what_it_adds():
    first, second = np.triu_indices(3, 1)

    def energy(x):
        apart = x[first] - x[second]
        return np.sum(apart**4)

    x = np.array([0.7, 0.4, 2.2])
    apart = x[:, None] - x[None, :]
    weights = 12.0 * apart**2
    want = np.diag(weights.sum(axis=1)) - weights
    np.testing.assert_allclose(sourcegrad.hessian(energy)(x), want)
