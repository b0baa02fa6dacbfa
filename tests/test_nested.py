"""Derivatives of functions that take derivatives: every mix, captures included."""

from __future__ import annotations

import dataclasses
import functools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad
from sourcegrad import (
    SourcegradError,
    grad,
    hvp,
    jacobian,
    jvp,
    linearize,
    value_and_grad,
    vjp,
)
from tests.oracle import dual_grad

GAIN = 1.5


def wave(t):
    return math.sin(t) * t


def slope(t):
    return math.cos(t) * t + math.sin(t)


def bend(t):
    return -math.sin(t) * t + 2.0 * math.cos(t)


def third(t):
    return -3.0 * math.sin(t) - t * math.cos(t)


wave_slope = grad(wave)


def no_confusion(x):
    return x * grad(lambda y: x * y)(2.0)


def captured_twice(x):
    a = x * x

    def inner(y):
        return a * y * y + x

    return grad(inner)(x) + a


def captured_function(x):
    def scale(y):
        return GAIN * y * x

    def inner(y):
        return scale(y) * y

    return grad(inner)(3.0)


def transform_object(x):
    return wave_slope(x) ** 2


def reverse_in_reverse(x):
    return grad(wave)(x * x)


def value_too(x):
    y, g = value_and_grad(wave)(x)
    return y * g


def forward_in_reverse(x):
    return jvp(wave, (x,), (x * x,))[1]


def pullback_in_reverse(x):
    y, pullback = vjp(wave, x)
    return pullback(y)[0]


def product_in_reverse(x):
    return hvp(wave)(x, x)


def by_name(x):
    return grad(lambda u, v: u * v * v, "v")(x, x)


def both(x):
    a, b = grad(lambda u, v: u * u * v, (0, 1))(x, 2.0 * x)
    return a * b


def in_a_loop(x):
    y = 0.5
    for _ in range(4):
        y = y - 0.1 * grad(lambda u: (u - x) ** 2 * u)(y)
    return y


def three_deep(x):
    return grad(lambda y: grad(lambda z: x * y * z**2)(y) * y)(x)


CASES = [
    (no_confusion, lambda x: 2.0 * x),
    (captured_twice, lambda x: 6.0 * x**2 + 2.0 * x),
    (captured_function, lambda x: 6.0 * GAIN),
    (transform_object, lambda x: 2.0 * slope(x) * bend(x)),
    (reverse_in_reverse, lambda x: 2.0 * x * bend(x * x)),
    (value_too, lambda x: slope(x) ** 2 + wave(x) * bend(x)),
    (forward_in_reverse, lambda x: bend(x) * x * x + 2.0 * x * slope(x)),
    (pullback_in_reverse, lambda x: slope(x) ** 2 + wave(x) * bend(x)),
    (product_in_reverse, lambda x: third(x) * x + bend(x)),
    (by_name, lambda x: 4.0 * x),
    (both, lambda x: 16.0 * x**3),
    # z -> x y z**2 has slope 2 x y z; at z = y times y: 2 x y**3; slope 6 x y**2
    (three_deep, lambda x: 18.0 * x**2),
]


@pytest.mark.parametrize(
    ("f", "expected"), CASES, ids=lambda v: getattr(v, "__name__", "")
)
@pytest.mark.parametrize("x", [0.7, -1.3])
def test_gradient_of_a_program_with_derivatives(f, expected, x):
    assert grad(f)(x) == pytest.approx(expected(x), rel=1e-12)
    assert jvp(f, (x,), (1.0,))[1] == pytest.approx(expected(x), rel=1e-12)


def test_optimiser_inside_a_derivative():
    def step(y, x):
        return y - 0.1 * (2.0 * (y - x) * y + (y - x) ** 2)

    def plain(x):
        y = 0.5
        for _ in range(4):
            y = step(y, x)
        return y

    expected = dual_grad(plain, (0.8,))
    assert grad(in_a_loop)(0.8) == pytest.approx(expected, rel=1e-12)


def test_mixed_partials_of_a_lagrangian():
    def lagrangian(q, v):
        return 0.5 * np.sum(v**2) * (1.0 + q[0] ** 2) - 9.8 * q[1] * v[0]

    def momentum(q, v):
        return grad(lambda w: lagrangian(q, w))(v)

    q, v = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    expected = [[6.0, -9.8], [8.0, 0.0]]
    for mode in ("forward", "reverse"):
        assert_allclose(
            sourcegrad.jacobian(momentum, 0, mode)(q, v), expected, rtol=1e-14
        )


@dataclasses.dataclass
class Disk:
    radius: float
    centre: np.ndarray


def moment(disk):
    return disk.radius**3 * np.sum(disk.centre**2)


def test_second_order_of_a_dataclass():
    disk = Disk(2.0, np.array([1.0, 3.0]))
    got = sourcegrad.hvp(moment)(disk, Disk(1.0, np.array([0.5, 0.0])))
    # 3 r**2 |c|**2 and 2 r**3 c, moved along (1, (1/2, 0))
    assert got.radius == pytest.approx(6 * 2 * 10 + 3 * 4 * 2 * 0.5)
    assert_allclose(got.centre, 2 * 3 * 4 * disk.centre + 2 * 8 * np.array([0.5, 0.0]))


