"""Programs that write what a callee read, or what it returned."""

from __future__ import annotations

import numpy as np

from sourcegrad import checkpoint
from tests.zoo import case, program

X = np.array([0.7, -1.1, 0.4, 1.6])


def squares(v, k):
    if k > 1:
        return squares(v * 0.5, k - 1)
    return v * v


def joined(u, v, k):
    if k > 1:
        return joined(u, v, k - 1)
    return u + v


def handed_back(v, k):
    if k > 1:
        return handed_back(v, k - 1)
    return v


def picked(p, v, k):
    if k > 1:
        return picked(p, v, k - 1)
    return v[p[0]] ** 2


def product_of(items, k):
    if k > 1:
        return product_of(items, k - 1)
    return items[0] * items[1]


@checkpoint
def damped(v, s):
    return np.exp(-s * v) * v


@case(X.copy())
@program("operand written after the call", mutation=True)
def operand_written_after_the_call(x):
    v = x * 1.5
    t = squares(v, 2)
    v[1] = x[0]
    return np.sum(t * v)


@case(X.copy())
@program("operand written after the call", "loop", mutation=True)
def operand_written_in_the_loop(x):
    v, total = x.copy(), 0.0
    for i in range(3):
        total += np.sum(squares(v, 2))
        v[i] = 0.1 * total
    return total


@case(X.copy())
@program("operand written after the call", "index array", mutation=True)
def index_array_written_after_the_call(x):
    p = np.array([0, 1])
    t = picked(p, x, 2)
    p[0] = 2
    return t * x[p[0]]


@case(0.7, 1.2)
@program("operand written after the call", "list", mutation=True)
def list_written_after_the_call(x, w):
    items = [x, w * x]
    t = product_of(items, 2)
    items[0] = w
    return t * items[0] * items[1]


@case(X.copy())
@program("operand written after the call", "checkpoint", mutation=True)
def operand_of_a_checkpoint(x):
    v = x * 1.5
    t = damped(v, x[0])
    v[1] = x[0]
    return np.sum(t * v)


@case(X.copy())
@program("result written", mutation=True)
def result_of_a_call_written(x):
    t = squares(x, 2)
    u = t
    u[0] = x[1]
    t *= t
    return np.sum(t * x)


@case(X.copy())
@program("one cotangent for two operands", mutation=True)
def one_cotangent_for_two_operands(x):
    u, v = 2.0 * x, np.sin(x)
    first = np.sum(u[1:] * v[:-1])
    t = joined(u, v, 2)
    return np.sum(t * t) + first + u[2] * v[1]


@case(X.copy())
@program("operand handed back", mutation=True)
def operand_handed_back(x):
    u = 2.0 * x
    t = handed_back(u, 2)
    return np.sum(t * u) + u[1]


def relax(u, w):
    """Long enough to stay a function of its own, but it writes into `u`."""
    left = u[0] * w
    right = u[-1] * w
    middle = np.sin(u[1])
    first = left + middle
    second = right - middle
    third = first * second
    fourth = third + left
    fifth = fourth * 0.5
    u[0] = fifth
    sixth = fifth + right
    seventh = sixth * middle
    u[1] = seventh
    return np.sum(u) * first


@case(X.copy())
@program("callee that writes into an argument", mutation=True)
def long_callee_that_writes(x):
    v = x * 1.5
    y = relax(v, x[1])
    return y * np.sum(v * x)


@case(X.copy(), 3)
@program("result written", "buffer swap", mutation=True)
def result_of_a_call_swapped(x, n):
    u, v = 2.0 * x, squares(x, 2)
    for _ in range(n):
        v[1:] += u[:-1] * x[0]
        u, v = v, u
    return np.sum(u * v)


def settled(v, k):
    if k <= 0:
        return v
    return settled(0.3, k - 1)


@case(0.7, 1.3)
@program("sum of results of unknown kind")
def sum_of_results(x, y):
    parts = [x * y, settled(x, 2), x]
    return sum(parts) * settled(y, 0) * x


@case(X.copy())
@program("flat store", "value of unknown kind", mutation=True)
def flat_store_of_an_unknown_value(x):
    y = x * x
    y.flat[1] = settled(x[0], 0) + settled(x[1], 2)
    m = y.reshape(2, 2)
    m.flat[2] = settled(x[3], 0) * x[0]
    return np.sum(m * m)
