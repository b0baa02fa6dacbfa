"""Copies and equal arms: a name for the same thing is not kept."""

import math

from tests.passes.texts import assert_right, text


def test_a_copy_is_its_source():
    def f(x):
        a = x
        b = a
        c = b
        return math.sin(c) * b

    source = text(f, 0.6)
    assert "a = x" not in source and "c = b" not in source
    assert "math.sin(x)" in source
    assert_right(f, 0.6)


def test_what_both_arms_give_is_no_result_of_the_branch():
    def f(x, flag):
        if flag:
            y = x
            z = math.sin(x)
        else:
            y = x
            z = math.cos(x)
        return y * z

    assert "y = x" not in text(f, 0.6, True)
    assert_right(f, 0.6, True)
    assert_right(f, 0.6, False)


def test_what_a_loop_does_not_change_is_not_carried():
    def f(x):
        k = x * 2.0
        s = 0.0
        for i in range(3):
            k = k
            s = s + k * k
        return s

    source = text(f, 0.6)
    assert "append" not in source
    assert_right(f, 0.6)


def test_swaps_are_one_parallel_copy():
    def f(x, y):
        a, b = x, y
        for i in range(3):
            a, b = b, a
        return a * a * b

    source = text(f, 0.6, 1.7)
    assert "a, b = b, a" in source
    assert_right(f, 0.6, 1.7)
    assert_right(lambda y, x: f(x, y), 1.7, 0.6)


def test_a_cycle_of_three_keeps_every_value():
    def f(x):
        a, b, c = x, 2.0 * x, x * x
        for i in range(5):
            a, b, c = b, c, a
        return a + 10.0 * b * c

    assert_right(f, 0.6)
