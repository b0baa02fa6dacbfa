"""Functions that share their decorator's code are told apart by what they are."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy import linalg

from sourcegrad import elementwise, grad, jvp

M = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.2]])
D = np.cos(np.arange(9.0)).reshape(3, 3)
STEP = 1e-6


def total_of(fun):
    """A closure: all of these share one code object."""

    def f(x):
        return np.sum(fun(x))

    return f


def test_functions_of_scipy_captured_one_after_another():
    # SciPy wraps all of these with one decorator, so that their code is the same
    for name in ("coshm", "sinhm", "cosm", "sinm", "logm", "pinv", "pinvh", "expm"):
        f = total_of(getattr(linalg, name))
        want = (f(M + STEP * D) - f(M - STEP * D)) / (2 * STEP)
        assert np.sum(grad(f)(M) * D) == pytest.approx(want, rel=1e-5), name
        assert jvp(f, (M,), (D,))[1] == pytest.approx(want, rel=1e-5), name


def decorated(fn):
    @functools.wraps(fn)
    def wrapper(x):
        return fn(x)

    return wrapper


@decorated
def plain(x):
    return x**3


@decorated
def doubled(x):
    return 2.0 * x


@decorated
def floored(x):
    return np.floor(x) + 0.0


@elementwise(floored)
def floored_partial(y, x):
    return 5.0  # a slope of the author's own: straight through


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_rules_of_the_users_own_go_by_the_function(order):
    known = [(plain, 12.0), (doubled, 2.0), (floored, 5.0)]
    for k in order:
        fun, slope = known[k]
        assert grad(total_of(fun))(2.0) == slope
