"""Classes defined inside the differentiated function."""

import dataclasses
import functools
from dataclasses import dataclass, field

import numpy as np
import pytest

from tests.language.judged import check


def dataclass_with_a_default(x):
    @dataclass
    class Plate:
        a: float
        b: float = 2.0

        def area(self):
            return self.a * self.b

    p = Plate(x)
    q = Plate(x * x, b=x)
    p.b += x
    return p.area() + q.area()


def dataclass_with_factories(x):
    @dataclass(frozen=True)
    class Track:
        a: float
        xs: list = field(default_factory=list)
        c: float = x

        def __post_init__(self):
            self.xs.append(self.a)

        @property
        def total(self):
            return sum(self.xs) + self.c

        @classmethod
        def squared(cls, v):
            return cls(v * v)

        @staticmethod
        def twice(v):
            return 2 * v

    p = Track.squared(x)
    p.xs.append(x)
    return p.total * p.twice(x)


def dataclass_with_an_array(x):
    @dataclasses.dataclass
    class State:
        a: float
        ys: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))

    p = State(x)
    p.ys[1] = x
    q = dataclasses.replace(p, a=x**2)
    return q.a * p.a + q.ys.sum()


def slots(x):
    class Pair:
        __slots__ = ("v", "w")

        def __init__(self, v):
            self.v = v
            self.w = v * v

    p = Pair(x)
    p.v *= x
    return p.v * p.w


def cached_property(x):
    class Circle:
        k: float = 3.0
        n: int

        def __init__(self, x):
            self.x = x

        @functools.cached_property
        def area(self):
            return self.x**2 * self.k

    c = Circle(x)
    return c.area + c.area * x


def linked(x):
    def chain(s):
        @dataclass
        class Node:
            v: float
            behind: object = None

        head = None
        for k in range(3):
            head = Node(s * k, head)
        return head

    node, total = chain(x), 0.0
    while node is not None:
        total += node.v**2
        node = node.behind
    return total


PROGRAMS = [
    dataclass_with_a_default,
    dataclass_with_factories,
    dataclass_with_an_array,
    slots,
    cached_property,
    linked,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, 1.3)


@dataclass
class Tank:
    level: float
    loss: float = 0.1
    gains: list = field(default_factory=lambda: [0.5, 2.0])


def factory_that_is_a_lambda(x):
    tank = Tank(x)
    tank.loss = x * x
    tank.gains[0] = x
    return tank.level * tank.loss * sum(tank.gains)


def test_factories_of_a_class_outside():
    check(factory_that_is_a_lambda, 1.3)
