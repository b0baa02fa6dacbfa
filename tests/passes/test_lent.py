"""What a helper of generated code hands back as it is, where its memory is written
later: read by the adjoint of that code. Expected values come from duals of duals."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sourcegrad import grad, jvp
from tests.oracle import dual_hessian_vector

X, V = -0.7, 0.4
Y, W = np.array([0.9, -0.5, 1.2, 0.8]), np.array([0.7, 0.2, -0.4, 0.5])


def filled(x, y):
    y[...] = np.sin([x, np.mean(y), x * y[0], x])
    return np.sum(y)


def copied_to(x, y):
    np.copyto(y, np.sin([x, np.mean(y), x, x]))
    return np.sum(y * y)


def one_part_by_another(x, y):
    y[:] = y / x
    y[:1] += np.sin(y[3:])
    return np.sum(y)


def in_a_loop(x, y):
    for k in range(3):
        y[k:] *= np.cos(y[k:] * x)
        y[: 4 - k] += np.sin(y[k:])
    return np.sum(y)


def shifted(a, b):
    a[:] = np.sin(a) * b[:4]
    return a


def by_a_callee(x, y):
    z = shifted(y, y * x)
    z[1:] = z[:-1] * y[1:] + x
    return np.sum(z)


def divided_by_a_display(x, y):
    x -= y[0]
    y /= np.array([x, 0.3, y[0], 1.0])
    return x + np.sum(y)


PROGRAMS = [
    divided_by_a_display,
    filled,
    copied_to,
    one_part_by_another,
    in_a_loop,
    by_a_callee,
]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("outer", ["reverse", "forward"])
def test_the_derivative_of_a_gradient(f, outer):
    def slope(x, y):
        x_bar, y_bar = grad(f, (0, 1))(x, y)
        return x_bar * V + np.sum(y_bar * W)

    hv = dual_hessian_vector(f, (X, Y.copy()), np.array([V, *W]), (0, 1))
    if outer == "reverse":
        got = grad(slope, (0, 1))(X, Y.copy())
        assert_allclose(got[0], hv[0], rtol=1e-10)
        assert_allclose(got[1], hv[1], rtol=1e-10)
    else:
        _, got = jvp(slope, (X, Y.copy()), (1.0, W[::-1].copy()))
        assert_allclose(got, hv[0] + hv[1] @ W[::-1], rtol=1e-10)
