"""The rules of linear algebra without factorisations, against differences."""

import numpy as np
import pytest

from sourcegrad.rules import lookup

from .check import check

RNG = np.random.default_rng(4)
A = RNG.normal(size=(3, 3)) + 2 * np.eye(3)
Z = A + 1j * RNG.normal(size=(3, 3))
STACK = RNG.normal(size=(2, 3, 3)) + 2 * np.eye(3)
TALL, WIDE = RNG.normal(size=(4, 2)), RNG.normal(size=(2, 4))
V, M = RNG.normal(size=3), RNG.normal(size=(3, 2))
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
CASES = [
    *[(np.linalg.inv, x) for x in (A, Z, STACK)],
    *[(np.linalg.det, x) for x in (A, Z, STACK, SINGULAR, np.zeros((3, 3)))],
    (np.linalg.det, np.outer(V, V[::-1])),
    (np.linalg.det, np.array([[1.5]])),
    *[(np.linalg.slogdet, x) for x in (A, -A, Z, STACK)],
    (np.linalg.solve, A, V),
    (np.linalg.solve, A, M),
    (np.linalg.solve, Z, M),
    (np.linalg.solve, STACK, M),
    (np.linalg.solve, A, np.stack([M, 2 * M])),
    (np.linalg.solve, STACK, V),
    (np.linalg.solve, STACK, RNG.normal(size=(2, 3, 2))),
    *[(np.linalg.pinv, x) for x in (A, TALL, WIDE, STACK)],
    (np.linalg.pinv, TALL + 1j * TALL[::-1]),
    *[(np.linalg.matrix_power, A, n) for n in (-2, -1, 0, 1, 2, 3, 5)],
    *[(np.linalg.matrix_power, STACK / 3, n) for n in (3, 9)],
    (np.linalg.tensorsolve, A.reshape(3, 3), V),
    (np.linalg.tensorsolve, RNG.normal(size=(2, 3, 6)), RNG.normal(size=(2, 3))),
    (np.linalg.tensorinv, RNG.normal(size=(2, 3, 6))),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


@pytest.mark.parametrize("b", [RNG.normal(size=4), RNG.normal(size=(4, 3))])
def test_least_squares(b):
    check(np.linalg.lstsq, TALL, b, rcond=None)
    check(np.linalg.lstsq, WIDE, b[:2], rcond=None)
    check(np.linalg.lstsq, TALL, b, rcond=None, parts=(0,))
    check(np.linalg.lstsq, TALL, b, rcond=None, parts=(1,))
    check(np.linalg.lstsq, TALL, b, rcond=None, wrt=(1,))
    check(np.linalg.lstsq, TALL + 1j * TALL[::-1], b, rcond=None)


def test_solve_with_one_active_operand():
    check(np.linalg.solve, A, V, wrt=(0,))
    check(np.linalg.solve, A, V, wrt=(1,))
    check(np.linalg.solve, A, M, wrt=(0,))


def test_cofactors_of_a_singular_matrix_are_exact():
    bar = lookup(np.linalg.det).fn(0.0, 1.0, SINGULAR)
    np.testing.assert_allclose(bar, [[4.0, -2.0], [-2.0, 1.0]], rtol=1e-13)


@pytest.mark.parametrize("name", ["inv", "det", "slogdet", "pinv"])
def test_float32_stays_float32(name):
    x = A.astype(np.float32)
    y = getattr(np.linalg, name)(x)
    seed = y if name != "slogdet" else (0.0, y[1])
    assert lookup(getattr(np.linalg, name)).fn(y, seed, x).dtype == np.float32
