"""Objects that a function finds in globals and closures: code that was built for some
of them is built again, or reads them anew, when the program changes what is there."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad


class Line:
    """w x + b; its derivative is w."""

    b = 0.5

    def __init__(self, w):
        self.w = w

    def at(self, x):
        return self.w * x + self.b


class Parabola(Line):
    """w x²; its derivative is 2 w x."""

    def at(self, x):
        return self.w * x**2


class Chain:
    """An object that holds a list of others."""

    def __init__(self, *links):
        self.links = list(links)

    def at(self, x):
        for link in self.links:
            x = link.at(x)
        return x


NET: list = []
MODEL = Line(2.0)


def through_net(x):
    for part in NET:
        x = part.at(x)
    return np.sum(x)


def through_model(x):
    return np.sum(MODEL.at(x))


@pytest.fixture
def net(monkeypatch):
    """A list that a test may change, and what puts another one in its place."""

    def put(*parts):
        monkeypatch.setattr(f"{__name__}.NET", list(parts))
        return NET

    return put


def test_a_list_of_other_length_class_or_order_is_followed(net):
    gradient = sourcegrad.grad(through_net)
    net(Line(2.0), Parabola(3.0))
    assert gradient(0.5) == pytest.approx(2.0 * 6.0 * 1.5)  # 3 (2 x + 0.5)²
    NET.append(Line(4.0))
    assert gradient(0.5) == pytest.approx(8.0 * 6.0 * 1.5)
    NET[0] = Parabola(1.0)  # 12 x⁴
    assert gradient(0.5) == pytest.approx(48.0 * 0.5**3)
    NET.reverse()  # (3 (4 x + 0.5)²)²
    assert gradient(0.5) == pytest.approx(9.0 * 4.0 * 2.5**3 * 4.0)
    net(Line(7.0))
    assert gradient(0.5) == pytest.approx(7.0)


def test_attributes_of_other_kinds_and_names_are_followed(net):
    gradient = sourcegrad.grad(through_net)
    net(Line(2.0), Line(3.0))
    assert gradient(0.5) == pytest.approx(6.0)
    NET[1].w = np.array([1.0, 2.0, 4.0])
    assert gradient(0.5) == pytest.approx(14.0)
    NET[1].w[0] = 5.0
    assert gradient(0.5) == pytest.approx(22.0)
    NET[0].at = lambda x: x * x
    assert gradient(0.5) == pytest.approx(11.0)
    del NET[0].at
    NET[0].__class__ = Parabola
    assert gradient(0.5) == pytest.approx(22.0)


def test_a_patched_method_is_followed(net, monkeypatch):
    gradient = sourcegrad.grad(through_net)
    net(Line(2.0))
    assert gradient(0.5) == pytest.approx(2.0)
    monkeypatch.setattr(Line, "at", lambda self, x: self.w * x**3)
    assert gradient(0.5) == pytest.approx(6.0 * 0.25)
    own = sourcegrad.grad(lambda o, x: o.at(x), 1)
    assert own(Line(2.0), 0.5) == pytest.approx(6.0 * 0.25)
    monkeypatch.setattr(Line, "at", lambda self, x: -x)
    assert own(Line(2.0), 0.5) == -1.0


def test_a_class_attribute_that_an_object_gets_itself_is_followed(net):
    gradient = sourcegrad.grad(through_net)
    net(Line(2.0), Parabola(1.0))
    assert gradient(0.5) == pytest.approx(2.0 * 2.0 * 1.5)
    NET[0].b = 3.0
    assert gradient(0.5) == pytest.approx(2.0 * 2.0 * 4.0)


def test_lists_in_attributes_are_followed(net):
    gradient = sourcegrad.grad(through_net)
    net(Chain(Line(2.0)), Line(3.0))
    assert gradient(0.5) == pytest.approx(6.0)
    NET[0].links.append(Parabola(1.0))
    assert gradient(0.5) == pytest.approx(3.0 * 2.0 * 1.5 * 2.0)
    NET[0].links = [Line(5.0)]
    assert gradient(0.5) == pytest.approx(15.0)
    NET[0].links[0].w = 6.0
    assert gradient(0.5) == pytest.approx(18.0)


def test_a_global_bound_to_an_object_of_another_class(monkeypatch):
    gradient = sourcegrad.grad(through_model)
    assert gradient(0.5) == 2.0
    monkeypatch.setattr(f"{__name__}.MODEL", Parabola(3.0))
    assert gradient(0.5) == pytest.approx(3.0)
    monkeypatch.setattr(f"{__name__}.MODEL", Parabola(np.array([1.0, 2.0])))
    assert gradient(0.5) == pytest.approx(3.0)
    monkeypatch.setattr(f"{__name__}.MODEL", Chain(Line(2.0), Line(3.0)))
    assert gradient(0.5) == pytest.approx(6.0)


def test_a_kept_pullback_belongs_to_the_objects_it_was_made_for(net):
    net(Line(np.array([1.0, 2.0])), Parabola(3.0))
    value, pullback = sourcegrad.vjp(through_net, 0.5)
    _, push = sourcegrad.linearize(through_net, 0.5)
    expected = np.sum(6.0 * (np.array([1.0, 2.0]) * 0.5 + 0.5) * np.array([1.0, 2.0]))
    NET[0].w[:] = 9.0
    NET[1] = Line(1.0)
    assert pullback(1.0)[0] == pytest.approx(expected)
    assert pullback(1.0)[0] == pytest.approx(expected)
    assert push(1.0) == pytest.approx(expected)


def test_closures_have_objects_of_their_own():
    def made(*parts):
        def through(x):
            for part in parts:
                x = part.at(x)
            return x

        return through

    first, second = made(Line(2.0), Line(3.0)), made(Line(4.0), Parabola(1.0))
    for _ in range(2):
        assert sourcegrad.grad(first)(0.5) == pytest.approx(6.0)
        assert sourcegrad.grad(second)(0.5) == pytest.approx(2.0 * 2.5 * 4.0)


def test_an_array_beside_a_function_may_be_replaced():
    held = [(np.sin, np.array([1.0, 2.0])), (np.cos, np.array([3.0]))]

    def f(x):
        return sum(np.sum(fn(x * w)) for fn, w in held)

    def by_hand(x):
        (_, a), (_, b) = held
        return np.sum(a * np.cos(a * x)) - np.sum(b * np.sin(b * x))

    gradient = sourcegrad.grad(f)
    assert_allclose(gradient(0.5), by_hand(0.5))
    held[0] = (np.sin, np.array([5.0, 6.0]))
    assert_allclose(gradient(0.5), by_hand(0.5))
    held[0] = (np.sin, np.array([[5.0, 6.0], [1.0, 2.0]]))
    assert_allclose(gradient(0.5), by_hand(0.5))


def test_a_zip_that_ends_before_its_objects(net):
    net(Line(2.0), Line(3.0))

    def f(x, ws):
        return sum(w * part.at(x) for part, w in zip(NET, ws, strict=False))

    gradient = sourcegrad.grad(f)
    assert gradient(0.5, np.array([1.0, 10.0, 100.0])) == pytest.approx(32.0)
    with pytest.raises(sourcegrad.SourcegradError, match="ends before the 2 objects"):
        gradient(0.5, np.array([1.0]))


def test_a_global_list_of_objects_is_not_changed():
    def grows(x):
        HELD.append(Line(x))
        return HELD[-1].at(x)

    def stores(x):
        HELD[0] = Line(x)
        return HELD[0].at(x)

    for f in (grows, stores):
        with pytest.raises(sourcegrad.SourcegradError, match="list"):
            sourcegrad.grad(f)(0.5)


HELD = [Line(2.0), Line(3.0)]
