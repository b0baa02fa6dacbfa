"""Objects that hold memory, made where no derivative is asked for: what their methods
write there is seen all the same."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

from tests.language.judged import check

V = np.array([0.3, 0.4, 0.5])


class Writer:
    def __init__(self, a):
        self.a = a

    def bump(self):
        self.a[0] = 5.0
        return 1.0

    def fill(self, v):
        self.a[0] = v
        return 1.0

    @property
    def bumped(self):
        self.a[0] *= 5.0
        return 1.0

    def __call__(self):
        self.a[0] *= 2
        return 1.0

    def __len__(self):
        self.a[1] = 0.5
        return 3

    def __lt__(self, other):
        self.a[2] *= 3.0
        return True


@dataclasses.dataclass
class Record:
    a: np.ndarray

    def bump(self):
        self.a[1] *= 2.0
        return 1.0


class Pair(NamedTuple):
    a: np.ndarray
    b: float

    def bump(self):
        self.a[1] *= self.b
        return 1.0


def made(v):
    return Writer(v)


TESTS = {
    "method": lambda v: Writer(v).bump() > 0,
    "method_named_as_one_of_arrays": lambda v: Writer(v).fill(2.0) > 0,
    "property": lambda v: Writer(v).bumped > 0,
    "call": lambda v: Writer(v)() > 0,
    "length": lambda v: len(Writer(v)) > 0,
    "comparison": lambda v: Writer(v) < 3,
    "chained": lambda v: 0 < Writer(v).bump() < 3,
    "made_by_a_function": lambda v: made(v).bump() > 0,
    "dataclass": lambda v: Record(v).bump() > 0,
    "named_tuple": lambda v: Pair(v, 3.0).bump() > 0,
    "index": lambda v: [False, True][int(Writer(v).bump())],
    "any": lambda v: any(Record(a).bump() > 0 for a in [v]),
}


@pytest.mark.parametrize("name", TESTS)
def test_a_condition(name):
    asked = TESTS[name]

    def program(x):
        v = x * 1.0
        if asked(v):
            return np.sum(v * v)
        return np.sum(v)

    check(program, V)


def test_a_number_of_trips_and_an_index():
    def program(x):
        v = x * 1.0
        for _ in range(int(made(v).bump())):
            v = v * 2.0
        w = [v, 2.0 * v][int(Record(v).bump())]
        return np.sum(v * w)

    check(program, V)


def test_a_method_that_does_not_write_of_an_object_of_numbers():
    def program(x):
        while Writer(x[0]).fill is None or x[0] < 3.0:
            x = x * 2.0
        return np.sum(x * x)

    check(program, V)
