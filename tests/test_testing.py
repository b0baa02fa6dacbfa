"""`check_grad` passes right gradients, and names what is wrong in wrong ones."""

import math
from typing import NamedTuple

import numpy as np
import pytest

import sourcegrad
from sourcegrad import GradientMismatch, check_grad, check_rule
from sourcegrad.testing.slopes import complex_step, differences, kink


def scaled(x, k):
    return x * k


def twisted(p):
    return p * p


def halved(x):
    return np.sin(x)


# Rules with a planted slip: the partials that `check_grad` must find wrong.
@sourcegrad.elementwise(scaled)
def _scaled(y, x, k):
    return 1.01 * k, x


@sourcegrad.adjoint(twisted)
def _twisted(y, y_bar, p):
    p_bar = y_bar * 2.0 * p
    return p_bar * np.array([1.0, 1.0, -1.0])


@sourcegrad.elementwise(halved)
def _halved(y, x):
    return 0.5 * np.cos(x)


class Point(NamedTuple):
    x: float
    y: float


class Model:
    def __init__(self, k, names):
        self.k = k
        self.names = names

    def loss(self, x):
        return np.sum(self.k * x) ** 2


# -- right gradients -------------------------------------------------------------------

RIGHT = [
    (lambda x: x**3, (1.3,), 0),
    (lambda x: math.sin(x) * math.exp(-x), (0.4,), 0),
    (lambda x, n: x**n, (1.3, 4), 0),
    (lambda x: x * x, (3,), 0),
    (lambda x, w: np.sum(np.tanh(x @ w)), (np.full((2, 3), 0.1), np.eye(3)), (0, 1)),
    (lambda x: np.tanh(x) * 2.0, (np.array([0.1, 0.2]),), 0),
    (lambda x: (x * x, [x, 2.0]), (1.5,), 0),
    (lambda p: p[0] * p[1]["k"] ** 2, ((2.0, {"k": 3.0, "name": "k"}),), 0),
    (lambda p: p.x * p.y, (Point(2.0, 3.0),), "p"),
    (lambda x, k: x * k, (2.0, 3.0), ("k", "x")),
    (lambda x: np.sum(x * x), (np.array([1.0, 2.0], np.float32),), 0),
    (lambda x: np.abs(x) * 2.0, (-0.7,), 0),
    (lambda x: np.sum(np.sort(x) * np.arange(3.0)), (np.array([0.3, -0.1, 0.2]),), 0),
    (lambda x: np.log(x), (1e-8,), 0),
    (lambda x: np.sum(x), (np.zeros(3),), 0),
    (lambda x, *, k=2.0: x * k, (2.0,), 0),
]


@pytest.mark.parametrize(("f", "args", "argnums"), RIGHT)
def test_right_gradients_pass(f, args, argnums):
    assert check_grad(f, args, argnums) is None


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x**3,
        lambda x: math.sin(x) * math.exp(-x),
        lambda x: x * abs(x) if x > 0.2 else x,
    ],
)
def test_right_second_derivatives_pass(f):
    assert check_grad(f, (0.4,), order=2) is None


@pytest.mark.parametrize(("f", "args", "argnums"), RIGHT)
def test_right_tangents_pass(f, args, argnums):
    assert check_grad(f, args, argnums, modes=("forward",)) is None


def test_many_results_and_elements_of_varargs():
    check_grad(lambda x: {"k": np.tanh(x)}, (np.array([0.1, 0.2]),), order=3)
    check_grad(lambda *xs: np.sin(xs[0] * xs[1]), (0.5, np.ones(2)), (0, 1), order=2)


def test_a_transform_is_checked_as_any_function():
    model = Model(np.array([1.0, 2.0]), ["a", "b"])
    check_grad(sourcegrad.grad(lambda x: np.sin(np.sin(x) * 2)), (0.3,), order=2)
    check_grad(sourcegrad.grad(model.loss), (np.array([0.5, 0.25]),), order=2)


def test_methods():
    model = Model(np.array([1.0, 2.0]), ["a", "b"])
    x = np.array([0.5, 0.25])
    assert check_grad(model.loss, (x,)) is None
    assert check_grad(model.loss, (x,), argnums="self") is None


def test_arguments_are_left_alone():
    x = np.array([1.0, 2.0])

    def f(x, log):
        log.append(1)
        return np.sum(x * x)

    log = []
    check_grad(lambda x: np.sum(x * x), (x,))
    assert x.tolist() == [1.0, 2.0]
    assert log == []


# -- wrong gradients -------------------------------------------------------------------


def test_the_wrong_entry_is_named():
    def f(p):
        return p[0] ** 2 + scaled(p[1], 3.0)

    with pytest.raises(GradientMismatch) as caught:
        check_grad(f, ([1.0, 2.0],))
    text = str(caught.value)
    assert "SG601  the gradient of f() is not that of the function" in text
    assert "p[1]: gradient 3.03, " in text and " 3\n" in text
    assert "p[0]" not in text
    assert "float64; random seed" in text


