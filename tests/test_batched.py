"""Sweeps for stacks of seeds equal one sweep per seed, on all that is compiled so."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import batch_api, jacobian, linearize, vjp
from sourcegrad.forward.trees import leaves, mapped, varying
from tests import zoo
from tests.compare import assert_same_tree

CASES = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(refused=None)
]
RNG = np.random.default_rng(7)
A = RNG.normal(size=(4, 3))
X = RNG.normal(size=3)
M = RNG.normal(size=(4, 4)) + 4 * np.eye(4)
V4 = RNG.normal(size=4)


def stacks_for(tree: Any, count: int = 3) -> Any:
    rng = np.random.default_rng(11)
    return mapped(lambda x: rng.normal(size=(count, *np.shape(x))), tree)


def one_by_one(run: Any, form: Any, stacks: Any) -> Any:
    """What a sweep per seed gives, by plain stacking."""
    seeds, count = batch_api.as_stack(form, stacks, "seeds")
    return batch_api.one_at_a_time(run, form, seeds, count)


def name_of(value: Any) -> str:
    return getattr(value, "__name__", "at")


def assert_same_stacks(got: Any, expected: Any) -> None:
    assert_same_tree(got, expected, rtol=1e-11, atol=1e-12)
    for a, b in zip(leaves(got), leaves(expected), strict=True):
        assert a.dtype == b.dtype


@pytest.mark.parametrize(("found", "k"), CASES)
def test_pullbacks_of_the_zoo(found, k):
    try:
        y, pullback = vjp(found.function, *found.arguments()[k])
    except sourcegrad.SourcegradError:
        pytest.skip("refused")
    stacks = stacks_for(batch_api.form_of(y))
    got = pullback.batched(stacks)
    assert_same_stacks(got, one_by_one(pullback, pullback._form, stacks))
    for leaf in leaves(got):
        assert not any(np.shares_memory(leaf, s) for s in leaves(stacks))


@pytest.mark.parametrize(("found", "k"), CASES)
def test_pushforwards_of_the_zoo(found, k):
    args = found.arguments()[k]
    try:
        _, pushforward = linearize(found.function, *args)
        stacks = stacks_for(tuple(map(varying, pushforward._primals)))
        if not list(leaves(stacks)):
            pytest.skip("no number to move")
        got = pushforward.batched(*stacks)
    except (sourcegrad.SourcegradError, TypeError):
        pytest.skip("refused")
    run = lambda dots: pushforward(*dots)  # noqa: E731
    assert_same_stacks(got, one_by_one(run, pushforward._primals, stacks))


def test_most_of_the_zoo_runs_once():
    once = total = 0
    for found, k in zoo.each_case(refused=None, issue=2):
        try:
            _, pullback = vjp(found.function, *found.arguments()[k])
        except sourcegrad.SourcegradError:
            continue
        total += 1
        once += pullback._for_stacks() is not None
    assert once > 0.75 * total


# ------------------------------------------------------------ functions of arrays


def tanh_layer(a, x):
    return np.tanh(a @ x)


def row_times_matrix(x, a):
    return x @ a.T


def matrix_product(a, b):
    return (a @ b.T) * 2.0


def softmax_rows(a):
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def broadcast_both_ways(a, x):
    return a * x + np.sum(a, axis=0) - x[:, None].T


def shapes(a):
    return np.transpose(np.reshape(a * a, (2, 6))).ravel() + np.expand_dims(a, 0).sum()


def swapped(a):
    return np.swapaxes(a, 0, 1) * 2.0 + np.squeeze(a[:, None], axis=1).T


def column_and_rows(a):
    return a[:, 1] * 2.0 + a[..., 0] + a[1:, 0].sum() + a[-1, -1]


def picked(x, i):
    return x[i] * x[i]


def masked(x, m):
    return np.where(m, x * x, np.sin(x))[m] * 3.0


def in_a_loop(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * x[i - 1] + (y[i - 1] if i else 0.0)
    return y


def stepped(x, n):
    for _ in range(n):
        x = x + 0.1 * np.sin(x)
    return x


def in_branches(x, flag):
    y = x * 2.0 if flag else np.sum(x) * np.ones(3)
    return y * y


def in_place(a):
    b = a.copy()
    b[1:] += a[:-1] * 2.0
    b *= a
    b[0] = 1.0
    return b


def diffused(x):
    u = x.copy()
    for _ in range(3):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) + 0.01 * np.sin(x[1:-1])
    return u


def solved(m, v):
    return np.linalg.solve(m, v)


def outer_product(x, v):
    return np.outer(x, v)


def contracted(a, x):
    return np.einsum("ij,j->i", a, x) + np.dot(a, x)


def cumulated(x):
    return np.cumsum(x * x) + np.flip(x)


def scalar_to_array(s, x):
    return s * x + s


def to_a_number(x):
    return np.sum(x * x) + np.mean(x)


def a_tuple(x, s):
    return x * s, np.sum(x) * s


def a_dict(p):
    return {"w": p["w"] * p["b"], "s": np.sum(p["w"])}


def triangle(m):
    return np.tril(m) @ m


def single_precision(x):
    return np.sin(x) * np.float32(2.0)


ONCE = [
    (tanh_layer, (A, X)),
    (row_times_matrix, (X, A)),
    (matrix_product, (A, A + 1.0)),
    (broadcast_both_ways, (RNG.normal(size=(3, 3)), X)),
    (shapes, (A,)),
    (swapped, (RNG.normal(size=(4, 4)),)),
    (column_and_rows, (RNG.normal(size=(4, 4)),)),
    (picked, (X, 1)),
    (picked, (X, np.array([0, 0, 2]))),
    (stepped, (X, 4)),
    (in_a_loop, (X, 3)),
    (in_place, (A,)),
    (diffused, (RNG.normal(size=6),)),
    (outer_product, (X, V4)),
    (scalar_to_array, (2.0, X)),
    (to_a_number, (X,)),
    (a_tuple, (X, 2.0)),
    (a_dict, ({"w": X, "b": 2.0},)),
    (single_precision, (X.astype(np.float32),)),
]
ANY = [
    (contracted, (A, X)),
    (softmax_rows, (A,)),
    (masked, (X, np.array([True, False, True]))),
    (in_branches, (X, True)),
    (in_branches, (X, False)),
    (solved, (M, V4)),
    (cumulated, (X,)),
    (triangle, (M,)),
]


@pytest.mark.parametrize("optimise", [True, False], ids=["optimised", "raw"])
@pytest.mark.parametrize(("f", "args"), [*ONCE, *ANY], ids=name_of)
def test_functions_of_arrays(f, args, optimise):
    from sourcegrad.request import options

    with options(optimise=optimise):
        y, pullback = vjp(f, *args)
        stacks = stacks_for(batch_api.form_of(y), 5)
        got = pullback.batched(stacks)
        assert_same_stacks(got, one_by_one(pullback, pullback._form, stacks))
        _, pushforward = linearize(f, *args)
        stacks = stacks_for(args, 5)
        given = [None if not list(leaves(s)) else s for s in stacks]
        got = pushforward.batched(*stacks)
        run = lambda dots: pushforward(*dots)  # noqa: E731
        assert_same_stacks(got, one_by_one(run, pushforward._primals, given))


@pytest.mark.parametrize(("f", "args"), ONCE, ids=name_of)
def test_these_run_once(f, args):
    _, pullback = vjp(f, *args)
    assert pullback._for_stacks() is not None
    _, pushforward = linearize(f, *args)
    assert pushforward._transform.for_stacks(args) is not None


def by_differences(f, x):
    """A Jacobian by central differences of the plain function."""
    columns = []
    for at in np.ndindex(*x.shape):
        step = np.zeros(x.shape)
        step[at] = 1e-6
        columns.append((f(x + step) - f(x - step)) / 2e-6)
    shape = (*np.shape(columns[0]), *x.shape)
    return np.stack(columns, axis=-1).reshape(shape)


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
@pytest.mark.parametrize("f", [softmax_rows, shapes, in_place, stepped, triangle])
def test_jacobian_is_that_of_differences(f, mode):
    args = (A, 4) if f is stepped else (M if f is triangle else A,)
    got = jacobian(f, 0, mode)(*args)
    expected = by_differences(lambda x: f(x, *args[1:]), args[0])
    assert_allclose(got, expected, rtol=1e-6, atol=1e-8)


# ----------------------------------------------------------------------- the edges


def test_empty_stack():
    for f, x in ((tanh_layer, (A, X)), (softmax_rows, (A,))):
        y, pullback = vjp(f, *x)
        got = pullback.batched(np.zeros((0, *y.shape)))
        assert [g.shape for g in got] == [(0, *v.shape) for v in x]


def test_whole_numbers_are_seeds():
    _, pullback = vjp(tanh_layer, A, X)
    got = pullback.batched(np.eye(4, dtype=int))
    assert_allclose(got[1], pullback.batched(np.eye(4))[1], rtol=0)


def test_wrong_stacks_are_refused():
    _, pullback = vjp(tanh_layer, A, X)
    with pytest.raises(ValueError, match="an axis in front"):
        pullback.batched(np.ones(4))
    with pytest.raises(ValueError, match="complex"):
        pullback.batched(np.ones((2, 4)) * 1j)
    _, pullback = vjp(a_tuple, X, 2.0)
    with pytest.raises(ValueError, match="structure of one seed"):
        pullback.batched(np.ones((2, 3)))
    with pytest.raises(ValueError, match="different lengths"):
        pullback.batched((np.ones((2, 3)), np.ones(3)))


def test_pickled_pullback():
    _, pullback = vjp(tanh_layer, A, X)
    again = pickle.loads(pickle.dumps(pullback))
    seeds = RNG.normal(size=(3, 4))
    assert_allclose(again.batched(seeds)[1], pullback.batched(seeds)[1], rtol=0)


SCALE = 2.0


def scaled(x):
    return np.sin(x) * SCALE


def test_global_changed_between(monkeypatch):
    _, pullback = vjp(scaled, X)
    expected = np.diag(2.0 * np.cos(X))
    monkeypatch.setitem(globals(), "SCALE", np.array([1.0, 2.0, 3.0]))
    seeds = np.eye(3)
    got = pullback.batched(seeds)[0]
    assert_allclose(got, np.stack([pullback(s)[0] for s in seeds]), rtol=1e-15)
    assert expected.shape == got.shape


def test_a_hook_sees_one_seed_at_a_time():
    seen = []

    def hooked(x):
        h = sourcegrad.on_adjoint(x * 2.0, lambda g: seen.append(g.shape))
        return h * h

    _, pullback = vjp(hooked, X)
    pullback.batched(np.eye(3))
    assert seen == [(3,)] * 3


def rows_with_names(x):
    w = np.full((2, 3), 0.4)
    first, second = w
    first[1] = second[0] * np.sin(x[0] * w[1, 1])
    w[1, 2] = x[1]
    return np.sum(np.sin(first)) + np.sum(second * x)


def test_stores_through_rows_that_were_unpacked():
    x = np.array([0.3, 0.5, 0.7])
    stack = np.random.default_rng(5).normal(size=(3, 3))
    _, pushforward = linearize(rows_with_names, x)
    want = [pushforward(v) for v in stack]
    np.testing.assert_allclose(pushforward.batched(stack), want)
    _, pullback = vjp(rows_with_names, x)
    want = [pullback(v)[0] for v in stack[0]]
    np.testing.assert_allclose(pullback.batched(stack[0])[0], want)
