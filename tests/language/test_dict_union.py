"""Unions of dicts, and lists that are given what is multiplied with zero."""

import pytest

from tests.language.judged import check


def union_of_displays(x):
    first = {"p": x, "q": 1.5}
    both = first | {"q": 0.7 * x}
    return both["p"] * both["q"]


def union_of_dicts_that_change(x):
    first = {"p": x, "q": 1.5}
    first["q"] = x * 3
    second = {"z": x} | first
    third = first | {"p": 2.0}
    return second["p"] * second["q"] * second["z"] * third["q"]


def appended_zero(x):
    items = [x]
    items.append(x * x)
    items.append(0.0 * x)
    s = 0.0
    for j in range(3):
        v = x * j
        items.append(v)
        items.append(-0.0 * v)
        s += items[-2] * items[1]
    return s


@pytest.mark.parametrize(
    "program", [union_of_displays, union_of_dicts_that_change, appended_zero]
)
def test_nothing_is_dropped(program):
    check(program, 0.7)
