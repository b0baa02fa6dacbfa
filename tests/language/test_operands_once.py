"""Every operand is evaluated once, and where Python does: each is logged, and the log
is part of the result."""

# ruff: noqa: F841, C417, C418, PIE804, SIM, B009, B010, RUF

from __future__ import annotations

import collections
import functools
import itertools
import math
import operator

import numpy as np
import pytest

from tests.language.judged import check


class Cell:
    pass


class Bench:
    """What the programs below work on, and the log of what was evaluated."""

    def __init__(self, x):
        self.log = []
        self.v = np.array([x, 2.0 * x, x * x, 1.0])
        self.items = [x, 2.0 * x, x * x]
        self.table = {"a": x, "b": 2.0 * x, 0: x, 1: x * x}

    def seen(self, v):
        self.log.append(v)
        return v

    def total(self):
        logged = sum(
            float(k + 1) * (0.0 if isinstance(v, (str, type(None))) else v)
            for k, v in enumerate(self.log)
        )
        return logged + np.sum(self.v) + sum(self.items) + sum(self.table.values())


def stores_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    v[s(0)] = v[s(1)] = s(x)
    found.append(r * 1.0)
    v[s(0)] += s(x)
    found.append(r * 1.0)
    v[s(1) : s(3)] *= s(x)
    found.append(r * 1.0)
    v[s(0)], v[s(1)] = v[s(2)], s(x)
    found.append(r * 1.0)
    items[s(0)], items[s(1)] = items[s(1)], items[s(0)]
    found.append(r * 1.0)
    table[s("c")] = s(x)
    found.append(r * 1.0)
    return b.total() + sum(found)


def stores_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    items[s(0) : s(2)] = [s(x), s(x), s(1.0)]
    found.append(r * 1.0)
    np.add.at(v, [s(0), s(0)], s(x))
    found.append(r * 1.0)
    v.fill(s(x))
    r = v[s(0)]
    found.append(r * 1.0)
    v[v > s(1.0)] = s(x)
    found.append(r * 1.0)
    v[s(0)] **= s(2)
    found.append(r * 1.0)
    c = Cell()
    c.a = s(x)
    c.a += s(x)
    r = c.a
    found.append(r * 1.0)
    return b.total() + sum(found)


