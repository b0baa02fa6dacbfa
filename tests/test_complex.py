"""Complex numbers: the conventions of JAX, and where it asks for holomorphic=True."""

from __future__ import annotations

import cmath
import pickle
import textwrap

import numpy as np
import pytest
from numpy.testing import assert_allclose

import sourcegrad as sg
from sourcegrad import NonDifferentiableError
from sourcegrad.loader.load import load

Z = np.array([0.3 + 0.7j, -1.1 + 0.2j, 0.5 - 0.4j])
W = np.array([1.2 - 0.3j, 0.1 + 0.9j, -0.6 + 0.5j])
X = np.array([0.4, 1.3, -0.7])

REAL_VALUED = [
    "np.sum(np.abs(z)**2)", "np.sum(np.real(z * z))", "np.linalg.norm(z)",
    "np.sum(np.imag(z) * np.real(z))", "np.sum(np.abs(np.sin(z)))",
    "np.sum((z * np.conj(z)).real)", "np.real(np.vdot(z, z))", "np.sum(np.angle(z))",
    "np.sum(np.abs(np.fft.fft(z))**2)", "np.real(np.sum(np.exp(z) * np.log(z)))",
    "np.real(z @ z)", "np.sum(z.real**2 + z.imag**3)", "np.sum(np.abs(np.sqrt(z)))",
    "np.sum(np.real(z**3 / (1 + z)))", "np.abs(np.prod(z))", "np.var(z)",
    "np.sum(np.real(np.where(np.real(z) > 0, z, z * z)))", "np.std(z)",
    "np.real(np.cumsum(z)[-1] * z[0])", "np.real(np.outer(z, z)).sum()",
    "np.real(np.einsum('i,i->', z, np.conj(z)))", "np.real(z[0]**z[1])",
    "np.sum(np.hypot(z.real, z.imag))",
    "np.real(np.linalg.det(np.outer(z, np.conj(z)) + np.eye(3)))",
    "np.real(np.linalg.solve(np.outer(z, z) + np.eye(3), z)).sum()",
]  # fmt: skip
COMPLEX_VALUED = [
    "np.sin(z) * z", "np.exp(z) / z", "np.conj(z) * z", "np.fft.fft(z)", "z**3",
    "np.real(z) * z", "np.abs(z) * z", "z[::-1] * 1j", "np.cumsum(z)", "np.log(z)",
    "z * np.imag(z)", "np.outer(z, z)", "np.imag(z) + z", "np.angle(z) * z",
    "np.concatenate([z, np.conj(z)])", "np.exp(1j * np.real(z))", "1j * np.abs(z)",
]  # fmt: skip
OF_REAL = [
    "np.sum(np.abs(np.exp(1j * z) + z)**2)", "np.sum(np.abs(np.fft.fft(z))**2)",
    "np.real(np.sum(z * (1 + 2j) * z))", "np.sum(np.real(np.sqrt(z + 0j)))",
    "np.imag(np.prod(z + 1j))", "np.sum(np.fft.ifft(np.fft.fft(z)**2).real)",
]  # fmt: skip


def with_module(body, module):
    """A function of `z` whose `np` is NumPy, or JAX's."""
    text = textwrap.dedent(f"def f(z):\n    return {body}\n")
    return load(text, f"<complex {body} {module.__name__}>", {"np": module})["f"]


@pytest.fixture(scope="module")
def jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


def agree(found, expected):
    expected = np.asarray(expected)
    assert np.asarray(found).dtype == expected.dtype
    assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("body", REAL_VALUED)
def test_real_function_of_complex_numbers(body, jax):
    ours, theirs = with_module(body, np), with_module(body, jax.numpy)
    agree(sg.grad(ours)(Z), jax.grad(theirs)(Z))
    agree(sg.jvp(ours, (Z,), (W,))[1], jax.jvp(theirs, (Z,), (W,))[1])
    seed = jax.numpy.asarray(1.0)
    agree(sg.vjp(ours, Z)[1](1.0)[0], jax.vjp(theirs, Z)[1](seed)[0])
    agree(sg.jacobian(ours, mode="reverse")(Z), jax.jacrev(theirs)(Z))


@pytest.mark.parametrize("body", COMPLEX_VALUED)
def test_complex_function_of_complex_numbers(body, jax):
    ours, theirs = with_module(body, np), with_module(body, jax.numpy)
    y, push = sg.jvp(ours, (Z,), (W,))
    agree(push, jax.jvp(theirs, (Z,), (W,))[1])
    rng = np.random.default_rng(3)
    y_bar = rng.normal(size=y.shape) + 1j * rng.normal(size=y.shape)
    agree(sg.vjp(ours, Z)[1](y_bar)[0], jax.vjp(theirs, Z)[1](y_bar)[0])


