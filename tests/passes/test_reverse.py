"""The reverse sweep: each statement's adjoint, last first."""

import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(9)


def comments(f, *args):
    """The primal lines named in the reverse sweep, in order."""
    made = sourcegrad.grad(f).source(*args)
    lines = made[made.index("# reverse sweep") :].splitlines()
    return [n.split(": ", 1)[1] for n in lines if n.lstrip().startswith("# line ")]


def test_statements_are_reversed():
    def f(x):
        a = math.sin(x)
        b = math.exp(a)
        return b * b

    want = ["return b * b", "b = math.exp(a)", "a = math.sin(x)"]
    assert comments(f, 0.2) == want


def test_a_range_is_reversed_by_arithmetic():
    def f(x, n):
        s = 0.0
        for i in range(2, n, 3):
            s = s + x[i] * x[i]
        return s

    source = text(f, np.ones(9), 9)
    assert "reversed" not in source and ", -3)" in source
    assert_right(f, RNG.normal(size=9), 9)


def test_reads_in_a_loop_add_into_one_buffer():
    def f(x):
        s = 0.0
        for i in range(len(x)):
            s = s + x[i] ** 3
        return s

    source = text(f, np.ones(4))
    assert source.count("np.zeros_like(x)") == 1
    assert statement(source, "x_bar[i] +=")
    assert_right(f, RNG.normal(size=4))


def test_a_store_takes_the_cotangent_away():
    def f(x, v):
        x[1] = v
        return np.sum(x * x)

    source = text(f, np.ones(3), 2.0)
    assert statement(source, "x_bar[1] = ") == "x_bar[1] = 0.0"
    x = RNG.normal(size=3)
    got = sourcegrad.grad(f)(x.copy(), 2.0)
    np.testing.assert_array_equal(got, [2 * x[0], 0.0, 2 * x[2]])


def test_no_cotangent_for_what_is_not_varied():
    def f(x, scale):
        k = math.sqrt(scale)
        return x * k

    source = text(f, 0.4, 2.0)
    assert "k_bar" not in source and "scale_bar" not in source
    assert_right(f, 0.4, 2.0)


def test_no_cotangent_for_what_is_not_useful():
    def f(x):
        y = x * 2.0
        z = math.exp(y)
        if z > 100.0:
            return y
        return y * y

    assert "z_bar" not in text(f, 0.4)
    assert_right(f, 0.4)


def test_a_while_loop_without_trips_gives_the_seed_back():
    def f(x):
        s = x
        while s > 100.0:
            s = s * s
        return s

    assert sourcegrad.grad(f)(2.0) == 1.0


def test_both_operands_are_one_argument():
    def f(x):
        return x * x

    assert sourcegrad.grad(f)(3.0) == 6.0
    assert text(f, 3.0).count("x_bar = ") <= 1


@pytest.mark.parametrize("trips", [0, 1, 2, 7])
def test_carried_cotangents_take_the_place_of_carried_values(trips):
    def f(x, n):
        a, b = x, 1.0
        for i in range(n):
            a, b = a + b * x, a * 0.5
        return a * b

    assert_right(f, 0.7, trips)


def test_a_value_that_an_attempt_never_made_is_not_read():
    def f(x, table):
        total = 0.0
        for i in range(3):
            try:
                total = total + x * table[i]
            except IndexError:
                total = total * x + 1.0
        return total * x

    assert_right(f, 1.3, [])
    assert_right(f, 1.3, [2.0, 5.0])