def stores_3(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    c = Cell()
    c.l = [s(x)]
    c.l[s(0)] *= s(x)
    r = c.l[0]
    found.append(r * 1.0)
    setattr(c := Cell(), s("a"), s(x))
    r = c.a
    found.append(r * 1.0)
    return b.total() + sum(found)


def displays_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    p, *q = s(x), s(x * 2), s(3.0)
    r = q[0]
    found.append(r * 1.0)
    r = (t := s(x)) * t + s(t)
    found.append(r * 1.0)
    r = table[s("a")] * table[s(0)]
    found.append(r * 1.0)
    r = math.hypot(s(x), s(x))
    found.append(r * 1.0)
    r = -(s(x) ** s(2))
    found.append(r * 1.0)
    r = (s(x), s(x * 2))[s(1)]
    found.append(r * 1.0)
    return b.total() + sum(found)


def displays_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = [[s(x)], [s(2.0)]][s(0)][s(0)]
    found.append(r * 1.0)
    r = s(s(s(x)))
    found.append(r * 1.0)
    r = operator.mul(s(x), s(x))
    found.append(r * 1.0)
    r = s(x) + (w := s(x)) * (s(x) - s(w))
    found.append(r * 1.0)
    twice = [s(x)] * s(2)
    r = twice[1]
    found.append(r * 1.0)
    r = (s(x), s(x))[s(x) > 0]
    found.append(r * 1.0)
    return b.total() + sum(found)


def displays_3(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = items[-s(1)] * items[~s(0)]
    found.append(r * 1.0)
    return b.total() + sum(found)


def dicts_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    marks = {s(x) > 0, s(x) > 5}
    found.append(r * 1.0)
    made = {s(k): s(x * k) for k in range(3)}
    r = made[1]
    found.append(r * 1.0)
    text = f"{s(x)} {s(x):.3f}"
    r = x * len(text[:4])
    found.append(r * 1.0)
    table.setdefault(s("q"), s(x))
    r = table["q"]
    found.append(r * 1.0)
    r = table.get(s("zz"), s(x)) + table.pop(s("a"), s(x))
    found.append(r * 1.0)
    r = table.pop(s(1))
    found.append(r * 1.0)
    return b.total() + sum(found)


def dicts_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    table.update({s("a"): s(x), s("k"): s(x * x)})
    found.append(r * 1.0)
    table.update(a=s(x), k=s(x * x))
    found.append(r * 1.0)
    r = {**{s("a"): s(x)}, "b": s(x)}[s("b")]
    found.append(r * 1.0)
    r = dict(a=s(x), b=s(x))["a"] * s(x)
    found.append(r * 1.0)
    r = dict([(s("a"), s(x))])["a"]
    found.append(r * 1.0)
    r = dict(zip([s("a"), s("b")], [s(x), s(x)]))["b"]
    found.append(r * 1.0)
    return b.total() + sum(found)


def dicts_3(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = (lambda *a, **k: a[0] * k["q"])(*[s(x)], **{s("q"): s(x)})
    found.append(r * 1.0)
    return b.total() + sum(found)


def lists(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    items.insert(s(0), s(x))
    found.append(r * 1.0)
    items.extend([s(x), s(2.0)])
    r = items.pop(s(0))
    found.append(r * 1.0)
    return b.total() + sum(found)


def builtins_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = sum([*items[s(1) :], s(x)])
    found.append(r * 1.0)
    print(s(x), end="")
    r = x
    found.append(r * 1.0)
    r = sorted(items, key=lambda t: -s(t))[s(0)]
    found.append(r * 1.0)
    r = max(s(x), s(x * x), s(0.1))
    found.append(r * 1.0)
    r = min([s(x), s(x * x)], key=lambda t: s(-t))
    found.append(r * 1.0)
    r = sum(s(t) for t in items)
    found.append(r * 1.0)
    return b.total() + sum(found)


def builtins_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = any(s(t) > 1 for t in items) * s(x)
    found.append(r * 1.0)
    r = functools.reduce(lambda p, q: p * s(q), items, s(x))
    found.append(r * 1.0)
    r = sum(map(lambda p, q: s(p) * s(q), items, items))
    found.append(r * 1.0)
    r = [s(p) for p in filter(lambda t: s(t) > 0, items)][0]
    found.append(r * 1.0)
    r = sum(s(p) * s(q) for p, q in zip(items, [s(x), s(x)]))
    found.append(r * 1.0)
    r = divmod(s(5.0) * x, s(2.0))[s(1)]
    found.append(r * 1.0)
    return b.total() + sum(found)


def builtins_3(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = pow(s(x), s(2))
    found.append(r * 1.0)
    r = abs(s(-x)) + round(s(2.4)) + float(s(x))
    found.append(r * 1.0)
    r = getattr(v, s("sum"))() * s(x)
    found.append(r * 1.0)
    r = v[[s(0), s(1)]].sum() * v[s(-1)]
    found.append(r * 1.0)
    r = tuple(s(t) for t in items)[s(1)]
    found.append(r * 1.0)
    r = list(reversed([s(x), s(x * x)]))[s(0)]
    found.append(r * 1.0)
    return b.total() + sum(found)


def builtins_4(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = [*map(s, items)][0]
    found.append(r * 1.0)
    r = list(enumerate([s(x), s(2.0)], s(1)))[s(0)][s(1)]
    found.append(r * 1.0)
    r = s(x) if isinstance(s(x), float) else s(1.0)
    found.append(r * 1.0)
    r = itertools.accumulate([s(x), s(x)], lambda p, q: p * s(q))
    r = list(r)[1]
    found.append(r * 1.0)
    r = collections.deque([s(x), s(1.0)], maxlen=s(1))[s(0)]
    found.append(r * 1.0)
    return b.total() + sum(found)


def calls(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = (lambda p=s(x), *a: p * s(2.0))()
    found.append(r * 1.0)
    return b.total() + sum(found)


def conditions_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = s(x) if s(1) in [s(1), s(x)] else s(2.0)
    found.append(r * 1.0)
    r = not s(x)
    found.append(r * 1.0)
    r = [s(x) for _ in range(s(2)) if s(1)][s(0)]
    found.append(r * 1.0)
    r = s(x) < s(x * x) < s(1.0) or s(x) > s(9.0)
    found.append(r * 1.0)
    r = 0 < s(x) and s(x) or s(x * x)
    found.append(r * 1.0)
    r = s(items)[0] if False else s(x)
    found.append(r * 1.0)
    return b.total() + sum(found)


def conditions_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = 1 if s(x) else 2
    found.append(r * 1.0)
    r = s(x) * 2 if (s(x) > 0) is (s(x) < 5) else 3
    found.append(r * 1.0)
    return b.total() + sum(found)


def statements_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    del items[s(0)]
    found.append(r * 1.0)
    for items[s(0)] in [s(x), s(x * x)]:
        r += items[0]
    found.append(r * 1.0)
    with np.errstate(all=s("ignore")):
        r = s(x)
    found.append(r * 1.0)
    while s(len(b.log)) < 5:
        r += s(x)
    found.append(r * 1.0)
    match s(x), s(1):
        case p, 1 if s(p) > 0:
            r = s(p)
        case _:
            r = s(x)
    found.append(r * 1.0)
    try:
        r = s(x) / s(0)
    except ZeroDivisionError:
        r = s(x)
    except TypeError:
        r = 2.0
    found.append(r * 1.0)
    return b.total() + sum(found)


def statements_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    try:
        r = items[s(7)]
    except IndexError:
        r = s(x)
    found.append(r * 1.0)
    assert s(x) > -10, s("m")
    found.append(r * 1.0)
    return b.total() + sum(found)


def arrays_1(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = np.sum(v[s(0) : s(2)])
    found.append(r * 1.0)
    r = s(x) @ np.ones(1) if False else s(x)
    found.append(r * 1.0)
    r = np.where(s(x) > 0, s(x), s(x * x))
    found.append(r * 1.0)
    r = np.sum(v.reshape(s(2), s(2))[s(0), s(1)])
    found.append(r * 1.0)
    r = np.dot(v[: s(2)], v[s(2) :])
    found.append(r * 1.0)
    r = np.array([[s(x), s(x)], [s(1.0), s(2.0)]]).sum()
    found.append(r * 1.0)
    return b.total() + sum(found)


def arrays_2(x):
    b, found = Bench(x), []
    s, v, items, table = b.seen, b.v, b.items, b.table
    r = 0.0
    r = np.maximum(s(x), s(0.1)) * np.clip(s(x), s(0.0), s(1.0))
    found.append(r * 1.0)
    r = np.sum([s(x), s(x)], axis=s(0))
    found.append(r * 1.0)
    return b.total() + sum(found)


PROGRAMS = [
    stores_1,
    stores_2,
    stores_3,
    displays_1,
    displays_2,
    displays_3,
    dicts_1,
    dicts_2,
    dicts_3,
    lists,
    builtins_1,
    builtins_2,
    builtins_3,
    builtins_4,
    calls,
    conditions_1,
    conditions_2,
    statements_1,
    statements_2,
    arrays_1,
    arrays_2,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, 0.7)
