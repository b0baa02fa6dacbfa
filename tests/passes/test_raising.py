"""A derivative raises where its function does, whatever of the value it needs."""

import cmath
import math
import warnings

import numpy as np
import pytest

import sourcegrad
from sourcegrad.rules import registry

VALUES = (
    -3.5,
    -2.0,
    -1.0,
    -0.0,
    0.0,
    0.5,
    1.0,
    2.0,
    1e3,
    math.inf,
    -math.inf,
    math.nan,
)


def outcome(f, *args):
    """The class of what a call raises, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(*args)
    except Exception as e:
        return type(e)
    return None


def takes_one_number(name):
    """Whether a function of `math` that has a rule gives one number for one."""
    fn = getattr(math, name)
    known = callable(fn) and registry.lookup(fn) is not None
    return known and outcome(lambda x: x + fn(x), 0.5) is not TypeError


def derivatives(f, *args):
    """What the forms of a derivative in the first argument raise."""
    dots = (1.0, *(None for _ in args[1:]))
    if isinstance(args[0], np.ndarray):
        dots = (np.ones_like(args[0]), *dots[1:])
    return {
        "grad": outcome(sourcegrad.grad(f), *args),
        "value_and_grad": outcome(sourcegrad.value_and_grad(f), *args),
        "vjp": outcome(lambda *a: sourcegrad.vjp(f, *a), *args),
        "jvp": outcome(lambda *a: sourcegrad.jvp(f, a, dots), *args),
    }


def assert_raises_alike(f, *args):
    """Every derivative raises what the function raises."""
    found = outcome(f, *args)
    assert found is not None, "the example does not raise"
    assert set(derivatives(f, *args).values()) == {found}


@pytest.mark.parametrize("name", filter(takes_one_number, dir(math)))
def test_functions_of_math(name):
    fn = getattr(math, name)

    def f(x):
        return x + fn(x)

    for x in VALUES:
        if (found := outcome(f, x)) is not None:
            raised = derivatives(f, x)
            assert set(raised.values()) == {found}, (x, raised)


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("fmod", 1.0, 0.0),
        ("fmod", math.inf, 2.0),
        ("remainder", 1.0, 0.0),
        ("pow", -1.0, 0.5),
        ("pow", 0.0, -1.0),
        ("log", 2.0, 1.0),
        ("log", 2.0, -1.0),
    ],
)
def test_functions_of_math_of_two_numbers(name, x, y):
    fn = getattr(math, name)
    assert_raises_alike(lambda x, y: fn(x, y), x, y)
    assert_raises_alike(lambda y, x: fn(x, y), y, x)


def dead_name(x):
    y = math.log(x)  # noqa: F841
    return x * x


def dead_loop(x, items):
    for i in range(2):
        unused = items[i + 5]  # noqa: F841
    return x * x


def dead_branch(x, items):
    if items[3] > 2.0:
        unused = 1.0
    else:
        unused = 2.0  # noqa: F841
    return x * x


def in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        total = total + math.log(x - k)
    return total


def in_a_callee(x, y):
    def ratio(a, b):
        return a + b // (b - y)

    return ratio(x, y) + x


V, W, A = np.ones(2), np.ones(3), np.ones((2, 3))
CASES = {
    "modulo": (lambda x, y: x % y, 1.0, 0.0),
    "floor division": (lambda x, y: x + 1.0 // y, 1.0, 0.0),
    "division": (lambda x, y: x + 1.0 / y, 1.0, 0.0),
    "divided by it": (lambda x: 1.0 / x, 0.0),
    "divmod": (lambda x, y: divmod(x, y)[1], 1.0, 0.0),
    "power": (lambda x: x**-1.0, 0.0),
    "power of it": (lambda x: 0.0**x, -1.0),
    "int of it": (lambda x: x + int(x), math.nan),
    "round": (lambda x: x + round(x), math.inf),
    "floor": (lambda x: x + math.floor(x), math.nan),
    "int of text": (lambda x, s: x + int(s), 1.0, "a"),
    "float of text": (lambda x, s: x + float(s), 1.0, "a"),
    "ord": (lambda x, s: x + ord(s), 1.0, "ab"),
    "factorial": (lambda x, n: x + math.factorial(n), 1.0, -1),
    "array": (lambda x, c: x + c[3], 1.0, V),
    "array in a product": (lambda x, c: x * c[3], 1.0, V),
    "empty": (lambda x, c: x + np.max(c), 1.0, V[:0]),
    "lengths": (lambda x, c: x + np.dot(c, W), 1.0, V),
    "shapes": (lambda x, c: x + np.sum(c + W), 1.0, V),
    "singular": (lambda x, a: x + np.linalg.inv(a)[0, 0], 1.0, np.zeros((2, 2))),
    "complex": (lambda x: x + cmath.log(x).real, 0.0),
    "dot": (lambda x, c: np.dot(x, c), V, W),
    "method": (lambda x, c: x.dot(c), V, W),
    "operator": (lambda x, c: x @ c, V, W),
    "inner": (lambda x, c: np.inner(c, x), V, W),
    "cross": (lambda x, c: np.sum(np.cross(x, c)), np.ones(4), W),
    "item": (lambda x: x.item(), V),
    "number of an array": (lambda x: float(x), V),
    "name": (dead_name, -1.0),
    "loop": (dead_loop, 1.0, [2.0]),
    "branch": (dead_branch, 1.0, V),
    "trip": (in_a_loop, 1.5, 3),
    "callee": (in_a_callee, 1.0, 1.0),
}


@pytest.mark.parametrize("name", CASES)
def test_what_raises_for_its_operands(name):
    f, *args = CASES[name]
    assert_raises_alike(f, *args)


def text(f, *args):
    """The statements of the gradient alone."""
    source = sourcegrad.grad(f).source(*args)
    return [n.strip() for n in source.splitlines() if "#" not in n]


def test_the_call_is_made_once():
    assert text(lambda x: math.log(x), 2.0).count("math.log(x)") == 1
    for f in (lambda x: math.sqrt(x), lambda x: math.exp(x)):
        assert not any(n.startswith("math.") for n in text(f, 2.0))


def test_what_the_reverse_sweep_reads_is_read_there_only():
    def f(x, c, k):
        return x * c[k] + c[k]

    assert sum("c[k]" in n for n in text(f, 1.0, V, 1)) == 1
    assert_raises_alike(f, 1.0, V, 5)


def test_what_the_reverse_sweep_reads_in_another_case_is_kept():
    def f(x, c, k):
        s = c[k]
        if x > 1.0:
            s = s * x
        return s + x

    assert_raises_alike(f, 0.5, V, 5)
    assert sourcegrad.grad(f)(1.5, V, 1) == 2.0


def test_what_cannot_raise_is_gone():
    def f(x, c):
        total = 0.0
        for i in range(len(c)):
            total = total + x + c[i]
        return total + np.sum(c) + 3.0 % 2.0 + x**3 + x / 2.0

    found = text(f, 2.0, V)
    assert not any("c[i]" in n or "np.sum" in n or "%" in n for n in found)


def test_order_two():
    def f(x):
        return math.log(x) + x**3

    assert outcome(sourcegrad.grad(sourcegrad.grad(f)), -1.0) is ValueError
    assert outcome(sourcegrad.hessian(f), -1.0) is ValueError
    assert sourcegrad.grad(sourcegrad.grad(f))(2.0) == 11.75
