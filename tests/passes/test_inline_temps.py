"""Temporaries are folded into their use, but never past a write."""

import numpy as np

import sourcegrad
from tests.passes.texts import assert_right, statement, text


def test_what_is_popped_is_added_at_once():
    def f(x):
        parts = []
        for i in range(3):
            parts.append(x[i : i + 4])
        return np.sum(np.stack(parts) ** 2)

    x = np.random.default_rng(0).normal(size=8)
    assert statement(text(f, x), "x_bar[").endswith("] += parts_bar.pop()")
    assert_right(f, x)


def test_a_read_stays_before_the_store():
    def f(x):
        v = x.copy()
        for i in range(3):
            v[i], v[i + 1] = v[i + 1] * 2.0, v[i] * 3.0
        return np.sum(v * v)

    x = np.random.default_rng(1).normal(size=4)
    v = x.copy()
    for i in range(3):
        v[i], v[i + 1] = v[i + 1] * 2.0, v[i] * 3.0
    assert sourcegrad.value_and_grad(f)(x)[0] == np.sum(v * v)
    assert_right(f, x)


def test_a_pop_is_not_moved_past_a_look_at_the_list():
    def f(x):
        parts = [x, x * x, x * x * x]
        other = parts
        last = parts.pop()
        return len(other) * last

    assert sourcegrad.value_and_grad(f)(2.0) == (16.0, 24.0)


def test_lines_stay_short():
    def f(alpha, beta, gamma):
        return np.sum(np.sin(alpha * beta) * np.cos(beta * gamma) * np.exp(alpha))

    args = [np.random.default_rng(k).normal(size=3) for k in range(3)]
    assert all(len(line) <= 88 for line in text(f, *args).splitlines())
    assert_right(f, *args)
