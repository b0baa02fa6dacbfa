"""Callees of which no derivative is asked: what they give and what they write."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

Y = np.array([0.9, 1.126, 1.139, 0.291])


def damped(p, n):
    if n <= 0:
        return np.sin(np.cos(0.39))
    return np.tanh(p) * damped(np.sin(0.05 + 0.3 * n), n - 1)


def paired(p, n):
    if n <= 0:
        return 1.0, p
    a, b = paired(0.5 * n, n - 1)
    return a * p, b + a


def rows(n):
    return [0.5] if n == 0 else [*rows(n - 1), 0.3 * n]


def even(p, n):
    return p if n == 0 else odd(0.4, n - 1) + p


def odd(p, n):
    return 2.0 if n == 0 else even(0.3, n - 1) * p


def stored_beside_a_recursion(y):
    e = np.stack([np.sin(np.array([damped(*(y[0], 0)), y[1], 2.0])), np.ones(3)])
    e[-2][2] *= y[3]
    return np.sum(e * e)


def masked_store_into_a_view(y):
    z = np.sin(np.where(y > -0.16, y, damped(y[0], 2)))
    u = z[1:2]
    u[u > -1.24] = np.sin(z[-2])
    return u @ u + z @ z


def scaled_in_place(y):
    e = y * damped(y[0], 2)
    e[e > 0.1] *= y[3]
    e *= paired(y[1], 3)[0]
    return np.sum(e * e)


def filled(y):
    z = y.copy()
    z.fill(even(y[1], 3))
    z[1:] *= y[:-1]
    return np.sum(z * y)


def list_of_a_recursion(y):
    held = rows(3)
    held.append(y[0])
    held[1] *= y[1]
    return sum(held) * y[2]


def chosen(p, q):
    for k, v in enumerate(q):
        f = np.sin if k == 1 else math.tanh
        p = np.cos(f(p if v > 1.0 else q[-4]))
    return p


def decided_by_a_chosen_function(y):
    return y[0] * y[1] if chosen(np.sin(y[0]), y) >= 0.1 else y[2]


@dataclasses.dataclass
class Pair:
    left: float
    right: float = 0.7


def made(p, q):
    pair = Pair(np.sin(-0.864))
    pair.left *= np.tanh(np.sum(q[1:]))
    return pair.left + p


def decided_by_a_made_object(y):
    z = y * 1.0
    if made(0.1, z) > -5.0 and z[0] > 0:
        z = np.tanh(z)
    return np.sum(z * z)


def halved(q):
    pair = Pair(0.5)
    pair.left *= 1.0
    q *= pair.left
    return q[0]


def decided_by_a_writer_that_makes_an_object(y):
    z = y * 1.0
    if halved(z) > 0.1:
        z = z * y
    return np.sum(z * z)


PROGRAMS = [
    stored_beside_a_recursion,
    masked_store_into_a_view,
    scaled_in_place,
    filled,
    list_of_a_recursion,
    decided_by_a_chosen_function,
    decided_by_a_made_object,
    decided_by_a_writer_that_makes_an_object,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_reverse_and_forward(f):
    gradient = assert_right(f, Y.copy())
    v = np.array([0.4, -1.1, 0.7, 0.2])
    value, slope = sourcegrad.jvp(f, (Y.copy(),), (v,))
    assert value == f(Y.copy())
    np.testing.assert_allclose(slope, gradient @ v, 1e-12)
