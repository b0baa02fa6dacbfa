"""Sparse Jacobians and Hessians, against closed forms and the dense ones."""

import pickle

import numpy as np
import pytest
import scipy.sparse

import sourcegrad as sg


def tridiagonal(x):
    """The residual of a discretised equation -u'' + exp(u) = 0."""
    full = np.concatenate([np.zeros(1), x, np.zeros(1)])
    return 2 * x - full[:-2] - full[2:] + np.exp(x)


def tridiagonal_by_hand(x):
    n = len(x)
    return np.diag(2 + np.exp(x)) - np.eye(n, k=1) - np.eye(n, k=-1)


def scattered(x):
    return np.array([x[0] * x[3], np.sin(x[1]), x[2] ** 2 + x[0], x[4] * x[1] * x[3]])


def one_long_row(x):
    return np.concatenate([np.array([np.sum(x**2)]), np.cos(x)])


def arrow(x):
    """The first variable meets all others: its Hessian is an arrowhead."""
    return np.sum(x[0] * x[1:] ** 3) + np.exp(x[0])


def chain(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


X = np.linspace(0.2, 1.4, 9)


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_a_band_takes_as_many_sweeps_as_it_is_wide(mode):
    jacobian = sg.sparse_jacobian(tridiagonal, mode=mode)
    found = jacobian(X)
    assert scipy.sparse.issparse(found) and found.nnz == 3 * 9 - 2
    np.testing.assert_allclose(found.toarray(), tridiagonal_by_hand(X), rtol=1e-13)
    assert jacobian.sweeps(X) <= 4
    again = jacobian(2 * X)
    np.testing.assert_allclose(again.toarray(), tridiagonal_by_hand(2 * X), rtol=1e-13)


def test_a_given_pattern():
    pattern = scipy.sparse.diags_array(
        [1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(9, 9)
    )
    for given in (pattern, pattern.toarray() != 0, pattern.tocsc()):
        found = sg.sparse_jacobian(tridiagonal, given)(X).toarray()
        same = sg.jacobian(tridiagonal, sparsity=given)(X).toarray()
        assert (found == same).all()
        np.testing.assert_allclose(found, tridiagonal_by_hand(X), rtol=1e-13)


def test_rows_or_columns_by_what_is_there():
    """A full row needs a sweep for each column, but one by itself in reverse mode."""
    jacobian = sg.sparse_jacobian(one_long_row)
    found = jacobian(X).toarray()
    np.testing.assert_allclose(found[0], 2 * X, rtol=1e-14)
    np.testing.assert_allclose(found[1:], np.diag(-np.sin(X)), rtol=1e-14)
    assert jacobian.sweeps(X) == 2
    assert sg.sparse_jacobian(one_long_row, mode="forward").sweeps(X) == 9


def test_scattered_entries():
    x = np.array([0.5, 1.0, 0.0, -0.3, 2.0])  # an entry is zero by chance
    found = sg.sparse_jacobian(scattered)(x).toarray()
    np.testing.assert_allclose(found, sg.jacobian(scattered)(x), atol=1e-15)
    right = np.array(
        [
            [-0.3, 0, 0, 0.5, 0],
            [0, np.cos(1.0), 0, 0, 0],
            [1, 0, 0, 0, 0],
            [0, 2 * -0.3, 0, 2.0, -0.3],
        ]
    )
    np.testing.assert_allclose(found, right, atol=1e-15)


def test_arrays_of_several_dimensions_and_containers():
    def laplace(p):
        u = p["u"]
        inner = 4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1]
        return (inner - u[1:-1, :-2] - u[1:-1, 2:]) * p["k"]

    p = {"u": np.arange(20.0).reshape(4, 5) ** 2, "k": 0.5}
    found = sg.sparse_jacobian(laplace)(p)
    assert found.shape == (6, 21)
    dense = sg.jacobian(laplace)(p)
    joined = np.hstack([dense["u"].reshape(6, 20), dense["k"].reshape(6, 1)])
    np.testing.assert_allclose(found.toarray(), joined, rtol=1e-13)


def test_other_arguments_are_passed_on():
    def f(a, x, scale=1.0):
        return scale * a * np.sin(x)

    found = sg.sparse_jacobian(f, argnums="x")(2.0, X, scale=3.0).toarray()
    np.testing.assert_allclose(found, np.diag(6 * np.cos(X)), rtol=1e-14)


def test_an_arrowhead_takes_two_sweeps():
    hessian = sg.sparse_hessian(arrow)
    found = hessian(X).toarray()
    right = np.diag(6 * X[0] * X)
    right[0, 1:] = right[1:, 0] = 3 * X[1:] ** 2
    right[0, 0] = np.exp(X[0])
    np.testing.assert_allclose(found, right, rtol=1e-12)
    assert hessian.sweeps(X) == 2


def test_the_hessian_of_a_chain():
    hessian = sg.sparse_hessian(chain)
    found = hessian(X)
    np.testing.assert_allclose(found.toarray(), sg.hessian(chain)(X), rtol=1e-12)
    x = X[:-1]
    np.testing.assert_allclose(found.diagonal(k=1), -400 * x, rtol=1e-13)
    assert hessian.sweeps(X) == 3
    half = scipy.sparse.diags_array([1.0, 1.0], offsets=[0, 1], shape=(9, 9))
    given = sg.sparse_hessian(chain, half)(X)
    np.testing.assert_allclose(given.toarray(), found.toarray(), rtol=1e-14)


def test_random_symmetric_patterns():
    """A quadratic form: its Hessian is the matrix itself."""
    rng = np.random.default_rng(3)
    for density in (0.02, 0.1, 0.3):
        held = scipy.sparse.random_array((40, 40), density=density, rng=rng).toarray()
        matrix = held + held.T
        hessian = sg.sparse_hessian(lambda x, m=matrix: 0.5 * x @ (m @ x))
        found = hessian(rng.normal(size=40)).toarray()
        np.testing.assert_allclose(found, matrix, atol=1e-12)
        assert hessian.sweeps(np.ones(40)) <= 40


def test_many_variables():
    x = np.linspace(0.0, 1.0, 20000)
    pattern = scipy.sparse.diags_array(
        [1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(20000,) * 2
    )
    found = sg.sparse_hessian(chain, pattern)(x)
    assert found.shape == (20000, 20000)
    np.testing.assert_allclose(found.diagonal(k=-1), -400 * x[:-1], atol=1e-10)


def test_a_pattern_that_misses_entries_is_noticed():
    diagonal = scipy.sparse.eye_array(9)
    with pytest.raises(sg.NonDifferentiableError, match="misses entries of row 0"):
        sg.sparse_jacobian(tridiagonal, diagonal)(X)
    with pytest.raises(sg.NonDifferentiableError, match="misses entries"):
        sg.sparse_hessian(chain, diagonal)(X)

    def bent(x):
        return x * (x[::-1] if x[0] > 0 else np.ones(len(x)))

    jacobian = sg.sparse_jacobian(bent)
    jacobian(-X)
    with pytest.raises(sg.NonDifferentiableError, match="misses entries"):
        jacobian(X)


def test_what_does_not_fit_is_an_error():
    with pytest.raises(ValueError, match="the pattern has 3 columns"):
        sg.sparse_jacobian(tridiagonal, np.eye(3))(X)
    with pytest.raises(ValueError, match="the pattern has 3 rows"):
        sg.sparse_jacobian(tridiagonal, np.ones((3, 9)))(X)
    with pytest.raises(ValueError, match="mode must be one of"):
        sg.sparse_jacobian(tridiagonal, mode="sideways")
    with pytest.raises(ValueError, match="by one argument"):
        sg.sparse_jacobian(tridiagonal, argnums=(0, 1))


def test_pickled_and_shown():
    copied = pickle.loads(pickle.dumps(sg.sparse_jacobian(tridiagonal)))
    np.testing.assert_allclose(copied(X).toarray(), tridiagonal_by_hand(X), rtol=1e-13)
    assert "def tridiagonal_tangent(" in copied.source(X)
