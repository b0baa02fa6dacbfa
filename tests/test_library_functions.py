"""Functions that have a rule are differentiated themselves, without a lambda."""

import functools
import math
import operator
import pickle

import numpy as np
import pytest
from scipy import linalg, special, stats

import sourcegrad as sg
from sourcegrad.rules.registry import all_rules
from sourcegrad.source.library import around

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
        (np.floor, (1.5,), 0, 0.0),
        (special.logsumexp, (X,), 0, np.exp(X) / np.sum(np.exp(X))),
        (stats.norm.logpdf, (0.3, 0.1, 2.0), (0, 1, 2), (-0.05, 0.05, 0.02 / 4 - 0.5)),
        (stats.norm.logpdf, (0.3, 0.1, 2.0), "x", -0.05),
        (functools.partial(stats.norm.logpdf, scale=2.0), (0.3,), 0, -0.075),
        (stats.multivariate_normal.logpdf, (X, X, np.eye(2)), 2, -np.eye(2) / 2.0),
        (functools.partial(np.einsum, "i,i->"), (X, X + 1.0), 1, X),
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


def test_options_that_say_what_the_result_is_made_of():
    a = np.diag([1.0, 3.0])
    values = functools.partial(linalg.eigh, eigvals_only=True)
    assert sg.jvp(values, (a,), (a,))[1] == pytest.approx([1.0, 3.0])
    logs = functools.partial(special.logsumexp, return_sign=True)
    assert sg.jvp(logs, (X,), (np.ones(2),))[1][0] == pytest.approx(1.0)


def applied(x, f):
    return np.sum(f(x * X))


def given_by_default(x, f=np.prod):
    return f(x * X)


@pytest.mark.parametrize(
    ("f", "want"),
    [
        (np.sum, 7.0),
        (np.prod, 48.0),  # the slope of 12 x^2
        (functools.partial(np.sum, axis=0), 7.0),
        (functools.partial(pow, 2.0), np.sum(X * np.log(2.0) * 2.0 ** (2.0 * X))),
        (np.vectorize(math.exp), np.sum(X * np.exp(2.0 * X))),
    ],
)
def test_library_functions_as_arguments(f, want):
    assert sg.grad(applied)(2.0, f) == pytest.approx(want)
    assert sg.jvp(applied, (2.0, f), (1.0, None))[1] == pytest.approx(want)
    assert sg.vjp(given_by_default, 2.0)[1](1.0) == (pytest.approx(48.0),)


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
