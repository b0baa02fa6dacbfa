"""Derivatives of solutions of equations, against closed forms and differences."""

import math

import numpy as np
import pytest
import scipy
from scipy import optimize

import sourcegrad as sg

A = 2.0
SLOPE, SECOND, THIRD = 0.5 / math.sqrt(A), -0.25 * A**-1.5, 0.375 * A**-2.5


def square(x, a):
    return x * x - a


def newton(residual, x):
    return optimize.newton(residual, x, tol=1e-15)


def powell(residual, x):
    return optimize.root(residual, x, tol=1e-14)


ROOT = sg.implicit_root(square, newton)


# Each is the square root of its argument.


def by_object(a):
    return ROOT(1.0, a)


def by_lambda(a):
    return sg.implicit_root(lambda x: x * x - a, newton)(1.0)


def by_inner_function(a):
    def residual(x):
        square = x * x
        return square - a

    return sg.implicit_root(residual, newton)(1.0)


def by_inner_that_calls_another(a):
    def squared(y):
        return y * y

    def residual(x):
        return squared(x) - a

    return sg.implicit_root(residual, newton)(1.0)


def by_fixed_point(a):
    def solver(step, x):
        for _ in range(60):
            x = step(x)
        return x

    return sg.implicit_fixed_point(lambda x: (x + a / x) / 2, solver)(1.0)


def by_brentq(a):
    return optimize.brentq(square, 0, 10, args=(a,), xtol=1e-15)


def by_bisect(a):
    return scipy.optimize.bisect(square, 0, 10, (a,), xtol=1e-15)


def by_ridder(a):
    return optimize.ridder(lambda x: x * x - a, 0.0, 10.0, xtol=1e-15)


def by_toms748(a):
    root, found = optimize.toms748(lambda x: x * x - a, 0.0, 10.0, full_output=True)
    return root if found.converged else 0.0


def by_newton(a):
    return optimize.newton(lambda x: x * x - a, 1.0, fprime=lambda x: 2 * x)


def by_newton_of_an_array(a):
    scale = np.array([1.0, 4.0])
    return optimize.newton(square, np.ones(2), args=(a * scale,), tol=1e-15)[1] / 2


def by_root_scalar(a):
    return optimize.root_scalar(lambda x: x * x - a, bracket=(0, 10)).root


def by_root(a):
    found = optimize.root(lambda x: [x[0] * x[0] - a, x[1] - x[0]], np.ones(2))
    return found.x[1] if found.success else 0.0


def by_fsolve(a):
    return optimize.fsolve(square, 1.0, args=a)[0]


def by_scipy_fixed_point(a):
    return optimize.fixed_point(lambda x: (x + a / x) / 2, 1.0, xtol=1e-15)


def by_minimize(a):
    def cost(x):
        return np.sum((x * x - a) ** 2)

    return optimize.minimize(cost, [1.3], jac=sg.grad(cost), tol=1e-13).x[0]


def by_value_and_grad(a):
    def cost(x):
        return np.sum((x * x - a) ** 2)

    return optimize.minimize(sg.value_and_grad(cost), [1.3], jac=True, tol=1e-13).x[0]


def by_minimize_scalar(a):
    found = optimize.minimize_scalar(lambda x: x**3 / 3 - a * x, (1.0, 1.5), tol=1e-14)
    return found.x


