"""Taylor coefficients: closed forms, mpmath to order 10, and the zoo to order 3."""

import math
import types
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special

import sourcegrad as sg
from sourcegrad.taylor_api import Taylor
from tests.oracle import dual_grad, dual_hessian_vector
from tests.oracle.trees import leaves
from tests.test_forward import CASES, direction, inner, wanted_of
from tests.test_zoo import run_or_xfail

ORDER = 10


# --------------------------------------------------- numbers, judged by mpmath


def elementary(x):
    return math.sin(x) * math.exp(x * x) / (1 + x**3)


def inverse(x):
    return math.tanh(math.log(1 + x)) * math.sqrt(x) + math.atan(x) + x**2.5


def arcs(x):
    return math.asin(x / 2) * math.acosh(1 + x) - math.acos(x / 3) + math.asinh(x)


def powers(x):
    return x**x + 2.0**x + (1 + x) ** -3 + x**0 + 1 / (x * x)


def looped(x):
    y = x
    for _ in range(5):
        if y > 0.7:
            y = math.cos(y) * y
        else:
            y = y + x * x
    return y


def erf_and_gamma(x):
    return math.erf(x) + math.log(math.gamma(1 + x) if x < 0 else 1 + x)


def in_a_callee(x):
    return recursive(x, 4) - math.hypot(x, 2.0)


def recursive(x, n):
    if n == 0:
        return math.cos(x)
    return x * recursive(math.sin(x), n - 1)


def in_mpmath(f: Any) -> Any:
    """The function with `math` replaced by mpmath."""
    space = dict(f.__globals__)
    names = {name: getattr(mpmath, name, None) for name in dir(math)}
    space["math"] = types.SimpleNamespace(**{k: v for k, v in names.items() if v})
    if "recursive" in f.__code__.co_names:
        space["recursive"] = types.FunctionType(recursive.__code__, space)
    return types.FunctionType(f.__code__, space)


@pytest.mark.parametrize(
    "f",
    [elementary, inverse, arcs, powers, looped, erf_and_gamma, in_a_callee],
    ids=lambda f: f.__name__,
)
def test_order_ten_of_numbers(f):
    with mpmath.workdps(60):
        right = mpmath.taylor(in_mpmath(f), mpmath.mpf(0.6), ORDER)
    found = sg.taylor(f, 0.6, 1.0, ORDER)
    assert found[0] == f(0.6)
    for got, expected in zip(found, right, strict=True):
        assert got == pytest.approx(float(expected), rel=1e-12, abs=1e-13)


def test_a_direction_scales_each_power():
    found = sg.taylor(math_exp, 0.3, 2.0, 6)
    right = [math.exp(0.3) * 2.0**k / math.factorial(k) for k in range(7)]
    np.testing.assert_allclose(found, right, rtol=1e-14)


def math_exp(x):
    return math.exp(x)


# ------------------------------------------------------- arrays, closed forms


def test_elements_of_arrays():
    x, v = np.array([0.2, 0.5]), np.array([1.0, -3.0])
    found = sg.taylor(lambda x: np.log1p(x), x, v, 5)
    assert found[0].tolist() == np.log1p(x).tolist()
    for k in range(1, 6):
        right = -((-v / (1 + x)) ** k) / k
        np.testing.assert_allclose(found[k], right, rtol=1e-13)


def test_special_functions():
    """The derivatives of erf are Hermite polynomials times a Gaussian."""
    x = np.array([0.3, -1.1])
    found = sg.taylor(lambda x: scipy.special.erf(x), x, np.ones(2), 8)
    for k in range(1, 9):
        hermite = np.polynomial.hermite.Hermite.basis(k - 1)(x)
        right = (-1) ** (k - 1) * 2 / np.sqrt(np.pi) * hermite * np.exp(-x * x)
        np.testing.assert_allclose(found[k], right / math.factorial(k), rtol=1e-10)


A = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, -0.4], [0.0, 0.6, 1.8]])
D = np.array([[0.1, -0.3, 0.2], [0.5, 0.2, 0.0], [-0.1, 0.4, 0.3]])


