"""The rules of the helpers of generated code: what makes order two work."""

import inspect

import numpy as np
import pytest

from sourcegrad import (
    runtime,
    runtime_factorizations,
    runtime_least_squares,
    runtime_linalg,
    runtime_norms,
    runtime_numeric,
    runtime_quantiles,
    runtime_shapes,
)
from sourcegrad.rules import lookup

from .check import check

RNG = np.random.default_rng(8)
V, A, C = RNG.normal(size=3), RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3, 4))
S = RNG.normal(size=(3, 3))
W = np.array([1.0, 2.0, 4.0])
PAD = ((1, 0), (0, 2))
MODULES = (
    runtime,
    runtime_factorizations,
    runtime_least_squares,
    runtime_linalg,
    runtime_norms,
    runtime_numeric,
    runtime_quantiles,
    runtime_shapes,
)

CASES = [
    (runtime.unbroadcast, A, V),
    (runtime.unbroadcast, A, 1.5),
    (runtime.unbroadcast, C, A[:, :, None]),
    (runtime.sum_to, A, (3,)),
    (runtime.sum_to, A, (2, 1)),
    (runtime.sum_to, C, (2, 3, 1)),
    (runtime.expand_reduced, V[:2], A, 1, False),
    (runtime.expand_reduced, 1.5, A, None, False),
    (runtime.expand_reduced, V[None], A, 0, True),
    (runtime.add_at_zeros, A, np.array([1, 1, 0]), RNG.normal(size=(3, 3))),
    (runtime.add_at_zeros, A, (slice(None), 1), 1.5),
    (runtime.log_or_zero, 1.5),
    (runtime.log_or_zero, np.abs(A)),
    (runtime_numeric.bessel_i, 1, A),
    (runtime_numeric.polygamma, 1, 1.5),
    (runtime_quantiles.quantile_pullback, V[:2], A, 0.3, 1, False),
    (runtime_quantiles.quantile_pushforward, A, A, 0.3, 1, False),
    (runtime_shapes.add_taken, A, [0, 2, 2], A, 1),
    (runtime_shapes.add_along, A, np.argsort(A, axis=1), A, 1),
    (runtime_shapes.untile, RNG.normal(size=(4, 6)), A, (2, 2)),
    (runtime_shapes.unrepeat, RNG.normal(size=(2, 6)), A, 2, 1),
    (runtime_shapes.unrepeat, RNG.normal(size=(4, 3)), A, [1, 3], 0),
    (runtime_shapes.unrepeat, RNG.normal(size=12), A, 2),
    (runtime_shapes.unpad, RNG.normal(size=(3, 5)), A, PAD),
    (runtime_shapes.add_padded, RNG.normal(size=(3, 5)), A, PAD, "edge"),
    (runtime_shapes.place_diagonal, V[:2], A, 0, 0, 1),
    (runtime_shapes.place_diagonal, V[:1], A, 1, 0, 1),
    (runtime_shapes.undiff, A, 2, 1, (2, 5)),
    (runtime_shapes.neighbour_sums, A),
    (runtime_shapes.unpaired, A, (2, 4)),
    (runtime_shapes.refit, A, RNG.normal(size=(3, 2))),
    (runtime_shapes.widen, V, V, V, "same"),
    (runtime_shapes.split_like, RNG.normal(size=4), (V, 1.5), 0),
    (runtime_shapes.join_like, (V, A), RNG.normal(size=(3, 3)), 0),
    (runtime_shapes.unsplit, [V, V[:0], V], RNG.normal(size=4), [3, 1], 0),
    (runtime_shapes.unsplit, [V, V[:0], V], np.zeros(4), [3, 1], 0),
    (runtime_shapes.join_like, [V, 1.5], RNG.normal(size=4), None),
    (runtime_shapes.unnest, V, [1.5, 2.5, 3.5]),
    (runtime_linalg.einsum_bar, A, 0, "ij->ij", A),
    (runtime_linalg.half_tril, S),
    (runtime_linalg.check_phase, S),
    (runtime_linalg.diagonal_matrix, A),
    (runtime_linalg.gap_quotient, S, W),
    (runtime_linalg.gap_quotient, np.stack([S, S]), np.stack([W, W**2])),
]
TENSOR = [
    ("tensordot_left", (2, 3), (2, 4, 5), (3, 5, 4), ([1, 2], [2, 1])),
    ("tensordot_right", (2, 3), (2, 4, 5), (3, 5, 4), ([1, 2], [2, 1])),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    wrt = (0,) if case[0].__name__.startswith("quantile") else None
    check(*case, wrt=wrt)


@pytest.mark.parametrize("case", TENSOR, ids=lambda c: c[0])
def test_cotangents_of_a_tensor_product(case):
    name, *shapes, axes = case
    g, a, b = (RNG.normal(size=shape) for shape in shapes)
    check(getattr(runtime_linalg, name), g, a, b, axes)
    check(getattr(runtime_linalg, name), g, a, b, axes, wrt=(0,))


EINSUM = [
    ("ij,jk->ik", (2, 4), (2, 3), (3, 4)),
    ("ii,ij->j", (3,), (2, 2), (2, 3)),
    ("i,i", (), (3,), (1,)),
    ("i,ij,j->", (), (2,), (2, 3), (3,)),
    ("...i,ij->...j", (5, 3), (5, 2), (2, 3)),
]


@pytest.mark.parametrize("case", EINSUM, ids=lambda c: c[0])
def test_cotangents_of_einsum(case):
    subscripts, *shapes = case
    g, *operands = (RNG.normal(size=shape) for shape in shapes)
    for i in range(len(operands)):
        check(runtime_linalg.einsum_bar, g, i, subscripts, *operands)


def test_definitions_agree_with_what_they_define():
    """A helper with another text for order two has the same value."""
    for a in (S, np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]])):
        det = np.linalg.det(a)
        want = runtime_linalg.cofactors(a, det)
        got = lookup(runtime_linalg.cofactors).fn(a, det)
        np.testing.assert_allclose(got, want, atol=1e-12)
    for uplo in "LU":
        got = lookup(runtime_linalg.fold_triangle).fn(S, uplo)
        np.testing.assert_array_equal(got, runtime_linalg.fold_triangle(S, uplo))


def public(module):
    functions = inspect.getmembers(module, inspect.isfunction)
    return [f for n, f in functions if f.__module__ == module.__name__ and n[0] != "_"]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__)
def test_every_helper_has_a_rule(module):
    in_place = (runtime.scatter_add,)
    missing = [f for f in public(module) if lookup(f) is None and f not in in_place]
    assert missing == []
