"""Products without needless parentheses; conditions as they were."""

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(2)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: x * x, "2.0 * y_bar * x"),
        (lambda x: 3.0 * x * x, "3.0 * y_bar * x"),
        (lambda x: x**3, "3 * y_bar * x ** 2"),
        (lambda x: x**3 / 2.0, "1.5 * y_bar * x ** 2"),
    ],
)
def test_numbers_stand_first(f, expected):
    source = text(f, 1.5).replace("x**2", "x ** 2")
    assert "(" not in source.split("return")[0].split(":", 1)[1].replace("float(", "")
    assert expected.split(" * ")[0] in source
    assert sourcegrad.grad(f)(1.5) == pytest.approx(
        (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6, rel=1e-8
    )


def test_numbers_are_multiplied():
    def f(x):
        return np.sqrt(np.sum(x**2))

    assert statement(text(f, np.ones(3)), "x_bar =") == "x_bar = y_bar / sqrt * x"
    assert_right(f, RNG.normal(size=3))


def test_a_small_factor_is_not_spread_first():
    def f(x, w):
        return np.sum(np.max(x * w, axis=1))

    x, w = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
    assert "/ count)" in text(f, x, w)
    assert_right(f, x, w)


def test_conditions_are_evaluated_as_written():
    def f(x, c):
        y = x
        for _ in range(3):
            if 2.0 * (0.1 * c) > 0.2 * c:
                y = y * x
            else:
                y = y + x
        return y

    for c in (0.1, 0.3, 0.7, 1.1):
        expected = (f(1.5 + 1e-6, c) - f(1.5 - 1e-6, c)) / 2e-6
        assert sourcegrad.grad(f)(1.5, c) == pytest.approx(expected, rel=1e-7)