def test_linear_algebra_by_the_neumann_series():
    found = sg.taylor(lambda a: np.linalg.inv(a), A, D, 6)
    term = np.linalg.inv(A)
    for k in range(7):
        np.testing.assert_allclose(found[k], term, rtol=1e-10, atol=1e-13)
        term = -np.linalg.inv(A) @ D @ term
    b = np.array([1.0, 2.0, 3.0])
    found = sg.taylor(lambda a: np.linalg.solve(a, b), A, D, 6)
    term = np.linalg.solve(A, b)
    for k in range(7):
        np.testing.assert_allclose(found[k], term, rtol=1e-10, atol=1e-13)
        term = -np.linalg.solve(A, D @ term)


def test_the_determinant_is_a_polynomial():
    """Its rule branches, so nested forward mode takes the place of the series."""
    found = sg.taylor(lambda a: np.linalg.det(a), A, D, 3)
    t = np.arange(4.0)
    cubic = np.polyfit(t, [np.linalg.det(A + s * D) for s in t], 3)[::-1]
    np.testing.assert_allclose(found, cubic, rtol=1e-10)


def test_products_reductions_and_broadcasts():
    """Polynomials of degree at most 4 in t, recovered by interpolation."""
    x = np.array([[1.0, -0.5], [0.3, 2.0], [0.7, 0.1]])
    v = np.array([[0.5, 1.0], [-1.0, 0.2], [0.3, 0.4]])

    def f(x):
        y = x @ x.T + np.arange(3.0)
        z = np.einsum("ij,jk->ik", y, x) * x[0]
        w = np.concatenate([z, x * 2.0])[::2]
        return np.cumsum(w.sum(axis=1) + np.ones((2, 1)), axis=0).mean(axis=1)

    found = sg.taylor(f, x, v, 5)
    t = np.linspace(-1, 1, 9)
    fitted = np.polynomial.polynomial.polyfit(t, [f(x + s * v) for s in t], 5)
    np.testing.assert_allclose(found, fitted, atol=1e-11)


def test_stores_views_and_lists():
    def f(x):
        y = np.zeros(4)
        y[0] = x[0]
        for k in range(1, 4):
            y[k] = y[k - 1] * x[k % 2] + k
        y[1:] *= x[0]
        half = y[2:]
        half += x[1]
        items = []
        for value in y:
            items.append(value * x[1])
        return np.array(items) + y

    x, v = np.array([0.4, -1.2]), np.array([1.0, 0.5])
    found = sg.taylor(f, x, v, 6)
    t = np.linspace(-1, 1, 13)
    fitted = np.polynomial.polynomial.polyfit(t, [f(x + s * v) for s in t], 6)
    np.testing.assert_allclose(found, fitted, atol=1e-11)


def test_containers():
    def f(p):
        return {"y": p["a"] * p["b"], "pair": (p["a"] ** 2, p["n"])}

    found = sg.taylor(
        f, {"a": 2.0, "b": 3.0, "n": "s"}, {"a": 1.0, "b": -1.0, "n": None}, 3
    )
    assert [c["y"] for c in found] == [6.0, 1.0, -1.0, 0.0]
    assert [c["pair"][0] for c in found] == [4.0, 4.0, 1.0, 0.0]


def test_a_solution_of_an_equation():
    """No series passes through a solver: nested forward mode takes its place."""

    def root(a):
        solver = sg.implicit_root(lambda x: x * x - a, newton)
        return solver(1.0)

    found = sg.taylor(root, 2.0, 1.0, 3)
    right = [2**0.5, 0.5 * 2**-0.5, -(2**-1.5) / 8, 2**-2.5 / 16]
    np.testing.assert_allclose(found, right, rtol=1e-10)


def newton(residual, x):
    for _ in range(30):
        x = x - residual(x) / (2 * x)
    return x


# ------------------------------------------------------------------ the whole zoo


