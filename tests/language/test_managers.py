"""Objects as context managers: one in another, beside names of any sort."""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

Y = np.array([0.9, 1.126, 1.139, 0.291])


class Damped:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.x = self.x * 0.9


class Guard:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.x = self.x * 0.8
        return kind is ValueError


def one_in_another(y):
    a, b = Damped(y[0]), Damped(y[1])
    with a:
        with b:
            b.x = b.x * a.x
        a.x = a.x + b.x
    return a.x * y[2] + b.x


def in_a_loop_and_its_else(y):
    a = Damped(y[0])
    with a:
        for v in y:
            b = Damped(v)
            with b:
                a.x = a.x + b.x
            a.x = a.x * b.x
        else:
            with Damped(y[1]) as c:
                c.x = c.x * a.x
            a.x = a.x + c.x
    return a.x


def twice_the_same(y):
    a = Damped(y[0])
    with a as first:
        with a as second:
            second.x = second.x * y[1]
        first.x = first.x * y[2]
    return a.x


def several_items_and_exceptions(y):
    a, b = Damped(y[0]), Guard(y[1])
    with a, b as q:
        q.x = q.x * 2.0
        with Guard(y[2]) as c:
            c.x = c.x + a.x
            if y[0] > 0.5:
                raise ValueError
            a.x = 0.0
        b.x = b.x * c.x
    return a.x * b.x


def passed_through_both(y):
    a, b = Guard(y[0]), Guard(y[3])
    try:
        with a:
            with b:
                a.x = a.x * y[1]
                raise KeyError
    except KeyError:
        a.x = a.x * y[2]
    return a.x * b.x


def in_a_recursion(y):
    a = Damped(y[0])

    def entered(n):
        with a:
            a.x = a.x * y[1]
            if n > 0:
                entered(n - 1)

    entered(2)
    return a.x


def names_of_hidden_things(y):
    hidden_state, a = y[0], Damped(y[1])
    with a as hidden_manager:
        hidden_state = hidden_state * hidden_manager.x
        hidden_layer = np.tanh(y)
    return hidden_state + hidden_layer @ y + a.x


PROGRAMS = [
    one_in_another,
    in_a_loop_and_its_else,
    twice_the_same,
    several_items_and_exceptions,
    passed_through_both,
    in_a_recursion,
    names_of_hidden_things,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_reverse_and_forward(f):
    gradient = assert_right(f, Y.copy())
    v = np.array([0.4, -1.1, 0.7, 0.2])
    value, slope = sourcegrad.jvp(f, (Y.copy(),), (v,))
    assert value == f(Y.copy())
    np.testing.assert_allclose(slope, gradient @ v, 1e-12)
