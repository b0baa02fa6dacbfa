"""Imports inside a function that fail, and what a program does about it."""

import math

import numpy as np
import pytest

import sourcegrad as sg


def backend_or_numpy(x):
    try:
        import no_such_arrays as xp
    except ImportError:
        import numpy as xp
    return xp.sin(x)


def name_or_another(x):
    try:
        from math import no_such_name as wave
    except ImportError:
        from math import sin as wave
    return wave(x)


def module_in_a_package(x):
    from numpy import linalg

    return linalg.norm(np.stack([x, x])) + math.sin(x) - math.sqrt(2.0) * x


def only_if_large(x):
    if x > 100.0:
        import no_such_arrays

        return no_such_arrays.sin(x)
    return math.sin(x)


PROGRAMS = [backend_or_numpy, name_or_another, module_in_a_package, only_if_large]


@pytest.mark.parametrize("f", PROGRAMS)
def test_import_that_is_not_needed(f):
    assert np.isclose(sg.grad(f)(0.7), math.cos(0.7))
    assert np.isclose(sg.vjp(f, 0.7)[1](1.0)[0], math.cos(0.7))
    assert np.isclose(sg.jvp(f, (0.7,), (1.0,))[1], math.cos(0.7))


@pytest.mark.parametrize("transform", [sg.grad, sg.value_and_grad, sg.hessian])
def test_import_that_is_needed(transform):
    with pytest.raises(ModuleNotFoundError, match="no_such_arrays"):
        transform(only_if_large)(200.0)


def by_its_class(x):
    return x.__class__(2.0) * x


def test_class_of_a_number():
    assert sg.grad(by_its_class)(1.5) == 2.0
    assert sg.jvp(by_its_class, (1.5,), (1.0,))[1] == 2.0


def test_call_that_does_not_fit():
    with pytest.raises((TypeError, sg.SourcegradError), match="arguments") as caught:
        sg.grad(lambda x: np.sin(x, 1, 2, 3))(1.0)
    assert "test_imports.py" in str(caught.value)
