"""`a or b`, `a and b` of lists, dicts and objects; objects that change where no
derivative is asked for, in a condition or an operand of a comparison."""

import collections

import numpy as np
import pytest

from tests.language.judged import check


class Held:
    def __init__(self, *parts):
        self.parts = list(parts)
        self.v = parts[0]

    def __getitem__(self, k):
        return self.parts[k]

    def __setitem__(self, k, v):
        self.parts[k] = v

    def put(self, k, v):
        self.parts[k] = v

    @property
    def kept(self):
        self.v = self.v * 2
        return self.v


class Above:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        return self.v > 2


def list_or_list(x):
    return (list(({"a": x}, {"a": 2.0, "b": x * x})) or [{}])[1]["b"]


def dict_or_list(x):
    return ({"a": x, "b": x * x} or [3])["b"]


def list_and_list(x):
    return (({"a": x, "b": x * x}, 2) and ({"a": x},))[0]["a"]


def empty_or_dict(x):
    return ({} or {"a": x * x})["a"]


def object_or_object(x):
    return (Above(x) or Above(x * x)).v


def object_and_object(x):
    return (Above(x + 2) and Above(x * x)).v


def default_or_dict(x, table=None):
    table = table or {"a": x * x}
    return table["a"]


def chain_of_maps(x):
    found = collections.ChainMap({"a": x}, {"a": 2.0, "b": x * x})
    return found["a"] * found["b"]


def store(held, v):
    held[0] = v


def store_attribute(held, v):
    held.v = v


def store_part(held, v):
    held.parts[0] = v


def store_by_method(held, v):
    held.put(0, v)


def store_what_was_computed(held, v):
    w = v * v
    held.put(0, w)
    return w


def first_of(held, v):
    return held[0] * 0.7


def changed_in_an_operand(x):
    h = Held(x, -x)
    if h.v > first_of(h, store(h, np.tanh(x + x))) or x > 100:
        pass
    return h[0] * h.v


def changed_in_a_comparison(x):
    h = Held(x, -x)
    known = store_attribute(h, np.tanh(x + x)) is None
    return h[0] * h.v * known


def changed_by_parts(x):
    h = Held(x, -x)
    count = first_of(h, store_part(h, np.tanh(x + x))) > 0
    return h[0] * h.v * count


def changed_by_a_method(x):
    h = Held(x, -x)
    while first_of(h, store_by_method(h, np.tanh(x + h[1]))) > 0:
        h.parts[1] -= 1.0
    return h[0] * h.v


def changed_by_what_a_callee_computed(x):
    h = Held(x, -x)
    if store_what_was_computed(h, x) > 100:
        return 0.0
    return h[0] * h.v


def changed_by_a_property(x):
    h = Held(x, -x)
    if h.kept > 100:
        return 0.0
    return h[0] * h.v


def changed_by_a_constructor(x):
    h = Held(x, -x)

    class Watch:
        def __init__(self, held, v):
            held.v = v * v
            self.seen = held.v

    if Watch(h, x).seen > 100:
        return 0.0
    return h[0] * h.v


PROGRAMS = [
    list_or_list,
    dict_or_list,
    list_and_list,
    empty_or_dict,
    object_or_object,
    object_and_object,
    default_or_dict,
    chain_of_maps,
    changed_in_an_operand,
    changed_in_a_comparison,
    changed_by_parts,
    changed_by_a_method,
    changed_by_what_a_callee_computed,
    changed_by_a_property,
    changed_by_a_constructor,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [1.3, 2.3])
def test_program(f, x):
    check(f, x)
