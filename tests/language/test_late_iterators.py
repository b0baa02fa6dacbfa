"""Iterators that have a name, or are handed on: they are read when they are read."""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

X = np.array([0.3, 0.9, 1.4])


def item_stored(x):
    items = [x[0], x[1], x[2]]
    squares = (v * v for v in items)
    items[1] = x[2] * 3.0
    return sum(squares)


def item_appended(x):
    items = [x[0], x[1]]
    squares = (v * v for v in items)
    items.append(x[2])
    return sum(squares)


def mapped(x):
    items = [x[0], x[1]]
    sines = map(np.sin, items)
    items.append(x[2])
    items[0] = 2.0 * x[1]
    return sum(sines)


def filtered(x):
    items = [x[0], x[1]]
    large = filter(lambda v: v > 0.5, items)
    items[0] = x[2] * 5.0
    return sum(large)


def name_bound_again(x):
    k = x[0]
    scaled = (v * k for v in x)
    k = x[1] * 3.0
    return sum(scaled)


def array_changed(x):
    y = np.array(x)
    squares = (v * v for v in y)
    y *= 2.0
    return sum(squares)


def handed_on(x):
    items = [x[0], x[1]]

    def total(values):
        items[0] = x[2] * 2.0
        return sum(values)

    return total(v * v for v in items)


def pairs(x):
    items = [x[0], x[1]]
    zipped = zip(items, x)
    items[0] = x[2] * 5.0
    return sum(a * b for a, b in zipped)


def read_in_the_loop_that_changes(x):
    items, total = [x[0], x[1], x[2]], 0.0
    for v in (a * a for a in items):
        items[2] = items[2] + v
        total += v
    return total


@pytest.mark.parametrize(
    "f",
    [
        item_stored,
        item_appended,
        mapped,
        filtered,
        name_bound_again,
        array_changed,
        handed_on,
        pairs,
        read_in_the_loop_that_changes,
    ],
    ids=lambda f: f.__name__,
)
def test_reverse_and_forward(f):
    gradient = assert_right(f, X.copy())
    v = np.array([0.4, -1.1, 0.7])
    value, slope = sourcegrad.jvp(f, (X.copy(),), (v,))
    assert value == f(X.copy())
    np.testing.assert_allclose(slope, gradient @ v, 1e-12)


def test_where_nothing_changes_a_list_does():
    def f(x):
        squares = (v * v for v in x)
        return sum(squares)

    assert "yield" not in sourcegrad.grad(f).source(X)
    assert_right(f, X)


def summed_by_parity(x):
    sums = {}
    for i, v in enumerate(x):
        sums[i % 2] = sums.get(i % 2, 0.0) + v
    values = sums.values()
    return sum(values) * max(values) * len(sums)


def test_a_named_view_of_a_dict_that_is_complete():
    assert_right(summed_by_parity, X)


def test_a_generator_that_a_key_function_orders():
    def f(x):
        n = len(x)
        done, total = [False] * n, 0.0
        for _ in range(n):
            k = min((k for k in range(n) if not done[k]), key=lambda k: x[k])
            done[k] = True
            total = 0.5 * total + x[k] ** 2
        rest = max(set(range(n)) - {k}, key=lambda k: x[k])
        return total * x[rest]

    sourcegrad.check_grad(f, (np.array([0.5, 1.5, -0.3, 0.9]),))
