"""What is recorded: only what the reverse sweep reads and cannot make again."""

import math

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right, statement, text

RNG = np.random.default_rng(8)


def test_a_linear_stencil_records_nothing():
    def f(u, n):
        for i in range(1, n):
            u[i] = 0.5 * u[i - 1] + 0.25 * u[i]
        return np.sum(u)

    source = text(f, np.ones(4), 4)
    assert "saved" not in source and "append" not in source
    assert_right(f, RNG.normal(size=4), 4)


def test_one_list_for_each_loop():
    def f(x):
        s = x
        for _ in range(3):
            for _ in range(2):
                s = math.sin(s) * s
            s = math.cos(s) + s * s
        return s

    source = text(f, 0.5)
    assert source.count("append(") == 2 and source.count(".pop()") == 2
    assert source.count("= []") == 2
    assert_right(f, 0.5)


def test_two_values_of_a_trip_are_one_tuple():
    def f(x):
        s, t = x, 1.0
        for _ in range(4):
            s, t = s * t, t + s
        return s * t

    source = text(f, 0.3)
    assert statement(source, "saved.append((").count(",") == 1
    assert source.count("append(") == 1
    assert_right(f, 0.3)


def test_one_value_is_recorded_bare():
    def f(x):
        s = x
        for _ in range(4):
            s = s * s
        return s

    assert statement(text(f, 0.9), "s_saved.append(") == "s_saved.append(s)"
    assert_right(f, 0.9)


def test_a_record_tells_the_trips_of_a_while_loop():
    def f(x):
        s = x
        while s < 10.0:
            s = s * s + 1.0
        return s

    source = text(f, 1.1)
    assert statement(source, "while s_saved") == "while s_saved:"
    assert "+= 1" not in source and "+ 1\n" not in source
    assert_right(f, 1.1)


def test_trips_are_counted_where_nothing_is_recorded():
    def f(x):
        s = x
        while s < 10.0:
            s = 2.0 * s
        return s

    source = text(f, 1.1)
    assert "append" not in source
    assert source.count("trips") >= 2
    assert_right(f, 1.1)


def test_straight_code_keeps_its_values_in_names():
    def f(x):
        a = math.sin(x)
        b = math.exp(a)
        return a * b

    source = text(f, 0.4)
    assert "saved" not in source and "pop" not in source
    assert_right(f, 0.4)


def test_sums_are_recomputed_not_recorded():
    def f(x, n):
        s = 0.0
        for i in range(n):
            k = 2 * i + 1
            s = s + x[k] * x[k]
        return s

    source = text(f, np.ones(6), 3)
    assert "append" not in source
    assert_right(f, RNG.normal(size=6), 3)


def test_the_condition_of_a_branch_in_a_loop_is_recorded():
    def f(x):
        s = 0.0
        for i in range(len(x)):
            if s > 0.5:
                s = s - x[i] * s
            else:
                s = s + x[i]
        return s

    assert "append" in text(f, np.ones(3))
    assert_right(f, np.array([0.4, 0.3, 0.2, 0.9]))


def test_a_read_before_the_write_keeps_the_old_contents():
    def f(x):
        y = np.sin(x)
        x[0] = 3.0
        return np.sum(y * x)

    assert_right(f, RNG.normal(size=3))


def test_a_pullback_is_called_twice():
    def f(x):
        s = x
        for _ in range(3):
            s = s * s + x
        return s

    source = text(f, 0.3, packaging="split")
    assert "_forward(" in source and "_reverse(" in source
    _, pullback = sourcegrad.vjp(f, 0.3)
    assert pullback(1.0) == pullback(1.0)
