"""Iterative solvers of `scipy.sparse.linalg`, against direct ones."""

import numpy as np
import pytest

import sourcegrad as sg

pytest.importorskip("scipy")

from scipy import sparse
from scipy.sparse import linalg

RNG = np.random.default_rng(1)
SQUARE = RNG.normal(size=(5, 5))
POSITIVE = SQUARE @ SQUARE.T + 5.0 * np.eye(5)
GENERAL = SQUARE + 6.0 * np.eye(5)
B = RNG.normal(size=5)
STORED = sparse.csr_array(np.where(np.abs(GENERAL) > 0.8, GENERAL, 0.0))

SOLVERS = [
    (linalg.cg, POSITIVE),
    (linalg.minres, POSITIVE),
    (linalg.gmres, GENERAL),
    (linalg.bicgstab, GENERAL),
    (linalg.cgs, GENERAL),
    (linalg.bicg, GENERAL),
]


def direct(a, b):
    return np.sum(np.sin(np.linalg.solve(a, b)))


@pytest.mark.parametrize("case", SOLVERS, ids=lambda case: case[0].__name__)
def test_every_solver_has_the_derivatives_of_the_solution(case):
    solve, a = case

    def loss(a, b):
        return np.sum(np.sin(solve(a, b, rtol=1e-13)[0]))

    for got, want in zip(
        sg.grad(loss, (0, 1))(a, B), sg.grad(direct, (0, 1))(a, B), strict=True
    ):
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-10)
    dots = RNG.normal(size=(5, 5)), RNG.normal(size=5)
    got, want = sg.jvp(loss, (a, B), dots)[1], sg.jvp(direct, (a, B), dots)[1]
    np.testing.assert_allclose(got, want, rtol=1e-8)
    got = sg.hessian(lambda b: loss(a * np.exp(b[0]), b))(B)
    want = sg.hessian(lambda b: direct(a * np.exp(b[0]), b))(B)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_the_entries_of_a_sparse_matrix():
    def with_entries(solve):
        def loss(d, b):
            a = sparse.csr_array((d, STORED.indices, STORED.indptr), shape=(5, 5))
            return np.sum(np.sin(solve(a, b)))

        return loss

    def iterated(a, b):
        return linalg.gmres(a, b, rtol=1e-13)[0]

    got = sg.grad(with_entries(iterated), (0, 1))(STORED.data, B)
    want = sg.grad(with_entries(linalg.spsolve), (0, 1))(STORED.data, B)
    for g, w in zip(got, want, strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-8, atol=1e-11)
    got = sg.hessian(with_entries(iterated))(STORED.data, B)
    want = sg.hessian(with_entries(linalg.spsolve))(STORED.data, B)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_operators_and_complex_systems():
    plain = linalg.LinearOperator((5, 5), matvec=lambda v: POSITIVE @ v)
    both = linalg.LinearOperator(
        (5, 5), matvec=lambda v: GENERAL @ v, rmatvec=lambda v: GENERAL.T @ v
    )
    guess = np.diag(1.0 / np.diag(POSITIVE))
    for f, a in (
        (lambda b: linalg.cg(plain, b, rtol=1e-13)[0], POSITIVE),
        (lambda b: linalg.cg(plain, b, b, M=guess, rtol=1e-13)[0], POSITIVE),
        (lambda b: linalg.gmres(both, b, rtol=1e-13)[0], GENERAL),
        (lambda b: linalg.bicgstab(STORED, b, rtol=1e-13)[0], STORED.toarray()),
    ):
        got = sg.grad(lambda b, f=f: np.sum(np.sin(f(b))))(B)
        want = sg.grad(lambda b, a=a: direct(a, b))(B)
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-11)
    hermitian = POSITIVE + 1j * (SQUARE - SQUARE.T)
    for solve, a in ((linalg.cg, hermitian), (linalg.gmres, GENERAL + 1j * SQUARE.T)):
        got = sg.grad(lambda b, s=solve, a=a: np.abs(s(a, b + 2j, rtol=1e-13)[0][1]))(B)
        want = sg.grad(lambda b, a=a: np.abs(np.linalg.solve(a, b + 2j)[1]))(B)
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda b: linalg.cg(POSITIVE, b, maxiter=1)[0], "did not converge"),
        (lambda b: linalg.cg(POSITIVE, b[:, None])[0], r"pass np\.ravel\(b\)"),
        (
            lambda b: linalg.gmres(
                linalg.aslinearoperator(GENERAL), b, callback=np.cos
            )[0],
            "callback",
        ),
    ],
)
def test_what_is_left_out_is_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(lambda b: np.sum(f(b)))(B)


def test_an_operator_without_its_transposed_product_is_refused():
    plain = linalg.LinearOperator((5, 5), matvec=lambda v: GENERAL @ v)
    with pytest.raises(sg.SourcegradError, match="rmatvec=…"):
        sg.grad(lambda b: np.sum(linalg.gmres(plain, b)[0]))(B)
