"""What is written and never read again is no reason to fail."""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

Y = np.array([0.7, -1.1, 0.4])


class Particle:
    def __init__(self, p, v):
        self.p = np.array(p, float)
        self.v = np.array(v, float)
        self.seen = []

    def drift(self, dt):
        self.p += self.v * dt
        self.p[0] = self.p[1] * dt
        self.seen.append(self.p[0])


def of_one_object(x, y):
    first, second = Particle([x, 0.0], [0.0, y[0]]), Particle([x * x, 1.0], [y[1], x])
    first.drift(0.2)
    second.drift(0.1)
    return second.p.sum() + first.v.sum()


def of_all_but_the_last(x, y):
    particles = [Particle([x * k, 0.0], [0.0, y[0]]) for k in range(3)]
    for particle in particles:
        particle.drift(0.2)
    return particles[-1].p.sum()


class Mass:
    def __init__(self, v):
        self.v = v


def weighed(x, depth):
    if depth == 0:
        return x
    masses = [Mass(v) for v in (0.3, 0.5, 1.1)]
    masses[depth].v *= x
    return weighed(x * 0.5, depth - 1) + masses[depth].v


def by_a_recursion_that_nobody_hears(x, y):
    weighed(x, 2)
    return x * y[0]


def some_of_many_recursions(x, y):
    weighed(y[1], 2)
    total = 0.0
    for k in range(3):
        lost = weighed(y[k], 1)
        total += weighed(x, k) if k > 0 else 0.0
        lost = total * k
    return total + lost


PROGRAMS = [
    of_one_object,
    of_all_but_the_last,
    by_a_recursion_that_nobody_hears,
    some_of_many_recursions,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, 1.2, Y.copy())


def test_recursion_that_binds_names_around_it_is_refused():
    def f(x):
        place = 0

        def take():
            nonlocal place
            place += 1
            return x[place - 1]

        def factor(k):
            return take() if k == 0 else total(k - 1) + take()

        def total(k):
            return factor(k) * take()

        return total(1)

    with pytest.raises(sourcegrad.SourcegradError, match="binds names around"):
        sourcegrad.grad(f)(np.arange(1.0, 9.0))
