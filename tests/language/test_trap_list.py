"""The traps of memory that the design names, each with a test.

values that broadcast into a slot           test_a_value_spreads_into_its_slot
results that share memory with the mutated  test_results_share_memory…
aux that shares memory with the mutated     test_aux_shares_memory…
captured arrays, written or not             test_captured_arrays…
seeds and cotangents of other values        test_no_cotangent_is_shared
arguments that the primal writes            test_arguments_end_as_a_call…
arguments that overlap                      test_overlapping_arguments…
overlapping leaves of one container         test_overlapping_leaves…
a pickled pullback with views               test_a_pickled_pullback…
one pullback twice and from threads         test_one_pullback_from_threads…
y += 1 of a number and of an array          test_the_same_text…
strided arrays and reshape                  test_a_reshape_that_copies…
buffers of another dtype                    test_buffers_of_another_dtype
old contents, repeated indices, overlaps    test_traps
permuted indices, growing bounds, callees   test_aliases
the caller changes its array in between     judged, in every program
"""

import copy
import pickle
import threading

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from tests.language.judged import check

X = np.array([0.3, 0.8, 1.7])
W = np.array([1.0, 2.0, 3.0])
HELD = np.array([2.0, 3.0, 5.0])


def test_a_value_spreads_into_its_slot():
    def rows(x):
        a = np.zeros((4, 3))
        a[:] = x
        a[1:3] *= x[0]
        a[:, 1] = x[2]
        a[0, ...] += x[1]
        a[a > 1.0] = x[0] * x[1]
        return a * W

    check(rows, X)


def running(x):
    a = x.copy()
    b = a[1:]
    c = a * 2.0
    a[0] = x[1] ** 2
    b *= x[0]
    return a, b, c, a[::2]


def test_results_share_memory_with_what_is_written():
    seeds = tuple(np.arange(1.0, 1.0 + np.size(y)) for y in running(X.copy()))
    values, pullback = sourcegrad.vjp(running, X.copy())
    for mine, theirs in zip(values, running(X.copy()), strict=True):
        assert_allclose(mine, theirs, rtol=0)

    def weighted(x):
        return sum(np.sum(s * y) for s, y in zip(seeds, running(x), strict=True))

    from tests.oracle import central_difference_grad

    right = central_difference_grad(weighted, (X,))
    kept = copy.deepcopy(seeds)
    for _ in range(2):
        assert_allclose(pullback(seeds)[0], right, rtol=1e-8)
        values[0][...] = np.nan
    for mine, theirs in zip(seeds, kept, strict=True):
        assert_allclose(mine, theirs, rtol=0)


def test_aux_shares_memory_with_what_is_written():
    def f(x):
        a = x * x
        view = a[:2]
        total = np.sum(a * W)
        a[1] = 7.0
        return total, view

    gradient, aux = sourcegrad.grad(f, has_aux=True)(X)
    assert_allclose(gradient, 2 * X * W, rtol=1e-14)
    assert_allclose(aux, [X[0] ** 2, 7.0], rtol=1e-14)
    assert not np.shares_memory(gradient, aux)


def test_captured_arrays_are_read_as_they_are_at_each_call():
    own = np.array([1.0, 1.0, 1.0])

    def f(x):
        return np.sum(x * x * own * HELD)

    gradient = sourcegrad.grad(f)
    assert_allclose(gradient(X), 2 * X * HELD)
    own[:] = [0.0, 1.0, 2.0]
    assert_allclose(gradient(X), 2 * X * own * HELD)


def test_a_captured_array_that_is_written_is_written_once():
    log = np.zeros(3)

    def f(x):
        log[:] += 1.0
        return np.sum(x * x)

    assert_allclose(sourcegrad.grad(f)(X), 2 * X)
    assert_allclose(log, np.ones(3))


def test_a_captured_array_that_receives_active_values_is_right_or_refused():
    held = np.ones(3)

    def f(x):
        held[0] = x[0] * x[1]
        return np.sum(held * x)

    try:
        got = sourcegrad.grad(f)(X)
    except sourcegrad.SourcegradError as error:
        assert "test_trap_list.py" in str(error)
        return
    right = np.array([2 * X[0] * X[1], X[0] ** 2 + 1, 1.0])
    assert_allclose(got, right)


def test_no_cotangent_is_shared():
    def f(x, y):
        a = x + y
        b = a
        c = b * 1.0
        c += a
        a = a + c
        return a, c

    seeds = (np.ones(3), np.ones(3))
    _, pullback = sourcegrad.vjp(f, X, X + 1)
    one, two = pullback(seeds)
    assert_allclose(one, np.full(3, 5.0))
    assert not np.shares_memory(one, two)
    one += 1.0
    assert_allclose(two, np.full(3, 5.0))
    assert_allclose(pullback(seeds)[0], np.full(3, 5.0))
    assert_allclose(seeds[0], np.ones(3))


def scaled_in_place(x, y):
    x *= 2.0
    x[1] = x[0] * y[1]
    y[0] = x[2]
    return np.sum(x * y * W)


