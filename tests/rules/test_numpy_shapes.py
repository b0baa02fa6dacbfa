"""The rules of functions that move or repeat elements, against differences."""

import numpy as np
import pytest

from sourcegrad.rules import lookup

from .check import check

V = np.array([0.7, -1.3, 2.1])
A = np.array([[0.7, -1.3, 2.1], [0.4, 1.9, -0.6]])
C = np.arange(24.0).reshape(2, 3, 4) / 7
STRIDED = C[:, ::-1, ::2]
CASES = [
    (np.reshape, A, (3, 2)),
    (np.reshape, A, (3, -1), "F"),
    (np.reshape, STRIDED, -1),
    (np.ravel, A),
    (np.ravel, A, "F"),
    (np.squeeze, A[None]),
    (np.squeeze, A[None, :, None], 0),
    (np.atleast_1d, 1.5),
    (np.atleast_2d, V),
    (np.atleast_3d, A),
    (np.expand_dims, A, 1),
    (np.expand_dims, A, (0, -1)),
    (np.transpose, C),
    (np.transpose, C, (1, 2, 0)),
    (np.transpose, C, (-1, 0, 1)),
    (np.matrix_transpose, C),
    (np.swapaxes, C, 0, -1),
    (np.moveaxis, C, 0, -1),
    (np.moveaxis, C, (0, 1), (-1, 0)),
    (np.rollaxis, C, 2),
    (np.rollaxis, C, 0, 3),
    (np.flip, C),
    (np.flip, C, 1),
    (np.flip, C, (0, 2)),
    (np.fliplr, A),
    (np.flipud, A),
    (np.rot90, A),
    (np.rot90, C, 3, (0, 2)),
    (np.roll, A, 1),
    (np.roll, A, -2, 1),
    (np.roll, A, (1, 2), (0, 1)),
    (np.broadcast_to, V, (4, 3)),
    (np.broadcast_to, A[:, None], (2, 5, 3)),
    (np.broadcast_to, 1.5, (2, 2)),
    (np.tile, V, 2),
    (np.tile, A, (2, 1, 3)),
    (np.tile, C, (2,)),
    (np.tile, 1.5, (2, 2)),
    (np.repeat, V, 3),
    (np.repeat, A, 2),
    (np.repeat, A, 2, 1),
    (np.repeat, A, [1, 3], 0),
    (np.repeat, A, [0, 1, 2], -1),
    (np.tril, A),
    (np.triu, C, 1),
    (np.diag, V),
    (np.diag, V, 1),
    (np.diag, A),
    (np.diag, A, -1),
    (np.diagflat, A),
    (np.diagonal, A),
    (np.diagonal, C, 1, 2, 0),
    (np.linalg.diagonal, C),
    (np.trace, A),
    (np.trace, C, 1, 1, 2),
    (np.linalg.trace, C),
    (np.pad, V, 2),
    (np.pad, A, (1, 2)),
    (np.pad, A, ((1, 0), (0, 2))),
    (np.pad, V, (1, 2), "edge"),
    (np.pad, A, ((1, 1), (2, 0)), "reflect"),
    (np.pad, A, 2, "wrap"),
    (np.pad, A, 1, "symmetric"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case)


def test_pad_with_a_constant_has_a_tangent_that_is_padded_with_zeros():
    check(np.pad, V, 1, constant_values=3.0)


def test_pad_that_computes_is_refused():
    from sourcegrad.errors import NonDifferentiableError

    y = np.pad(V, 1, "median")
    with pytest.raises(NonDifferentiableError, match="median"):
        lookup(np.pad).fn(y, y, V, 1, "median")


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_float32_stays_float32(case):
    target, x, *rest = case
    x = np.asarray(x, dtype=np.float32)
    rule = lookup(target)
    if rule.kind == "adjoint":
        y = target(x, *rest)
        assert rule.fn(y, np.ones_like(y), x, *rest).dtype == np.float32
