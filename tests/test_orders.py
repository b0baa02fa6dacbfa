"""The zoo at order two, in every mix of the two modes, against duals of duals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sourcegrad
from tests import zoo
from tests.compare import assert_same_tree
from tests.oracle import dual_hessian_vector
from tests.test_forward import direction, inner
from tests.test_zoo import run_or_xfail

SMOOTH = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(refused=None, smooth=True)
    if found.argnums == 0 and len(found.cases[k]) <= 2
]
NUMBERS = [p for p in SMOOTH if type(p.values[0].cases[p.values[1]][0]) is float]


def slope_of(f: Any, count: int) -> Any:
    """The derivative of a function along a direction, as a function of both."""
    if count == 1:
        return lambda x, v: sourcegrad.jvp(f, (x,), (v,))[1]
    return lambda x, v, b: sourcegrad.jvp(f, (x, b), (v, None))[1]


@pytest.mark.parametrize(("found", "k"), NUMBERS)
def test_reverse_over_reverse(found, k):
    args = found.arguments()[k]
    expected = dual_hessian_vector(found.function, found.arguments()[k], 1.0)
    twice = sourcegrad.grad(sourcegrad.grad(found.function))
    got = run_or_xfail(found, lambda: twice(*args))
    assert_same_tree(got, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("found", "k"), SMOOTH)
def test_reverse_over_forward(found, k):
    x, *rest = found.arguments()[k]
    v = direction(x, np.random.default_rng(3))
    expected = dual_hessian_vector(found.function, found.arguments()[k], v)
    slope = slope_of(found.function, 1 + len(rest))
    got = run_or_xfail(found, lambda: sourcegrad.grad(slope)(x, v, *rest), 2)
    assert_same_tree(got, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("found", "k"), SMOOTH)
def test_forward_over_forward(found, k):
    x, *rest = found.arguments()[k]
    v = direction(x, np.random.default_rng(3))
    w = direction(x, np.random.default_rng(4))
    expected = dual_hessian_vector(found.function, found.arguments()[k], v)
    slope = slope_of(found.function, 1 + len(rest))
    primals, tangents = (x, v, *rest), (w, None, *[None] * len(rest))
    got = run_or_xfail(found, lambda: sourcegrad.jvp(slope, primals, tangents)[1], 2)
    assert float(np.ravel(got)[0]) == pytest.approx(
        inner(expected, w), rel=1e-8, abs=1e-10
    )
