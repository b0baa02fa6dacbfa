"""`dict(source)`: of what has keys it takes keys and values, of anything else pairs.

A key of two characters, or a tuple of two, would unpack as a pair does.
"""

from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest

from tests.language.judged import check

Y = np.array([0.3, 0.4, 0.5])
TABLE = {"ab": 2.0, "cd": 3.0}


def built(y):
    made = {}
    for k, key in enumerate(("ab", "cd", "ab")):
        made[key] = y[k] * (k + 1.0)
    return made


def of_a_dict_made_here(y):
    made = {}
    for k, key in enumerate(("ab", "cd", "ab")):
        made[key] = y[k] * (k + 1.0)
    copied = dict(made)
    copied["ab"] = copied["ab"] * y[0]
    return copied["ab"] * copied["cd"] + made["ab"]


def of_one_that_a_callee_makes(y):
    copied = dict(built(y), ef=y[1])
    copied["ab"] *= y[0]
    return sum(copied.values()) * copied["ef"]


def of_keys_that_are_pairs(y):
    made = {}
    for k in range(3):
        made[k, k + 1] = y[k]
    return sum(a * b * v for (a, b), v in dict(made).items())


def of_a_global_one(y):
    scaled = dict(TABLE)
    for key in list(scaled):
        scaled[key] = scaled[key] * y[0]
    return scaled["ab"] * scaled["cd"]


def of_a_counter(y):
    scaled = dict(collections.Counter("aabc"))
    for key in scaled:
        scaled[key] = scaled[key] * y[1]
    return scaled["a"] * scaled["c"]


def of_a_default_dict(y):
    groups = collections.defaultdict(list)
    for k, key in enumerate(("ab", "cd", "ab")):
        groups[key].append(y[k])
    return sum(len(key) * sum(v) ** 2 for key, v in dict(groups).items())


def ordered(y):
    made = collections.OrderedDict(built(y))
    made["ef"] = y[0]
    return sum(made.values()) * made["cd"]


def falling(x):
    while x > 0.05:
        x = x * 0.5
        yield x


def of_a_numbered_generator(y):
    made = dict(enumerate(falling(y[0]), 1))
    return sum(k * v for k, v in made.items()) * made[1]


def list_of_a_numbered_generator(y):
    pairs = list(enumerate(falling(y[0])))
    return pairs[1][1] * y[1] + sum(k * v for k, v in pairs)


def forever(x):
    while True:
        yield x
        x = x * 1.1


def numbered_without_an_end(y):
    total = 0.0
    for (k, v), w in zip(enumerate(forever(y[0]), 2), y):
        total += k * v * w
    for k, v in enumerate(forever(y[1])):
        if k > 3:
            break
        total += k * v
    return total


def two(x):
    yield x
    yield x * x


def beside_what_has_no_end(y):
    total = sum(v * w for v, w in zip(two(y[0]), itertools.cycle([1.0, -2.0])))
    for w, v in zip(itertools.count(1), two(y[1])):
        total += w * v
    return total + dict(zip(itertools.count(), two(y[2])))[1]


PROGRAMS = [
    of_a_dict_made_here,
    of_one_that_a_callee_makes,
    of_keys_that_are_pairs,
    of_a_global_one,
    of_a_counter,
    of_a_default_dict,
    ordered,
    of_a_numbered_generator,
    list_of_a_numbered_generator,
    numbered_without_an_end,
    beside_what_has_no_end,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program):
    check(program, Y)
