"""A chained comparison stops at the first link that does not hold: what stands behind
is not evaluated, whatever it would do."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.language.judged import check


class Gauge:
    def __init__(self, level):
        self.level = level

    def fill(self, v):
        self.level = np.sin(self.level + v)
        return self.level * v

    def __lt__(self, other):
        self.level = self.level * 0.9
        return self.level < other.level


def methods_that_store(x, y):
    gauge = Gauge(np.tanh(x))
    low = 0.6 if gauge.fill(x) < gauge.level < gauge.fill(y) + 1.0 else 0.3
    return low * gauge.fill(0.4 * x) + gauge.level


def lists_that_grow(x, y):
    log = [x]

    def seen(v):
        log.append(v)
        return v

    total = 0.0
    for k in range(4):
        if 0.2 < seen(x * k) < seen(y) < seen(x + 0.3) < 5.0:
            total += x * y
    return total + len(log) * x + sum(log)


def what_would_raise(x, y):
    found = []

    def root(v):
        found.append(v)
        return math.sqrt(v)

    return 2.0 * x if 0.0 < x < root(x) else x * y + len(found)


def objects_with_an_order(x, y):
    low, middle, high = Gauge(0.1), Gauge(x), Gauge(x + y)
    first = x * y if low < middle < high else x
    return first + low.level + middle.level + high.level


def in_a_loop_and_a_comprehension(x, y):
    levels = [x, y]
    while len(levels) < 6 and 0.0 < levels[-1] < (levels.append(x) or 9.0):
        levels[-1] = levels[-2] * 0.7
    kept = [v * x for v in levels if 0.0 < v < Gauge(v).fill(v) + 1.0]
    return sum(kept) + len(levels) * y


PROGRAMS = [
    methods_that_store,
    lists_that_grow,
    what_would_raise,
    objects_with_an_order,
    in_a_loop_and_a_comprehension,
]


@pytest.mark.parametrize("at", [(0.3, 0.8), (-0.119, 0.4), (0.35, -0.4)])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f, at):
    check(f, *at)
