"""The truth of a list, dict or set that changes later, and records in a list."""

from __future__ import annotations

import collections

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

Y = np.array([0.735, -1.109, -0.757, 0.825])


def grown(x, y):
    found = []
    for v in y:
        if found:
            found.append(found[-1] * x)
        else:
            found.append(v)
    return sum(r * k for k, r in enumerate(found, 1))


def filled_once(x, y):
    found, total = [], 0.0
    for v in y:
        if found:
            total += x * v
        else:
            total += x
            found.append(1)
    return total


def table(x, y):
    found, total = {}, 0.0
    for i, v in enumerate(y):
        if found:
            total += x * v * found[0]
        else:
            total += x
            found[i] = 2.0 * x
    return total


def seen(x, y):
    found, total = set(), 0.0
    for i, v in enumerate(y):
        total += x * v if found else x
        if i == 1:
            found.add(i)
    return total


def emptied(x, y):
    left, total = [1, 2], 0.0
    for v in y:
        if not left:
            total += x
        elif len(left) > 1:
            total *= x
        if left and v < 0:
            left.pop()
    return total


def as_a_value(x, y):
    found = []
    for i, v in enumerate(y):
        found and found.append(found[-1] * x)
        if i == 0:
            found.append(v)
    return sum(r * k for k, r in enumerate(found, 1))


def queue(x, y):
    waiting, total = [], x
    while True:
        if not waiting and total > 3:
            break
        if waiting:
            total *= waiting.pop()
        else:
            waiting.extend([x + 1, 2.0])
            total += 1
    return total * y[0]


def flag(x, y):
    on, total = np.zeros(1), 0.0
    for v in y:
        if on:
            total += x * v
        else:
            total += x
        on[0] += 1
    return total


def deque_and_a_limit(x, y):
    waiting, total, trips = collections.deque([x]), 0.0, 0
    while waiting and trips < 8:
        v = waiting.popleft()
        trips += 1
        total += v
        if v < 2 or not (waiting and v):
            waiting.append(v * 1.5)
            waiting.appendleft(v * y[0])
        if not waiting:
            break
    return total


@pytest.mark.parametrize("x", [0.763, -0.4])
@pytest.mark.parametrize(
    "f",
    [
        grown,
        filled_once,
        table,
        seen,
        emptied,
        as_a_value,
        queue,
        flag,
        deque_and_a_limit,
    ],
    ids=lambda f: f.__name__,
)
def test_program(f, x):
    check(f, x, Y.copy())


def made_by_dict(x):
    rows = [dict(v=v * x[0], n="a") for v in x]  # noqa: C408
    return sum(r["v"] * k for k, r in enumerate(rows))


def displayed(x):
    rows = []
    for v in x:
        rows.append({"v": v * x[1], "w": (v, x[0]), "n": 1})
    rows[0] = {"v": x[0] * x[1], "w": (x[2], 1.0), "n": 2}
    return sum(r["v"] * r["w"][0] for r in rows)


@pytest.mark.parametrize("f", [made_by_dict, displayed], ids=lambda f: f.__name__)
def test_records_in_a_list_have_tangents(f):
    dot = np.array([0.3, -1.2, 0.7, 0.4])
    step = 1e-6
    slope = (f(Y + step * dot) - f(Y - step * dot)) / (2 * step)
    try:
        value, found = sourcegrad.jvp(f, (Y.copy(),), (dot,))
    except sourcegrad.SourcegradError as error:
        assert f is displayed and "test_truth_of_lists.py" in str(error)
        return
    assert value == f(Y)
    np.testing.assert_allclose(found, slope, 1e-7)


def keys_compared(x, y):
    seen, total = {}, 0.0
    for v in [1, 2, 1, 3, 2, 1]:
        n = seen[v] = seen.get(v, 0) + 1
        if n > 1:
            total += x * n
        elif seen.keys() == {1, 2}:
            total *= x + 1
        else:
            total += y[v]
    return total


def known_keys_compared(x, y):
    table = {"a": x, "b": y[0]}
    if {"a", "b"} == table.keys():
        table["c"] = x * x
    return sum(table.values()) * (2.0 if table.keys() > {"a", "c"} else 1.0)


def bytes_that_change(x, y):
    counts, total = bytearray(2), 0.0
    for i in range(3):
        if counts[0]:
            total += x * counts[0]
        counts[0] += 1
        total += y[i]
    return total


@pytest.mark.parametrize(
    "f",
    [keys_compared, known_keys_compared, bytes_that_change],
    ids=lambda f: f.__name__,
)
def test_other_containers(f):
    check(f, 0.763, Y.copy())
