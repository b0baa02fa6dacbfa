"""Sparse matrices as objects: their methods, operators beside constants, and joins."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import sparse
from scipy.sparse.linalg import spsolve

from tests.rules.scipy_check import agrees

V = np.array([1.3, 0.7, 2.1, -0.4, 0.9])
X = np.array([1.3, 0.7, 2.1])
INDICES, POINTERS = np.array([0, 2, 1, 0, 2]), np.array([0, 2, 3, 5])
TWICE = np.array([0, 0, 1, 2, 2]), np.array([0, 0, 1, 0, 2])
ARRAY = sparse.csr_array(np.array([[2.0, 0, 1], [0, 3, 0], [1, 0, 4]]))
FORMS = ["csr", "csc", "coo", "dia", "bsr", "lil"]


def rows(v):
    return sparse.csr_array((v, INDICES, POINTERS), shape=(3, 3))


def older(v):
    return sparse.csr_matrix((v, INDICES, POINTERS), shape=(3, 3))


def places(v):
    return sparse.coo_array((v, TWICE), shape=(3, 3))


METHODS = [
    lambda a, v: a.sum() + a.sum(axis=0) @ v[:3] + a.sum(axis=1),
    lambda a, v: a.diagonal() + a.trace() + a.mean() + a.mean(axis=0),
    lambda a, v: a.T.dot(v[:3]) + a.transpose() @ v[:3] - v[:3] @ a,
    lambda a, v: (a.multiply(v[:3]) + v[0] * a - a / v[1]).toarray(),
    lambda a, v: (-a * np.outer(v[:3], v[:3]) + a.multiply(a)).toarray(),
    lambda a, v: (a @ a) @ v[:3] + (a @ ARRAY) @ v[:3] + (ARRAY @ a) @ v[:3],
    lambda a, v: (ARRAY + a - ARRAY * v[0]).todense(),
    lambda a, v: a.tocsc().data * v[: a.tocsc().nnz] + a.tocsr().copy()[2, 0],
    lambda a, v: sparse.kron(a, ARRAY) @ np.outer(v[:3], v[:3]).ravel(),
    lambda a, v: sparse.hstack([a, ARRAY, a]) @ np.outer(v[:3], v[:3]).ravel(),
    lambda a, v: sparse.block_diag([a, sparse.vstack([ARRAY, a])]).toarray(),
    lambda a, v: (sparse.tril(a) - sparse.triu(a, k=1)).toarray(),
    lambda a, v: spsolve((a + 3.0 * sparse.eye_array(3)).tocsc(), v[:3]),
    lambda a, v: sparse.csc_array(a).data[:3] + a.asformat("coo").conj() @ v[:3],
]


@pytest.mark.parametrize("make", [rows, places])
@pytest.mark.parametrize("method", METHODS)
def test_methods(method, make):
    agrees(lambda v: method(make(v), v), V, order=1)


DIAGONALS = [
    lambda v: sparse.diags(v) @ v,
    lambda v: sparse.diags([v[:4], v, v[1:]], [-1, 0, 1], format="csc") @ v,
    lambda v: sparse.diags([v[:3], v], [2, 0], shape=(5, 5)).toarray(),
    lambda v: sparse.diags_array([v, v[1:]], offsets=[0, -1]).T @ v,
    lambda v: (sparse.diags(v[:3]) @ ARRAY @ sparse.diags_array(v[1:4])) @ v[:3],
]


@pytest.mark.parametrize("f", DIAGONALS)
def test_diagonals(f):
    agrees(f, V, order=1)


@pytest.mark.parametrize("suffix", ["array", "matrix"])
@pytest.mark.parametrize("form", FORMS)
def test_a_constant_beside_an_active_operand(form, suffix):
    constant = getattr(sparse, f"{form}_{suffix}")(ARRAY)

    def f(x):
        scaled = (x[0] * constant / x[1]) @ x
        return constant @ x + x @ constant + constant.dot(x) - scaled

    agrees(f, X, order=1)

    def g(x, given):
        return np.sum((given * x[0] + x[1] * given) @ x)

    got, dense = sg.grad(g)(X, constant), ARRAY.toarray()
    want = sg.grad(lambda x: np.sum((x[0] + x[1]) * (dense @ x)))(X)
    np.testing.assert_allclose(got, want)


def test_the_star_of_older_classes_is_the_product_of_matrices():
    constant = sparse.csr_matrix(ARRAY)
    agrees(lambda v: older(v) * v[:3] + constant * v[:3] + v[:3] * older(v), V, order=1)
    agrees(lambda v: (older(v) * constant * older(v)).toarray(), V, order=1)
    agrees(lambda v: (ARRAY * rows(v) * rows(v)).toarray(), V, order=1)


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda v: np.sum(rows(v)[1:].toarray()), "single elements"),
        (lambda v: np.sum(older(v).sum(axis=0)), "along an axis"),
        (lambda v: np.sum(older(v).todense()), "np.matrix"),
        (lambda v: np.sum(sparse.csr_array(np.diag(v)) @ v), "made of a dense one"),
        (lambda v: np.sum((rows(v) ** 2).toarray()), "pow"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(V)
