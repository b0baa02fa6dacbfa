"""Members of enumerations: as arguments, globals, attributes, keys and patterns."""

from __future__ import annotations

import enum
import types

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from tests.language.judged import check
from tests.oracle import central_difference_grad


def hold(f, x, *constants):
    """Hold both modes to differences, for arguments that have no derivative too."""
    slope = central_difference_grad(lambda v: f(v, *constants), (x,), step=1e-3)
    none = (None,) * len(constants)
    assert_allclose(sourcegrad.grad(f)(x, *constants), slope, rtol=1e-8)
    assert_allclose(sourcegrad.vjp(f, x, *constants)[1](1.0)[0], slope, rtol=1e-8)
    value, dot = sourcegrad.jvp(f, (x, *constants), (1.0, *none))
    assert value == f(x, *constants)
    assert_allclose(dot, slope, rtol=1e-8)


class Kind(enum.Enum):
    SINE = 1
    SQUARE = -2.5

    def apply(self, x):
        return np.sin(x) if self is Kind.SINE else x**2 * self.value


class Order(enum.IntEnum):
    FIRST = 1
    SECOND = 2


class Mode(enum.Flag):
    TWICE = enum.auto()
    SHIFTED = enum.auto()


def by_pattern(x, kind):
    match kind:
        case Kind.SINE:
            return np.sin(x)
        case Kind.SQUARE:
            return x * x * kind.value
    return x


def by_pattern_that_binds(x, kind):
    match kind:
        case Kind.SINE:
            y = np.sin(x)
        case _:
            y = x * 3.0
    return y


def by_test(x, kind):
    y = x * kind.value if kind is Kind.SQUARE else x
    return y * {Kind.SINE: 2.0, Kind.SQUARE: 3.0}[kind] + kind.apply(x)


def by_name(x, kind):
    return x**2 if kind.name == "SINE" else x**3


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(
    "f", [by_pattern, by_pattern_that_binds, by_test, by_name], ids=lambda f: f.__name__
)
def test_a_member_as_an_argument(f, kind):
    hold(f, 0.7, kind)


@pytest.mark.parametrize("kind", list(Kind))
def test_a_member_in_an_object_that_is_an_argument(kind):
    def f(x, settings):
        return x * settings.weight if settings.kind is Kind.SINE else x * x

    hold(f, 0.7, types.SimpleNamespace(kind=kind, weight=2.0))


@pytest.mark.parametrize("x", [0.3, 0.7])
def test_a_member_by_the_path_taken(x):
    def f(v):
        kind = Kind.SINE if v < 0.5 else Kind.SQUARE
        match kind:
            case Kind.SINE:
                return v * 3.0
            case Kind.SQUARE:
                return v * v * kind.value

    check(f, x)


def test_members_with_numbers_and_flags():
    def f(x, order, mode):
        y = x * order**2 + x**order
        if mode & Mode.TWICE:
            y = y * 2.0
        if Mode.SHIFTED in mode:
            y = y + x
        for k in range(order):
            y = y * x + k
        return y * {Order.FIRST: 2.0, Order.SECOND: 5.0}[order]

    hold(f, 0.7, Order.SECOND, Mode.TWICE | Mode.SHIFTED)
    hold(f, 0.7, Order.FIRST, Mode.TWICE)


CHOSEN = Kind.SINE


def of_the_global(x):
    return x * 2.0 if CHOSEN is Kind.SINE else x * 5.0


def test_a_global_that_holds_another_member_later(monkeypatch):
    slope = sourcegrad.grad(of_the_global)
    assert slope(0.7) == 2.0
    monkeypatch.setitem(globals(), "CHOSEN", Kind.SQUARE)
    assert slope(0.7) == 5.0


class Measure:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value > other


NAMED = types.SimpleNamespace(ORIGIN=(0.5, 1.0), ONE=1.0)


def test_a_pattern_compares_as_python_does():
    def of_a_pair(x, y):
        match (x, y):
            case NAMED.ORIGIN:
                return x * y * 3.0
        return x * y * 2.0

    def of_an_object(x):
        match Measure(x):
            case NAMED.ONE:
                return x * 3.0
        return x * 2.0

    assert sourcegrad.grad(of_a_pair)(0.5, 1.0) == 3.0
    assert sourcegrad.grad(of_a_pair)(0.5, 2.0) == 4.0
    check(of_an_object, 1.5)
    check(of_an_object, 0.5)
