"""Decisions that do something: what they write counts, and as often as they run.

Programs whose conditions, key functions, messages and generator expressions change
what is read later, each held against differences in both modes.
"""

import collections
import itertools

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check
from tests.passes.texts import assert_right


class State:
    """Counts and scales where it is asked."""

    def __init__(self):
        self.v = 1.0
        self.n = 0

    def bump(self, x):
        self.v = self.v * x + 0.1
        self.n += 1
        return self.v < 3.0


def while_of_a_method(x):
    s = State()
    while s.bump(x) and s.n < 5:
        x = x * 1.1
    return s.v * x


def chain_of_methods(x):
    s = State()
    if 0.0 < x < s.bump(x) * 5 and s.bump(x * x):
        return s.v
    return s.v * 2


def any_stops_early(x):
    s = State()
    ok = any(s.bump(x + k) for k in range(3))
    return s.v if ok else x


def all_of_a_list(x):
    s = State()
    ok = all([s.bump(x + k) for k in range(3)])
    return s.v * (2 if ok else 1)


def key_of_max(x):
    seen = []

    def key(v):
        seen.append(v * x)
        return v

    m = max([x, 2 * x, x * x], key=key)
    return m + sum(seen)


def key_of_sorted(x):
    seen = []

    def key(v):
        seen.append(v * x)
        return -v

    m = sorted([x, 2 * x, x * x], key=key)
    return m[0] * m[1] + seen[1]


def asserted_method(x):
    s = State()
    assert s.bump(x), f"{s.bump(x)}"
    return s.v


def method_in_a_text(x):
    s = State()
    t = f"{s.bump(x)} {s.bump(x)}"
    return s.v * len(t)


def operands_of_or(x):
    s = State()
    y = (s.bump(x) or s.bump(2 * x)) and s.v
    return y * x


def takewhile_that_keeps(x):
    out = []
    for _ in itertools.takewhile(lambda k: out.append(x * k) or k < 3, range(10)):
        pass
    return sum(out)


def setdefault_and_pop(x):
    d = {}
    r = d.setdefault("a", x) + d.setdefault("a", 2 * x)
    if "a" in d and d.pop("a") > 0:
        r = r * x
    return r


def stores_in_a_decision(x):
    a = np.zeros(3)

    def put(k):
        a[k] = x * (k + 1)
        return a[k] > 1

    if put(0) or put(1) or put(2):
        a *= 2
    return np.sum(a * a)


def index_by_a_method(x):
    s = State()
    z = [1, 2, 3][int(s.bump(x))]
    return s.v * z


def loop_over_a_decision(x):
    s = State()
    for i in range(5 if s.bump(x) else 2):
        if not s.bump(x):
            break
    else:
        s.v *= 2
    return s.v


def any_of_a_generator(x):
    s = State()

    def g():
        for k in range(3):
            yield s.bump(x + k)

    return s.v if any(g()) else x


def loop_left_early(x):
    s = State()
    for b in (s.bump(x + k) for k in range(5)):
        if b:
            break
    return s.v


def next_of_an_expression(x):
    s = State()
    next(s.bump(x + k) for k in range(5))
    return s.v


def map_left_early(x):
    s = State()
    m = map(s.bump, [x, 2 * x, 3 * x])
    for b in m:
        if b:
            break
    return s.v


def any_of_a_map(x):
    s = State()
    any(map(s.bump, [x, 2 * x, 3 * x]))
    return s.v


def all_that_appends(x):
    log = []
    all(log.append(v * x) is None and v < 2 for v in (1, 2, 3))
    return sum(log)


def unpacked_expression(x):
    log = []
    a, b = (log.append(v * x) or v for v in (1, 2))
    return sum(log) * a + b


def any_of_a_list_that_appends(x):
    log = []
    if any([log.append(v * x) or v > 1 for v in (1, 2, 3)]):
        x = x * 2
    return sum(log) * x


def append_is_none(x):
    log = []
    if log.append(x * x) is None and x > 0:
        x = x * 2
    return sum(log) * x


def setdefault_in_a_condition(x):
    d = {}
    if d.setdefault("a", x * x) > 0.5:
        x = x * 2
    return d["a"] * x


def deque_in_a_condition(x):
    d = collections.deque()
    if not d and d.append(x * 3) is None:
        x = x * 2
    return d[0] * x


def out_in_a_condition(x):
    a = np.zeros(3)
    if np.add(a, x, out=a)[0] > 0.5:
        x = 2 * x
    return np.sum(a) * x


def counted_appends(x):
    log = []
    n = sum(1 for v in (1, 2, 3) if log.append(v * x) is None and v > 1)
    return sum(log) * n


def filtered_appends(x):
    log = []
    n = len([v for v in (1, 2, 3) if not log.append(v * x)])
    return sum(log) * n


def key_that_appends(x):
    log = []
    m = max((1, 2, 3), key=lambda v: (log.append(v * x), -v)[1])
    return sum(log) * m


def asserted_append(x):
    log = []
    assert log.append(x) is None
    return log[0] * x


def append_in_a_text(x):
    log = []
    _ = f"{log.append(x)}"
    return log[0] * x


