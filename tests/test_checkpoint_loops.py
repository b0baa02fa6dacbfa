"""Checkpointed loops: the gradient of the plain loop, in the memory of the budget."""

from __future__ import annotations

import gc
import itertools
import math
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import checkpoint, elementwise
from sourcegrad.runtime_checkpoint import (
    OnlineSchedule,
    checkpoint_reruns,
    next_snapshot,
)
from tests.oracle import dual_grad, dual_hessian_vector

X = np.linspace(0.1, 1.0, 6)
W = np.linspace(1.0, 2.0, 6)


def arrays(x, w, n):
    h = x
    for i in checkpoint(range(n), budget=3):
        h = h + 0.1 * np.sin(w * h) * (i + 1)
    return np.sum(h * h)


def breaks(x, w, n):
    h = x
    for i in checkpoint(range(n), budget=3):
        if np.sum(h) > 4.5:
            break
        h = h + 0.1 * np.sin(w * h) * (i + 1)
    return np.sum(h * h)


def while_loop(x, top):
    for _ in checkpoint(itertools.count(), budget=2):
        if x > top:
            break
        x = x * 1.3 + 0.1 * math.sin(x)
    return x


def counted_up(x, n):
    s = 0.0
    for k in checkpoint(itertools.count(3, 2), budget=2):
        if k > n:
            break
        s = s + x**k * 0.01
        x = np.sin(x)
    return s


def stencil(x, n):
    u = x.copy()
    for _ in checkpoint(range(n), budget=3):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
    return np.sum(u**2)


def copied_in_the_trip(x, n):
    u = x * 1.0
    for _ in checkpoint(range(n), budget=3):
        u = u.copy()
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
    return np.sum(u**2)


def ranges(x, n):
    for i in checkpoint(range(2, n, 2), budget=2):
        x = x * math.cos(x) + 0.1 * i
    return x


def nested(x, n):
    s = 0.0
    for j in checkpoint(range(n + 2), budget=2):
        for i in checkpoint(range(n + j), budget=2):
            x = np.sin(x) + 0.1 * s * i
        s = s + x * j
    return s


def in_a_plain_loop(x, n):
    s = 0.0
    for j in range(n):
        for _ in checkpoint(range(n + j), budget=2):
            x = np.sin(x) + 0.1 * s
        s = s + x
    return s


def in_a_branch(x, n):
    if x > 1:
        for i in checkpoint(range(n), budget=2):
            x = x * np.cos(x) + i
    return x * x


def local_read_behind(x, n):
    t = 0.0
    for i in checkpoint(range(n), budget=2):
        t = x * i
        x = np.sin(x) + t * 0.1
    return x * x + t


def along_a_sequence(x):
    h = 1.0
    for k, v in checkpoint(enumerate(x), budget=2):
        h = np.sin(h * v) + v * k
    return h


def returns_early(x, n):
    for i in checkpoint(range(n), budget=2):
        x = x * 1.2
        if x > 2:
            return x * i
    return x


def loops_inside(x, n):
    for _ in checkpoint(range(n), budget=3):
        s = 0.0
        for j in range(3):
            s = s + np.sin(x * j) if j % 2 else s * x
        while abs(x) > 1.5:
            x = x / 2
        x = x + s * 0.1
    return x


def budget_at_run_time(x, n, k):
    for _ in checkpoint(range(n), budget=k + 1):
        x = np.sin(x) + x
    return x


def pairs_swapped(x, n):
    u, v = x.copy(), x * 2
    for _ in checkpoint(range(n), budget=2):
        u, v = v * 0.5, u * np.sin(v)
    return np.sum(u * v)


def lists_of_a_trip(x, n):
    for _ in checkpoint(range(n), budget=2):
        parts = []
        for j in range(3):
            parts.append(np.sin(x * j))
        x = x + 0.1 * sum(parts)
    return x


def caught(x, n):
    for _ in checkpoint(range(n), budget=2):
        try:
            y = math.sqrt(1.8 - x)
        except ValueError:
            y = x * 0.5
        x = x + 0.1 * y
    return x


CASES = [
    *[(arrays, (X, W, n)) for n in (0, 1, 2, 7, 30)],
    *[(breaks, (X, W, n)) for n in (0, 3, 9)],
    *[(while_loop, (1.3, top)) for top in (1.0, 3.0, 200.0)],
    *[(counted_up, (1.3, n)) for n in (2, 9, 20)],
    *[(stencil, (X, n)) for n in (0, 1, 12)],
    (copied_in_the_trip, (X, 12)),
    (ranges, (1.2, 13)),
    (nested, (1.2, 3)),
    (in_a_plain_loop, (1.2, 3)),
    (in_a_branch, (1.2, 5)),
    (in_a_branch, (0.2, 5)),
    (local_read_behind, (1.2, 5)),
    (along_a_sequence, (X,)),
    (returns_early, (1.1, 8)),
    (returns_early, (1.1, 2)),
    (loops_inside, (1.1, 8)),
    (budget_at_run_time, (1.1, 5, 2)),
    (pairs_swapped, (X, 4)),
    (lists_of_a_trip, (1.5, 6)),
    (caught, (1.5, 6)),
]
IDS = [f"{f.__name__}-{k}" for k, (f, _) in enumerate(CASES)]


