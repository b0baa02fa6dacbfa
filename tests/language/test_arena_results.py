"""What a function returns of objects whose number is known at run time only."""

from dataclasses import dataclass

import numpy as np
import pytest

import sourcegrad

Y = np.array([0.7, -0.4, 1.3, 0.2])


@dataclass
class Point:
    x: float
    v: float


def one_of_them(y):
    points = [Point(v, v * v) for v in y]
    for p in points:
        p.x = p.x * 2
    return sum(p.x for p in points), points[1]


def record_of_them(y):
    rows = [{"v": v * v} for v in y]
    return sum(r["v"] for r in rows), rows[2]


@pytest.mark.parametrize("f", [one_of_them, record_of_them], ids=lambda f: f.__name__)
def test_an_object_is_handed_out_as_it_is(f):
    value, grad, aux = sourcegrad.value_and_grad(f, has_aux=True)(Y)
    assert (value, aux) == f(Y)
    expected = np.full(4, 2.0) if f is one_of_them else 2 * Y
    np.testing.assert_allclose(grad, expected)


def all_of_them(y):
    rows = []
    for v in y:
        rows.append({"v": v * v})
    return sum(r["v"] for r in rows), rows


def printed(y):
    points = [Point(v, v) for v in y]
    print(points)
    return sum(p.x for p in points)


def formatted(y):
    rows = []
    for v in y:
        rows.append({"v": v})
    text = f"{rows}"
    return sum(r["v"] for r in rows) * len(text)


def added(y):
    points = [Point(v, v) for v in y]
    return np.sum(np.array(points))


def beside_numbers(y):
    held = []
    for v in y:
        held.append(Point(v, v))
        held.append(v)
    return held[1]


@pytest.mark.parametrize(
    "f", [all_of_them, printed, formatted, added, beside_numbers],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_a_place_is_never_taken_for_a_number(f):
    with pytest.raises(sourcegrad.SourcegradError, match="test_arena_results.py"):
        sourcegrad.value_and_grad(f, has_aux=f is all_of_them)(Y)
