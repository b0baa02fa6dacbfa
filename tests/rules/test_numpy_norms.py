"""The rules of norms, against differences."""

import numpy as np
import pytest

from sourcegrad.rules import lookup

from .check import check

A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
Z = A + 0.4j * A[::-1]
C = np.sin(np.arange(1.0, 25.0) ** 2).reshape(2, 3, 4)
VECTOR = [None, 2, 1, 3, 2.5, 0.5, np.inf, -np.inf, -1, 0]
MATRIX = [None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("ord", VECTOR, ids=str)
def test_vectors(ord, keepdims):
    for x in (A, Z):
        check(np.linalg.norm, x[0], ord, keepdims=keepdims, wrt=(0,))
        check(np.linalg.norm, x, ord, 0, keepdims=keepdims, wrt=(0,))
        check(np.linalg.norm, x, ord, -1, keepdims=keepdims, wrt=(0,))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("ord", MATRIX, ids=str)
def test_matrices(ord, keepdims):
    check(np.linalg.norm, A, ord, keepdims=keepdims, wrt=(0,))
    check(np.linalg.norm, Z, ord, keepdims=keepdims, wrt=(0,))
    check(np.linalg.norm, C, ord, (0, 2), keepdims=keepdims, wrt=(0,))
    check(np.linalg.norm, C, ord, (-1, 1), keepdims=keepdims, wrt=(0,))


def test_flattened():
    check(np.linalg.norm, C)
    check(np.linalg.matrix_norm, C)
    for p in (None, 2, -2, 1, np.inf, "fro"):
        check(np.linalg.cond, C[0, :, :3], p)
    check(np.linalg.vector_norm, C)
    check(np.linalg.vector_norm, C, axis=1, ord=3)
    check(np.linalg.vector_norm, C, axis=(0, 2), keepdims=True)


@pytest.mark.parametrize("ord", [None, 2, 1, 3, np.inf], ids=str)
def test_gradient_at_zero_is_zero(ord):
    zero = np.zeros(3)
    bar = lookup(np.linalg.norm).fn(np.float64(0), 1.0, zero, ord)
    np.testing.assert_array_equal(bar, zero)