def fresh(args):
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "raw"])
@pytest.mark.parametrize(("f", "args"), CASES, ids=IDS)
def test_gradient_is_that_of_the_plain_loop(f, args, optimise):
    from sourcegrad.request import options

    expected = dual_grad(f, fresh(args))
    with options(optimise=optimise):
        value, gradient = sourcegrad.value_and_grad(f)(*fresh(args))
        _, pullback = sourcegrad.vjp(f, *fresh(args))
    assert value == f(*fresh(args))
    assert_allclose(gradient, expected, rtol=1e-11, atol=1e-13)
    for _ in range(2):
        assert_allclose(pullback(1.0)[0], expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(("f", "args"), CASES, ids=IDS)
def test_second_order(f, args):
    x, *rest = fresh(args)
    v = x * 0 + 0.5
    expected = dual_hessian_vector(f, fresh(args), v)
    got = sourcegrad.hvp(f)(x, *rest, v)
    assert_allclose(got, expected, rtol=1e-9, atol=1e-11)


def test_forward_mode_runs_the_loop_once():
    expected = dual_grad(arrays, (X, W, 7))
    y, slope = sourcegrad.jvp(arrays, (X, W, 7), (np.ones(6), None, None))
    assert y == arrays(X, W, 7)
    assert slope == pytest.approx(np.sum(expected), rel=1e-12)


# ------------------------------------------------------------------------ the schedule


def least_advances(length, snaps, known):
    """Griewank's recursion for the least number of steps, by trying all splits."""
    if length <= 1:
        return 0
    if snaps == 1:
        return length * (length - 1) // 2
    if (length, snaps) not in known:
        known[length, snaps] = min(
            m
            + least_advances(length - m, snaps - 1, known)
            + least_advances(m, snaps, known)
            for m in range(1, length)
        )
    return known[length, snaps]


def simulated(trips, budget):
    """Re-runs of the emitted loops, and the most snapshots held at a time."""
    at, keep, runs, most = [], 0, 0, 0
    for i in range(trips):
        if i == keep:
            at.append(i)
            keep = next_snapshot(i, trips + 1, budget - len(at))
    for i in range(trips - 1, -1, -1):
        most = max(most, len(at))
        k = at[-1]
        keep = next_snapshot(k, i + 1, budget - len(at))
        while k < i:
            if k == keep:
                at.append(k)
                most = max(most, len(at))
                keep = next_snapshot(k, i + 1, budget - len(at))
            k, runs = k + 1, runs + 1
        if at[-1] == i:
            at.pop()
    return runs, most


@pytest.mark.parametrize("budget", range(1, 8))
def test_schedule_is_optimal(budget):
    known: dict[tuple[int, int], int] = {}
    for trips in range(60):
        runs, most = simulated(trips, budget)
        least = least_advances(trips + 1, budget, known) - trips
        assert runs == least == checkpoint_reruns(trips, budget)
        assert most <= budget


def runs_of(f, *args):
    """How often the counted function ran in a gradient."""
    sourcegrad.grad(f)(*args)  # compiled: kinds are found by calls too
    CALLS.clear()
    sourcegrad.grad(f)(*args)
    return len(CALLS)


CALLS: list[int] = []


def counted_sine(x):
    CALLS.append(1)
    return math.sin(x)


@elementwise(counted_sine)
def counted_sine_slope(y, x):
    return math.cos(x)


def known_length(x, n):
    for _ in checkpoint(range(n), budget=5):
        x = counted_sine(x)
    return x


def unknown_length(x, n):
    for i in checkpoint(itertools.count(), budget=5):
        if i == n:
            break
        x = counted_sine(x)
    return x


@pytest.mark.parametrize("n", [0, 1, 5, 6, 21, 100])
def test_each_trip_runs_as_often_as_the_formula_says(n):
    # once forward, once with its adjoint, and the re-runs of the schedule
    assert runs_of(known_length, 1.0, n) == 2 * n + checkpoint_reruns(n, 5)


@pytest.mark.parametrize("n", [0, 1, 5, 6, 21, 100, 400])
def test_unknown_length_runs_little_more_often(n):
    # one more trip starts, and breaks
    runs = runs_of(unknown_length, 1.0, n)
    assert 2 * n <= runs <= 1.3 * (2 * n + checkpoint_reruns(n + 1, 5))


def test_online_schedule_holds_the_budget():
    for budget in (2, 3, 7):
        schedule, at = OnlineSchedule(budget), []
        for i in range(500):
            drop = schedule.place()
            if drop >= 0:
                at.pop(drop)
            at.append(i)
            assert len(at) <= budget
            assert at[0] == 0
            assert at == sorted(at)
    with pytest.raises(ValueError, match="at least 2"):
        OnlineSchedule(1)


def euler(x, n):
    h = x * 1.0
    for _ in checkpoint(range(n), budget=20):
        h = h + 0.001 * np.sin(h)
    return np.sum(h)


def test_memory_is_that_of_the_budget():
    x = np.linspace(0.0, 1.0, 12_500)  # 100 kB
    gradient = sourcegrad.grad(euler)
    gradient(x, 3)
    gc.collect()
    tracemalloc.start()
    gradient(x, 400)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (20 + 12) * x.nbytes  # 400 without


# --------------------------------------------------------------------- effects


def diffusion(x, rng, n):
    for _ in checkpoint(range(n), budget=2):
        x = x + 0.1 * np.sin(x) + 0.1 * x * rng.normal()
    return x


def diffusion_by_hand(x, rng, n):
    slope = 1.0
    for _ in range(n):
        z = rng.normal()
        slope *= 1 + 0.1 * np.cos(x) + 0.1 * z
        x = x + 0.1 * np.sin(x) + 0.1 * x * z
    return slope


def test_draws_are_the_same_again():
    rng, other = np.random.default_rng(3), np.random.default_rng(3)
    expected = diffusion_by_hand(1.2, other, 9)
    assert sourcegrad.grad(diffusion)(1.2, rng, 9) == pytest.approx(expected)
    assert rng.normal() == other.normal()
    _, pullback = sourcegrad.vjp(diffusion, 1.2, np.random.default_rng(3), 9)
    for _ in range(2):
        assert pullback(1.0)[0] == pytest.approx(expected)


@checkpoint
def noisy(x, rng):
    return x + 0.1 * np.sin(x) + 0.1 * x * rng.normal()


def noisy_steps(x, rng, n):
    for _ in range(n):
        x = noisy(x, rng)
    return x


def test_draws_of_a_checkpointed_function_are_the_same_again():
    expected = diffusion_by_hand(1.2, np.random.default_rng(3), 9)
    args = 1.2, np.random.default_rng(3), 9
    assert sourcegrad.grad(noisy_steps)(*args) == pytest.approx(expected)
    _, pullback = sourcegrad.vjp(noisy_steps, 1.2, np.random.default_rng(3), 9)
    for _ in range(2):
        assert pullback(1.0)[0] == pytest.approx(expected)


def prints(x, n):
    for i in checkpoint(range(n), budget=2):
        print(i)
        x = x * x
    return x


def global_draw(x, n):
    for _ in checkpoint(range(n), budget=2):
        x = x * np.random.rand()
    return x


def grows_a_list(x, n):
    parts = []
    for _ in checkpoint(range(n), budget=2):
        x = x * 1.1
        parts.append(x)
    return sum(parts)


def rebound_memory(x, n):
    u, v = x.copy(), x * 2.0
    for _ in checkpoint(range(n), budget=2):
        u[0] = np.sin(v[0])
        u, v = v, u
    return np.sum(u)


def along_a_generator(x, n):
    for _ in checkpoint((k for k in range(n)), budget=2):
        x = x * 1.1
    return x


def no_budget(x, n):
    for _ in checkpoint(range(n)):
        x = x * 1.1
    return x


def empty_budget(x, n):
    for _ in checkpoint(range(n), budget=0):
        x = x * 1.1
    return x


REFUSED = [
    (prints, 1.1, "has an effect"),
    (global_draw, 1.1, "has an effect"),
    (grows_a_list, 1.1, "changes 'parts'"),
    (rebound_memory, X.copy(), "writes to the memory"),
    (along_a_generator, 1.1, "not supported|along this iterable"),
    (no_budget, 1.1, "takes the iterable and a budget"),
    (empty_budget, 1.1, "positive whole number"),
]


@pytest.mark.parametrize(("f", "x", "text"), REFUSED, ids=lambda v: str(v)[:20])
def test_refused_with_place(f, x, text):
    with pytest.raises(sourcegrad.SourcegradError, match=text) as caught:
        sourcegrad.grad(f)(x, 3)
    assert "test_checkpoint_loops.py:" in str(caught.value)
    assert caught.value.hints


@checkpoint
def scaled_in_place(u):
    u[0] = u[1] * u[0]
    return np.sum(u**2)


def test_checkpointed_function_may_not_write_its_argument():
    with pytest.raises(sourcegrad.SourcegradError, match="changes its argument 'u'"):
        sourcegrad.grad(lambda x: scaled_in_place(x * 1.0))(X.copy())


def test_marker_at_run_time():
    assert list(checkpoint(range(3), budget=2)) == [0, 1, 2]
    with pytest.raises(ValueError, match="positive whole number"):
        checkpoint(range(3), budget=0)
    with pytest.raises(TypeError, match="needs a budget"):
        checkpoint(range(3))  # type: ignore[type-var]
