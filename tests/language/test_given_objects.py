"""Objects from outside that get attributes: what they hold afterwards, pullbacks that
are kept, objects met twice, and what is refused."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sourcegrad import AliasError, SourcegradError, grad, jvp, vjp

W = np.array([[0.2, -0.4], [0.7, 0.3]])


class Layer:
    def __init__(self, w):
        self.w, self.calls = w, 0

    def forward(self, x):
        self.x = x
        self.calls += 1
        self.out = np.tanh(self.w @ x)
        return self.out


def loss(layer, x):
    return np.sum(layer.forward(x) * layer.x)


def by_hand(w, x):
    """The gradients of `loss`, worked out on paper."""
    h = np.tanh(w @ x)
    inner = x * (1.0 - h * h)
    return np.outer(inner, x), h + w.T @ inner


def test_the_object_is_as_a_plain_call_leaves_it():
    x = np.array([0.5, -1.0])
    plain = Layer(W.copy())
    loss(plain, x)
    for run in (
        lambda o: grad(loss, 1)(o, x),
        lambda o: vjp(loss, o, x)[1](1.0),
        lambda o: jvp(loss, (o, x), (None, x)),
    ):
        layer = Layer(W.copy())
        run(layer)
        assert vars(layer).keys() == vars(plain).keys()
        assert layer.calls == 1 and layer.x is x
        assert_array_equal(layer.out, plain.out)


def dead_store(o, x):
    y = x * 2.0
    o.w = y
    y[0] = 3.0 * x[1]
    return np.sum(x)


def test_a_store_into_what_the_object_holds_is_made_though_nothing_reads_it():
    x = np.array([0.5, -1.0])
    for run in (
        lambda o: grad(dead_store, 1)(o, x),
        lambda o: vjp(dead_store, o, x)[1](1.0),
        lambda o: jvp(dead_store, (o, x), (None, x)),
    ):
        layer = Layer(W)
        run(layer)
        assert_array_equal(layer.w, [-3.0, -2.0])


def test_a_pullback_does_not_read_the_object_again():
    x = np.array([0.5, -1.0])
    layer = Layer(W.copy())
    _, pullback = vjp(loss, layer, x)
    layer.w *= 0.0
    layer.out *= 0.0
    layer.x = None
    w_bar, x_bar = by_hand(W, x)
    for _ in range(2):
        found, found_x = pullback(1.0)
        assert_allclose(found.w, w_bar)
        assert_allclose(found_x, x_bar)


def weighted(holder, x):
    return np.sum(holder.w @ x)


def test_what_an_argument_holds_is_kept_for_the_pullback():
    layer, x = Layer(W.copy()), np.array([0.5, -1.0])
    _, pullback = vjp(weighted, layer, x)
    layer.w[:] = 0.0
    assert_allclose(pullback(1.0)[1], W.T @ np.ones(2))


def written_through(holder, x):
    holder.w[0] = x[0] * 2.0
    return np.sum(x * x) + np.sum(holder.w**3)


def test_an_array_of_an_object_that_is_written_and_another_argument():
    z = np.array([1.0, 2.0])
    with pytest.raises(AliasError, match=r"holder\.w and x share memory"):
        grad(written_through, 1)(Layer(z), z)


def moved(bodies, dt):
    for b in bodies:
        b.w = b.w * dt
    return bodies[0].w * bodies[1].w


def two(a, b, x):
    a.w = x * a.w
    return a.w * b.w


def test_one_object_met_twice_is_refused():
    body = Layer(2.0)
    with pytest.raises(AliasError, match="are one object"):
        grad(two, 2)(body, body, 0.3)
    with pytest.raises(AliasError, match="are one object"):
        grad(moved, 1)([body, body], 0.3)
    assert_allclose(grad(two, 2)(body, Layer(3.0), 0.3), 6.0)


shared = Layer(2.0)


def beside_a_global(a, x):
    a.w = x * a.w
    return a.w * shared.w


def test_an_argument_that_a_global_holds_is_refused():
    with pytest.raises(AliasError, match="are one object"):
        grad(beside_a_global, 1)(shared, 0.3)
    assert_allclose(grad(beside_a_global, 1)(Layer(3.0), 0.3), 6.0)


def raising(layer, x):
    layer.w = x * layer.w
    if x > 0:
        raise ZeroDivisionError("as the program says")
    return layer.w


def test_an_exception_leaves_what_python_leaves():
    layer = Layer(2.0)
    with pytest.raises(ZeroDivisionError):
        grad(raising, 1)(layer, 0.5)
    assert layer.w == 1.0


class Tripled:
    def __init__(self, w):
        object.__setattr__(self, "w", w)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 3.0)


class Doubling:
    def __get__(self, instance, owner=None):
        return instance.__dict__["_w"]

    def __set__(self, instance, value):
        instance.__dict__["_w"] = value * 2.0


class Described:
    w = Doubling()

    def __init__(self, w):
        self._w = w


@dataclass
class Counted:
    w: float
    count = 0


def scaled(o, x):
    o.w = o.w * x
    return o.w * x


def counted(o, x):
    o.count += 1
    return o.w * x * o.count


def tabled(o, x):
    o.parts = {"x": x, "y": x * o.w}
    return o.parts["x"] * o.parts["y"]


def printed(o, x):
    o.w = o.w * x
    print(o)
    return o.w


def deleted(o, x):
    o.w = o.w * x
    del o.calls
    return o.w


def one_of_two(o, x):
    other = copy_of(o) if x > 0 else o
    other.w = x
    return o.w


def copy_of(o):
    return copy.copy(o)


def test_an_object_from_outside_that_is_printed(capsys):
    made = Layer(2.0)
    assert grad(printed, 1)(copy.copy(made), 0.3) == 2.0
    shown = capsys.readouterr().out
    printed(copy.copy(made), 0.3)
    assert shown == capsys.readouterr().out.partition(" at ")[0] + ">\n"


@pytest.mark.parametrize(
    ("program", "made"),
    [
        (scaled, Tripled(2.0)),
        (scaled, Described(2.0)),
        (counted, Counted(2.0)),
        (tabled, Layer(2.0)),
        (deleted, Layer(2.0)),
        (one_of_two, Layer(2.0)),
    ],
)
def test_what_is_not_followed_is_refused_with_its_place(program, made):
    with pytest.raises(SourcegradError) as caught:
        grad(program, 1)(copy.copy(made), 0.3)
    assert "test_given_objects.py:" in str(caught.value)


class Ways:
    """An object that says itself what it is as a sequence and as a truth value."""

    def __init__(self, p, v):
        self.p, self.v = p, v

    def __iter__(self):
        yield self.p * 2.0
        yield self.v * 3.0
        yield 1.0

    def __len__(self):
        return 5

    def __bool__(self):
        return bool(self.p > 5.0)

    def __eq__(self, other):
        return self.p * other

    __hash__ = None

    def check(self, x):
        self.v = x * self.p
        return self.v


def along(o, x):
    return sum(v * x for v in o) + max(o) * x + [*o][0] * x


def counted_by_len(o, x):
    return len(o) * x * o.p


def by_truth(o, x):
    return x * o.p if o else x * o.v


def by_equality(o, x):
    return (o == 3.0) * x


def asserted(o, x):
    assert o.check(x) > 0.0
    return o.v * x


@pytest.mark.parametrize(
    ("program", "p_bar", "v_bar", "x_bar"),
    [
        (along, 2.0 * 0.3 + 2.0 * 0.3, 2 * 3.0 * 0.3, 2.0 + 6.0 + 1.0 + 6.0 + 2.0),
        (counted_by_len, 1.5, 0.0, 5.0),
        (by_truth, 0.0, 0.3, 2.0),
        (by_equality, 0.9, 0.0, 3.0),
        (asserted, 0.09, 0.0, 0.6),
    ],
)
def test_an_argument_is_what_its_class_says(program, p_bar, v_bar, x_bar):
    found, found_x = grad(program, (0, 1))(Ways(1.0, 2.0), 0.3)
    assert_allclose([found.p, found.v, found_x], [p_bar, v_bar, x_bar])
    _, pullback = vjp(program, Ways(1.0, 2.0), 0.3)
    found, found_x = pullback(1.0)
    assert_allclose([found.p, found.v, found_x], [p_bar, v_bar, x_bar])


def logged(o, x):
    o.log = [x, x * x]
    o.same = o.log
    o.same.append(x**3)
    return o.log[1] * o.log[2]


def test_a_list_that_an_object_keeps_is_one_list():
    held = Layer(2.0)
    assert_allclose(grad(logged, 1)(held, 0.5), 5 * 0.5**4)
    assert held.log is held.same
    assert_allclose(held.log, [0.5, 0.25, 0.125])
    _, pullback = vjp(logged, held, 0.5)
    held.log[:] = [7.0]
    for _ in range(2):
        assert_allclose(pullback(1.0)[1], 5 * 0.5**4)
    assert held.log == [7.0]
