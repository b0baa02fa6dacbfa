"""Sparse matrices of SciPy: products and systems, in dense operands and entries."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import sparse
from scipy.sparse.linalg import spsolve

from tests.rules.scipy_check import agrees

X = np.array([1.3, 0.7, 2.1])
V = np.array([1.3, 0.7, 2.1, -0.4, 0.9])
INDICES, POINTERS = np.array([0, 2, 1, 0, 2]), np.array([0, 2, 3, 5])
ROWS, COLUMNS = np.array([0, 1, 2, 0, 0]), np.array([0, 1, 2, 2, 2])
OUTSIDE = sparse.csr_array((V, INDICES, POINTERS))
MATRIX = sparse.csc_matrix(OUTSIDE)

CASES = [
    (lambda x: OUTSIDE @ x, X),
    (lambda x: x @ OUTSIDE, X),
    (lambda x: OUTSIDE @ np.outer(x, x), X),
    (lambda x: OUTSIDE.dot(x) + MATRIX @ x, X),
    (lambda x: spsolve(MATRIX, x), X),
    (lambda v: sparse.csr_array((v, INDICES, POINTERS)) @ v[:3], V),
    (lambda v: sparse.csr_array((v, INDICES, POINTERS), shape=(3, 4)) @ v[:4], V),
    (lambda v: v[1:4] @ sparse.csc_array((v, INDICES, POINTERS)), V),
    (lambda v: sparse.csr_matrix((v, INDICES, POINTERS)).T @ np.outer(v[:3], v), V),
    (lambda v: sparse.coo_array((v, (ROWS, COLUMNS))).dot(v[:3]), V),
    (lambda v: sparse.csr_array((v, (ROWS, COLUMNS)), shape=(3, 3)) @ v[:3], V),
    (lambda v: sparse.csc_matrix((v, INDICES, POINTERS)).toarray(), V),
    (lambda v: spsolve(sparse.csc_array((v, INDICES, POINTERS)), v[:3]), V),
    (lambda v: spsolve(sparse.csr_array((v, INDICES, POINTERS)), np.ones(3)), V),
]


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("case", CASES)
def test_first_order(case):
    agrees(*case, order=1)


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
def test_second_order():
    agrees(lambda x: OUTSIDE @ (x * x), X)
    agrees(lambda x: spsolve(MATRIX, x * x), X)


def test_a_matrix_made_of_nothing_active_is_scipys():
    f = sg.value_and_grad(lambda x: np.sum(sparse.csr_array(np.eye(3)) @ x))
    value, gradient = f(X)
    assert value == X.sum()
    assert gradient.tolist() == [1.0, 1.0, 1.0]


def test_refused():
    with pytest.raises(sg.SourcegradError, match="sparse matrix made of a dense one"):
        sg.grad(lambda a: np.sum(sparse.csr_array(a) @ X))(np.eye(3))


def test_matrices_given_as_arguments():
    f = sg.grad(lambda x, a: np.sum((a @ x) ** 2))
    for matrix in (OUTSIDE, MATRIX, 2.0 * OUTSIDE):
        dense = matrix.toarray()
        np.testing.assert_allclose(f(X, matrix), 2.0 * dense.T @ (dense @ X))


@pytest.mark.parametrize("name", ["T", "real", "mT"])
def test_an_attribute_of_a_product_that_is_returned(name):
    def f(v):
        y = sparse.csr_array((v, INDICES, POINTERS)) @ np.outer(v[:3], v)
        return named(y)

    named = {"T": lambda y: y.T, "real": lambda y: y.real, "mT": lambda y: y.mT}[name]
    d = np.cos(np.arange(5.0))
    want = (f(V + 1e-5 * d) - f(V - 1e-5 * d)) / 2e-5
    y, pullback = sg.vjp(f, V)
    np.testing.assert_allclose(sg.jvp(f, (V,), (d,))[1], want, rtol=1e-8)
    np.testing.assert_allclose(pullback(y)[0] @ d, np.sum(want * y), rtol=1e-8)
