"""Lists that a computed index or key chooses, and what changes them."""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

X = np.array([0.3, 0.9, 1.4])


def grown_of_two_lengths(x, n):
    rows = [[x[0]], [x[1], 2.0]]
    rows[n % 2].append(x[2])
    return sum(rows[0]) * sum(rows[1])


def filled_from_nothing(x, n):
    rows = [[], []]
    for i in range(3):
        rows[(i + n) % 2].append(x[i] * x[i])
    return sum(rows[0]) * sum(rows[1])


def by_a_key(x, n):
    rows = {"even": [], "odd": [x[0]]}
    for i in range(3):
        rows["odd" if (i + n) % 2 else "even"].append(x[i] * x[i])
    return sum(rows["even"]) * sum(rows["odd"])


def items_taken(x, n):
    rows = [[x[0], x[2]], [x[1] * x[0], x[2]]]
    a = rows[n % 2].pop()
    b = rows[(n + 1) % 2].pop(0)
    rows[n % 2].append(a * b)
    rows[0].append(x[1])
    return sum(rows[0]) + a * sum(rows[1])


def the_last_item_taken(x, n):
    rows = [[x[0]], [x[1] * x[0]]]
    rows[n % 2][0] = x[2]
    k = rows[n % 2].pop()
    return sum(rows[0]) + k * sum(rows[1])


def beside_what_is_constant(x, n):
    inside = (-0.8 < x[0] <= 0.1) * 1.19
    rows = [[x[0], x[1], inside], [x[2], 1.0]]
    rows[n % 2].append(x[1])
    return sum(rows[0]) * sum(rows[1])


def deleted_of_constants(x, n):
    rows = [-1 * (0.3 * n) for _ in range(3)]
    del rows[1]
    rows[:] = rows[::-1]
    return x[0] * sum(rows)


def the_largest_of_constants(x, n):
    rows = [np.sin(0.9 * k) for k in range(n)]
    few = [k for k in range(n) if k > 1]
    return max(rows, default=x[0] * x[1]) * x[0] + min(few, default=x[2])


PROGRAMS = [
    grown_of_two_lengths,
    filled_from_nothing,
    by_a_key,
    items_taken,
    the_last_item_taken,
    beside_what_is_constant,
    deleted_of_constants,
    the_largest_of_constants,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_reverse_and_forward(f, n):
    gradient = assert_right(f, X.copy(), n)
    _, pullback = sourcegrad.vjp(f, X.copy(), n)
    np.testing.assert_allclose(pullback(1.0)[0], gradient, 1e-12)
    v = np.array([0.4, -1.1, 0.7])
    np.testing.assert_allclose(
        sourcegrad.jvp(f, (X.copy(), n), (v, None))[1], gradient @ v, 1e-12
    )
