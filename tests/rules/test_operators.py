"""The rules of operators, against differences."""

import builtins
import operator

import numpy as np
import pytest

import sourcegrad
from sourcegrad import check_grad

from .check import check

A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
B = np.array([1.4, 0.8, -1.7])
POSITIVE = np.abs(A) + 0.3
Z = A + 1j * A[::-1] + 0.2j

CASES = [
    (operator.add, 1.5, 2.5),
    (operator.add, A, B),
    (operator.sub, A, 2.5),
    (operator.sub, B, A),
    (operator.mul, A, B),
    (operator.mul, Z, A),
    (operator.mul, 3, B),
    (operator.truediv, A, B),
    (operator.truediv, B, Z),
    (operator.truediv, 1.5, 0.5),
    (operator.neg, A),
    (operator.pos, 1.5),
    (operator.pow, A, 2),
    (operator.pow, A, 3),
    (operator.pow, A, 1),
    (operator.pow, A, 0),
    (operator.pow, A, -1),
    (operator.pow, POSITIVE, 0.5),
    (operator.pow, POSITIVE, 1.7),
    (operator.pow, 1.7, 2.3),
    (operator.pow, POSITIVE, B),
    (operator.pow, Z, 3),
    (operator.pow, A, np.array([2, 3, 0])),
    (operator.mod, 7.3, 2.1),
    (operator.mod, A, B),
    (operator.mod, -7.3, 2.1),
    (builtins.divmod, 7.3, 2.1),
    (np.divmod, A, B),
    (np.float_power, POSITIVE, B),
    (builtins.float, 1.5),
    (builtins.float, np.float64(1.5)),
    (builtins.sum, A),
    (builtins.sum, B, 0.5),
    (builtins.pow, 1.7, 2.3),
    (builtins.abs, -1.5),
    (builtins.abs, A),
    (builtins.abs, Z),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


@pytest.mark.parametrize("n", [2, 2.0, 1.0, 0.0, -1.0, 0.5, 1.3])
def test_the_exponent_is_differentiated_twice_where_it_is_a_round_number(n):
    check_grad(lambda x, n: x**n, (1.3, float(n)), (0, 1), order=2)
    x = np.array([1.3, 0.4])
    check_grad(lambda x, n: np.power(x, n), (x, np.full(2, float(n))), (0, 1), order=2)


def test_an_array_to_the_power_of_a_number_that_is_zero():
    x = np.array([0.0, 2.0])
    g = sourcegrad.grad(lambda x, p: np.sum(x**p), (0, 1))(x, 0.0)
    assert g[0].tolist() == [0.0, 0.0]
    assert g[1] == np.log(2.0)
    mixed = sourcegrad.grad(lambda x, p: np.sum(x**p))
    both = sourcegrad.jacobian(mixed, 1)(np.array([4.0, 2.0]), 0.0)
    assert both.tolist() == [0.25, 0.5]
