"""Draws of the standard library, differentiated along a fixed stream of numbers."""

import random
from random import normalvariate

import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad.errors import RuleDefinitionError
from sourcegrad.rules.registry import lookup
from tests.language.judged import check

DRAWN = random.Random(5)


def imported_by_name(x):
    random.seed(4)
    return normalvariate(x, x * x) * random.uniform(0.0, x)


def module_draws(x):
    random.seed(4)
    total = random.gauss(x, 2 * x) * random.normalvariate(x, x * x)
    total += random.uniform(x, x * x) * random.expovariate(x)
    total += random.lognormvariate(x / 4, x / 3) + random.triangular(0.0, x, x / 2)
    total += random.weibullvariate(x, x + 1) * random.paretovariate(x + 2)
    return total + random.gammavariate(2.0, x) * random.betavariate(2.0, 3.0)


def drawn_by_an_instance(x):
    rng = random.Random(3)
    total = rng.gauss(x, 2 * x) * rng.normalvariate(x, x * x)
    total += rng.uniform(x, x * x) * rng.expovariate(x)
    total += rng.lognormvariate(x / 4, x / 3) + rng.triangular(0.0, x, x / 2)
    total += rng.weibullvariate(x, x + 1) * rng.paretovariate(x + 2)
    return total + rng.gammavariate(2.0, x) * rng.betavariate(2.0, 3.0)


def chosen_among_active_values(x):
    rng = random.Random(1)
    values = [x, x * x, 3 * x]
    rng.shuffle(values)
    return values[0] * 2 + rng.choice(values) * values[1]


def walk_that_branches(x):
    random.seed(2)
    total = 0.0
    for _ in range(5):
        if random.random() < 0.5:
            total += x * random.uniform(0.0, x)
        else:
            total -= random.expovariate(1.0) * x
    return total


def drawn_from_a_global(x):
    DRAWN.seed(7)
    return DRAWN.random() * x + DRAWN.gauss(x, x * x) + DRAWN.uniform(0.0, x)


PROGRAMS = [
    module_draws,
    imported_by_name,
    drawn_by_an_instance,
    chosen_among_active_values,
    walk_that_branches,
    drawn_from_a_global,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_draws_follow_their_parameters(f):
    check(f, 1.3)


def test_a_second_derivative_is_along_the_same_stream():
    def f(x):
        return random.Random(3).gauss(0.0, x * x)

    z = random.Random(3).gauss(0.0, 1.0)
    assert_allclose(sourcegrad.grad(sourcegrad.grad(f))(1.3), 2 * z)


REFUSED = [
    lambda x: random.gammavariate(x, 2.0),
    lambda x: random.betavariate(x, 2.0),
    lambda x: random.vonmisesvariate(x, 2.0),
    lambda x: random.Random(2).gammavariate(x, 2.0),
]


@pytest.mark.parametrize("f", REFUSED)
def test_shapes_drawn_by_rejection_are_refused(f):
    with pytest.raises(sourcegrad.SourcegradError):
        sourcegrad.grad(f)(1.5)


def test_a_definition_serves_the_module_and_its_class():
    of_module, of_class = lookup(random.gauss), lookup(random.Random.gauss)
    assert of_module.fn is of_class.fn
    assert (of_module.module, of_class.module) == (random, None)
    assert (of_module.name, of_class.name) == ("random.gauss", "random.Random.gauss")
    assert [p.name for p in of_module.parameters] == ["mu", "sigma"]


def test_a_method_that_no_module_offers_has_no_self():
    with pytest.raises(RuleDefinitionError, match="does not fit"):

        @sourcegrad.composite(DRAWN.gauss)
        def gauss(self, mu=0.0, sigma=1.0):
            return mu + self.gauss(0.0, 1.0) * sigma
