"""Operands that a library takes though few write them: unsorted cuts, matrices where a
vector is meant, orders between whole numbers, numbers outside of a domain.

Expected values are differences of the function itself; where a rule does not hold, both
modes refuse.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg, special

import sourcegrad
from sourcegrad import grad, jvp
from tests.rules.versions import SCIPY

V = np.array([0.3, 0.7, 1.1, 0.9, 1.6])
M = np.array([[1.3, 0.4, 0.2], [0.1, 1.7, 0.6], [0.5, 0.3, 2.2]])
C = np.array([1 + 0.3j, 0.5 - 0.2j, 0.8 + 1j])
SPD = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.2]])
STACK = np.stack([SPD, SPD @ SPD, SPD + 0.5])
STEP = 1e-5


def weights(y):
    return np.cos(1.0 + np.arange(np.size(y))).reshape(np.shape(y))


def directions(x):
    units = np.eye(np.size(x)).reshape(-1, *np.shape(x))
    return np.concatenate((units, 1j * units)) if np.iscomplexobj(x) else units


def slope(f, x, d):
    return (f(x + STEP * d) - f(x - STEP * d)) / (2 * STEP)


def unsorted_parts(x):
    first, second, last = np.split(x, [3, 1])
    return np.sum(first**2) + np.sum(second) + 3.0 * np.sum(last**3)


def unsorted_twice(x):
    whole = np.array_split(x, [3, 1])[2] ** 2
    return np.sum(whole) + np.sum(np.split(x, np.array([2, 1]))[0])


def unsorted_columns(x):
    return np.sum(np.hsplit(x, [2, 1])[2] ** 2 * np.hsplit(x, [2, 1])[0])


def unsorted_rows(x):
    return np.sum(np.vsplit(x, (2, 1))[2] ** 2 * np.vsplit(x, (2, 1))[0])


def values_in_any_order(x):
    y = np.unique_values(x)
    return np.sum(np.real(y * weights(y)))


def column_and_row(x):
    y = np.linspace(x[:3], M[:1], 4) + np.linspace(M[:1], x[:3] ** 2, 4)
    return np.sum(weights(y) * y)


def bases(x):
    y = np.logspace(0.1, 0.5, 3, base=x) + np.logspace(x, x**2, 3, base=x)
    return np.sum(weights(y) * y)


def base_along_the_last_axis(x):
    y = np.logspace(x, 0.5, 3, base=x, axis=-1)
    return np.sum(weights(y) * y)


def phases_of_eig(x):
    return np.sum(np.real(np.linalg.eig(x - 2 * x.T)[1]) * weights(x))


def phases_of_eig_of_scipy(x):
    return np.sum(np.real(linalg.eig(x - 2 * x.T)[1]) * weights(x))


def phases_of_eigh(x):
    vectors = np.linalg.eigh(x + 1j * (x - x.T))[1]
    return np.sum(np.real(vectors) * weights(x))


def phases_of_the_upper_triangle(x):
    vectors = np.linalg.eigh(x + 1j * (x - x.T), "U")[1]
    return np.sum(np.imag(vectors) * weights(x))


EDGES = [
    lambda x: np.sum(np.histogram(x, 3)[1] * weights(np.ones(4))),
    lambda x: np.sum(np.histogram(x, 3)[0] * x[:3]),
    lambda x: np.sum(np.histogram(V, np.sort(x))[1] * weights(x)),
]
DENSITIES = [
    lambda x: np.histogram(x, 3, density=True)[0][0],
    lambda x: np.histogram(V, np.sort(x), density=True)[0][0],
    lambda x: np.sum(np.histogram(V, 3, (0.0, x[0] + 2.0))[1]),
]
PHASES = [
    phases_of_eig,
    phases_of_eig_of_scipy,
    phases_of_eigh,
    phases_of_the_upper_triangle,
]
DIFFERENTIATED = [
    (column_and_row, V),
    (bases, V),
    (base_along_the_last_axis, V),
    (unsorted_parts, V),
    (unsorted_twice, V),
    (unsorted_columns, M),
    (unsorted_rows, M),
    (values_in_any_order, V[::-1]),
    (values_in_any_order, C),
    (lambda x: np.sum(special.kn(1.5, x)), V),
    (lambda x: np.sum(special.kn(-2.5, x)), V),
    (lambda x: np.sum(special.kn(2, x)), V),
]
REFUSED = [
    (lambda x: np.sum(np.real(special.digamma(x))), C),
    (lambda x: np.sum(np.real(special.psi(x))), C),
]
if SCIPY >= (1, 15):
    REFUSED += [(lambda x: np.sum(np.real(special.zeta(x + 2))), C)]
STACKS = [
    lambda x: linalg.sqrtm(x),
    lambda x: linalg.logm(x),
    lambda x: linalg.cosm(x),
    lambda x: linalg.sinhm(x),
    lambda x: linalg.expm_frechet(x, x, compute_expm=False),
    lambda x: linalg.eigh(x)[0],
    lambda x: linalg.eigvalsh(x),
    lambda x: linalg.eigvals(x),
    lambda x: linalg.polar(x)[0],
    lambda x: linalg.lstsq(x, SPD)[0],
    lambda x: linalg.solve(SPD, x),
    lambda x: linalg.solve_triangular(x, SPD),
    lambda x: linalg.solve_triangular(a=SPD, b=2 * x),
    lambda x: linalg.solve_sylvester(x, SPD, SPD),
    lambda x: linalg.solve_continuous_lyapunov(x, SPD),
    lambda x: linalg.solve_discrete_lyapunov(0.2 * x, SPD),
    lambda x: linalg.solve_continuous_are(SPD, SPD, x, SPD),
    lambda x: linalg.khatri_rao(x, x),
    lambda x: linalg.cho_factor(x)[0],
]


@pytest.mark.parametrize("f", STACKS)
def test_stacks_of_matrices_are_refused(f):
    def total(x):
        return np.sum(np.real(f(x)))

    for call in (lambda: grad(total)(STACK), lambda: jvp(total, (STACK,), (STACK,))):
        with pytest.raises(sourcegrad.SourcegradError, match="stack of matrices"):
            call()


@pytest.mark.parametrize("f", EDGES)
def test_edges_of_a_histogram_are_pushed(f):
    for d in directions(V):
        pushed = jvp(f, (V,), (d,))[1]
        np.testing.assert_allclose(pushed, slope(f, V, d), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", DENSITIES)
def test_a_histogram_is_refused_in_both_modes(f):
    for call in (lambda: grad(f)(V), lambda: jvp(f, (V,), (V,))):
        with pytest.raises(sourcegrad.SourcegradError, match=r"numpy\.histogram"):
            call()


@pytest.mark.parametrize("f", PHASES)
def test_vectors_are_pushed_in_the_phase_of_lapack(f):
    for d in directions(M):
        pushed = jvp(f, (M,), (d,))[1]
        np.testing.assert_allclose(pushed, slope(f, M, d), rtol=1e-5, atol=1e-6)
    with pytest.raises(sourcegrad.NonDifferentiableError, match="phase"):
        grad(f)(M)


@pytest.mark.filterwarnings("ignore:floating point number truncated:RuntimeWarning")
@pytest.mark.parametrize(("f", "x"), DIFFERENTIATED)
def test_derivative_is_that_of_differences(f, x):
    gradient = grad(f)(x)
    assert np.shape(gradient) == np.shape(x)
    for d in directions(x):
        expected = slope(f, x, d)
        reverse = np.real(np.sum(gradient * d))
        np.testing.assert_allclose(reverse, expected, rtol=1e-5, atol=1e-6)
        forward = jvp(f, (x,), (d,))[1]
        np.testing.assert_allclose(forward, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("f", "x"), REFUSED)
def test_refusal_in_both_modes(f, x):
    for call in (lambda: grad(f)(x), lambda: jvp(f, (x,), (np.ones_like(x),))):
        with pytest.raises(sourcegrad.SourcegradError, match="has no rule for"):
            call()
