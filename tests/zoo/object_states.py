"""Objects that change from trip to trip or by path, and tests of types."""

import dataclasses
import math
import operator

import numpy as np

from tests.zoo import case, program


class Planet:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Planet(self.x + other.x, self.y + other.y)

    def __mul__(self, other):
        if isinstance(other, Planet):
            return self.x * other.x + self.y * other.y
        return Planet(self.x * other, self.y * other)

    __rmul__ = __mul__

    def __abs__(self):
        return math.sqrt(self.x**2 + self.y**2)


@dataclasses.dataclass(frozen=True)
class State:
    place: np.ndarray
    speed: np.ndarray
    time: float = 0.0


class Pair:
    def __init__(self, real, slope=0.0):
        self.real, self.slope = real, slope

    def lift(self, other):
        return other if isinstance(other, Pair) else Pair(other)

    def __add__(self, other):
        other = self.lift(other)
        return Pair(self.real + other.real, self.slope + other.slope)

    def __mul__(self, other):
        other = self.lift(other)
        slope = self.real * other.slope + self.slope * other.real
        return Pair(self.real * other.real, slope)


def chosen(c, x):
    if c > 1.0:
        return Planet(x, x * x)
    return Planet(x * x, 1.0)


@case(0.3, 0.7)
@program("object carried by a loop", argnums=(0, 1), issue=3)
def orbit_of_objects(a, b):
    p, v = Planet(a, b), Planet(0.0, 1.0)
    start = p
    for _ in range(4):
        v = v + p * (-0.1 / abs(p) ** 3)
        p = p + 0.1 * v
    return p.x * p.y + v * p + start.x


@case(0.4)
@program("frozen dataclass carried by a loop", issue=3)
def frozen_states(x):
    s = State(np.array([x, 2.0 * x]), np.ones(2))
    while s.time < 0.35:
        s = dataclasses.replace(
            s,
            place=s.place + 0.1 * s.speed,
            speed=s.speed - 0.1 * s.place * x,
            time=s.time + 0.1,
        )
    return np.sum(s.place**2) + s.speed[0]


@case(0.4)
@case(1.4)
@program("object by path", issue=3)
def object_by_path(x):
    p = chosen(x, x * 0.5)
    q = p if x > 1.2 else Planet(x, x)
    return p.x * p.y + q.y * q.x


@case(np.array([0.2, 0.5, 0.9]))
@program("isinstance", "overloaded operators", issue=3)
def horner_with_slopes(c):
    r = Pair(0.0)
    x = Pair(1.3, 1.0)
    for k in range(len(c)):
        r = r * x + c[k]
    return r.real + r.slope**2


class Number:
    def __init__(self, value):
        self.value = value

    def evaluate(self, env):
        return self.value


class Name:
    def __init__(self, name):
        self.name = name

    def evaluate(self, env):
        return env[self.name]


class Operation:
    def __init__(self, op, left, right):
        self.op, self.left, self.right = op, left, right

    def evaluate(self, env):
        return self.op(self.left.evaluate(env), self.right.evaluate(env))


@case(1.2, 0.7)
@program("expression tree of objects", argnums=(0, 1), issue=3)
def expression_of_objects(x, y):
    inner = Operation(operator.mul, Number(x), Name("y"))
    tree = Operation(operator.sub, inner, Name("x"))
    return tree.evaluate({"x": x, "y": y * x}) ** 2


@case(1.2, 0.7, ("+", ("*", "x", "y"), ("sin", "x")))
@program("expression tree of tuples", argnums=(0, 1), issue=3)
def expression_of_tuples(x, y, tree):
    env = {"x": x, "y": y}

    def value(t):
        if isinstance(t, str):
            return env[t]
        if t[0] == "+":
            return value(t[1]) + value(t[2])
        if t[0] == "*":
            return value(t[1]) * value(t[2])
        return np.sin(value(t[1]))

    return value(tree)


@case({"a": 0.5, "b": {"c": 1.5, "d": [0.2, 0.3]}})
@program("recursion over nested containers", issue=3)
def norm_of_nested(tree):
    def squares(v):
        if isinstance(v, dict):
            return sum(squares(v[k]) for k in v)
        if isinstance(v, (list, tuple)):
            return sum(map(squares, v))
        return v**2

    return np.sqrt(squares(tree))


class Tally:
    total = 0.0
    last = None

    def add(self, v):
        self.total += v
        return self


@case(np.array([0.3, 0.7, -0.2]))
@program("class attribute as default", "method in a loop", mutation=True, issue=3)
def own_in_place_of_the_class(x):
    tally, other = Tally(), Tally()
    for v in x:
        tally.add(v * v)
        if v > 0.5:
            tally.last = v
    if x[0] > 10.0:
        other.total = x[1]
    return tally.total * tally.last + (other.total + 1.0) * x[0]


class Amount:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v

    def __add__(self, other):
        return Amount(self.v + (other.v if isinstance(other, Amount) else other))

    __radd__ = __add__


@case(0.7)
@program("sum of objects", "max of objects", issue=3)
def sums_of_objects(x):
    amounts = [Amount(x), Amount(x * x), Amount(0.6)]
    whole = sum(amounts, Amount(0.0)).v * sum(amounts).v
    return whole + max(amounts).v + min(amounts[0], amounts[1]).v
