"""Namespaces that get attributes after they were made, and dataclasses as tuples."""

import types
from dataclasses import astuple, dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import sourcegrad as sg


def one_more(x):
    state = types.SimpleNamespace(a=x, b=2.0)
    state.c = state.a * 3.0
    state.a += x * x
    return state.a * state.b * state.c


def running_total(x):
    acc = SimpleNamespace(total=0.0, count=0)
    for k in range(4):
        acc.total += x**k
        acc.count += 1
    return acc.total / acc.count


def stepped(x):
    state = SimpleNamespace(p=np.zeros(2), v=np.array([x, 1.0]), t=0.0)

    def step(s, dt):
        s.v = s.v - dt * np.sin(s.p)
        s.p = s.p + dt * s.v
        s.t += dt
        return s

    while state.t < 0.55:
        state = step(state, 0.1)
    return state.p @ state.v


def two_names(x):
    a = SimpleNamespace(w=x)
    b = a
    b.w = b.w * 3.0
    if b.w > 0.0:
        b.w = b.w + a.w * x
    return a.w


def several(x):
    bodies = [SimpleNamespace(m=x, q=1.0), SimpleNamespace(m=2.0, q=x)]
    for body in bodies:
        body.m *= 2.0
        body.q += body.m
    return sum(body.m * body.q for body in bodies)


def never_changed(x):
    pair = SimpleNamespace(a=x, b=x * x)
    return pair.a * pair.b


@dataclass
class Lens:
    power: float
    gap: float = 2.0


def as_tuples(x):
    power, gap = astuple(Lens(x, x * x))
    return power * gap + sum(astuple(Lens(x)))


PROGRAMS = [one_more, running_total, stepped, two_names, several, never_changed,
            as_tuples]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_derivatives(f):
    want = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    value, got = sg.value_and_grad(f)(1.3)
    assert value == f(1.3)
    assert np.isclose(got, want, rtol=1e-7)
    assert np.isclose(sg.vjp(f, 1.3)[1](1.0)[0], want, rtol=1e-7)
    assert np.isclose(sg.jvp(f, (1.3,), (1.0,))[1], want, rtol=1e-7)
