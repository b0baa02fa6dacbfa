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
