"""Zero wins over inf and nan in programs that run once: they draw, print, or count."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import grad, jacobian, jvp, value_and_grad, vjp

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
GENERATOR = np.random.default_rng(3)
SIGNS = np.array([1.0, -1.0, 4.0])


def of_a_new_generator(x):
    rng = np.random.default_rng(5)
    signs = rng.permutation(SIGNS)
    return np.sum(np.sqrt(np.maximum(x * signs, 0)))


def of_a_global_generator(x):
    return np.sum(np.sqrt(np.maximum(x * GENERATOR.permutation(SIGNS), 0)))


def of_the_global_stream(x):
    return np.sum(np.sqrt(np.maximum(x * np.random.permutation(SIGNS), 0)))


def printing(x):
    print("called")
    return np.sum(np.sqrt(np.maximum(x * SIGNS, 0)))


def of_numbers(x):
    print("called")
    total = 0.0
    for sign in (1.0, -1.0, 4.0):
        total += math.sqrt(max(x * sign, 0.0))
    return total


PROGRAMS = [of_a_new_generator, of_a_global_generator, of_the_global_stream, printing,
            of_numbers]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_slope_is_that_of_what_a_mask_leaves(f):
    slope = 1.5 / math.sqrt(0.7)  # of sqrt(x) + sqrt(4 x)
    assert_allclose(grad(f)(0.7), slope)
    assert_allclose(value_and_grad(f)(0.7), (3.0 * math.sqrt(0.7), slope))
    assert_allclose(jvp(f, (0.7,), (1.0,))[1], slope)
    assert_allclose(vjp(f, 0.7)[1](1.0)[0], slope)


def test_a_jacobian_too():
    def f(x):
        print("called")
        return np.sqrt(np.maximum(x, 0.0))

    for mode in ("reverse", "forward"):
        found = jacobian(f, mode=mode)(np.array([4.0, -1.0]))
        assert_allclose(found, [[0.25, 0.0], [0.0, 0.0]])


def test_effects_happen_once(capsys):
    grad(printing)(0.7)
    assert capsys.readouterr().out == "called\n"
    jvp(printing, (0.7,), (1.0,))
    assert capsys.readouterr().out == "called\n"


def test_an_unseeded_generator_is_not_drawn_from_twice():
    seen = []

    def f(x, rng):
        seen.append(1)
        return np.sum(np.sqrt(np.maximum(x * rng.permutation(SIGNS), 0)))

    rng, other = np.random.default_rng(1), np.random.default_rng(1)
    grad(f)(0.7, rng)
    f(0.7, other)
    assert rng.bit_generator.state == other.bit_generator.state
    assert len(seen) == 2
