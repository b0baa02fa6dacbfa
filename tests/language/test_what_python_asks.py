"""What Python asks of objects: whether two are one, equal or ordered, of which class
they are, how they are copied and rounded; and which keys of a dict are the same.

Every program is held against differences, in both modes, by `judged.check`.
"""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import math
import operator

import pytest

import sourcegrad
from tests.language.judged import check


def one_list(x):
    a = [x]
    c = a
    return x * 2 if c is a else x * 3


def lists_by_turns(x):
    a, b, total = [x], [x * x], 0.0
    current = a
    for i in range(4):
        total += current[0] * (i + 1)
        current = b if current is a else a
    return total


def all_dicts_but_one(x):
    s, e = {"v": x}, {"v": x * x}
    return sum(n["v"] for n in [s, e] if n is not s)


def items_of_containers(x):
    held = [[x], [x * 2]]
    by_name = {"k": [x]}
    first, found = held[0], by_name.get("k")
    same = x if first is held[0] and found is by_name["k"] else x * x
    return same + (x if first is not held[1] else x * x)


def given(v):
    return v


def through_a_callee(x):
    a = [x, 1.0]
    return (x if given(a) is a else x * x) + (x if given(a) == [x, 1.0] else x * x)


def one_tuple(x):
    a = (x, 2.0)
    b = a
    return x if a is b else 2 * x


def equal_keys(x):
    d = {0: x}
    d[False] = x * x
    e = {}
    for k in (1, 1.0, 2):
        e[k] = e.get(k, 0.0) + x
    return d[0] * len(d) + e[1] * len(e) + e[True]


class Own:
    scale = 3.0

    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v - other.v

    def __ge__(self, other):
        return self.v * other.v

    def __floor__(self):
        return self.v * 3

    def __round__(self, places=0):
        return self.v * (2 + places)

    def __copy__(self):
        return Own(self.v * 2)

    def __deepcopy__(self, memo):
        return Own(self.v * 3)

    def twice(self):
        return self.__class__(self.v * 2)


class More(Own):
    scale = 5.0


def comparisons_that_give_numbers(x):
    return (
        (Own(x) < Own(2.0)) * x
        + (Own(x) >= Own(x * x))
        + (x if Own(x) < Own(9.0) else 0.0)
    )


def own_rounding(x):
    return math.floor(Own(x)) * round(Own(x)) + round(Own(x), 1)


def own_copies(x):
    return copy.copy(Own(x)).v * copy.deepcopy(Own(x)).v


def classes(x):
    made = More(x).twice()
    named = len(made.__class__.__name__)
    return Own(x).__class__.scale * x + made.__class__.scale * made.v * named


class Plain:
    def __init__(self, v):
        self.v = v


def equal_to_what_it_is_not(x):
    o = Plain(x)
    first = (x if o == (1, 2) else x * x) + (x if o != [1] else x * x)
    return first + (x if o in [o] else x * x) + (x if o not in (1, 2) else x * x)


def empty_or_not(x):
    d = {}
    for i in range(3):
        d[i] = x
    q = collections.deque([x, 1.0])
    first = (x if d == {} else x * x) + (x if d != {} else x * x)
    return first + (x if q == [x, 1.0] else x * x) + (x if d == [1] else x * x)


@dataclasses.dataclass(order=True)
class Ordered:
    a: float
    b: float = 1.0


def dataclasses_compared(x):
    a, b = Ordered(x), Ordered(2.0)
    found = (x if a < b else x * x) + (x if a == b else x * x)
    found += (x if a != Ordered(x) else x**3) + (x if b >= a else x * x)
    return found + min(Ordered(x), Ordered(0.1 * x, x)).b


def largest_of_dataclasses(x):
    held = [Ordered(x * i, x) for i in range(3)]
    best = held[0]
    for one in held:
        if one > best:
            best = one
    return best.a * max(held).b


class Base:
    def __init__(self, v):
        self.v = v

    @classmethod
    def make(cls, v):
        return cls(v * 2)


class Scaled(Base):
    scale = 3.0

    @classmethod
    def make(cls, v):
        made = super().make(v)
        made.v = made.v * cls.scale
        return made


class Squared(Scaled):
    scale = 5.0

    @classmethod
    def make(cls, v):
        return super().make(v * v)


def class_methods_of_bases(x):
    return Scaled.make(x).v * Squared.make(x).v


class Sum(Plain):
    def __add__(self, other):
        return Sum(self.v + other.v)

    def __mul__(self, other):
        return Sum(self.v * other.v)

    def __neg__(self):
        return Sum(-self.v)


def operators_as_functions(x):
    cube = functools.reduce(operator.mul, [Sum(x)] * 3)
    found = operator.add(cube, Sum(x)).v * operator.neg(Sum(x)).v
    joined = functools.reduce(operator.add, [[x], [x * x], [1.0]])
    return found + joined[1] + operator.mul((x,), 2)[1]


def sets_of_keys(x):
    d = {"a": x}
    d["b"] = x * x
    return sum(d[k] * (i + 1) for i, k in enumerate(sorted(set(d) | frozenset(d))))


PROGRAMS = [
    *(one_list, lists_by_turns, all_dicts_but_one, items_of_containers),
    *(through_a_callee, one_tuple, equal_keys, comparisons_that_give_numbers),
    *(own_rounding, own_copies, classes, equal_to_what_it_is_not, empty_or_not),
    *(sets_of_keys, dataclasses_compared, largest_of_dataclasses),
    *(class_methods_of_bases, operators_as_functions),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_program(program):
    check(program, 0.8)


def tuples_alike(x):
    a, b = (x, 2.0), (x, 2.0)
    return x if a is b else 2 * x


class Kept(Plain):
    def __getstate__(self):
        return {"v": 2.0}


class Strange(float):
    def __mul__(self, other):
        return 100.0


STRANGE = Strange(2.0)


def number_of_a_class_of_its_own(x):
    return STRANGE * x


def copies_by_state(x):
    return copy.copy(Kept(x)).v


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (tuples_alike, "whether two tuples"),
        (copies_by_state, "says itself how"),
        (number_of_a_class_of_its_own, "__mul__ of a Strange"),
    ],
)
def test_what_is_not_known_is_refused(program, words):
    with pytest.raises(sourcegrad.UnsupportedSyntaxError, match=words):
        sourcegrad.grad(program)(0.8)
