"""The rules of parts of complex numbers, against differences."""

import numpy as np
import pytest

from sourcegrad.rules import lookup

from .check import check

A = np.array([0.7, -1.3, 2.1])
Z = A + 0.4j * A[::-1]
CASES = [
    (np.real, Z),
    (np.real, A),
    (np.imag, Z),
    (np.conjugate, Z),
    (np.conjugate, A),
    (np.angle, Z),
    (np.angle, Z, True),
    (np.real_if_close, Z),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


def test_the_imaginary_part_of_a_real_number_has_no_derivative():
    assert lookup(np.imag).fn(np.imag(A), np.ones(3), A) == 0.0


def test_gradient_of_squared_modulus_is_that_of_jax():
    z = np.array([1 + 2j])
    bar = lookup(np.absolute).fn(np.abs(z), 2 * np.abs(z), z)
    np.testing.assert_allclose(bar, [2 - 4j])
