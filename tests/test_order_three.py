"""Third derivatives of the zoo's functions of one number, in several mixes.

Expected values are extrapolated differences of second derivatives by duals of duals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sourcegrad import UnsupportedSyntaxError, grad, jvp
from tests import zoo
from tests.oracle import dual_gradient_along, dual_hessian_vector

NUMBERS = [
    pytest.param(found, k, id=f"{found.name}-{k}")
    for found, k in zoo.each_case(refused=None, smooth=True, mutation=False, issue=2)
    if found.argnums == 0
    and len(found.cases[k]) == 1
    and type(found.cases[k][0]) is float
]


def third(found: zoo.Program, x: float) -> float:
    """Richardson's extrapolation of central differences of f''."""

    def second(t: float) -> float:
        return float(np.ravel(dual_hessian_vector(found.function, (t,), 1.0))[0])

    def central(h: float) -> float:
        return (second(x + h) - second(x - h)) / (2.0 * h)

    return (4.0 * central(5e-4) - central(1e-3)) / 3.0


def along(f: Any) -> Any:
    return lambda x: jvp(f, (x,), (1.0,))[1]


MIXES = {
    "rrr": lambda f: grad(grad(grad(f))),
    "frr": lambda f: along(grad(grad(f))),
    "rrf": lambda f: grad(grad(along(f))),
    "fff": lambda f: along(along(along(f))),
}


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize(("found", "k"), NUMBERS)
def test_third_derivative(found, k, mix):
    (x,) = found.arguments()[k]
    got = MIXES[mix](found.function)(x)
    expected = third(found, x)
    assert float(np.ravel(got)[0]) == pytest.approx(expected, rel=1e-5, abs=1e-6)


def descent(p, k):
    if k <= 0:
        return np.sin(p)
    return np.tanh(p) * descent(np.sin(p), k - 1)


def start(x, y):
    return descent(np.sin(x), 3) * y * x


def by_gradients(x, y, a):
    x_bar, y_bar = grad(start, (0, 1))(x, y)
    return x_bar * a + y_bar


def by_tangents(x, y, a):
    return jvp(start, (x, y), (a, 1.0))[1]


def twice_by_gradients(x, y, a):
    x_bar, y_bar = grad(by_gradients, (0, 1))(x, y, a)
    return x_bar * a + y_bar


def once_by_tangents(x, y, a):
    x_bar, y_bar = grad(by_tangents, (0, 1))(x, y, a)
    return x_bar * a + y_bar


def test_a_recursion_with_its_innermost_derivative_in_forward_mode():
    args, along_both = (0.4, 0.5), np.array([1.0, 1.0])
    expected = dual_gradient_along(start, args, (along_both, along_both), (0, 1))
    got = grad(once_by_tangents, (0, 1))(*args, 1.0)
    np.testing.assert_allclose(got, expected, rtol=1e-12)
    with pytest.raises(UnsupportedSyntaxError, match="once more yet") as caught:
        grad(twice_by_gradients)(*args, 1.0)
    assert caught.value.where.function == "twice_by_gradients"
    assert "innermost derivative in forward mode" in str(caught.value)
