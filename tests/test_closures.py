"""Closures made anew share the compilation of the first, with what they capture."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import grad, hvp, value_and_grad, vjp
from sourcegrad.compile import entry as compiling


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of functions compiled from here on."""
    names: list[str] = []
    plain = compiling.compile_entry

    def counted(fn, *args):
        names.append(fn.__name__)
        return plain(fn, *args)

    monkeypatch.setattr(compiling, "compile_entry", counted)
    return names


def scaled(k):
    def power(x):
        return k * np.sum(x**2)

    return power


def test_one_compilation_for_closures_made_in_a_loop(compilations):
    x = np.array([1.0, 2.0])
    for k in range(1, 5):
        assert_allclose(grad(scaled(float(k)))(x), 2.0 * k * x)
    assert compilations == ["power"]


def test_another_kind_of_captured_data_is_another_compilation(compilations):
    def times(k):
        return lambda x: k * x

    for k in (2.0, 3, np.float64(4.0), 5.0, 6):
        assert grad(times(k))(1.0) == k
    assert len(compilations) == 3


def test_each_closure_keeps_its_live_cell():
    def counter():
        k = 1.0

        def f(x):
            return k * x

        def change(to):
            nonlocal k
            k = to

        return f, change

    (f, change_f), (g, change_g) = counter(), counter()
    df, dg = grad(f), grad(g)
    assert (df(3.0), dg(3.0)) == (1.0, 1.0)
    change_g(5.0)
    assert (df(3.0), dg(3.0)) == (1.0, 5.0)
    change_f(7.0)
    assert (df(3.0), dg(3.0)) == (7.0, 5.0)


def chained(inner):
    return lambda x: inner(x) * x


def test_closures_in_cells_are_followed(compilations):
    def weight(k):
        return lambda x: k * x

    for k in (2.0, 3.0, 4.0):
        assert grad(chained(weight(k)))(5.0) == pytest.approx(10.0 * k)
    assert len(compilations) == 1
    # other code in the cell
    assert grad(chained(np.sin))(1.0) == pytest.approx(np.sin(1.0) + np.cos(1.0))
    assert grad(chained(lambda x: x**2))(2.0) == pytest.approx(12.0)


def test_defaults_of_a_captured_function_count():
    def weight(k):
        def f(x, scale=k):
            return scale * x

        return f

    assert grad(chained(weight(2.0)))(5.0) == pytest.approx(20.0)
    assert grad(chained(weight(3.0)))(5.0) == pytest.approx(30.0)


class Square:
    gain = 1.0

    def __init__(self, gain):
        self.gain = gain

    def __call__(self, x):
        return self.gain * x * x


class Cube(Square):
    def __call__(self, x):
        return self.gain * x * x * x


def test_captured_objects_are_told_apart():
    for model, expected in ((Square(2.0), 8.0), (Square(3.0), 12.0), (Cube(1.0), 12.0)):
        assert grad(lambda x: model(x))(2.0) == pytest.approx(expected)


def test_captured_objects_without_calls():
    class Holder:
        def __init__(self, w):
            self.w = w

    for w in (2.0, 3.0):
        holder = Holder(w)
        assert grad(lambda x: holder.w * x)(1.0) == w


def test_second_order_of_closures_made_anew(compilations):
    x, v = np.array([1.0, 2.0]), np.array([0.5, -1.0])
    for k in (1.0, 2.0, 3.0):
        assert_allclose(hvp(scaled(k))(x, v), 2.0 * k * v)
    first = len(compilations)
    assert_allclose(hvp(scaled(9.0))(x, v), 18.0 * v)
    assert len(compilations) == first <= 2


def test_pullbacks_keep_to_their_closure():
    pullbacks = [vjp(scaled(k), np.ones(2))[1] for k in (1.0, 2.0)]
    assert_allclose(pullbacks[0](1.0)[0], [2.0, 2.0])
    assert_allclose(pullbacks[1](1.0)[0], [4.0, 4.0])


def test_what_was_captured_is_not_kept_alive():
    def make(data):
        return lambda x: np.sum(data * x)

    class Watched(np.ndarray):
        pass

    x = np.ones(3)
    data = np.arange(3.0)
    watch = weakref.ref(data)
    f = make(data)
    assert value_and_grad(f)(x)[0] == 3.0
    del f, data
    gc.collect()
    assert watch() is None
    assert_allclose(grad(make(np.full(3, 2.0)))(x), [2.0, 2.0, 2.0])


def test_a_global_changed_in_between(monkeypatch):
    monkeypatch.setitem(globals(), "GAIN", 2.0)
    assert grad(with_gain(3.0))(1.0) == 6.0
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    assert grad(with_gain(3.0))(1.0) == 15.0
    assert grad(with_gain(4.0))(1.0) == 20.0


GAIN = 1.0


def with_gain(k):
    return lambda x: GAIN * k * x
