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


def test_error_of_the_function_itself_is_left_alone():
    with pytest.raises(ZeroDivisionError) as caught:
        sg.grad(fails_itself)(2.0, 0)
    assert notes(caught.value) == []
