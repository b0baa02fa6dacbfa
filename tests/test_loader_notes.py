"""Errors of generated code name the user's line in a note."""

import inspect

import numpy as np
import pytest

import sourcegrad as sg


def line_of(fn, text):
    """The number of the first line of a function that holds a text."""
    lines, first = inspect.getsourcelines(fn)
    return next(first + k for k, line in enumerate(lines) if text in line)


def notes(error):
    return getattr(error, "__notes__", [])


def brittle(x):
    return x + 1.0


@sg.elementwise(brittle)
def brittle_partial(y, x):
    return np.ones(2)[int(y - x) + 1]


def through_brittle(x):
    y = x * 2.0
    z = brittle(y)
    return z * y


def calls_it(x):
    return through_brittle(x) + x


def doubled(x):
    return x * 2.0


def fails_itself(x, n):
    if n == 0:
        raise ZeroDivisionError(n)
    return x * x


@pytest.mark.parametrize("f", [through_brittle, calls_it])
def test_line_of_the_adjoint(f):
    with pytest.raises(IndexError) as caught:
        sg.vjp(f, 2.0)[1](1.0)
    (note,) = notes(caught.value)
    number = line_of(through_brittle, "brittle(y)")
    assert f"test_loader_notes.py:{number}:" in note
    assert note.endswith("z = brittle(y)")


def test_result_that_is_no_number():
    with pytest.raises(TypeError, match="exactly one element") as caught:
        sg.grad(doubled)(np.ones(3))
    (note,) = notes(caught.value)
    assert f"test_loader_notes.py:{line_of(doubled, 'return')}:" in note


def weighted(x):
    shift = np.ones(2)
    y = np.sin(x)
    return np.sum(y + shift)


def by_a_helper(x):
    y = x * 3.0
    return checked(y) + x


def checked(y):
    if y > 1.0:
        raise LookupError(y)
    return y * y


def in_a_loop(x):
    total = 0.0
    for k in range(4):
        total += x[k] ** 2
    return total


def no_such_attribute(x):
    return x.magnitude


MODES = {
    "grad": lambda f, x: sg.grad(f)(x),
    "value_and_grad": lambda f, x: sg.value_and_grad(f)(x),
    "vjp": lambda f, x: sg.vjp(f, x),
    "jvp": lambda f, x: sg.jvp(f, (x,), (x,)),
    "hessian": lambda f, x: sg.hessian(f)(x),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("f", "x", "error", "within", "text"),
    [
        (weighted, np.ones(3), ValueError, weighted, "y + shift"),
        (by_a_helper, 2.0, LookupError, checked, "raise"),
        (in_a_loop, np.ones(3), IndexError, in_a_loop, "total += "),
        (no_such_attribute, 2.0, AttributeError, no_such_attribute, "return"),
        (lambda x: fails_itself(x, 0), 2.0, ZeroDivisionError, fails_itself, "raise"),
    ],
    ids=["shapes", "helper", "loop", "attribute", "raise"],
)
def test_line_of_the_function_itself(mode, f, x, error, within, text):
    with pytest.raises(error):
        f(x)
    with pytest.raises(error) as caught:
        MODES[mode](f, x)
    (note,) = notes(caught.value)
    assert f"test_loader_notes.py:{line_of(within, text)}:" in note


def returns_nothing(x):
    x * 2.0


def returns_a_word(x):
    return "a word"


@pytest.mark.parametrize("f", [returns_nothing, returns_a_word])
def test_no_number_to_differentiate(f):
    with pytest.raises(sg.SourcegradError, match="needs one number") as caught:
        sg.grad(f)(2.0)
    assert caught.value.where is not None
    assert caught.value.where.file == __file__