@pytest.mark.parametrize("body", OF_REAL)
def test_complex_numbers_on_the_way(body, jax):
    ours, theirs = with_module(body, np), with_module(body, jax.numpy)
    agree(sg.grad(ours)(X), jax.grad(theirs)(X))


def test_second_order_along_a_direction(jax):
    body = "np.sum(np.abs(z)**4)"
    theirs = jax.grad(with_module(body, jax.numpy))
    agree(sg.hvp(with_module(body, np))(Z, W), jax.jvp(theirs, (Z,), (W,))[1])


def buffer_of_parts(x):
    z = np.zeros(2, complex)
    z[0] = x[0]
    z[1] = 1j * x[1] ** 2
    return np.sum(z.imag * 2) + np.sum(np.real(-1j * z)) + np.sum(np.abs(z) ** 3)


def imaginary_part_stored(x):
    z = np.zeros(3, complex)
    z.imag = x**2
    return np.sum(z.imag * x)


def root_and_itself(x):
    return np.sum(np.abs(np.emath.sqrt(x) + x) ** 2)


def roots_cubed(x):
    return np.sum(np.real(np.roots(x) ** 3))


def roots_by_a_polynomial(x):
    y = np.emath.sqrt(x)
    return np.sum(np.real(np.dot(1 / np.polyval(x, y), np.vander(y, 4))))


def eigenvalues_moved(x):
    m = np.outer(x, x[::-1]) + np.diag(x)
    return np.sum(np.abs(np.linalg.eigvals(m) + 1) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        buffer_of_parts,
        imaginary_part_stored,
        root_and_itself,
        roots_cubed,
        roots_by_a_polynomial,
        eigenvalues_moved,
    ],
)
def test_complex_numbers_that_only_the_run_knows(f):
    x, v = np.array([0.7, -1.6, 2.1]), np.array([0.3, 0.5, -0.4])
    h = 1e-5
    slope = (f(x + h * v) - f(x - h * v)) / (2 * h)
    gradient = sg.grad(f)
    assert np.sum(gradient(x) * v) == pytest.approx(slope, rel=1e-7)
    assert sg.jvp(f, (x,), (v,))[1] == pytest.approx(slope, rel=1e-7)
    bend = (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)
    assert_allclose(sg.hvp(f)(x, v), bend, rtol=1e-6, atol=1e-6)
    assert_allclose(sg.vjp(gradient, x)[1](v)[0], bend, rtol=1e-6, atol=1e-6)


def test_a_real_part_that_a_buffer_of_complex_numbers_starts_with(jax):
    def program(z):
        z = z.copy()
        w = z.conj()
        w[0] = 3j * z[1]
        return np.sum(w.imag**2 * z.real)

    def theirs(z):
        w = jax.numpy.conj(z).at[0].set(3j * z[1])
        return jax.numpy.sum(w.imag**2 * z.real)

    agree(sg.grad(program)(Z), jax.grad(theirs)(Z))


def test_real_if_close_is_real_where_its_result_is(jax):
    def power(z):
        return np.sum(np.abs(np.real_if_close(z)) ** 2)

    agree(sg.grad(power)(Z), jax.grad(lambda z: jax.numpy.sum(abs(z) ** 2))(Z))
    agree(sg.grad(lambda x: power(x + 0j))(X), 2 * X)


# ----------------------------------------------------------------- holomorphic


def cubic(z):
    return z**3 + 2j * z


def total(z):
    return np.sum(z**3)


def test_gradient_of_a_holomorphic_function():
    z = 0.3 + 0.7j
    expected = 3 * z**2 + 2j
    assert sg.grad(cubic, holomorphic=True)(z) == pytest.approx(expected, rel=1e-14)
    y, slope = sg.value_and_grad(cubic, holomorphic=True)(z)
    assert (y, slope) == (cubic(z), pytest.approx(expected, rel=1e-14))
    assert_allclose(sg.grad(total, holomorphic=True)(Z), 3 * Z**2)
    twice = sg.grad(sg.grad(cubic, holomorphic=True), holomorphic=True)
    assert twice(z) == pytest.approx(6 * z, rel=1e-14)


def test_matrices_of_a_holomorphic_function():
    for mode in ("auto", "forward", "reverse"):
        found = sg.jacobian(cubic, mode=mode, holomorphic=True)(Z)
        assert_allclose(found, np.diag(3 * Z**2 + 2j))
    found = sg.hessian(total, holomorphic=True)(Z)
    assert_allclose(found, np.diag(6 * Z))


def test_holomorphic_transforms_pickle():
    again = pickle.loads(pickle.dumps(sg.grad(cubic, holomorphic=True)))
    assert again(1j) == pytest.approx(-3 + 2j)


