"""A second derivative by slopes runs the function again: that its callees have no
effects that someone could notice is found out, where they are called as they are."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import SourcegradError

SEEN = []
COUNTS = np.zeros(1)


def damped(p, n):
    if n <= 0:
        return np.sin(p)
    return p * damped(np.tanh(p), n - 1)


def counted(p, n):
    COUNTS[0] += 1.0
    return p if n == 0 else counted(np.sin(p), n - 1)


def noted(p, n):
    SEEN.append(n)
    return p if n == 0 else noted(np.sin(p), n - 1)


def noted_below(p, n):
    return noted(p, n) * 2.0


def branches_by_a_recursion(x):
    if damped(x, 2) > 0.2:
        x = x * 2.0
    return x * x * damped(x * x, 2)


def keeps_nothing(x):
    _ = damped(np.sin(x), 1)
    return x * damped(x, 2)


def counts_aside(x):
    scale = 2.0 if counted(0.3, 2) < 0.2 else 3.0
    return scale * x * damped(x, 2)


def notes_aside(x):
    scale = 2.0 if noted_below(0.3, 2) < 0.2 else 3.0
    return scale * x * damped(x, 2)


@pytest.mark.parametrize("f", [branches_by_a_recursion, keeps_nothing])
def test_callees_without_effects_run_again(f):
    x, h = 0.7, 1e-5
    gradient = sourcegrad.grad(f)
    right = (gradient(x + h) - gradient(x - h)) / (2 * h)
    assert_allclose(sourcegrad.grad(lambda x: sourcegrad.grad(f)(x))(x), right, 1e-8)
    assert_allclose(sourcegrad.hessian(f)(x), right, 1e-8)


@pytest.mark.parametrize("f", [counts_aside, notes_aside])
def test_callees_with_effects_do_not(f):
    SEEN.clear()
    COUNTS[0] = 0.0
    try:
        sourcegrad.grad(lambda x: sourcegrad.grad(f)(x))(0.7)
    except SourcegradError:
        return
    assert SEEN == [2, 1, 0] and f is notes_aside or COUNTS[0] == 3.0


def test_a_draw_that_is_stored_is_not_drawn_again():
    rng = np.random.default_rng(3)

    def f(x):
        a = np.zeros(2)
        a[0] = rng.normal()
        return x * damped(x, 2) * a[0]

    one = np.random.default_rng(3).normal()
    try:
        found = sourcegrad.grad(lambda x: sourcegrad.grad(f)(x))(0.7)
    except SourcegradError:
        return
    x, h = 0.7, 1e-5
    gradient = sourcegrad.grad(lambda x: x * damped(x, 2) * one)
    assert_allclose(found, (gradient(x + h) - gradient(x - h)) / (2 * h), 1e-8)


def lists_that_nobody_reads(x):
    _ = [np.tanh(0.5 * k) for k in range(2)]
    rows = [np.zeros(2) for _ in range(3)]
    rows[1][0] = x
    return rows[1][0] * damped(x, 2)


@pytest.mark.parametrize("derivative", ["reverse", "forward"])
def test_comprehensions_of_library_functions_run_again(derivative):
    f = lists_that_nobody_reads
    x, h = 0.7, 1e-5
    gradient = sourcegrad.grad(f)
    right = (gradient(x + h) - gradient(x - h)) / (2 * h)
    if derivative == "forward":
        found = sourcegrad.hessian(f)(x)
    else:
        found = sourcegrad.grad(lambda x: sourcegrad.grad(f)(x))(x)
    assert_allclose(found, right, 1e-8)


def draws_in_a_list(x, rng):
    return x * damped(x, 2) * [rng.normal() for _ in range(2)][1]


def test_draws_in_a_comprehension_are_not_drawn_again():
    def slope(x, rng):
        return sourcegrad.grad(draws_in_a_list)(x, rng)

    drawn = np.random.default_rng(3).normal(size=2)[1]
    rng = np.random.default_rng(3)
    try:
        found = sourcegrad.grad(slope)(0.7, rng)
    except SourcegradError:
        return
    x, h = 0.7, 1e-5
    gradient = sourcegrad.grad(lambda x: x * damped(x, 2) * drawn)
    assert_allclose(found, (gradient(x + h) - gradient(x - h)) / (2 * h), 1e-8)


def counts_in_a_set(x, n):
    seen = set(range(n))
    seen.discard(0)
    names = {"last": 0}
    for k in range(n):
        seen.add(k + 1)
        names.update({"last": k})
    return x * damped(x, names["last"]) * len(seen)


def test_containers_of_its_own_may_change_again():
    x, h, n = 0.7, 1e-5, 2
    gradient = sourcegrad.grad(counts_in_a_set)
    right = (gradient(x + h, n) - gradient(x - h, n)) / (2 * h)

    def slope(x, n):
        return sourcegrad.grad(counts_in_a_set)(x, n)

    assert_allclose(sourcegrad.grad(slope)(x, n), right, 1e-8)


def counts_in_what_is_given(x, seen):
    seen.add(len(seen))
    return x * damped(x, 1) * len(seen)


def test_containers_of_others_do_not():
    def slope(x, seen):
        return sourcegrad.grad(counts_in_what_is_given)(x, seen)

    seen = {7}
    try:
        sourcegrad.grad(slope)(0.7, seen)
    except SourcegradError:
        return
    assert seen == {7, 1}
