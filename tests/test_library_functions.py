"""Functions that have a rule are differentiated themselves, without a lambda."""

import math
import operator
import pickle

import numpy as np
import pytest

import sourcegrad as sg
from sourcegrad.rules.registry import all_rules
from sourcegrad.source_library import around

X = np.array([3.0, 4.0])


@pytest.mark.parametrize(
    ("f", "args", "argnums", "want"),
    [
        (np.sin, (0.3,), 0, math.cos(0.3)),
        (math.exp, (0.3,), 0, math.exp(0.3)),
        (np.arctan2, (0.3, 0.4), (0, 1), (1.6, -1.2)),
        (np.linalg.norm, (X,), 0, X / 5.0),
        (operator.mul, (2.0, 3.0), (0, 1), (3.0, 2.0)),
        (abs, (-2.0,), 0, -1.0),
        (sum, ([1.0, 2.0],), 0, [1.0, 1.0]),
        (np.sum, (X,), "a", [1.0, 1.0]),
    ],
)
def test_gradients(f, args, argnums, want):
    np.testing.assert_allclose(sg.grad(f, argnums)(*args), want)


def test_other_transforms():
    np.testing.assert_array_equal(sg.jacobian(np.cumsum)(X), [[1.0, 0.0], [1.0, 1.0]])
    np.testing.assert_array_equal(sg.hessian(np.prod)(X), [[0.0, 1.0], [1.0, 0.0]])
    y, y_dot = sg.jvp(np.dot, (X, X), (np.ones(2), np.zeros(2)))
    assert (y, y_dot) == (25.0, 7.0)
    third = sg.grad(sg.grad(sg.grad(np.exp)))
    assert third(0.5) == pytest.approx(math.exp(0.5))
    again = pickle.loads(pickle.dumps(sg.grad(np.sin)))
    assert again.__name__ == "sin_grad" and again(0.0) == 1.0


def squared(x):
    return x * x


@sg.elementwise(squared)
def _squared(y, x):
    return 7.0


def test_a_rule_of_the_users_holds_for_the_function_itself():
    assert sg.grad(squared)(1.0) == 7.0
    assert sg.grad(lambda x: squared(x))(1.0) == 7.0


def test_every_function_with_a_rule_can_be_wrapped():
    made = [around(t) for rule in all_rules() for t in rule.targets]
    assert sum(f is not None for f in made) > 300


def test_a_constant_function_is_refused():
    with pytest.raises(sg.SourcegradError, match="no Python source"):
        sg.grad(np.argmax)
