"""Forward mode: every program of the zoo against the dual-number oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sourcegrad
from tests import zoo
from tests.compare import assert_same_tree, copied
from tests.oracle import dual_grad
from tests.oracle.trees import leaves as oracle_leaves
from tests.test_zoo import run_or_xfail

CASES = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(refused=None)
]


def direction(x: Any, rng: np.random.Generator) -> Any:
    """A random tangent with the structure of an argument."""
    from sourcegrad.forward.trees import mapped

    def leaf(v: Any) -> Any:
        made = rng.uniform(-1.0, 1.0, np.shape(v))
        return float(made) if not isinstance(v, np.ndarray) else made

    return mapped(leaf, x)


def inner(gradient: Any, tangent: Any) -> float:
    """The sum of products of two trees of one structure."""
    pairs = zip(oracle_leaves(gradient), oracle_leaves(tangent), strict=True)
    return float(sum(np.sum(np.asarray(g) * np.asarray(t)) for g, t in pairs))


def wanted_of(found: zoo.Program) -> tuple[int, ...]:
    wanted = found.argnums if isinstance(found.argnums, tuple) else (found.argnums,)
    return wanted


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "raw"])
@pytest.mark.parametrize(("found", "k"), CASES)
def test_jvp_of_the_zoo(found, k, optimise):
    from sourcegrad.request import options

    wanted = wanted_of(found)
    gradients = dual_grad(found.function, found.arguments()[k], wanted)
    plain = found.arguments()[k]
    value = copied(found.function(*plain))
    args = found.arguments()[k]
    rng = np.random.default_rng(5)
    tangents: list[Any] = [None] * len(args)
    for n in wanted:
        tangents[n] = direction(args[n], rng)
    expected = sum(
        inner(g, tangents[n]) for g, n in zip(gradients, wanted, strict=True)
    )
    given = copied(tangents)

    def action() -> Any:
        with options(optimise=optimise):
            return sourcegrad.jvp(found.function, args, tuple(tangents))

    y, y_dot = run_or_xfail(found, action)
    assert_same_tree(y, value, rtol=0, atol=0)
    assert_same_tree(args, plain, rtol=0, atol=0)
    assert_same_tree(tangents, given, rtol=0, atol=0)
    (slope,) = oracle_leaves(y_dot)
    assert np.shape(slope) == np.shape(y)
    assert np.ravel(slope)[0] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def blend(x, w):
    return x * w


@sourcegrad.adjoint(blend)
def _blend(y, y_bar, x, w):
    return y_bar * w, y_bar * x


@sourcegrad.tangent(blend)
def _blend_dot(y, x, x_dot, w):
    return x_dot * w


def test_a_tangent_that_leaves_an_operand_out_is_refused_there():
    f = lambda x, w: blend(x, w) + x  # noqa: E731
    assert sourcegrad.jvp(f, (2.0, 5.0), (1.0, None)) == (12.0, 6.0)
    assert sourcegrad.vjp(f, 2.0, 5.0)[1](1.0) == (6.0, 2.0)
    with pytest.raises(sourcegrad.SourcegradError, match="argument 'w'"):
        sourcegrad.jvp(f, (2.0, 5.0), (1.0, 1.0))


def bound_on_some_paths(x, y):
    rows = []
    for k in range(2):
        done = False
        if x < 0.4:
            p = x * 2.0
        elif x < 0.9:
            p = x
            if p > 0.7:
                r = np.sum(y * y)
                done = True
            p = p * y[k]
        else:
            p = x
        if not done:
            r = p
        rows.append(r)
    return np.sum(y) * x + rows[0] * rows[1]


@pytest.mark.parametrize("x", [-0.9, 0.5, 0.8, 2.0])
def test_what_is_bound_on_some_paths_only(x):
    y, v = np.array([0.9, -0.5]), np.array([0.7, 0.2])
    _, got = sourcegrad.jvp(bound_on_some_paths, (x, y), (0.4, v))
    h = 1e-6
    above = bound_on_some_paths(x + 0.4 * h, y + v * h)
    below = bound_on_some_paths(x - 0.4 * h, y - v * h)
    assert got == pytest.approx((above - below) / (2 * h), rel=1e-8)
