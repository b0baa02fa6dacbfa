"""Classes that say what an attribute is: descriptors, `__getattr__`, `__setattr__`, the
dict of an object, cached and partial methods, and methods written in C."""

from __future__ import annotations

import enum
import functools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import sourcegrad
from sourcegrad import UnsupportedSyntaxError
from tests.language.judged import check


class Clamped:
    """A data descriptor that changes what it is given, and what it gives."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.name) * 2.0

    def __set__(self, obj, value):
        obj.__dict__[self.name] = min(max(value, self.low), self.high)


class Box:
    width = Clamped(0.0, 1.0)

    def __init__(self, width):
        self.width = width


@pytest.mark.parametrize("x", [0.3, 0.7, 1.5])
def test_a_data_descriptor_says_what_is_stored_and_read(x):
    def f(v):
        box = Box(v)
        first = box.width
        box.width = box.width * v
        return first + box.width * v

    check(f, x)


class Coordinate:
    def __init__(self, place):
        self.place = place

    def __get__(self, obj, owner):
        return obj.data[self.place]

    def __set__(self, obj, value):
        obj.data[self.place] = value


class Point:
    x, y = Coordinate(0), Coordinate(1)

    def __init__(self, data):
        self.data = data


def test_descriptors_that_store_into_an_array_of_the_object():
    def f(a):
        point = Point(a.copy())
        point.x += point.y * 3.0
        point.y = point.x**2
        return point.data * point.x

    check(f, np.array([0.4, 1.3]))


def test_objects_of_a_list_with_descriptors():
    def f(v):
        points = []
        t = v
        while t > 0.13:
            points.append(Point([t, t * t]))
            t *= 0.5
        for point in points:
            point.x = point.x + point.y
        return sum(point.x * point.y for point in points)

    check(f, 1.5)


class Lazily:
    def __init__(self, fn):
        self.fn = fn

    def __get__(self, obj, owner):
        return self.fn(obj)


class Disc:
    def __init__(self, radius):
        self.radius = radius

    @Lazily
    def area(self):
        return math.pi * self.radius**2

    def scaled(self, k, shift=1.0):
        return self.radius * k + shift

    doubled = functools.partialmethod(scaled, 2.0)

    @functools.lru_cache  # noqa: B019
    def cube(self):
        return self.radius**3


def test_a_descriptor_without_a_setter():
    def f(v):
        return Disc(v).area * v

    check(f, 0.7)


def test_partial_and_cached_methods():
    def f(v):
        disc = Disc(v)
        return disc.doubled(shift=v) * disc.cube()

    check(f, 0.7)


class Proxy:
    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)


def test_getattr_gives_what_is_not_there():
    def f(v):
        proxy = Proxy(Disc(v))
        return proxy.radius * proxy.scaled(v)

    check(f, 0.7)


class Watched:
    def __init__(self, x):
        super().__setattr__("stores", 0)
        self.x = x

    def __setattr__(self, name, value):
        if name == "x":
            super().__setattr__("stores", self.stores + 1)
            value = value * 2.0
        object.__setattr__(self, name, value)


def test_setattr_says_what_a_store_does():
    def f(v):
        watched = Watched(v)
        watched.x = watched.x + v
        watched.y = 3.0
        return watched.x * watched.stores * watched.y

    check(f, 0.5)


@dataclass(frozen=True)
class Vector:
    x: float
    y: float
    length: float = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "length", math.hypot(self.x, self.y))


def test_a_frozen_dataclass_that_fills_in_a_field():
    def f(v):
        vector = Vector(v, 1.0)
        return vector.x / vector.length

    check(f, 0.5)


class Settings:
    def __init__(self, **given):
        self.__dict__.update(given)


def test_the_dict_of_an_object_is_the_object():
    def f(v):
        settings = Settings(a=v, b=v * v)
        held = settings.__dict__
        settings.a = 3.0 * v
        held["b"] = settings.a * v
        held["a"] += 1.0
        other = Settings(**vars(settings))
        other.a = 5.0
        whole = sum(x for name, x in vars(settings).items() if name != "c")
        return settings.a * settings.b + other.b * whole * len(held)

    check(f, 0.5)


def test_getattribute_is_refused():
    class Doubling:
        def __getattribute__(self, name):
            return 2.0 * object.__getattribute__(self, name)

    def f(v):
        doubling: Any = Doubling()
        doubling.x = v
        return doubling.x

    with pytest.raises(UnsupportedSyntaxError, match="__getattribute__"):
        sourcegrad.grad(f)(0.5)


GENERATOR = np.random.default_rng(3)
OLDER = np.random.RandomState(3)


def test_generators_among_the_globals_are_drawn_from():
    def f(v):
        GENERATOR.bit_generator.advance(0)  # an attribute of a class in C
        shift = GENERATOR.choice([-1.0, 1.0]) + OLDER.permutation(4)[0]
        return v * shift + GENERATOR.normal(v, 2.0 * v) * OLDER.uniform(0.0, v)

    def again(v):
        GENERATOR.bit_generator.state = np.random.PCG64(5).state
        OLDER.seed(5)

    again(0.0)
    slope = sourcegrad.grad(f)(0.5)
    steps = []
    for x in (0.5 + 1e-6, 0.5 - 1e-6):
        again(x)
        steps.append(f(x))
    assert slope == pytest.approx((steps[0] - steps[1]) / 2e-6, rel=1e-7)


class Kind(enum.Enum):
    CALL = 1
    PUT = -1

    def payoff(self, spot):
        return np.maximum(self.value * (spot - 1.0), 0.0).sum()


@pytest.mark.parametrize("kind", list(Kind))
def test_the_value_of_a_member_of_an_enumeration_is_a_number(kind):
    def f(spot):
        return (kind.value * spot).clip(-1.2, 1.2) * kind.payoff(spot)

    check(f, np.array([0.4, 1.7]))