def by_least_squares(a):
    found = optimize.least_squares(
        lambda x, a: x * x - a, 1.3, args=(a,), xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    return found.x[0]


def by_leastsq(a):
    return optimize.leastsq(lambda x: x * x - a, 1.3, ftol=1e-15, xtol=1e-15)[0][0]


SQUARE_ROOTS = [f for name, f in list(globals().items()) if name.startswith("by_")]
# What these find is right to the square root of the precision.
COARSE = {by_minimize_scalar}


@pytest.mark.parametrize("f", SQUARE_ROOTS, ids=lambda f: f.__name__)
def test_first_and_second_order_in_both_modes(f):
    near = {"rel": 1e-6 if f in COARSE else 1e-11}
    value, slope = sg.value_and_grad(f)(A)
    assert value == f(A)
    assert slope == pytest.approx(SLOPE, **near)
    y, y_dot = sg.jvp(f, (A,), (2.0,))
    assert y == f(A)
    assert y_dot == pytest.approx(2 * SLOPE, **near)
    assert sg.grad(sg.grad(f))(A) == pytest.approx(SECOND, **near)
    along = sg.hvp(lambda v: f(v[0]))(np.array([A]), np.ones(1))
    assert along[0] == pytest.approx(SECOND, **near)


@pytest.mark.parametrize("f", [by_object, by_lambda, by_inner_function, by_brentq])
def test_third_order(f):
    assert sg.grad(sg.grad(sg.grad(f)))(A) == pytest.approx(THIRD, rel=1e-10)


def test_the_function_itself_is_differentiated():
    assert sg.grad(ROOT, 1)(1.0, A) == pytest.approx(SLOPE, rel=1e-12)
    assert sg.jvp(ROOT, (1.0, A), (None, 1.0))[1] == pytest.approx(SLOPE, rel=1e-12)


def test_the_start_has_no_derivative():
    with pytest.warns(sg.UnreachedInputWarning):
        assert sg.grad(lambda x0: ROOT(x0, A))(1.0) == 0.0


# ------------------------------------------------------------------------- systems

B = np.array([[1.0, 0.2, 0.1], [0.3, 1.5, 0.2], [0.1, 0.1, 2.0]])
RIGHT = np.array([1.0, 2.0, 3.0])
KINETICS = sg.implicit_root(lambda x, a, B: B @ np.tanh(x) + x**3 - a, powell)


def energy(a, B):
    return np.sum(KINETICS(np.ones(3), a, B) ** 2)


def test_vectors_by_the_implicit_function_theorem():
    x = KINETICS(np.ones(3), RIGHT, B)
    slope = B * (1 - np.tanh(x) ** 2) + np.diag(3 * x**2)
    weights = np.linalg.solve(slope.T, 2 * x)
    a_bar, b_bar = sg.grad(energy, (0, 1))(RIGHT, B)
    np.testing.assert_allclose(a_bar, weights, rtol=1e-12)
    np.testing.assert_allclose(b_bar, -np.outer(weights, np.tanh(x)), rtol=1e-12)


def test_vectors_by_differences():
    sg.check_grad(energy, (RIGHT, B), (0, 1))
    sg.check_grad(energy, (RIGHT, B), 0, order=2)


def test_matrices_as_unknowns():
    """The square root of a matrix; its derivative solves a Sylvester equation."""

    def root_of(a):
        return sg.implicit_root(lambda x: x @ x - a, powell_of_matrices)(np.eye(2))

    a = np.array([[4.0, 1.0], [0.5, 3.0]])
    direction = np.array([[0.3, -1.0], [2.0, 0.4]])
    x, x_dot = sg.jvp(root_of, (a,), (direction,))
    right = scipy.linalg.solve_sylvester(x, x, direction)
    np.testing.assert_allclose(x_dot, right, rtol=1e-10)
    seed = np.array([[1.0, -0.2], [0.7, 0.1]])
    _, pullback = sg.vjp(root_of, a)
    np.testing.assert_allclose(
        np.sum(pullback(seed)[0] * direction), np.sum(seed * right), rtol=1e-10
    )


def powell_of_matrices(residual, x0):
    def flat(v):
        return np.ravel(residual(np.reshape(v, x0.shape)))

    return np.reshape(optimize.root(flat, x0.ravel(), tol=1e-14).x, x0.shape)


def test_fixed_points_of_vectors():
    step = sg.implicit_fixed_point(
        lambda x, a: 0.3 * np.cos(x * a),
        lambda f, x: optimize.fixed_point(f, x, xtol=1e-15),
    )

    def f(a):
        return np.sum(step(np.zeros(2), a) ** 2)

    sg.check_grad(f, (np.array([0.7, 1.2]),))
    sg.check_grad(f, (np.array([0.7, 1.2]),), order=2)


# -------------------------------------------------------- in programs of all kinds


def test_in_loops_branches_and_callees():
    def cube_root(a, start):
        return optimize.newton(lambda x: x**3 - a, start, tol=1e-15)

    def f(p):
        total, x = 0.0, 1.0
        for k in range(1, 4):
            x = cube_root(p[0] * k + x, 1.0) if k != 2 else ROOT(1.0, p[1] + x)
            total = total + p[1] * x
        return total

    sg.check_grad(f, (np.array([1.3, 0.7]),))
    sg.check_grad(f, (np.array([1.3, 0.7]),), order=2)


def test_containers_as_operands():
    def f(p):
        def residual(x, model, table):
            return model[0] * x**3 + table["k"] * x - model[1]

        return optimize.brentq(residual, 0, 5, args=((p["a"], 2.0), {"k": p["b"]}))

    found = sg.grad(f)({"a": 1.0, "b": 1.0})
    # At the root x = 1 the slope is 3 a + b = 4.
    assert found["a"] == pytest.approx(-0.25, rel=1e-9)
    assert found["b"] == pytest.approx(-0.25, rel=1e-9)


def test_a_root_of_a_gradient_inside_a_gradient():
    """The lowest point of x^4 / 4 - a x, found as a root; its cube is a."""

    def lowest(a):
        slope = sg.grad(lambda x: x**4 / 4 - a * x)
        return sg.implicit_root(slope, newton)(1.0)

    assert sg.grad(lowest)(8.0) == pytest.approx(1 / 12, rel=1e-10)


def test_what_the_solver_returns_beside_the_root():
    def f(a):
        found = optimize.minimize(lambda x: np.sum((x - a) ** 2) + a**3, np.zeros(2))
        return found.fun + 0.0 * found.nfev, found

    value, found = f(A)
    assert sg.grad(lambda a: f(a)[0])(A) == pytest.approx(3 * A**2, rel=1e-6)

    def misfit(a):
        found = optimize.least_squares(
            lambda x: np.array([x[0] - a, x[0] + a, 2 * a]), np.zeros(1)
        )
        return found.cost + np.sum(found.fun**2)

    # At x = 0 the squares are a^2, a^2 and 4 a^2; cost is half of their sum.
    assert sg.grad(misfit)(A) == pytest.approx(2 * 9 * A, rel=1e-6)


def test_minima_on_their_bounds_do_not_move():
    def f(a):
        found = optimize.minimize(
            lambda x: np.sum((x - a) ** 2) + x[0] * x[1],
            np.array([0.5, 0.5, 0.5]),
            bounds=[(0, None), (0, 1), (None, None)],
        )
        return found.x

    a = np.array([2.0, 0.5, -1.0])
    # x[1] is on its bound 0; x[0] = a[0] and x[2] = a[2].
    right = np.diag([1.0, 0.0, 1.0])
    np.testing.assert_allclose(f(a), [2.0, 0.0, -1.0], atol=1e-6)
    np.testing.assert_allclose(sg.jacobian(f)(a), right, atol=1e-9)
    np.testing.assert_allclose(sg.jacobian(f, mode="forward")(a), right, atol=1e-9)

    def bounded(a):
        return optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(0, 1)).x

    assert sg.grad(bounded)(0.3) == pytest.approx(1.0)


