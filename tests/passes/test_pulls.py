"""Calls of which only the cotangents are wanted, and branches read in reverse only."""

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right


def halved(x, n):
    if n == 0:
        y = np.sin(x)
    else:
        y = halved(0.5 * x * x, n - 1)
    return y


def powers(x, n):
    if n == 0:
        return 1.0
    return x * powers(x, n - 1)


def test_a_recursion_that_ends_in_itself_is_one_function():
    def f(x):
        return halved(x, 3)

    made = sourcegrad.gradient_source(f, 0, 0.7)
    assert made.count("halved_grad(") == 3  # its definition, and two calls
    assert "residuals" not in made
    assert_right(f, 0.7)


def test_a_recursion_whose_value_is_read_is_a_pair():
    def f(x):
        return powers(x, 4)

    made = sourcegrad.gradient_source(f, 0, 0.7)
    assert "powers_reverse(" in made
    assert "powers_grad(" not in made
    assert_right(f, 0.7)


def test_a_callee_is_written_once():
    def f(x):
        return halved(x, 3) * x + halved(x * x, 2)

    made = sourcegrad.gradient_source(f, 0, 0.7)
    assert "halved_grad" not in made
    assert_right(f, 0.7)


def test_an_argument_that_is_written_later_is_handed_over_in_time():
    def first(x, n):
        if n == 0:
            return x[0] * x[1]
        return first(x, n - 1)

    def f(x):
        y = x * 2.0
        s = first(y, 2)
        y[0] = x[1]
        return s + y[0] * y[1]

    assert_right(f, np.array([0.3, 0.8]))


def test_what_a_callee_prints_comes_where_it_stood(capsys):
    def told(x, n):
        print("n", n)
        if n == 0:
            return np.exp(x)
        return told(x * x, n - 1)

    def f(x):
        y = told(x, 2)
        print("after")
        return y

    sourcegrad.grad(f)(0.3)
    assert capsys.readouterr().out.split() == ["n", "2", "n", "1", "n", "0", "after"]


def test_a_callee_is_not_run_before_what_may_raise_instead():
    def rooted(x, n):
        if n == 0:
            return np.sqrt(x)
        return rooted(x, n - 1)

    def f(x):
        try:
            y = rooted(x, 2)
            if x > 1.0:
                raise ValueError
        except ValueError:
            y = x * x
        return y

    for x in (0.5, 2.0):
        assert_right(f, x)


def test_nested_branches_of_the_forward_sweep():
    def f(x, y):
        if x < 0.0:
            z = x * y
        else:
            e = np.exp(-x) * y
            z = e * e if e > 1.0 else e * x
        w = z * z
        return w if w > 0.5 else 2.0 * z

    for x, y in ((-1.0, 2.0), (0.2, 3.0), (0.2, 0.5), (1.5, 0.1)):
        assert_right(f, x, y)