def index_of_a_store(x):
    log = []

    def eff(v):
        log.append(v)
        return 1

    a = np.zeros(3)
    a[eff(x)] = x * x
    return a[1] * log[0]


def bound_of_a_slice(x):
    log = []

    def eff(v):
        log.append(v)
        return 3

    y = np.sum(np.ones(4)[: eff(x)]) * x
    return y * log[0]


def matched_call(x):
    log = []

    def eff(v):
        log.append(v)
        return 2

    match eff(x):
        case 1:
            y = x
        case 2 if eff(3 * x) == 2:
            y = x * x
        case _:
            y = 1.0
    return y * sum(log)


def raised_call(x):
    log = []

    def eff(v):
        log.append(v)
        return True

    try:
        if eff(x):
            raise ValueError(eff(2 * x))
    except ValueError:
        x = x * x
    return x * sum(log)


def nested_calls(x):
    log = []

    def eff(v):
        log.append(v)
        return True

    y = not eff(x) or isinstance(eff(x), bool) and len([eff(x)]) == 1
    x = x if y else x * x
    return x * sum(log)


def extended_by_an_expression(x):
    s = State()
    items = [x]
    items.extend(s.bump(x + k) * x for k in range(3))
    items += (s.bump(x + k) * x for k in range(2))
    return sum(items) * s.v


def expression_of_pairs(x):
    s = State()
    d = dict((k, s.bump(x + k) * x) for k in range(3))  # noqa: C402
    a, *rest = (s.bump(x + k) + x for k in range(3))
    return d[0] + d[2] * s.v + a * rest[0]


def expression_read_later(x):
    s = State()
    later = (s.bump(x + k) + x for k in range(3))
    before = s.v
    return before * sum(later) * s.v


def zip_of_an_expression(x):
    s = State()
    for _, c in zip((s.bump(x + k) for k in range(5)), [1, 2], strict=False):
        x = x * c
    return s.v * x


PROGRAMS = [
    extended_by_an_expression,
    expression_of_pairs,
    expression_read_later,
    while_of_a_method,
    chain_of_methods,
    any_stops_early,
    all_of_a_list,
    key_of_max,
    key_of_sorted,
    asserted_method,
    method_in_a_text,
    operands_of_or,
    takewhile_that_keeps,
    setdefault_and_pop,
    stores_in_a_decision,
    index_by_a_method,
    loop_over_a_decision,
    any_of_a_generator,
    loop_left_early,
    next_of_an_expression,
    map_left_early,
    any_of_a_map,
    all_that_appends,
    unpacked_expression,
    any_of_a_list_that_appends,
    append_is_none,
    setdefault_in_a_condition,
    deque_in_a_condition,
    out_in_a_condition,
    counted_appends,
    filtered_appends,
    key_that_appends,
    asserted_append,
    append_in_a_text,
    index_of_a_store,
    bound_of_a_slice,
    matched_call,
    raised_call,
    nested_calls,
    zip_of_an_expression,
]


@pytest.mark.parametrize("x", [0.3, 1.3])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_a_decision_writes_counts(program, x):
    check(program, x)


def set_that_appends(x):
    log = []
    s = {v for v in (1, 2, 3) if not log.append(v * x)}
    return sum(log) * len(s)


@pytest.mark.parametrize("program", [set_that_appends])
def test_what_cannot_be_read_in_step_is_refused(program):
    with pytest.raises(sourcegrad.UnsupportedSyntaxError, match="test_decisions.py"):
        sourcegrad.grad(program)(0.3)


# --------------------------------------------- what a callee of a callee writes


def doubled(a, s=2.0):
    a *= s


def part_doubled(a):
    doubled(a[1:3])
    return np.sum(a)


def row_doubled(rows):
    doubled(rows[1])
    return rows[0][0]


class Buffer:
    def __init__(self, x):
        self.x = x

    def doubled(self):
        doubled(self.x[1:])
        return self.x[0]


def by_a_chain(x):
    e = x[2] >= 0.5 or 0.8 < part_doubled(x) <= 0.9  # noqa: F841
    return np.sum(x)


def by_a_test(x):
    if part_doubled(x) <= 0.9:
        pass
    return np.sum(x)


def by_a_loop(x):
    while part_doubled(x) < 5.0:
        x += 1.0
    return np.sum(x * x)


def by_rows(x):
    rows = [x[:2], x[2:]]
    e = row_doubled(rows) > 3.0  # noqa: F841
    return np.sum(x * x)


def by_a_method(x):
    buffer = Buffer(x)
    if buffer.doubled() > 3.0:
        return 0.0
    return np.sum(x * x)


def by_a_key(x):
    held = {"a": x}

    def key(k):
        doubled(held["a"][::2])
        return k

    w = max([1.0, 2.0], key=key)
    return np.sum(x * x) * w


@pytest.mark.parametrize(
    "f",
    [by_a_chain, by_a_test, by_a_loop, by_rows, by_a_method, by_a_key],
    ids=lambda f: f.__name__,
)
def test_what_a_callee_of_a_callee_writes_to_a_part(f):
    assert_right(f, np.array([0.398, -0.269, 0.098, -1.453]))