def test_the_text_calls_the_solver_as_the_program_does():
    text = sg.grad(by_brentq).source(A)
    assert "x = optimize.brentq(square, 0, 10, args=(a,), xtol=1e-15)" in text
    text = sg.grad(by_inner_function).source(A)
    assert "def residual(x):" in text
    assert "implicit_root(residual, newton)(1.0)" in text
    assert "from sourcegrad import implicit_root\n" in text


def test_names_of_the_function_do_not_hide_what_it_captures():
    def f(y):
        a = y
        y = 2.0 * y
        return optimize.brentq(lambda y: y**3 - a, 0.0, 5.0) * y

    sg.check_grad(f, (1.7,))


# ------------------------------------------------------------------------ refusals


def test_roots_that_are_not_isolated():
    def double(a):
        return sg.implicit_root(lambda x: (x - a) ** 2, lambda f, x: x)(A)

    with pytest.raises(np.linalg.LinAlgError, match="not isolated"):
        sg.grad(double)(A)
    with pytest.raises(np.linalg.LinAlgError, match="not isolated"):
        sg.jvp(double, (A,), (1.0,))


def linear_program(c):
    return optimize.linprog([c, 1.0]).x[0]


def fitted(a):
    return optimize.curve_fit(lambda t, k: a * k * t, [1.0, 2.0], [2.0, 4.0])[0][0]


def constrained(a):
    limit = {"type": "ineq", "fun": lambda x: x[0]}
    return optimize.minimize(lambda x: (x[0] - a) ** 2, [0.0], constraints=limit).x[0]


def inverse_hessian(a):
    return optimize.minimize(lambda x: a * x[0] ** 2, [1.0]).hess_inv[0, 0]


@pytest.mark.parametrize(
    ("f", "what"),
    [
        (linear_program, "linprog"),
        (fitted, "curve_fit"),
        (constrained, "constraints"),
        (inverse_hessian, "hess_inv"),
    ],
)
def test_refused_by_name(f, what):
    with pytest.raises(sg.SourcegradError, match=what):
        sg.grad(f)(A)


def test_complex_unknowns_are_refused():
    def f(a):
        return abs(sg.implicit_root(lambda x: x * x - a, newton)(1.0 + 1.0j))

    with pytest.raises(sg.NonDifferentiableError, match="complex unknown"):
        sg.grad(f)(A)