def test_the_worst_entry_of_an_array_comes_first():
    def f(p):
        return np.sum(twisted(p) * np.array([1.0, 1.0, 1.0]))

    with pytest.raises(GradientMismatch) as caught:
        check_grad(f, (np.array([1.0, 2.0, 4.0]),))
    assert "p[2]: gradient -8, complex step 8\n" in str(caught.value)
    assert "p[1]" not in str(caught.value)


def test_only_the_worst_entries_are_shown():
    def f(w):
        return np.sum(halved(w["k"]))

    with pytest.raises(GradientMismatch) as caught:
        check_grad(f, ({"k": np.full((4, 5), 0.3)},))
    text = str(caught.value)
    assert text.count("w['k'][") == 5
    assert "and 15 more" in text
    assert "gradient 0.477668244563, complex step 0.955336489126" in text


def test_wrong_gradients_of_vector_functions():
    with pytest.raises(GradientMismatch, match=r"x\[0\]: gradient"):
        check_grad(lambda x: halved(x) * 2.0, (np.array([0.1, 0.2]),))


def test_a_wrong_second_derivative_is_found():
    # Right where it is taken once: y is sin(x), and its square's slope 2 sin cos.
    def f(x):
        return once(x)

    with pytest.raises(GradientMismatch, match="f_grad"):
        check_grad(f, (0.4,), order=2)


def once(x):
    return math.sin(x)


def crooked(x):
    return math.cos(x)


@sourcegrad.elementwise(once)
def _once(y, x):
    return crooked(x)


@sourcegrad.elementwise(crooked)
def _crooked(y, x):
    return math.sin(x)


def test_not_checked_is_not_passed():
    with pytest.raises(GradientMismatch) as caught:
        check_grad(lambda x: np.floor(x) + x, (1.0,))
    text = str(caught.value)
    assert "cannot be checked here" in text
    assert "there is a kink" in text


def test_a_kink_is_told():
    # The gradient at the tie is that of the first operand.
    def f(x):
        return max(x, 3.0 * x)

    told = "there is a kink: slope 1 to the left, 3"
    with pytest.raises(GradientMismatch, match=told):
        check_grad(f, (0.0,))


def test_options():
    with pytest.raises(ValueError, match="modes must be"):
        check_grad(lambda x: x, (1.0,), modes=("sideways",))
    with pytest.raises(ValueError, match="order must be at least 1"):
        check_grad(lambda x: x, (1.0,), order=0)


def test_refusals_come_through():
    with pytest.raises(sourcegrad.SourcegradError, match="no derivative"):
        check_grad(lambda x: x, ("text",))
    with pytest.raises(ValueError, match="x holds no floats"):
        check_grad(lambda x: 2.0, ([1, 2],))


# -- check_rule ------------------------------------------------------------------------


def test_check_rule_of_right_rules():
    check_rule(np.tanh, 0.3, order=2)
    check_rule(np.sum, np.ones((2, 3)), axis=1, keepdims=True)
    check_rule(np.sum, np.arange(6.0).reshape(2, 3), 0)
    a = np.array([[2.0, 1.0], [0.5, 3.0]])
    check_rule(np.linalg.solve, a, np.array([1.0, 2.0]))
    check_rule(math.atan2, 0.3, -0.4)
    check_rule(np.where, np.array([True, False]), np.array([1.0, 2.0]), 3.0)


def test_check_rule_of_wrong_and_missing_rules():
    with pytest.raises(GradientMismatch, match="x0: gradient 3.03"):
        check_rule(scaled, 2.0, 3.0)
    with pytest.raises(sourcegrad.MissingRuleError):
        check_rule(math.gamma.__class__.__call__, math.gamma, 0.5)


# -- slopes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phi", "slope"),
    [
        (lambda t: math.exp(3 * t), 3.0),
        (lambda t: np.sin(100 * t), 100.0),
        (lambda t: 1e9 + 5 * t, 5.0),
        (lambda t: math.log(1e-2 + t) if t > -1e-2 else math.nan, 100.0),
    ],
)
def test_differences(phi, slope):
    found = differences(phi)
    assert abs(found.value - slope) <= 10 * found.error + 1e-9 * slope
    assert found.value == pytest.approx(slope, rel=1e-5)


def test_complex_step_is_refused_where_it_is_not_legal():
    for phi in (lambda t: abs(3 - t), math.sin, lambda t: np.real(t) + 0.0):
        assert complex_step(phi, differences(phi)) is None
    assert complex_step(np.exp, differences(np.exp)).value == 1.0


def test_kink():
    assert kink(lambda t: max(t, 2 * t)) == pytest.approx((1.0, 2.0))
    assert kink(math.sin) is None
