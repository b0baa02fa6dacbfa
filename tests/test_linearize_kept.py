"""A pushforward is the derivative of what ran: what changes later does not reach it.

Expected values are closed forms.
"""

from __future__ import annotations

import copy
import functools
import pickle
import sys
import types

import numpy as np
import pytest

from sourcegrad import NonDifferentiableError, grad, jvp, linearize, vjp

GAIN = 3.0
WEIGHTS = np.array([1.0, 2.0])


def scaled(x):
    return GAIN * x * x


def weighted(x):
    return np.sum(WEIGHTS * x * x)


def inner_gain(x):
    return GAIN * np.sin(x)


def through_a_callee(x):
    return inner_gain(x) * x


def test_a_global_that_is_bound_anew(monkeypatch):
    y, push = linearize(scaled, 2.0)
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    assert y == 12.0
    assert push(1.0) == 12.0
    assert push.batched(np.array([1.0, 2.0])).tolist() == [12.0, 24.0]
    assert linearize(scaled, 2.0)[1](1.0) == 20.0
    assert copy.deepcopy(push)(1.0) == 12.0


def test_a_global_of_another_kind(monkeypatch):
    _, push = linearize(scaled, 2.0)
    monkeypatch.setitem(globals(), "GAIN", np.ones(2))
    assert push(1.0) == 12.0


def test_an_array_that_is_written():
    x = np.array([0.5, -1.0])
    _, push = linearize(weighted, x)
    old = WEIGHTS.copy()
    WEIGHTS[:] = 7.0
    try:
        assert push(np.array([1.0, 1.0])) == pytest.approx(2 * (old @ x))
        rows = push.batched(np.eye(2))
        np.testing.assert_allclose(rows, 2 * old * x)
    finally:
        WEIGHTS[:] = old


def test_what_a_callee_reads(monkeypatch):
    _, push = linearize(through_a_callee, 2.0)
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    assert push(1.0) == pytest.approx(3.0 * (np.cos(2.0) * 2.0 + np.sin(2.0)))


def test_a_captured_value():
    factor, table = 3.0, {"w": np.array([2.0])}

    def f(x):
        return factor * table["w"][0] * x * x

    _, push = linearize(f, 2.0)
    factor = 4.0
    table["w"][0] = 9.0
    assert push(1.0) == 24.0
    assert linearize(f, 2.0)[1](1.0) == 144.0


class Model:
    def __init__(self):
        self.w = np.array([2.0])


def test_an_object():
    model = Model()

    def f(x):
        return model.w[0] * x * x

    _, push = linearize(f, 3.0)
    model.w = np.array([5.0])
    assert push(1.0) == 12.0


def test_of_a_gradient(monkeypatch):
    _, push = linearize(grad(scaled), 2.0)
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    assert push(1.0) == 6.0


class Settings:
    gain = 3.0


config = types.ModuleType("config")
config.gain = 3.0
config.part = types.ModuleType("config.part")
config.part.weights = np.array([1.0, 2.0])
config.chosen = types.SimpleNamespace(gain=3.0)


def of_a_module(x):
    return config.gain * x * x


def of_a_module_within(x):
    return np.sum(config.part.weights * x * x)


def of_an_object_in_a_module(x):
    return config.chosen.gain * x * x


def of_a_class(x):
    return Settings.gain * x * x


@pytest.mark.parametrize(
    ("f", "holder"),
    [(of_a_module, config), (of_an_object_in_a_module, config.chosen)],
)
def test_attributes_of_modules(f, holder, monkeypatch):
    _, push = linearize(f, 2.0)
    _, pullback = vjp(f, 2.0)
    monkeypatch.setattr(holder, "gain", 5.0)
    assert push(1.0) == 12.0
    assert pullback(1.0) == (12.0,)
    assert push.batched(np.array([1.0, 2.0])).tolist() == [12.0, 24.0]
    assert linearize(f, 2.0)[1](1.0) == 20.0


def test_an_array_in_a_module_that_is_written(monkeypatch):
    x = np.array([0.5, -1.0])
    _, push = linearize(of_a_module_within, x)
    monkeypatch.setattr(config.part, "weights", config.part.weights.copy())
    config.part.weights[:] = 7.0
    assert push(np.ones(2)) == pytest.approx(2 * (x[0] + 2 * x[1]))


def test_attributes_of_classes(monkeypatch):
    _, push = linearize(of_a_class, 2.0)
    _, pullback = vjp(of_a_class, 2.0)
    assert push(1.0) == 12.0
    monkeypatch.setattr(Settings, "gain", 5.0)
    assert pullback(1.0) == (12.0,)
    with pytest.raises(NonDifferentiableError, match="call linearize again"):
        push(1.0)
    monkeypatch.setattr(Settings, "gain", np.ones(2))
    assert jvp(of_a_class, (2.0,), (1.0,))[1].tolist() == [4.0, 4.0]


def test_what_numba_reads(monkeypatch):
    pytest.importorskip("numba")
    _, push = linearize(scaled, 2.0, backend="numba")
    assert push(1.0) == 12.0
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    with pytest.raises(NonDifferentiableError, match="call linearize again"):
        push(1.0)


def test_a_pickled_pushforward_is_that_of_what_it_read(monkeypatch):
    value, pushforward = linearize(scaled, 2.0)
    text = pickle.dumps(pushforward)
    assert (value, pickle.loads(text)(1.0)) == (12.0, 12.0)
    monkeypatch.setattr(sys.modules[__name__], "GAIN", 5.0)
    with pytest.raises(NonDifferentiableError, match="when pickled"):
        pickle.loads(text)(1.0)
    with pytest.raises(NonDifferentiableError, match="call linearize again"):
        pickle.dumps(pushforward)
    assert pushforward(1.0) == 12.0


def weighed(x, w):
    return np.sum(w * x * x)


def test_bound_arrays_are_kept():
    w, ones = np.array([2.0, 3.0]), np.ones(2)
    _, pushforward = linearize(functools.partial(weighed, w=w), ones)
    w *= 5.0
    assert pushforward(ones) == 10.0  # 2 w x, of w as it was
    assert pickle.loads(pickle.dumps(pushforward))(ones) == 10.0


class Tank:
    level = 1.0


def filled(x, tank):
    tank.level = tank.level + x
    return tank.level * x


def test_bound_objects_are_left_alone():
    tank = Tank()
    y, pushforward = linearize(functools.partial(filled, tank=tank), 2.0)
    assert (y, tank.level) == (6.0, 3.0)
    assert [pushforward(1.0), pushforward(1.0)] == [5.0, 5.0]  # 1 + 2 x
    assert tank.level == 3.0
