"""Derivatives by dicts that the differentiated function itself changes."""

import numpy as np
import pytest

from sourcegrad import grad, jvp, value_and_grad, vjp
from tests.language.judged import check

W = np.array([0.3, 0.7, 1.1])


def descent(w):
    p = {"a": w[0], "b": w}
    for _ in range(2):
        g = grad(lambda p: p["a"] ** 2 * np.sum(p["b"] ** 3))(p)
        for k in p:
            p[k] = p[k] - 0.1 * g[k]
    return p["a"] * np.sum(p["b"])


def momentum(w):
    p = {"a": w[0], "b": w}
    m = {k: 0.0 for k in p}
    for _ in range(2):
        v, g = value_and_grad(lambda p: np.sum(np.sin(p["b"]) * p["a"]))(p)
        for k in p:
            m[k] = 0.9 * m[k] + g[k]
            p[k] = p[k] - 0.1 * m[k]
    return np.sum(p["b"]) * v


def inner_dict(w):
    p = {"layer": {"w": w}, "b": w[0]}
    for _ in range(2):
        g = grad(lambda p: np.sum(np.sin(p["layer"]["w"]) * p["b"]))(p)
        p["layer"]["w"] = p["layer"]["w"] - 0.1 * g["layer"]["w"]
        p["b"] -= 0.1 * g["b"]
    return np.sum(p["layer"]["w"])


def key_added_and_deleted(w):
    p = {"a": w[0]}
    p["c"] = w[1]
    g = grad(lambda p: sum(v**2 for v in p.values()))(p)
    del p["a"]
    return g["a"] * g["c"] * sum(p.values())


def written_by_the_inner_function(w):
    p = {"a": w[0], "b": w}
    p["c"] = w[1]

    def f(p):
        p["a"] = p["a"] * 2.0
        return p["a"] ** 2 * p["c"]

    return grad(f)(p)["a"] * p["a"]


def other_transforms(w):
    p = {"a": w[0], "b": w}
    p["a"] = p["a"] * 2.0
    _, pullback = vjp(lambda q: q["a"] * q["b"], p)
    dot = jvp(lambda q: q["a"] ** 2, (p,), ({"a": 1.0, "b": w},))[1]
    return np.sum(pullback(w)[0]["b"]) * dot


@pytest.mark.parametrize(
    "f",
    [
        descent,
        momentum,
        inner_dict,
        key_added_and_deleted,
        written_by_the_inner_function,
        other_transforms,
    ],
)
def test_changed_dicts_in_inner_derivatives(f):
    check(f, W)
