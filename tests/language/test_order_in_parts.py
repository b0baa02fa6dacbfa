"""Inside a `try`, a statement that may raise midway is evaluated in Python's order."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

Y = np.array([0.9, 1.126, 1.139, 0.291])


class A:
    def __init__(self, b):
        self.b, self.t = b, 1.0

    def take(self, v):
        self.t = self.t * 1.3 + v
        if v > self.b:
            raise ValueError
        self.b -= 0.1 * v
        return v * self.t


class P:
    def __init__(self, v):
        self.v = v

    def add(self, w):
        return self.v + w


def method_of_what_a_call_makes(y):
    a = A(1.0)

    def make(v):
        a.t = a.t * v
        return P(a.t)

    s = 0.0
    try:
        s = make(y[0]).add(a.take(y[3]) * 2) + a.take(y[1])
    except ValueError:
        s = s + a.t
    return s * a.b + a.t


def call_of_what_a_call_makes(y):
    a = A(1.0)

    def made(v):
        a.t = a.t * v
        return lambda w: w * a.t

    s = 0.0
    try:
        s = made(y[0])(a.take(y[3])) + a.take(y[1])
    except ValueError:
        s = s + a.t
    return s * a.b + a.t


def attributes_before_a_call(y):
    a = A(1.0)

    def two(u, v):
        return u * v

    s = 0.0
    try:
        s = two(a.t, a.take(y[3])) + a.take(y[1])
    except ValueError:
        s = s + a.t
    try:
        s = s + two(v=a.t, u=a.take(y[3] * 0.5)) + two(a.t, y[0])
    except ValueError:
        s = s * 2
    return s * a.b + a.t


def names_before_a_call(y):
    x = y[0]

    def bump(v):
        nonlocal x
        x = x * v
        return v

    def two(u, v):
        return u * v

    s = 0.0
    try:
        s = two(x, bump(y[3])) + math.sqrt(-bump(y[1]))
    except ValueError:
        s = s + x
    try:
        s = s + two(x, bump(y[2]))
    except ValueError:
        s = s + x
    return s * x


def spread_call_before_a_call(y):
    a = A(1.0)

    def pair(v):
        return v, a.take(v)

    def three(p, q, r):
        return p * q + r * a.t

    s = 0.0
    try:
        s = three(*pair(y[3]), a.take(y[0] * 0.3)) + a.take(y[1])
    except ValueError:
        s = s + a.t
    return s * a.b + a.t


def start_beside_a_generator(y):
    a = A(1.0)

    def start(v):
        a.t = a.t * v
        return a.t

    s = 0.0
    try:
        s = sum((a.take(v) for v in y), start=start(y[2]))
    except ValueError:
        s = s + a.t
    return s * a.b + a.t


def a_sum_of_the_users(y):
    a = A(1.0)

    def sum(items):
        t = 0.0
        for v in items:
            t = t + v * a.t
            a.t = a.t * 0.5
        return t

    s = 0.0
    try:
        s = sum(a.take(v) for v in y[::-1])
    except ValueError:
        s = s + a.t
    return s * a.b + a.t


def a_key_beside_a_generator(y):
    a = A(1.0)

    def key(v):
        a.t = a.t * 1.1
        return -v * a.t

    s = 0.0
    try:
        s = max((a.take(v) for v in y[::-1]), key=key)
    except ValueError:
        s = s + a.t
    return s * a.b + a.t


@pytest.mark.parametrize(
    "f",
    [
        method_of_what_a_call_makes,
        call_of_what_a_call_makes,
        attributes_before_a_call,
        names_before_a_call,
        spread_call_before_a_call,
    ],
    ids=lambda f: f.__name__,
)
def test_right_in_both_modes(f):
    gradient = assert_right(f, Y.copy())
    v = np.array([0.4, -1.1, 0.7, 0.2])
    value, slope = sourcegrad.jvp(f, (Y.copy(),), (v,))
    assert value == f(Y.copy())
    np.testing.assert_allclose(slope, gradient @ v, 1e-12)


@pytest.mark.parametrize(
    "f",
    [start_beside_a_generator, a_sum_of_the_users, a_key_beside_a_generator],
    ids=lambda f: f.__name__,
)
def test_refused_where_the_order_is_another(f):
    with pytest.raises(sourcegrad.SourcegradError, match="may raise after it has"):
        sourcegrad.grad(f)(Y.copy())