def test_arguments_end_as_a_call_leaves_them():
    plain = [X.copy(), X + 1]
    scaled_in_place(*plain)
    for transform in (
        lambda x, y: sourcegrad.grad(scaled_in_place, (0, 1))(x, y),
        lambda x, y: sourcegrad.value_and_grad(scaled_in_place)(x, y),
        lambda x, y: sourcegrad.vjp(scaled_in_place, x, y)[1](1.0),
        lambda x, y: sourcegrad.jvp(scaled_in_place, (x, y), (W, W)),
    ):
        given = [X.copy(), X + 1]
        transform(*given)
        assert_allclose(given[0], plain[0], rtol=0)
        assert_allclose(given[1], plain[1], rtol=0)


@pytest.mark.parametrize("shift", [0, 1])
def test_overlapping_arguments_of_which_one_is_written_are_refused(shift):
    z = np.arange(1.0, 5.0)
    with pytest.raises(sourcegrad.SourcegradError, match="memory"):
        sourcegrad.grad(scaled_in_place, (0, 1))(z[:3], z[shift : shift + 3])
    far = np.arange(1.0, 9.0)
    got = sourcegrad.grad(scaled_in_place)(far[:3].copy(), far[4:7].copy())
    assert_allclose(sourcegrad.grad(scaled_in_place)(far[:3], far[4:7]), got)


def test_overlapping_leaves_of_one_container_are_refused():
    def f(pair):
        a, b = pair["a"], pair["b"]
        a[0] = b[1] ** 2
        return np.sum(a * b)

    z = np.arange(1.0, 5.0)
    with pytest.raises(sourcegrad.SourcegradError, match="memory"):
        sourcegrad.grad(f)({"a": z[:3], "b": z[1:]})
    got = sourcegrad.grad(f)({"a": z[:2].copy(), "b": z[2:].copy()})
    assert_allclose(got["a"], [0.0, z[3]])
    assert_allclose(got["b"], [z[3] ** 2, 2 * z[3] * z[2] + z[1]])


def views_in_a_loop(x):
    a = np.outer(x, x)
    for k in range(3):
        row = a[k]
        row[1:] *= row[:-1]
        a.reshape(-1)[k] += x[k] * row[2]
    return a * W


def test_a_pickled_pullback_with_views():
    seed = np.arange(9.0).reshape(3, 3)
    _, pullback = sourcegrad.vjp(views_in_a_loop, X)
    right = pullback(seed)[0]
    again = pickle.loads(pickle.dumps(pullback))
    assert_allclose(again(seed)[0], right, rtol=0)
    assert_allclose(copy.deepcopy(pullback)(seed)[0], right, rtol=0)
    check(views_in_a_loop, X)


def test_one_pullback_from_threads_at_once():
    _, pullback = sourcegrad.vjp(views_in_a_loop, X)
    seeds = [np.full((3, 3), float(k)) for k in range(8)]
    found = [None] * 8
    start = threading.Barrier(8)

    def run(k):
        start.wait()
        found[k] = pullback(seeds[k])[0]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(8):
        assert_allclose(found[k], k * found[1], rtol=1e-14)


def doubled_twice(x):
    y = x
    y += 1.0
    y *= 2.0
    return x * y


def test_the_same_text_of_a_number_and_of_an_array():
    assert_allclose(sourcegrad.grad(doubled_twice)(1.3), 4 * 1.3 + 2, rtol=1e-14)
    check(doubled_twice, X)
    check(doubled_twice, np.array(1.3))


def test_a_reshape_that_copies_and_one_that_does_not():
    def f(m):
        a = m * 1.0
        flat = a[:, :2].reshape(-1)
        whole = a.reshape(-1)
        flat[0] = m[0, 1] ** 2
        whole[2:4] *= m[1, :2]
        turned = a.T.reshape(-1)
        turned[1] = 5.0 * m[2, 2]
        return np.sum(flat**2) + np.sum(turned * np.arange(9.0)) + np.sum(a * a)

    def of_an_argument(m):
        turned = m.T.reshape(-1)
        turned[1] = 5.0 * m[2, 2]
        m.reshape(-1)[3] *= m[0, 0]
        return np.sum(m * m * np.arange(9.0).reshape(3, 3))

    for program in (f, of_an_argument):
        check(program, np.outer(X, W))
        check(program, np.outer(X, W).T)
        check(program, np.repeat(np.outer(X, W), 2, axis=1)[:, ::2])


def test_buffers_of_another_dtype():
    def narrow(x):
        a = np.zeros(3, np.float32)
        a[:] = x
        a[1] *= 2
        return np.sum(a * a)

    got = sourcegrad.grad(narrow)(X)
    assert got.dtype == np.float64
    assert_allclose(got, 2 * X * [1, 4, 1], rtol=1e-6)

    def counted(x):
        n = np.zeros(3, dtype=int)
        n[0] += 1
        n[x > 0.5] += 2
        return np.sum(x**n)

    assert_allclose(sourcegrad.grad(counted)(X), [1.0, 2 * X[1], 2 * X[2]])
