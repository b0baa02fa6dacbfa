"""The rules of matrix factorisations, against differences.

The vectors that a routine returns are compared in what does not depend on their
sign or phase, where the routine may choose those.
"""

import numpy as np
import pytest

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.rules import lookup

from .check import check

RNG = np.random.default_rng(5)
A = RNG.normal(size=(3, 3)) + np.diag([0.5, 2.0, 4.0])
S = A + A.T
STACK = RNG.normal(size=(2, 3, 3))
Z = A + 1j * RNG.normal(size=(3, 3))
H = Z + Z.conj().T
TALL, WIDE = RNG.normal(size=(4, 2)), RNG.normal(size=(2, 4))
SPD = A @ A.T + np.eye(3)
WELL = SPD + np.triu(A)
HPD = Z @ Z.conj().T + np.eye(3)

CASES = [
    (np.linalg.eigh, S),
    (np.linalg.eigh, S, "U"),
    (np.linalg.eigh, A),
    (np.linalg.eigh, STACK),
    *[(np.linalg.eigvalsh, x) for x in (S, STACK, H)],
    (np.linalg.eigvalsh, S, "U"),
    (np.linalg.eig, WELL),
    *[(np.linalg.eigvals, x) for x in (A, STACK, Z)],
    *[(np.linalg.cholesky, x) for x in (SPD, HPD, np.stack([SPD, SPD + np.eye(3)]))],
    *[(np.linalg.qr, x) for x in (A, TALL, WIDE, STACK, Z)],
    *[(np.linalg.qr, x, "r") for x in (A, TALL, WIDE)],
    (np.linalg.qr, A, "complete"),
    *[(np.linalg.svd, x, False) for x in (WELL, TALL, WIDE, STACK)],
    *[(np.linalg.svd, x, False, False) for x in (A, TALL, WIDE, Z)],
    (np.linalg.svd, WELL),
    *[(np.linalg.svdvals, x) for x in (A, WIDE, Z)],
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_rule(case):
    check(*case, rtol=2e-6)


@pytest.mark.parametrize("name", ["eigh", "eig", "svd"])
@pytest.mark.parametrize("part", [0, 1])
def test_one_part_alone(name, part):
    options = {"full_matrices": False} if name == "svd" else {}
    x = S if name == "eigh" else WELL
    check(getattr(np.linalg, name), x, parts=(part,), rtol=2e-6, **options)


def test_cholesky_upper():
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        check(np.linalg.cholesky, SPD, upper=True)
        check(np.linalg.cholesky, HPD, upper=True)


def phase_free(value):
    """What does not change when a vector is turned by a phase."""
    w, v = value[:2]
    return np.sum(w * np.arange(1, 4)) + np.sum(np.abs(v) ** 2 * WEIGHTS)


WEIGHTS = np.arange(9.0).reshape(3, 3) / 5


@pytest.mark.parametrize("name", ["eigh", "eig"])
def test_complex_vectors_by_what_no_phase_changes(name):
    target, x = getattr(np.linalg, name), H if name == "eigh" else Z
    dot = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))
    y = target(x)
    y_bar = (np.arange(1, 4) + 0j, 2 * np.conj(y[1]) * WEIGHTS)
    y_bar = (y_bar[0].real, y_bar[1]) if name == "eigh" else y_bar
    got = np.real(np.sum(lookup(target).fn(y, y_bar, x) * dot))
    step = 1e-5
    values = [phase_free(target(x + s * step * dot)) for s in (-1, 1)]
    assert got == pytest.approx(np.real(values[1] - values[0]) / (2 * step), rel=1e-6)
    y_dot = lookup(target).tangent(y, x, dot)
    forward = np.sum(y_dot[0] * np.arange(1, 4)) + np.sum(y_bar[1] * y_dot[1])
    assert np.real(forward) == pytest.approx(got, rel=1e-9)


def test_complex_svd_by_what_no_phase_changes():
    dot = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))

    def value(x):
        u, s, vh = np.linalg.svd(x)
        return np.sum(s * [1, 2, 3]) + np.real(np.sum(u[:, :1] @ vh[:1] * C))

    C = RNG.normal(size=(3, 3)) + 1j * RNG.normal(size=(3, 3))
    u, s, vh = y = np.linalg.svd(Z)
    u_bar, vh_bar = np.zeros_like(u), np.zeros_like(vh)
    u_bar[:, 0] = C @ vh[0]
    vh_bar[0] = u[:, 0] @ C
    y_bar = (u_bar, np.array([1.0, 2.0, 3.0]), vh_bar)
    got = np.real(np.sum(lookup(np.linalg.svd).fn(y, y_bar, Z) * dot))
    step = 1e-5
    want = (value(Z + step * dot) - value(Z - step * dot)) / (2 * step)
    assert got == pytest.approx(want, rel=1e-6)
    y_dot = lookup(np.linalg.svd).tangent(y, Z, dot)
    forward = sum(np.real(np.sum(a * b)) for a, b in zip(y_bar, y_dot, strict=True))
    assert forward == pytest.approx(got, rel=1e-9)


# -------------------------------------------------------- degenerate matrices


def test_eigenvalues_alone_are_right_when_repeated():
    d = np.diag([1.0, 1.0, 2.0])
    w, v = np.linalg.eigh(d)
    bar = lookup(np.linalg.eigh).fn((w, v), (3 * w**2, 0.0), d)
    np.testing.assert_allclose(bar, 3 * d @ d, atol=1e-14)
    bar = lookup(np.linalg.svd).fn(
        np.linalg.svd(np.eye(3)), (0.0, np.ones(3), 0.0), np.eye(3)
    )
    np.testing.assert_allclose(bar, np.eye(3), atol=1e-14)


@pytest.mark.parametrize("name", ["eigh", "eig", "svd"])
def test_vectors_of_a_repeated_value_are_refused(name):
    target = getattr(np.linalg, name)
    d = np.diag([2.0, 2.0, 1.0])
    y = target(d)
    y_bar = tuple(np.ones_like(part) for part in y)
    y_bar = (y_bar[0] * A, *y_bar[1:]) if name == "svd" else (y_bar[0], y_bar[1] * A)
    with pytest.raises(NonDifferentiableError, match="repeated"):
        lookup(target).fn(y, y_bar, d)


def test_a_result_that_depends_on_a_phase_is_refused():
    y = np.linalg.eigh(H)
    with pytest.raises(NonDifferentiableError, match="phase"):
        lookup(np.linalg.eigh).fn(y, (np.ones(3), WEIGHTS + 1j), H)


def test_vectors_that_complete_a_basis_are_refused():
    y = np.linalg.svd(TALL)
    with pytest.raises(NonDifferentiableError, match="complete"):
        lookup(np.linalg.svd).fn(y, (np.ones((4, 4)), np.ones(2), 0.0), TALL)


def test_float32_stays_float32():
    x = SPD.astype(np.float32)
    for name in ("eigh", "eig", "qr", "svd", "cholesky", "eigvalsh"):
        target = getattr(np.linalg, name)
        y = target(x)
        bar = lookup(target).fn(y, y, x)
        assert bar.dtype == np.float32, name
