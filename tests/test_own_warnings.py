"""A derivative warns of nothing that its primal does not warn of."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import grad, hessian, hvp, jacobian, jvp, linearize, taylor, vjp

X = np.array([4.0, 0.0, -1.0])
ONES = np.ones(3)


def masked_root(x):
    safe = np.where(x > 0, x, 0.0)
    return np.where(x > 0, np.sqrt(safe), 0.0)


def total(x):
    return np.sum(masked_root(x))


def clipped_root(x):
    return np.sqrt(np.where(x > 0, x, 0.0))


SLOPE = np.array([0.25, 0.0, 0.0])  # of the root of 4: 1 / (2 sqrt(4))
CURVE = np.array([-1.0 / 32.0, 0.0, 0.0])  # -1 / (4 sqrt(4)**3)


def of_each_kind() -> list[Any]:
    """Every transform of a program whose partials are singular where it is masked."""
    return [
        ("grad", lambda: grad(total)(X), SLOPE),
        ("vjp", lambda: vjp(masked_root, X)[1](ONES)[0], SLOPE),
        ("a stack of seeds", lambda: vjp(masked_root, X)[1].batched(np.eye(3))[0],
         np.diag(SLOPE)),
        ("jvp", lambda: jvp(masked_root, (X,), (ONES,))[1], SLOPE),
        ("linearize", lambda: linearize(masked_root, X)[1](ONES), SLOPE),
        ("a stack of tangents", lambda: linearize(clipped_root, X)[1].batched(
            np.eye(3)), np.diag(SLOPE)),
        ("elementwise", lambda: sourcegrad.elementwise_grad(masked_root)(X), SLOPE),
        ("forward", lambda: jacobian(masked_root, 0, "forward")(X), np.diag(SLOPE)),
        ("reverse", lambda: jacobian(masked_root, 0, "reverse")(X), np.diag(SLOPE)),
        ("hessian", lambda: hessian(total)(X), np.diag(CURVE)),
        ("hvp", lambda: hvp(total)(X, ONES), CURVE),
        ("grad of grad", lambda: grad(lambda x: np.sum(grad(total)(x)))(X), CURVE),
        ("taylor", lambda: taylor(masked_root, X, ONES, 1)[1], SLOPE),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "run, expected", [pytest.param(*case[1:], id=case[0]) for case in of_each_kind()]
)
def test_a_partial_that_is_masked_gives_no_warning(run, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run()
    assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_sparse_jacobian_of_a_masked_root(mode):
    pytest.importorskip("scipy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = jacobian(masked_root, 0, mode, sparsity=np.eye(3))(X)
    assert_allclose(found.toarray(), np.diag(SLOPE))


def masks() -> list[Any]:
    """Masks of every sort beside a partial that is singular where they mask."""

    def by_index(x):
        y = np.zeros_like(x)
        y[x > 0] = np.sqrt(x[x > 0])
        return np.sum(y)

    def by_out(x):
        y = np.zeros_like(x)
        np.sqrt(x, out=y, where=x > 0)
        return np.sum(y)

    def by_select(x):
        safe = np.maximum(x, 0.0)
        return np.sum(np.select([x > 0], [np.sqrt(safe)], 0.0))

    def by_maximum(x):
        return np.sum(np.sqrt(np.maximum(x - (x == 0.0), 0.0)))

    def by_branch(x):
        s = 0.0
        for v in x:
            if v > 0.0:
                s = s + np.sqrt(v)
        return s

    def by_factor(x):
        return np.sum(np.sqrt(np.abs(x)) * (x > 0))

    return [by_index, by_out, by_select, by_maximum, by_branch, by_factor]


@pytest.mark.parametrize("f", masks(), ids=lambda f: f.__name__)
def test_masks_of_every_sort(f):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(X)
        found = grad(f)(X), vjp(f, X)[1](1.0)[0]
    assert_allclose(found, (SLOPE, SLOPE))


def test_what_the_primal_warns_of_stays():
    def f(x):
        return np.sum(np.where(x > 0, np.log(x), 0.0))

    def told(run):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run()
        return {(str(w.message), w.filename, w.lineno) for w in caught}

    expected = told(lambda: f(X))
    assert len(expected) == 2
    assert told(lambda: grad(f)(X)) == expected
    assert told(lambda: jvp(f, (X,), (ONES,))) == expected


def test_the_errors_that_numpy_is_told_to_raise():
    with np.errstate(all="raise"):
        assert_allclose(grad(total)(X), SLOPE)
        with pytest.raises(FloatingPointError, match="divide by zero"):
            grad(lambda x: np.sum(np.log(x)))(np.zeros(2))


def test_an_infinite_slope_is_seen_in_the_number():
    found = grad(lambda x: np.sum(np.sqrt(x)))(np.array([0.0, 4.0]))
    assert_allclose(found, [np.inf, 0.25])
