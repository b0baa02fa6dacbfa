"""Exits: the forward sweep keeps the statement, the reverse sweep nests branches."""

import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right, text


def test_break_stays_a_break():
    def f(x):
        s = x
        for i in range(10):
            s = s * 1.5
            if s > 4.0:
                break
        return s * s

    assert text(f, 0.5).count("break") == 1
    for x in (0.01, 0.5, 3.0, 9.0):
        assert_right(f, x)


def test_continue_is_the_rest_of_the_body():
    def f(x):
        s = 0.0
        for i in range(len(x)):
            if x[i] < 0.0:
                continue
            s = s + math.sqrt(x[i])
        return s

    assert_right(f, np.array([1.0, -2.0, 4.0]))


def test_an_early_return_is_a_branch():
    def f(x):
        if x > 1.0:
            return x * x
        y = math.sin(x)
        return y * x

    source = text(f, 0.5)
    assert "done" not in source and "returned" not in source
    assert_right(f, 0.5)
    assert_right(f, 1.5)


def test_return_inside_two_loops():
    def f(x):
        s = x
        for i in range(4):
            for j in range(4):
                s = s + 0.3 * s * s
                if s > 2.0:
                    return s * x
            s = s * 0.9
        return s

    for x in (0.05, 0.3, 0.6, 1.9, 5.0):
        assert_right(f, x)


def test_else_of_a_loop_runs_unless_it_broke():
    def f(x, limit):
        s = x
        for i in range(3):
            s = s * s
            if s > limit:
                break
        else:
            s = math.sin(s)
        return s

    assert_right(f, 1.2, 100.0)
    assert_right(f, 1.2, 2.0)


def test_while_true_ends_by_its_break():
    def f(x):
        s = x
        while True:
            s = math.sqrt(s) + 0.1
            if abs(s - 1.2) < 0.5:
                break
        return s * x

    assert_right(f, 30.0)


def test_code_behind_a_return_is_not_compiled():
    def f(x):
        return x * x
        return undefined_name  # noqa: F821

    assert "undefined_name" not in text(f, 2.0)
    assert sourcegrad.grad(f)(2.0) == 4.0


@pytest.mark.parametrize("x", [-1.1, 0.5, 1.6, 2.3, 3.0, 6.0])
def test_exits_of_every_sort_in_one_loop(x):
    def f(x):
        s = x
        for i in range(5):
            s = s * s + 1.0
            if s < 2.5:
                continue
            if s > 30.0:
                return s * 0.5
            if s > 20.0:
                break
            s = s + x
        return s

    assert_right(f, x)


def test_a_value_that_the_loop_carries_is_returned_behind_it():
    def f(x):
        y = x
        for i in range(5):
            y = y * x
            if y > 5.0:
                return y
        return x

    printed = text(f, 2.0)
    assert "result" not in printed
    assert "y_saved.append(y)" in printed
    for x in (1.1, 1.5, 2.0, 9.0):
        assert_right(f, x)


def test_a_value_returned_in_a_loop_is_that_of_its_iteration():
    def f(x):
        y = s = x
        for i in range(4):
            for k in range(3):
                y = y * x
                if y > 3.0 + k:
                    return y * s
            s = s + y
        else:
            s = s * s
        return s

    def restored(x):
        y = x
        for i in range(4):
            try:
                y = y * x
                if y > 3.0:
                    return y
            finally:
                y = 2.0 * x
        return y

    for x in (0.5, 1.1, 1.5, 2.0, 9.0):
        assert_right(f, x)
        assert_right(restored, x)


def test_what_a_generator_does_when_it_is_left_comes_after_the_value():
    def in_a_list(x):
        log = [x]

        def numbers():
            try:
                for k in range(5):
                    yield k
            finally:
                log[0] = log[0] * 10.0

        y = x
        for k in numbers():
            y = y * x
            if k > 1:
                return y * log[0]
        return y

    def in_a_name(x):
        v = x

        def numbers():
            nonlocal v
            try:
                for k in range(5):
                    yield k
            finally:
                v = v * 10.0

        for _ in range(2):
            for k in numbers():
                if k > 1:
                    return v * x
        return v

    for x in (0.3, 1.3):
        assert_right(in_a_list, x)
        assert_right(in_a_name, x)
