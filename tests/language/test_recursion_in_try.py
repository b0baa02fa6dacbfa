"""Recursion that writes, called inside of a `try`: what it wrote before another part of
the statement raised has its derivative; where it may raise itself, that is refused."""

from __future__ import annotations

import numpy as np
import pytest

from sourcegrad import UnsupportedSyntaxError, grad, jvp
from tests.language.judged import check


def pushed(items, v, depth):
    if depth == 0:
        items.append(v * v)
        return 1
    return pushed(items, v * 2.0, depth - 1)


def weighed(items):
    return sum(k * v for k, v in enumerate(items, 1))


def subscript(x):
    items = [x, x]
    try:
        [][pushed(items, x, 1)]
    except IndexError:
        items.append(x)
    return weighed(items)


def quotient(x):
    items, r = [x, x], 1.0
    try:
        r = x / (pushed(items, x, 1) - 1)
    except ZeroDivisionError:
        r = x
    return r + weighed(items)


def key(x):
    items, r = [x, x], 1.0
    try:
        r = {2: x}[pushed(items, x, 1)]
    except KeyError:
        r = 3.0 * x
    return r + weighed(items)


def condition(x):
    items, r = [x, x], 1.0
    try:
        if x / (pushed(items, x, 1) - 1) > 0:
            r = 3.0
    except ZeroDivisionError:
        r = x
    return r + weighed(items)


def returned(x):
    items = [x, x]
    try:
        return x / (pushed(items, x, 1) - 1)
    except ZeroDivisionError:
        return weighed(items)


def in_trips(x):
    items, r = [x, x], 1.0
    try:
        for k in range(3):
            r += [1.0, x][pushed(items, x * k, 1) + k - 1]
    except IndexError:
        r += x
    return r + weighed(items)


def that_does_not_raise(x):
    items, r = [x, x], 1.0
    try:
        r = x / pushed(items, x, 1)
    except ZeroDivisionError:
        r = x
    return r + weighed(items)


class Store:
    def __init__(self, v):
        self.v = v

    def put(self, v):
        self.v = self.v * 0.5 + v
        return 1

    @property
    def turned(self):
        self.v = self.v * 0.5
        return 1


def stored_at_a_call(x):
    array, store, r = np.array([x, 2.0 * x, 1.0]), Store(x), 0.0
    try:
        array[store.put(x) + 9] = x * x
    except IndexError:
        r = 3.0 * x
    return r + array[0] * array[1] + store.v


def increased_at_a_call(x):
    items, store, r = [x, 2.0 * x], Store(x), 0.0
    try:
        items[store.put(x) + 9] += x * x
    except IndexError:
        r = 3.0 * x
    return r + items[0] * items[1] + store.v


def slice_stored(x):
    items, store, r = [x, 2.0 * x, 3.0 * x], Store(x), 0.0
    try:
        items[0:1] = [x / (store.put(x) - 1)]
    except ZeroDivisionError:
        r = 3.0 * x
    return r + sum(items) + store.v


PROGRAMS = [
    stored_at_a_call,
    increased_at_a_call,
    slice_stored,
    subscript,
    quotient,
    key,
    condition,
    returned,
    in_trips,
    that_does_not_raise,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, 0.7)


def test_a_property_that_writes_before_the_rest_of_a_statement_raises():
    def f(x):
        store, r = Store(x), 1.0
        try:
            r = None + store.turned
        except TypeError:
            r = x
        return r + store.v

    with pytest.raises(UnsupportedSyntaxError, match="in a try block"):
        grad(f)(0.7)


def raised_at_the_end(items, v, depth):
    items[depth] = v * v
    if depth == 0:
        raise ValueError
    return raised_at_the_end(items, v * 2.0, depth - 1)


def raised_on_the_way_back(items, v, depth):
    items.append(v)
    return v / depth + raised_on_the_way_back(items, v * 2.0, depth - 1)


def caught(x):
    items = np.array([x, x, x])
    try:
        raised_at_the_end(items, x, 2)
    except ValueError:
        pass
    return np.sum(items)


def caught_later(x):
    items = [x]
    try:
        return raised_on_the_way_back(items, x, 2)
    except ZeroDivisionError:
        return weighed(items)


@pytest.mark.parametrize("f", [caught, caught_later], ids=lambda f: f.__name__)
def test_a_recursion_that_raises_after_it_has_written_is_refused(f):
    for derivative in (lambda: grad(f)(0.7), lambda: jvp(f, (0.7,), (1.0,))):
        with pytest.raises(UnsupportedSyntaxError, match="recursion in a try block"):
            derivative()
