"""A generator handed to a builtin is read when all operands have been evaluated, item
by item with the function that the builtin calls."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from tests.language.judged import check

Y = np.array([0.3, 0.4, 0.5])


def turned(a, v):
    a[0] = v
    return a[1]


def start_by_name(y):
    y = y * 1.0
    return sum((v * y[0] for v in (0.4, y[0])), start=turned(y, np.mean(y)))


def start_by_place(y):
    y = y * 1.0
    return sum((v * y[0] for v in (0.4, y[0])), turned(y, np.mean(y)))


def default(y):
    y = y * 1.0
    return max((v * y[0] for v in (0.4, y[0])), default=turned(y, np.mean(y)))


def of_a_named_generator(y):
    y = y * 1.0
    squares = (v * y[0] for v in y)
    return sum(squares, turned(y, 2.0))


def of_a_map(y):
    y = y * 1.0
    return sum(map(lambda v: v * y[0], y), turned(y, 2.0))


def of_a_list(y):
    y = y * 1.0
    return sum([v * y[0] for v in y], turned(y, 2.0))


def zipped(y):
    y = y * 1.0
    return sum(a * b for a, b in zip((v * y[0] for v in y), [turned(y, 3.0), 2.0]))


def of_a_dict(y):
    y = y * 1.0
    made = dict(((k, v * y[0]) for k, v in enumerate(y)), c=turned(y, np.mean(y)))
    return sum(made.values())


def keys_in_step(y):
    log = []

    def seen(v):
        log.append(v)
        return v

    top = max((seen(v) for v in y), key=lambda t: log.append(t * 2.0) or t)
    low = min((seen(v) for v in y), key=lambda t: log.append(t * 3.0) or t)
    return sum(v * k for k, v in enumerate(log)) + top * low


def reduced_from(y):
    y = y * 1.0
    return functools.reduce(
        lambda p, q: p * q, (v * y[0] for v in y), turned(y, np.mean(y))
    )


def reduced_in_step(y):
    log = []

    def seen(v):
        log.append(v)
        return v

    def join(p, q):
        log.append(p * q)
        return p + q * q

    total = functools.reduce(join, (seen(v) for v in y))
    return total + sum(v * k for k, v in enumerate(log))


PROGRAMS = [
    start_by_name,
    start_by_place,
    default,
    of_a_named_generator,
    of_a_map,
    of_a_list,
    zipped,
    of_a_dict,
    keys_in_step,
    reduced_from,
    reduced_in_step,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, Y.copy())