def test_complex_results_are_refused_otherwise():
    with pytest.raises(NonDifferentiableError, match="the result is complex") as caught:
        sg.grad(lambda z: z * np.conj(z))(0.3 + 0.7j)
    assert "holomorphic=True" in str(caught.value)
    with pytest.raises(NonDifferentiableError, match="the result is complex"):
        sg.grad(lambda x: x * 1j)(1.0)


def test_a_complex_result_of_unknown_kind_is_refused_at_run_time():
    parts = {"z": 1j, "x": 1.0}

    def scaled(x, name):
        return x * parts[name]

    assert sg.grad(scaled)(2.0, "x") == 1.0
    with pytest.raises(TypeError, match="the result is complex"):
        sg.grad(scaled)(2.0, "z")


def test_holomorphic_needs_complex_numbers_at_both_ends():
    with pytest.raises(NonDifferentiableError, match="'z' is real"):
        sg.grad(cubic, holomorphic=True)(1.0)
    with pytest.raises(NonDifferentiableError, match="the result is real"):
        sg.grad(lambda z: np.abs(z), holomorphic=True)(1j)


def test_jacobians_of_complex_arguments():
    with pytest.raises(NonDifferentiableError, match="complex argument"):
        sg.jacobian(cubic)(Z)
    with pytest.raises(NonDifferentiableError, match="complex argument"):
        sg.jacobian(lambda z: np.abs(z), mode="forward")(Z)
    with pytest.raises(NonDifferentiableError, match="complex argument"):
        sg.hessian(lambda z: np.sum(np.abs(z) ** 2))(Z)
    # |z| moves by real(conj(z) dz) / |z|
    expected = np.diag(np.conj(Z) / np.abs(Z))
    assert_allclose(sg.jacobian(lambda z: np.abs(z))(Z), expected)


def test_complex_jacobian_of_a_real_argument():
    for mode in ("auto", "forward", "reverse"):
        found = sg.jacobian(lambda x: np.exp(1j * x), mode=mode)(X)
        assert_allclose(found, np.diag(1j * np.exp(1j * X)))


def test_complex_numbers_in_optimisation():
    """Gradient descent goes along the conjugate, as in JAX."""
    target = np.array([1.0 + 2.0j, -0.5j])
    z = np.zeros(2, complex)
    for _ in range(50):
        z = z - 0.25 * np.conj(sg.grad(lambda z: np.sum(np.abs(z - target) ** 2))(z))
    assert_allclose(z, target, atol=1e-12)


def test_real_values_among_complex_ones_of_a_loop_have_real_cotangents():
    def f(u, p):
        x = np.real(u)
        y = 0.0 * x
        for i in range(len(p)):
            y = y * x + p[i]
        return np.sum(np.abs(y) ** 2)

    u = np.array([0.3 + 0.2j, -0.5 + 1.0j])
    p = np.array([1.0 + 2.0j, 0.3 - 1.0j, 0.5j])
    got = sg.grad(f)(u, p)
    h, basis = 1e-5, np.eye(2)
    want = [(f(u + h * e, p) - f(u - h * e, p)) / (2.0 * h) for e in basis]
    np.testing.assert_allclose(got, np.array(want) + 0j, rtol=1e-8)


def test_coefficients_may_be_complex_where_the_point_is_real():
    p, x = np.array([1.0 + 2.0j, 0.3 - 1.0j, 0.5j]), np.array([0.3, 0.5])
    _, pullback = sg.vjp(np.polyval, p, x)
    g = np.array([1.0, 2.0j])
    slope = np.polyval(np.polyder(p), x)
    np.testing.assert_allclose(pullback(g)[1], np.real(g * slope), rtol=1e-12)


@pytest.mark.parametrize("f", [np.angle, cmath.phase, lambda z: cmath.polar(z)[1]])
def test_the_angle_of_zero_has_no_slope(f):
    for found in (
        sg.grad(lambda z: f(z))(0j),
        sg.grad(lambda x: f(x * (1 + 1j)))(0.0),
        sg.vjp(lambda z: f(z), 0j)[1](1.0)[0],
        sg.jvp(lambda z: f(z), (0j,), (1.0 + 0.5j,))[1],
    ):
        assert not np.isfinite(found)
    assert sg.grad(lambda z: f(z))(1.0 + 1.0j) == pytest.approx(-0.5 - 0.5j)
    assert sg.grad(lambda z: f(z), backend="numba")(1.0 + 1.0j) == -0.5 - 0.5j


def test_angles_of_zeros_that_are_masked():
    z, dot = np.array([0j, 1.0 + 1.0j]), np.ones(2) + 0j

    def f(z):
        return np.sum(np.where(abs(z) > 0.0, np.angle(z), 0.0))

    assert sg.grad(f)(z).tolist() == [0.0, -0.5 - 0.5j]
    assert sg.jvp(f, (z,), (dot,))[1] == pytest.approx(-0.5)