def test_changed_globals_are_seen(monkeypatch):
    assert grad(captured_function)(1.0) == pytest.approx(9.0)
    monkeypatch.setitem(globals(), "GAIN", 2.0)
    assert grad(captured_function)(1.0) == pytest.approx(12.0)


class Charge:
    def __init__(self, place):
        self.place = place

    def potential(self, q):
        return 1.0 / np.sqrt(np.sum((q - self.place) ** 2))


def test_inner_function_that_captures_objects():
    q = np.array([0.5, 2.0])

    def pull(w):
        charges = [Charge(np.array([w, 0.0])), Charge(np.array([0.0, 1.0]))]

        def field(q):
            return sum(c.potential(q) for c in charges)

        return np.sum(grad(field)(q))

    # The pull of one charge is d / |d|^3 with d = place - q; its sum, moved by w.
    d = np.array([0.3, 0.0]) - q
    r = np.sqrt(np.sum(d**2))
    expected = 1.0 / r**3 - 3.0 * np.sum(d) * d[0] / r**5
    assert grad(pull)(0.3) == pytest.approx(expected, rel=1e-12)
    assert jvp(pull, (0.3,), (1.0,))[1] == pytest.approx(expected, rel=1e-12)


# ------------------------------------------------------------- objects that are called


def cube(x):
    return x * x * x


class Doubled:
    """A decorator that is a class, and does more than it wraps."""

    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f = f

    def __call__(self, x):
        return 2.0 * self.f(x)


doubled = Doubled(cube)


def test_a_class_that_wraps_a_function_is_what_its_call_does():
    assert grad(lambda x: doubled(x) * x)(2.0) == pytest.approx(64.0)  # 2 x^4
    assert jvp(lambda x: doubled(x), (2.0,), (1.0,))[1] == pytest.approx(24.0)


def by_default(x, d=grad(cube)):
    return d(x) * x


def test_a_transform_is_an_argument():
    assert grad(by_default)(2.0) == pytest.approx(36.0)  # 3 x^3
    assert jvp(by_default, (2.0,), (1.0,))[1] == pytest.approx(36.0)
    assert grad(lambda x, d: d(x) * x)(2.0, grad(cube)) == pytest.approx(36.0)
    assert grad(lambda x, d: d["of"](x) * x)(2.0, {"of": grad(cube)}) == 36.0


def test_a_kept_pushforward_is_no_function_to_follow():
    _, push = sourcegrad.linearize(cube, 2.0)
    _, pull = sourcegrad.vjp(cube, 2.0)
    with pytest.raises(SourcegradError):
        grad(lambda x: push(x) * x)(2.0)
    assert grad(lambda x: pull(x)[0] * x)(2.0) == pytest.approx(2.0 * 12.0 * 2.0)
    assert grad(lambda x: push(1.0) * pull(1.0)[0] * x)(2.0) == pytest.approx(144.0)


def test_getattr_with_a_default_of_an_array():
    def f(x):
        return np.sum(getattr(x, "T", None) * x) * getattr(x, "weight", 3.0)

    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(grad(f)(x), 6.0 * x)


def scaled(x, *rest, k=2.0):
    return k * x * rest[0] ** 2


def through_a_lambda(x, y):
    return grad(lambda *a: a[0] ** 2 * a[1] ** 3, 1)(x, y)


@pytest.mark.parametrize(
    ("f", "want"),
    [
        (lambda x, y: vjp(scaled, x, y)[1](1.0)[1], (12.0, 8.0)),
        (lambda x, y: vjp(scaled, x, y)[1](y)[0], (0.0, 6.0 * 9.0)),
        (lambda x, y: linearize(scaled, x, y)[1](0.0, 1.0), (12.0, 8.0)),
        (lambda x, y: jvp(scaled, (x, y), (None, 1.0))[1], (12.0, 8.0)),
        (lambda x, y: grad(scaled, (0, 1))(x, y, k=x)[1], (24.0, 8.0)),
        (lambda x, y: jacobian(jacobian(scaled), 1)(x, y), (0.0, 4.0)),
        (through_a_lambda, (6.0 * 2.0 * 9.0, 6.0 * 4.0 * 3.0)),
    ],
)
def test_functions_of_any_number_of_operands(f, want):
    """Slopes of 2 x y^2 and of x^2 y^3 at (2, 3), by hand."""
    assert grad(f, (0, 1))(2.0, 3.0) == pytest.approx(want)
    dots = [sourcegrad.jvp(f, (2.0, 3.0), d)[1] for d in ((1.0, 0.0), (0.0, 1.0))]
    assert dots == pytest.approx(list(want))


cube_slope = grad(lambda z: z**3, holomorphic=True)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: (cube_slope(x + 1j * y) * x).real,
        lambda x, y: (grad(lambda z: z**3, holomorphic=True)(x + 1j * y) * x).real,
    ],
)
def test_holomorphic_gradients_inside(f):
    """The slopes of 3 (x^2 - y^2) x."""
    assert grad(f, (0, 1))(0.3, 0.7) == pytest.approx((-0.66, -1.26))


def test_options_that_no_transform_has_are_refused():
    with pytest.raises(SourcegradError, match="option 'argnum'"):
        grad(lambda x: grad(wave, argnum=0)(x))(1.0)
