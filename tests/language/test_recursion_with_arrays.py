"""Recursions that share lists of arrays: what they append, replace, exchange, return.

Every program is held against differences, in both modes, by `judged.check`.
"""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

A = np.array([[1.0, 2.0], [0.5, -1.0]])


def chain(l, k):
    if k == 0:
        return l[0]
    l.append(A @ l[-1])
    r = chain(l, k - 1)
    r2 = l[-1] * r
    l[0] = r2
    return r2


def list_of_arrays_grown(x, n):
    l = [x]
    r = chain(l, n)
    return np.sum(r) + np.sum(l[0] * l[-1])


def pairs(l, k):
    if k == 0:
        return [l[0], l[-1]]
    p = pairs(l, k - 1)
    l.append(p[0] * p[1])
    return [p[1], l[-1]]


def results_that_share(x, n):
    l = [x, A @ x]
    p = pairs(l, n)
    l[0] = x * 3
    return np.sum(p[0] * p[1]) + np.sum(l[0] * l[2])


def memo(d, k):
    if k in d:
        return d[k]
    a = memo(d, k - 1)
    b = memo(d, k - 2)
    d[k] = A @ a + b * 0.5
    a = a * 2
    return d[k]


def memo_of_arrays(x, n):
    d = {0: x, 1: A @ x}
    r = memo(d, n + 2)
    r = r * x
    return np.sum(r) + np.sum(d[2])


def leaves(out, k, u):
    if k == 0:
        out.append(u)
        return
    leaves(out, k - 1, A @ u)
    leaves(out, k - 1, u * 0.5)


def leaves_of_a_tree(x, n):
    out = []
    leaves(out, n, x)
    return np.sum(np.array(out) * np.arange(2 * len(out)).reshape(-1, 2))


def turns(l, k):
    if k == 0:
        return
    l[k % 2], l[(k + 1) % 2] = A @ l[(k + 1) % 2], l[k % 2]
    turns(l, k - 1)
    l.append(l[0])


def arrays_exchanged(x, n):
    l = [x, x * 2]
    turns(l, n)
    return np.sum(l[0] * l[-1]) + np.sum(l[1])


def permuted(l, k, acc):
    if k == len(l):
        acc.append(l[0] * 2 + l[1] * l[-1])
        return
    for i in range(k, len(l)):
        l[k], l[i] = l[i], l[k]
        permuted(l, k + 1, acc)
        l[k], l[i] = l[i], l[k]


def permutations(x, n):
    acc = []
    permuted([x, A @ x, x * x], 0, acc)
    return sum(np.sum(a * (i + 1)) for i, a in enumerate(acc))


def memo_in_a_closure(x, n):
    mem = {}

    def f(k):
        if k in mem:
            return mem[k]
        if k < 1:
            r = x
        else:
            r = A @ f(k - 1) + f(k - 2)
        mem[k] = r
        return r

    return np.sum(f(n))


@pytest.mark.parametrize(
    "program",
    [
        list_of_arrays_grown,
        results_that_share,
        memo_of_arrays,
        leaves_of_a_tree,
        arrays_exchanged,
        permutations,
        memo_in_a_closure,
    ],
    ids=lambda p: p.__name__,
)
def test_program(program):
    check(program, np.array([0.3, 0.8]), 3)


def multiplied(l, k):
    if k == 0:
        return np.sum(l[0] * l[1])
    l[0] = l[1] * l[0]
    return multiplied(l, k - 1) + np.sum(l[0])


def array_written_behind(x, n):
    l = [x * 1.0, A @ x]
    r = multiplied(l, n)
    l[1][0] = l[0][1] * x[0]
    return r + np.sum(l[1] * l[0])


def array_written_before(x, n):
    l = [x * 1.0, A @ x]
    l[1][0] = x[0] * x[1]
    return multiplied(l, n) + np.sum(l[1] * l[0])


def array_written_by_another_name(x, n):
    b = x * 1.0
    l = [A @ x, b]
    r = multiplied(l, n)
    b[1] = r
    return r + np.sum(l[1] * b)


def with_an_array(l, b, k):
    if k == 0:
        return np.sum(l[0] * b)
    l[0] = l[1] * l[0]
    b[0] = b[1] * 2.0
    return with_an_array(l, b, k - 1) + np.sum(l[0])


def array_written_by_the_recursion(x, n):
    b = x * 1.0
    return with_an_array([A @ x, b], b, n)


@pytest.mark.parametrize(
    "program",
    [
        array_written_behind,
        array_written_before,
        array_written_by_another_name,
        array_written_by_the_recursion,
    ],
    ids=lambda p: p.__name__,
)
def test_arrays_that_are_written_beside_the_list_are_refused(program):
    """Their cotangents are parts of others, which the recursion would leave behind."""
    x, v = np.array([0.3, 0.8]), np.array([0.4, -0.7])
    with pytest.raises(sourcegrad.AliasError, match="a recursion changes the list"):
        sourcegrad.grad(program)(x, 2)
    h = 1e-6
    slope = (program(x + h * v, 2) - program(x - h * v, 2)) / (2 * h)
    dots = (v, None)
    assert sourcegrad.jvp(program, (x, 2), dots)[1] == pytest.approx(slope, rel=1e-7)


def both(l, m, k):
    if k == 0:
        return np.sum(l[0] * m[1])
    l[0] = m[1] * l[0]
    m[1] = l[0] + m[0]
    return both(l, m, k - 1) + np.sum(m[0])


def test_one_list_under_two_names():
    def one(x):
        held = [A @ x, x * x]
        return both(held, held, 2)

    check(one, np.array([0.3, 0.8]))