@pytest.mark.parametrize(("found", "k"), CASES)
def test_order_two_of_the_zoo(found, k):
    if found.name == "linear_algebra":
        pytest.skip("the rule of det branches, see test_the_determinant_…")
    wanted = wanted_of(found)
    args, rng = found.arguments()[k], np.random.default_rng(5)
    tangents: list[Any] = [None] * len(args)
    for n in wanted:
        tangents[n] = direction(args[n], rng)
    gradients = dual_grad(found.function, found.arguments()[k], wanted)
    pairs = list(zip(gradients, wanted, strict=True))
    slope = sum(inner(g, tangents[n]) for g, n in pairs)
    transform = Taylor(found.function, 2, wanted)
    dots = [tangents[n] for n in wanted]
    series = run_or_xfail(found, lambda: transform(*args, *dots))
    first, second = (list(leaves(c))[0] for c in series[1:])
    assert np.ravel(first)[0] == pytest.approx(slope, rel=1e-9, abs=1e-12)
    try:
        products = dual_hessian_vector(
            found.function, found.arguments()[k], dots, wanted
        )
    except (NotImplementedError, TypeError) as error:
        pytest.skip(f"no oracle of order two: {error}")
    pairs = list(zip(products, wanted, strict=True))
    curvature = sum(inner(h, tangents[n]) for h, n in pairs) / 2
    assert np.ravel(second)[0] == pytest.approx(curvature, rel=1e-8, abs=1e-11)


# ------------------------------------------------------------------------- nesting


def test_coefficients_inside_a_gradient():
    """The third coefficient of exp(a t) is a^3 / 6."""

    def third(a):
        return sg.taylor(lambda t: math.exp(a * t), 0.0, 1.0, 3)[3]

    assert third(2.0) == pytest.approx(8 / 6, rel=1e-14)
    assert sg.grad(third)(2.0) == pytest.approx(2.0, rel=1e-13)
    assert sg.grad(sg.grad(third))(2.0) == pytest.approx(2.0, rel=1e-13)


def test_a_taylor_step_of_an_equation_of_motion():
    """One step of order 4 for a pendulum, against the series by hand."""

    def acceleration_series(q, v):
        return sg.taylor(lambda q: -np.sin(q), q, v, 2)

    c0, c1, c2 = acceleration_series(np.array([0.5]), np.array([0.3]))
    np.testing.assert_allclose(c0, -np.sin(0.5))
    np.testing.assert_allclose(c1, -np.cos(0.5) * 0.3)
    np.testing.assert_allclose(c2, np.sin(0.5) * 0.045)


# -------------------------------------------------------------------------- edges


def test_defaults_and_bound_methods():
    class Power:
        n = 3

        def of(self, x, scale=2.0):
            return scale * x**self.n

    assert sg.taylor(Power().of, 1.0, 1.0, 3) == [2.0, 6.0, 6.0, 2.0]


def test_orders_zero_and_one():
    assert sg.taylor(lambda x: x * x, 3.0, 1.0, 0) == [9.0]
    assert sg.taylor(lambda x: x * x, 3.0, 2.0, 1) == [9.0, 12.0]


def test_what_does_not_fit_is_an_error():
    with pytest.raises(ValueError, match="the order must be a number"):
        sg.taylor(lambda x: x, 1.0, 1.0, -1)
    with pytest.raises(ValueError, match="the direction has shape"):
        sg.taylor(lambda x: x, 1.0, np.ones(2), 2)


def test_the_work_grows_with_the_square_of_the_order():
    def lines(order: int) -> int:
        text = Taylor(elementary, order).source(0.6)
        return text.count("*")

    assert lines(16) < 5 * lines(8)
    assert "power series of" in Taylor(elementary, 2).source(0.6)


def test_a_rule_that_grows_a_list():
    found = sg.taylor(lambda x: np.sum(np.cumprod(x)), np.ones(3), np.ones(3), 3)
    # (1 + t) + (1 + t)^2 + (1 + t)^3
    np.testing.assert_allclose(found, [3.0, 6.0, 4.0, 1.0], rtol=1e-12)
