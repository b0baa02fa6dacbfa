"""Named tuples with operators of their own, `obj.attr += …` of objects, dicts of
functions asked what they hold, dicts of constants in lists that are filled later.

Every program is held against differences, in both modes, by `judged.check`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check


class Point(NamedTuple):
    x: float
    y: float = 0.0

    def __add__(self, o):
        return Point(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Point(self.x - o.x, self.y - o.y)

    def __mul__(self, s):
        return Point(self.x * s, self.y * s)

    def __rmul__(self, s):
        return self * s

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __bool__(self):
        return self.x > 100

    def __getitem__(self, k):
        return 7.0 * (self.x if k == 0 else self.y)

    def __len__(self):
        return 5


class Plain(NamedTuple):
    x: float
    y: float


def added(t):
    p = Point(t, 1.0)
    p += Point(t, t)
    return p.x * p.y


def differences(t):
    return (Point(t, 2.0) - Point(1.0, t * t)).y * (Point(t, 1.0) + Point(t, t)).x


def products(t):
    return (Point(t, 2.0) * 3).x * (2.0 * Point(t, t)).y


def signs(t):
    return (-Point(t, 2.0)).x * abs(Point(t, 2.0))


def truth(t):
    return (t * t if Point(t, 3.0) else 3 * t) + (t if not Point(t, 1.0) else 0.0)


def summed(t):
    return sum([Point(t, 1.0), Point(t, t)], Point(0.0, 0.0)).y


def items(t):
    return Point(t, 1.0)[0] * Point(t, t)[1] * len(Point(t, t))


def along_a_list(t):
    total = Point(0.0, 0.0)
    for i in range(3):
        total = total + Point(t * i, t)
    return total.x * total.y


def plain_ones_are_joined(t):
    joined = Plain(t, 2.0) + Plain(t * t, 1.0)
    doubled = Plain(t, 3.0) * 2
    return joined[2] * doubled[2] * len(joined) + (t if Plain(0.0, 0.0) else 0.0)


class Vector:
    def __init__(self, x):
        self.x = x

    def __add__(self, o):
        return Vector(self.x + o.x)

    def __mul__(self, s):
        return Vector(self.x * s)


class InPlace(Vector):
    def __iadd__(self, o):
        self.x = self.x + o.x * 2
        return self


class Particle:
    def __init__(self, p):
        self.p = p
        self.parts = [p, p]
        self.by_name = {"a": p}


def attribute_added_to(t):
    a = Particle(Vector(1.0))
    a.p += Vector(t)
    a.p *= t
    return a.p.x


def attribute_changed_in_place(t):
    a = Particle(InPlace(1.0))
    b = a.p
    a.p += Vector(t)
    return a.p.x * b.x


def parts_of_attributes_added_to(t):
    a = Particle(Vector(1.0))
    a.parts[0] += Vector(t)
    a.by_name["a"] += Vector(t * t)
    return a.parts[0].x * a.by_name["a"].x + a.parts[1].x


def attribute_that_is_a_named_tuple(t):
    a = Particle(Point(1.0, t))
    a.p += Point(t, t)
    return a.p.x * a.p.y


def dicts_of_constants_in_a_comprehension(t):
    swarm = [{"x": float(i), "v": 0.0} for i in range(5)]
    for _ in range(3):
        for p in swarm:
            p["v"] += t * p["x"]
            p["x"] += 0.1 * p["v"]
    return sum(p["x"] for p in swarm)


def dicts_of_constants_appended(t):
    swarm = []
    for _ in range(3):
        swarm.append({"x": 1.0, "v": 0.0})
    swarm[0]["v"] = t
    for p in swarm:
        p["x"] = t * p["x"] + p["v"]
    return swarm[0]["x"] * swarm[1]["x"]


PROGRAMS = [
    *(added, differences, products, signs, truth, summed, items, along_a_list),
    plain_ones_are_joined,
    *(attribute_added_to, attribute_changed_in_place, parts_of_attributes_added_to),
    attribute_that_is_a_named_tuple,
    *(dicts_of_constants_in_a_comprehension, dicts_of_constants_appended),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_program(program):
    check(program, 0.8)


def is_known(x, name):
    known = {"relu": lambda z: max(z, 0.0), "tanh": math.tanh}
    if name not in known:
        raise ValueError(name)
    return known[name](x)


def or_itself(x, name):
    known = {"square": lambda z: z * z, "tanh": math.tanh}
    return known.get(name, lambda z: z)(x)


def postfix(x, text):
    operators = {"+": lambda a, b: a + b, "*": lambda a, b: a * b}
    stack = []
    for token in text.split():
        if token in operators:
            b, a = stack.pop(), stack.pop()
            stack.append(operators[token](a, b))
        else:
            stack.append(x if token == "x" else float(token))
    return stack[0]


@pytest.mark.parametrize(
    ("program", "text", "slope"),
    [
        (is_known, "tanh", 1 - math.tanh(0.8) ** 2),
        (or_itself, "square", 1.6),
        (or_itself, "other", 1.0),
        (postfix, "x 2 * x + x *", 6 * 0.8),
    ],
)
def test_a_dict_of_functions(program, text, slope):
    assert sourcegrad.grad(program)(0.8, text) == pytest.approx(slope, rel=1e-12)
    assert np.isclose(
        sourcegrad.jvp(lambda x: program(x, text), (0.8,), (1.0,))[1], slope, rtol=1e-12
    )
