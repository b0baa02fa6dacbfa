"""Derivatives of a pullback: of one that was kept, and of one that is made inside."""

import numpy as np
import pytest

import sourcegrad
from sourcegrad import checkpoint, grad, hessian, jacobian, jvp, linearize, taylor, vjp

X = np.array([0.3, -0.7, 1.1])
V = np.array([0.2, 0.5, -0.3])
S = np.array([3.0, 4.0, 5.0])


def stores(x):
    y = np.sin(x) * x[::-1]
    y[0] = y[1] * y[2]
    return y


def loop_of_stores(x):
    y = x.copy()
    for i in range(1, 3):
        y[i] = y[i] * np.sin(y[i - 1])
    return y


def caught(x):
    y = x.copy()
    for i in range(3):
        try:
            if x[i] < 0.0:
                raise ValueError
            y[i] = np.sqrt(x[i]) * y[i - 1]
        except ValueError:
            y[i] = y[i] ** 3
    return y


def containers(x):
    d = {"a": x, "b": [x[0], x * x]}
    out = []
    for k in range(3):
        d["a"] = d["a"] * d["b"][1] + k
        out.append(d["a"].copy())
    return out[1] + out[2] * d["b"][0]


def algebra(x):
    a = np.outer(x, x) + 3.0 * np.eye(3)
    for _ in range(2):
        a = a @ a / np.trace(a)
    return np.linalg.solve(a, x)


def in_a_checkpointed_loop(x):
    h = x
    for _ in checkpoint(range(6), budget=2):
        h = np.tanh(h * x) + h
    return h


def swapped(x):
    a, b = x.copy(), np.zeros(3)
    for _ in range(4):
        for i in range(3):
            b[i] = np.tanh(a[i - 1] + a[i])
        a, b = b, a
    return a * x


def rebound(x):
    y, k = x.copy(), 0
    while np.sum(y * y) < 20.0 and k < 7:
        y = y * 1.5 + np.sin(x)
        y[k % 3] = y[k % 3] * x[0]
        k += 1
    return y


def differences(f, x, h=1e-6):
    """The Jacobian by central differences."""
    rows = [(f(x + h * e) - f(x - h * e)) / (2.0 * h) for e in np.eye(3)]
    return np.array(rows).T


KEPT = [stores, loop_of_stores, caught, containers, algebra, in_a_checkpointed_loop]


@pytest.mark.parametrize("f", KEPT, ids=lambda f: f.__name__)
def test_a_kept_pullback_is_a_linear_map(f):
    pull = vjp(f, X)[1]
    j = differences(f, X)
    value, moved = jvp(pull, (V,), (S,))
    assert value[0] == pytest.approx(V @ j, abs=1e-7)
    assert moved[0] == pytest.approx(S @ j, abs=1e-7)
    assert vjp(pull, V)[1]((X,))[0] == pytest.approx(j @ X, abs=1e-7)
    assert linearize(pull, V)[1](S)[0] == pytest.approx(S @ j, abs=1e-7)
    found = jacobian(lambda s: pull(s)[0])(V)
    assert found == pytest.approx(j.T, abs=1e-7)
    found = hessian(lambda s: np.sum(pull(s)[0] ** 2))(V)
    assert found == pytest.approx(2.0 * j @ j.T, abs=1e-6)
    found = grad(lambda x: np.sum(pull(x * V)[0] * x))(X)
    want = V * (j @ X) + (X * V) @ j
    assert found == pytest.approx(want, abs=1e-7)


def test_a_kept_pullback_of_a_number():
    pull = vjp(lambda x: np.sum(np.exp(x)), X)[1]
    assert jvp(pull, (2.0,), (3.0,))[1][0] == pytest.approx(3.0 * np.exp(X))
    found = grad(lambda s: np.sum(pull(s)[0] * V))(2.0)
    assert found == pytest.approx(np.sum(np.exp(X) * V))


def test_a_number_stands_for_a_cotangent_of_ones_in_its_derivative_too():
    pull = vjp(stores, X)[1]
    found = grad(lambda c: np.sum(pull(c)[0]))(2.0)
    assert found == pytest.approx(np.sum(differences(stores, X)), abs=1e-7)


def test_a_cotangent_of_another_shape_is_refused_in_the_derivative_too():
    pull = vjp(stores, X)[1]
    with pytest.raises(ValueError, match=r"shape \(2,\)"):
        jvp(pull, (np.ones(2),), (np.ones(2),))


def test_a_pullback_with_buffers_under_several_names_is_refused():
    pull = vjp(rebound, X)[1]
    with pytest.raises(sourcegrad.NonDifferentiableError, match="several names"):
        jvp(pull, (V,), (S,))


def pulled_once(x):
    pull = vjp(swapped, x)[1]
    return np.sum(pull(V)[0] * x)


def pulled_twice(x):
    y, pull = vjp(swapped, x)
    return np.sum(pull(V * x)[0] * pull(y)[0])


@pytest.mark.parametrize("f", [pulled_once, pulled_twice])
def test_buffers_that_are_swapped_in_a_pullback_made_inside(f):
    want = differences(f, X) @ S
    assert jvp(f, (X,), (S,))[1] == pytest.approx(want, rel=1e-6)
    assert taylor(f, X, S, 1)[1] == pytest.approx(want, rel=1e-6)


def test_a_checkpointed_loop_is_built_into_a_lambda():
    def norm(x):
        return np.sum(in_a_checkpointed_loop(x) ** 2)

    found = grad(lambda x: np.sum(in_a_checkpointed_loop(x) ** 2))(X)
    assert found == pytest.approx(differences(norm, X), rel=1e-6, abs=1e-8)
