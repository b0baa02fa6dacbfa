"""Linear algebra of SciPy: systems, factorisations, functions of matrices."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad as sg
from sourcegrad import grad, hvp, jvp, vjp

pytest.importorskip("scipy")

from scipy import linalg

from tests.rules.scipy_check import agrees
from tests.rules.versions import SCIPY

X = np.array([1.3, 0.7, 2.1])
M = np.array([[2.0, 0.3, -0.4], [0.1, 1.5, 0.2], [0.5, -0.3, 1.8]])
N = np.array([[1.0, 0.1, 0.2], [0.05, 2.0, 0.1], [0.1, 0.2, 3.0]])
B = np.array([[0.3, 0.7, -0.4, 0.2], [3.0, 2.5, 3.5, 2.8], [0.4, -0.6, 0.9, 0.1]])

CASES = [
    (lambda a: linalg.solve(a, a[0], assume_a="sym"), M),
    (lambda a: linalg.solve(a @ a.T, a[0], lower=True, assume_a="pos"), M),
    (lambda a: linalg.solve(a, a[0], assume_a="her"), M),
    (lambda a: linalg.solve(a, a[0] ** 2, transposed=True), M),
    (lambda a: linalg.pinv(a[:, :2]) + linalg.pinvh(a @ a.T)[:2], M),
    (lambda a: linalg.solve_banded((1, 1), a, a[0]), B),
    (lambda a: linalg.solve_banded((1, 1), a, a[:2].T), B),
    (lambda a: linalg.solve_banded((2, 0), a[::-1] + 1.0, a[0]), B),
    (lambda a: linalg.solve_banded((0, 1), a[:2], a[1]), B),
    (lambda a: linalg.solveh_banded(a[:2], a[2]), B),
    (lambda a: linalg.solveh_banded(a[1:], a[0], lower=True), B),
    (lambda x: linalg.solve_toeplitz(x, x**2), X),
    (lambda x: linalg.solve_toeplitz((x, 0.5 * x**2), x), X),
    (lambda x: linalg.matmul_toeplitz((x, x**2), x), X),
    (lambda x: linalg.fiedler(x) ** 2, X),
    (lambda x: linalg.solve_circulant(x, x**2), X),
    (lambda a: linalg.lu(a)[1] + linalg.lu(a)[2], M),
    (lambda a: linalg.lu(a[::-1], permute_l=True)[0], M),
    (lambda a: linalg.lu_factor(a[::-1])[0], M),
    (lambda a: linalg.lu_solve(linalg.lu_factor(a[::-1]), a[0]), M),
    (lambda a: linalg.lu_solve(linalg.lu_factor(a[::-1]), a[0], trans=1), M),
    (lambda a: linalg.eigh(a + a.T, a @ a.T)[0], M),
    (lambda a: linalg.eigh(a + a.T, a @ a.T)[1] ** 2, M),
    (lambda a: linalg.eigh(a + a.T, a @ a.T, lower=False, eigvals_only=True), M),
    (lambda a: linalg.eigh(a, lower=False)[1] ** 2, M),
    (lambda a: linalg.eigvalsh(a), M),
    (lambda a: linalg.eigh_tridiagonal(a[0], a[1, :2], eigvals_only=True), M),
    (lambda a: linalg.eigvalsh_tridiagonal(a[0], a[1, :2]), M),
    (lambda a: np.real(linalg.eigvals(a)), M),
    (lambda a: np.real(linalg.eig(a)[0]), N),
    (lambda a: linalg.eig(a)[1] ** 2, N),
    (lambda a: linalg.svd(a, full_matrices=False)[0] ** 2, M),
    (lambda a: linalg.svd(a[:2], full_matrices=False)[2] ** 2, M),
    (lambda a: linalg.svd(a, compute_uv=False), M),
    (lambda a: linalg.qr(a)[0] ** 2, M),
    (lambda a: linalg.qr(a[:, :2], mode="economic")[1], M),
    (lambda a: linalg.polar(a)[0], M),
    (lambda a: linalg.polar(a)[1], M),
    (lambda a: linalg.polar(a, side="left")[0] * linalg.polar(a, "left")[1], M),
    (lambda a: linalg.expm(np.stack((a, a.T @ a))), 0.4 * M),
    (lambda a: np.real(linalg.fractional_matrix_power(a, 0.3 + a[0, 0])), M),
    (lambda a: linalg.cosm(a) + linalg.sinm(a), M),
    (lambda a: linalg.coshm(a) + linalg.sinhm(a), M),
    (lambda a: linalg.tanm(a) + linalg.tanhm(a), 0.3 * M),
    (lambda a: linalg.solve_continuous_lyapunov(a, a @ a.T), M),
    (lambda a: linalg.solve_discrete_lyapunov(0.3 * a, a @ a.T), M),
    (lambda a: linalg.block_diag(a, a[0], a[1:] ** 2), M),
    (lambda a: linalg.khatri_rao(a, a[:2] ** 2), M),
    (lambda x: linalg.convolution_matrix(x, 4), X),
    (lambda x: linalg.convolution_matrix(x, 4, "same"), X),
    (lambda x: linalg.convolution_matrix(x, 4, "valid"), X),
    (lambda x: linalg.companion(x) + linalg.leslie(x[:2], x[1:2]), X),
]
if SCIPY >= (1, 15):
    CASES += [
        (lambda a: linalg.solve(a, a.T, assume_a="diagonal"), M),
        (lambda a: linalg.solve(a, a[1], assume_a="upper triangular"), M),
        (lambda a: linalg.solve(a, a[1], assume_a="lower triangular"), M),
    ]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda c: "-".join(c[0].__code__.co_names[:3])
)
def test_orders_one_and_two(case):
    agrees(*case)


def test_the_equation_of_riccati():
    q = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]])

    def f(a):
        b = a[:, :2] ** 2
        r = q[:2, :2] + b.T @ b
        return 0.01 * linalg.solve_continuous_are(a, b, q + a @ a.T, r)

    agrees(f, M, rel=1e-5)


def test_vectors_of_repeated_values_are_refused():
    with pytest.raises(sg.SourcegradError, match="repeated"):
        sg.grad(lambda a: linalg.eigh(a)[1][0, 1])(np.eye(3))
    g = sg.grad(lambda a: np.sum(linalg.eigh(a)[0]))(np.eye(3))
    np.testing.assert_allclose(g, np.eye(3))


def test_a_complex_hermitian_pencil():
    a = M + 1j * M.T
    b = a @ np.conj(a.T) + np.eye(3)

    def f(t):
        h = t * a
        return linalg.eigh(h + np.conj(h.T), b + h @ np.conj(h.T))[0]

    agrees(lambda t: f(t[0]), np.array([0.7]))


def test_values_are_those_of_scipy():
    f = sg.value_and_grad(lambda a: linalg.eigh(a + a.T, a @ a.T)[1][0, 0])
    assert f(M)[0] == linalg.eigh(M + M.T, M @ M.T)[1][0, 0]
    f = sg.value_and_grad(lambda a: linalg.svd(a)[0][0, 0])
    assert f(M)[0] == linalg.svd(M)[0][0, 0]


@pytest.mark.parametrize(
    "f, text",
    [
        (lambda a: np.sum(linalg.null_space(a)), "null_space"),
        (lambda a: np.sum(linalg.schur(a)[0]), "schur"),
        (lambda a: np.sum(linalg.eigh(a, subset_by_index=[0, 1])[0]), "eigh"),
        (lambda a: np.sum(linalg.qr(a, pivoting=True)[0]), "qr"),
        (lambda a: np.sum(linalg.lu(a[:2])[1]), "square"),
    ],
)
def test_refused(f, text):
    with pytest.raises(sg.SourcegradError, match=text):
        sg.grad(f)(M)


TURNING = np.array([[1.0, 2.0, 0.3], [-2.0, 1.5, 0.2], [0.1, 0.4, 0.7]])


@pytest.mark.parametrize(
    "f",
    [
        lambda a: np.abs(np.linalg.eigvals(a)),
        lambda a: np.imag(np.linalg.eigvals(a)) ** 2,
        lambda a: np.abs(np.linalg.eig(a)[1]) ** 3,
        lambda a: np.abs(linalg.eigvals(a)),
        lambda a: np.abs(linalg.eig(a)[1]) ** 3,
        lambda a: np.abs(linalg.logm(a - 2.0 * np.eye(3))),
        lambda a: np.abs(linalg.sqrtm(a - 2.0 * np.eye(3))),
        lambda a: np.real(linalg.fractional_matrix_power(a - 2.0 * np.eye(3), 0.3)),
    ],
)
def test_whether_a_result_is_complex_depends_on_values(f):
    agrees(f, TURNING, order=1)


def test_a_definition_reads_the_value_of_the_function_itself():
    """A composite is not computed a second time for its own result."""
    for f, name in (
        (lambda a: linalg.solve(a, a[0]), "solve"),
        (lambda a: linalg.inv(a), "inv"),
        (lambda a: linalg.cholesky(a, lower=True), "cholesky"),
    ):
        text = sg.gradient_source(f, 0, 3.0 * np.eye(3), packaging="split")
        sweep = text[text.index("_forward(") : text.index("_reverse(")]
        assert sweep.count(f"{name}(") == 1, text


def test_the_value_may_be_written_to_afterwards():
    def f(a):
        y = linalg.inv(a)
        y *= 2.0
        y[0, 0] = 1.0
        return np.sum(y * y)

    a = np.array([[2.0, 0.3, -0.4], [0.1, 1.5, 0.2], [0.5, -0.3, 1.8]])
    agrees(f, a)


def along(f, a, direction, step=1e-6):
    """The slope of a real function along a direction, by central differences."""
    return (f(a + step * direction) - f(a - step * direction)) / (2.0 * step)


def positive(rng, dtype):
    half = rng.standard_normal((4, 4)).astype(dtype)
    if np.iscomplexobj(half):
        half = half + 1j * rng.standard_normal((4, 4))
    return half @ np.conj(half.T) + 4.0 * np.eye(4)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_cholesky_of_one_triangle(lower, dtype):
    rng = np.random.default_rng(8)
    a, weight = positive(rng, dtype), positive(rng, dtype)[::-1]
    direction = positive(rng, dtype)

    def f(a):
        return np.sum(np.abs(linalg.cholesky(a, lower=lower) + weight) ** 2)

    found = grad(f)(a)
    unread = np.triu(found, 1) if lower else np.tril(found, -1)
    assert not unread.any()
    # of a complex array the gradient is df/dx - i df/dy
    slope = np.real(np.sum(found * direction))
    assert_allclose(slope, along(f, a, direction), rtol=1e-7)
    assert_allclose(jvp(f, (a,), (direction,))[1], along(f, a, direction), rtol=1e-7)


def test_cholesky_twice():
    rng = np.random.default_rng(9)
    a, direction = positive(rng, np.float64), positive(rng, np.float64)

    def f(a):
        return np.sum(np.sin(linalg.cholesky(a)))

    found = hvp(f)(a, direction)
    expected = along(grad(f), a, direction)
    assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_det_of_matrices_near_and_at_singular_ones(dtype):
    rng = np.random.default_rng(10)
    plain = positive(rng, dtype).astype(dtype)
    plain[0] *= 3
    singular = plain.copy()
    singular[3] = singular[2]
    near = singular.copy()
    near[3, 0] += dtype(1e-5)
    for a in (plain, singular, near):
        # each cofactor from its minor, in the precision of a double
        minors = np.array(
            [
                [
                    (-1) ** (i + j)
                    * np.linalg.det(np.delete(np.delete(wide(a), i, 0), j, 1))
                    for j in range(4)
                ]
                for i in range(4)
            ]
        )
        _, pullback = vjp(lambda a: linalg.det(a), a)
        found = pullback(dtype(1.0))[0]
        assert found.dtype == dtype
        scale = np.max(np.abs(minors))
        close = 2e-5 if dtype is np.float32 else 1e-9
        assert_allclose(found / scale, minors / scale, atol=close)


def wide(a):
    return a.astype(np.result_type(a, np.float64))


def test_det_of_nearly_singular_matrices_warns_of_nothing():
    a = np.array([[1.0, 2.0], [2.0, 4.0 + 1e-13]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = grad(lambda a: linalg.det(a))(a)
    assert_allclose(found, [[a[1, 1], -2.0], [-2.0, 1.0]], rtol=1e-9)
