"""Objects shown as text, and as numbers, by what their classes say."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check


@dataclasses.dataclass
class Point:
    a: float
    b: object = None


class Cell:
    def __init__(self, v):
        self.v, self.seen = v, 0.0

    def __repr__(self):
        self.seen += 1.0
        return f"Cell({self.v:.3f})"

    def __float__(self):
        self.seen += 2.0
        return self.v * 3.0

    def __int__(self):
        return int(self.v * 10.0)


class Bare:
    def __init__(self, v):
        self.v = v


def shown(x):
    point, cell, bare = Point(x, Point(2.0 * x)), Cell(x), Bare(x)
    print(point, cell, [1, 2], sep=";")
    print(f"{point!r} at {cell} and {x:.2f}", str(cell), repr(point))
    print(bare)
    return x * cell.seen + point.b.a


def counted(x):
    cell = Cell(x)
    text = f"{Cell(x)} {cell}"
    return cell.seen * x * len(text)


def numbers(x):
    cell = Cell(x)
    return float(cell) * x + int(cell) * x + cell.seen * x


@pytest.mark.parametrize("f", [shown, counted, numbers], ids=lambda f: f.__name__)
def test_program(f):
    check(f, 0.731)


def test_what_is_printed(capsys):
    class Local:
        def __init__(self, v):
            self.v = v

        def __str__(self):
            return f"local {self.v}"

    def f(x):
        print(Local(x), f"<{Point(x)}>", Point(x, Cell(x)))
        return x * x

    f(0.5)
    want = capsys.readouterr().out
    assert sourcegrad.grad(f)(0.5) == 1.0
    assert capsys.readouterr().out == want
    assert sourcegrad.jvp(f, (0.5,), (1.0,)) == (0.25, 1.0)
    assert capsys.readouterr().out == want


def test_an_object_that_holds_memory_and_writes_while_it_is_shown():
    class Shy:
        def __init__(self, a):
            self.a = a

        def __str__(self):
            self.a[1] = 2.0
            return "shy"

    def f(x):
        v = x * 1.0
        print(f"{Shy(v)}")
        return np.sum(v * v)

    check(f, np.array([0.3, 0.4, 0.5]))
