"""What the reverse sweep reads as it was, where the adjoint begins a written array."""

import numpy as np
import pytest

import sourcegrad as sg


def argument_written_first(y):
    y -= 0.35
    w = np.tanh(y)
    w[2:] += 1.0
    return np.sum(w)


def element_written_first(y):
    y[0] = 3.0
    w = np.exp(y)
    w[1:] *= 2.0
    return np.sum(w * w)


def in_a_loop(y):
    for k in range(3):
        y[k] *= 0.5
        w = np.sqrt(y)
        w[1:] += w[:-1]
        y = w * w
    return np.sum(y)


def made_in_the_function(y):
    y = y * 1.0
    y[1] = y[0] * y[2]
    w = np.sin(y) * np.exp(y)
    w[0] = 0.0
    v = np.tanh(w)
    v[1] -= w[2]
    return np.sum(v * w)


@pytest.mark.parametrize(
    "f",
    [argument_written_first, element_written_first, in_a_loop, made_in_the_function],
)
def test_first_contribution_to_a_written_array(f):
    y = np.array([0.482, 0.96, 0.913, 0.367])
    slopes = np.empty(4)
    for k in range(4):
        moved = y.astype(complex)
        moved[k] += 1e-30j
        slopes[k] = f(moved).imag / 1e-30
    np.testing.assert_allclose(sg.grad(f)(y.copy()), slopes, rtol=1e-13)


def _sum_of_what_is_popped(x):
    stack = [1.0]
    stack.append(x)
    y = 2 * x * sum(stack)
    stack.pop()
    return y


def test_what_a_branch_of_a_rule_yields_is_read_before_it_changes():
    """Of unknown kinds, a rule decides at run time what it reads of the list."""
    space = {}
    exec(sg.grad(_sum_of_what_is_popped).source(), space)
    found = space["_sum_of_what_is_popped_grad"](0.7)
    assert found == pytest.approx(2 + 4 * 0.7)


def written_behind_a_block(y):
    try:
        a = np.tanh(np.sum(y * y[0]))
    finally:
        y[1] *= 2.0
    return a * a + y[1]


def written_behind_a_handler(y):
    a = y[2] * 1.0
    try:
        if y[0].real > -2.0:
            raise ValueError("stop")
        a = np.cos(y[1])
    except ValueError:
        a = a * np.tanh(np.sum(a * y))
    finally:
        y[:2] = y[1:3] * a
    return a * np.sum(y)


def written_behind_blocks_in_a_loop(y):
    total = 0.0
    for k in range(3):
        try:
            total = total + np.sin(y[k]) * y[k + 1]
            try:
                total = total * np.exp(y[0])
            finally:
                y[k] = total
        finally:
            y[k + 1] *= y[k]
    return total


def read_behind_a_block_that_writes(y):
    try:
        y[0] = np.sin(y[1])
    finally:
        a = np.sum(y * y)
    y *= a
    return np.sum(y)


@pytest.mark.parametrize(
    "f",
    [
        written_behind_a_block,
        written_behind_a_handler,
        written_behind_blocks_in_a_loop,
        read_behind_a_block_that_writes,
    ],
)
@pytest.mark.parametrize("packaging", ["joint", "split"])
def test_memory_written_in_finally(f, packaging):
    y = np.array([0.482, 0.96, 0.913, 0.367])
    slopes = np.empty(4)
    for k in range(4):
        moved = y.astype(complex)
        moved[k] += 1e-30j
        slopes[k] = f(moved).imag / 1e-30
    got = sg.grad(f)(y.copy()) if packaging == "joint" else sg.vjp(f, y)[1](1.0)[0]
    np.testing.assert_allclose(got, slopes, rtol=1e-13)
