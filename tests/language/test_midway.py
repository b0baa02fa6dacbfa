"""Exceptions in the middle of a statement: what it did before that stays done."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

Y = np.array([0.9, 1.126, 1.139, 0.291])


class Account:
    def __init__(self, balance):
        self.balance, self.tries, self.log = balance, 0.0, []

    def take(self, v):
        self.tries += 0.1
        self.log.append(v)
        if v > self.balance:
            raise ValueError("insufficient")
        self.balance -= v
        return v

    def noted(self, v):
        self.tries = self.tries + v
        return v


def taken_or_not(y):
    a, total = Account(y[0]), 0.0
    for v in y:
        try:
            total += a.take(v * 0.6)
        except ValueError:
            total -= 0.01 * v
    return total * a.tries + a.balance * len(a.log) + sum(a.log)


def raised_behind_the_call(y):
    a = Account(y[0])
    try:
        w = math.sqrt(-a.noted(y[1]))
    except ValueError:
        w = 1.0
    return a.tries * w + y[0]


def raised_behind_two_calls(y):
    a, w = Account(y[0]), 1.0
    try:
        w = a.noted(y[1]) + [a.noted(y[2])][3]
    except IndexError:
        pass
    return a.tries * w + y[0]


def bound_in_an_expression(y):
    z = y[0]
    try:
        w = math.sqrt(-(z := y[1] * y[2]))
    except ValueError:
        w = 2.0
    return z * w


def bound_twice(y):
    x = y[0]
    try:
        x, z = (x := x * 2.0), math.sqrt(-x)  # noqa: F841
    except ValueError:
        x = x * y[1]
    return x


def bound_in_a_condition(y):
    n, t = 0, 1.0
    try:
        while (n := n + 1) < 9:
            t = t * math.sqrt((q := y[0] - 0.2 * n))
    except ValueError:
        t = t + q * n
    return t


def bound_by_an_inner_function(y):
    z = y[0]

    def saved(v):
        nonlocal z
        z = v * z
        return -v

    for k in range(3):
        try:
            z = z + math.sqrt(saved(y[k]))
        except ValueError:
            z += 0.1
    return z


def read_before_the_call(y):
    k = 1.0

    def scaled(v):
        nonlocal k
        k = k * v
        return v

    z = y[0]
    try:
        z = k + scaled(y[1]) * k + math.log(scaled(-y[2]))
    except ValueError:
        z = z * k
    return z * k


def tripled(a):
    a *= 3.0
    return 1.0


def updated_by_a_writer(y):
    try:
        y[2] += tripled(y)
    except ValueError:
        pass
    return np.sum(y * y)


def updated_items(y):
    a, out = Account(y[0]), [0.0, 1.0, 2.0]
    for k in range(3):
        try:
            out[k] += a.take(y[k]) * y[3]
        except ValueError:
            out[k] *= 2.0
    return sum(out) * a.tries + a.balance


def updated_attribute(y):
    a = Account(5.0)
    a.w = y[1]
    try:
        a.w += a.take(y[0]) + a.take(y[2] * 9.0)
    except ValueError:
        a.w *= a.tries
    return a.w * a.balance


def updated_views(y):
    z, buffer = 1.0, np.zeros(4)

    def filled(v):
        nonlocal z
        z = v
        buffer[1] += v
        return buffer

    try:
        buffer[1:3] += filled(y[0])[:2] * z
        buffer += filled(y[1]) * z
        buffer[7] = 0.0
    except IndexError:
        z = z * 2.0
    return np.sum(buffer * buffer) * z


def taken_from_a_list(y):
    held, t = [y[0]], 0.0

    def pop():
        return held.pop()

    for k in range(3):
        try:
            t += pop() * y[k]
        except IndexError:
            t *= 1.5
            held.append(t)
            held.append(y[k])
    return t + sum(held)


def chosen_calls(y):
    a, s = Account(y[0]), 0.0
    for v in y:
        try:
            s += a.take(v * 0.6) if v > 0.5 else a.noted(v) * 2.0
        except ValueError:
            s -= 0.1 * v
    return s * a.tries + a.balance


def calls_that_may_not_be_reached(y):
    a, s = Account(y[0]), 0.0
    for v in y:
        try:
            if a.noted(v) > 0.3 and a.take(v * 0.6) > 0.1:
                s += v
            w = a.take(v * 0.1) or a.take(v)
            s += w * v
        except ValueError:
            s -= 0.1 * v
    return s * a.tries + a.balance


def chain_of_calls(y):
    a, s = Account(y[0]), 0.0
    for v in y:
        try:
            if 0.1 < a.take(v * 0.3) < a.take(v * 0.4) < 0.44:
                s += v
        except ValueError:
            s -= 0.1 * v
    return s * a.tries + a.balance


def chain_without_calls_in_a_loop(y):
    z, s = y * 1.0, 0.0
    try:
        for v in [y[0] ** 2, -y[1], y[2]]:
            if -0.8 < np.exp(-((0.3 * v) ** 2)) <= 0.9:
                s += v
            z[int(4 * s)] += s * v
    except IndexError:
        s = s * 2.0
    return s + np.sum(z * z)


def comprehension_of_calls(y):
    a, v = Account(y[0]), y[3]
    try:
        out = [a.take(v * w) for v in y for w in (0.1, 0.4) if a.noted(w) > 0.2]
    except ValueError:
        out = [a.balance * v]
    return sum(out) * a.tries + a.balance * v


def summed_generator_of_calls(y):
    a = Account(y[0])
    try:
        t = max(a.take(v * 0.1) for v in y[:2]) + sum(a.take(v * 0.5) * v for v in y)
    except ValueError:
        t = a.balance
    return t * a.tries


def nested_comprehensions(y):
    a = Account(y[0])
    try:
        rows = [[a.take(v * w * 0.4) for v in y[:2]] for w in y[:2]]
    except ValueError:
        rows = [[a.balance]]
    return sum(sum(r) for r in rows) * a.tries


def functions_beside_calls(y):
    a = Account(y[0])
    try:
        f, t = (lambda w: a.take(w)), a.take(y[3])
        t = t + f(y[1]) * 2.0
    except ValueError:
        t = a.balance
    return t * a.tries


def displays_of_calls(y):
    x = y[0]

    def kept(q):
        nonlocal x
        x = x * q
        return q

    try:
        x = np.tanh({"a": np.tanh(kept(x)), **{"b": kept(y[1])}}["a"])
        z = [*[kept(y[2]), 1.0], kept(y[3])]
        x = sum(z) * x / len({1, 2, int(kept(0.2))})
        x = x * len(f"{kept(x):.3f}")
        x = math.sqrt(-kept(3.0))
    except ValueError:
        x = x * 2.0
    return x * y[0]


PROGRAMS = [
    displays_of_calls,
    chosen_calls,
    calls_that_may_not_be_reached,
    chain_of_calls,
    chain_without_calls_in_a_loop,
    comprehension_of_calls,
    summed_generator_of_calls,
    nested_comprehensions,
    functions_beside_calls,
    taken_or_not,
    raised_behind_the_call,
    raised_behind_two_calls,
    bound_in_an_expression,
    bound_twice,
    bound_in_a_condition,
    bound_by_an_inner_function,
    read_before_the_call,
    updated_by_a_writer,
    updated_items,
    updated_attribute,
    updated_views,
    taken_from_a_list,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_reverse_and_forward(f):
    gradient = assert_right(f, Y.copy())
    _, pullback = sourcegrad.vjp(f, Y.copy())
    np.testing.assert_allclose(pullback(1.0)[0], gradient, 1e-12)
    v = np.array([0.4, -1.1, 0.7, 0.2])
    value, slope = sourcegrad.jvp(f, (Y.copy(),), (v,))
    assert value == f(Y.copy())
    np.testing.assert_allclose(slope, gradient @ v, 1e-12)
