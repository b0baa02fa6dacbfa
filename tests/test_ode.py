"""Derivatives of solutions of differential equations, against closed forms, the
matrix exponential, and the same equations integrated with their sensitivities."""

import functools
import math

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
from scipy.integrate import odeint, solve_ivp

import sourcegrad as sg

precise = functools.partial(solve_ivp, rtol=1e-10, atol=1e-12)
METHODS = ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"]
# How well the steps of a method at these tolerances know a derivative.
NEAR = {"RK23": 1e-6, "BDF": 1e-6, "LSODA": 1e-7}


def decay(t, y, k):
    return -k * y


@pytest.mark.parametrize("method", METHODS)
def test_decay_by_rate_start_and_end(method):
    """y = y0 exp(-k t)."""
    rtol, atol = (1e-6, 1e-9) if method in ("RK23", "BDF") else (1e-10, 1e-12)

    def f(k, y0, t1):
        found = solve_ivp(
            lambda t, y: -k * y,
            (0.0, t1),
            np.array([y0]),
            method=method,
            rtol=rtol,
            atol=atol,
        )
        return found.y[0, -1]

    k, y0, t1 = 0.7, 2.0, 1.5
    e = math.exp(-k * t1)
    right = (-t1 * y0 * e, e, -k * y0 * e)
    near = {"rel": NEAR.get(method, 1e-8)} if method != "RK23" else {"rel": 1e-4}
    value, found = sg.value_and_grad(f, (0, 1, 2))(k, y0, t1)
    assert value == f(k, y0, t1)
    assert found == pytest.approx(right, **near)
    y, y_dot = sg.jvp(f, (k, y0, t1), (1.0, 2.0, -1.0))
    assert y == value
    assert y_dot == pytest.approx(right[0] + 2 * right[1] - right[2], **near)


A = np.array([[-0.5, 2.0, 0.0], [-2.0, -0.3, 0.4], [0.1, 0.0, -1.0]])
START = np.array([1.0, 0.5, -0.3])
TIMES = np.array([0.3, 0.9, 2.0])


def linear(a, y0):
    found = precise(lambda t, y: a @ y, (0, 2.0), y0, method="DOP853", t_eval=TIMES)
    return found.y


def test_linear_systems_by_the_matrix_exponential():
    direction = np.array([[0.1, 0.2, -0.3], [0.0, 0.4, 0.1], [0.2, -0.1, 0.3]])
    y, y_dot = sg.jvp(linear, (A, START), (direction, None))
    for k, t in enumerate(TIMES):
        whole, slope = scipy.linalg.expm_frechet(A * t, direction * t)
        np.testing.assert_allclose(y[:, k], whole @ START, rtol=1e-8)
        np.testing.assert_allclose(y_dot[:, k], slope @ START, rtol=1e-7, atol=1e-9)
    _, pullback = sg.vjp(linear, A, START)
    seed = np.arange(9.0).reshape(3, 3)
    a_bar, y0_bar = pullback(seed)
    assert np.sum(a_bar * direction) == pytest.approx(np.sum(seed * y_dot), rel=1e-9)
    right = sum(scipy.linalg.expm(A * t).T @ seed[:, k] for k, t in enumerate(TIMES))
    np.testing.assert_allclose(y0_bar, right, rtol=1e-8)


def pendulum(t, state, length, damping):
    angle, speed = state
    return [speed, -9.81 / length * np.sin(angle) - damping * speed]


def test_args_lists_and_second_order():
    def f(p):
        found = precise(
            pendulum, (0.0, 2.0), [0.5, 0.0], args=(p[0], p[1]), method="RK45"
        )
        return found.y[0, -1] + found.y[1, -1] ** 2

    p = np.array([1.2, 0.1])
    gradient = sg.grad(f)
    h = 1e-4
    for k in range(2):
        step = h * np.eye(2)[k]
        slope = (
            8 * (f(p + step) - f(p - step)) - f(p + 2 * step) + f(p - 2 * step)
        ) / (12 * h)
        assert gradient(p)[k] == pytest.approx(slope, rel=1e-6)
    bend = (gradient(p + [h, 0]) - gradient(p - [h, 0])) / (2 * h)
    found = sg.hvp(f)(p, np.array([1.0, 0.0]))
    np.testing.assert_allclose(found, bend, rtol=1e-5)


def test_sensitivities_of_a_nonlinear_system():
    """Lotka and Volterra, integrated together with its sensitivity equations."""

    def prey(t, y, rates):
        return np.array(
            [
                rates[0] * y[0] - rates[1] * y[0] * y[1],
                rates[2] * y[0] * y[1] - rates[3] * y[1],
            ]
        )

    def with_sensitivities(t, z, p):
        y, s = z[:2], z[2:].reshape(2, 4)
        jac = np.array([[p[0] - p[1] * y[1], -p[1] * y[0]],
                        [p[2] * y[1], p[2] * y[0] - p[3]]])  # fmt: skip
        by_p = np.array([[y[0], -y[0] * y[1], 0, 0], [0, 0, y[0] * y[1], -y[1]]])
        return np.concatenate([prey(t, y, p), (jac @ s + by_p).ravel()])

    def f(p):
        found = precise(prey, (0, 5), [1.0, 0.5], args=(p,), method="DOP853")
        return found.y[:, -1]

    p = np.array([1.1, 0.4, 0.3, 0.9])
    z0 = np.concatenate([[1.0, 0.5], np.zeros(8)])
    whole = precise(
        with_sensitivities,
        (0, 5),
        z0,
        args=(p,),
        method="LSODA",
    )
    right = whole.y[2:, -1].reshape(2, 4)
    np.testing.assert_allclose(sg.jacobian(f)(p), right, rtol=1e-6)
    np.testing.assert_allclose(sg.jacobian(f, mode="forward")(p), right, rtol=1e-6)


def test_times_of_output_and_backwards():
    def at(t):
        return precise(decay, (0.0, 3.0), [2.0], t_eval=t, args=(0.5,)).y[0]

    times = np.array([0.5, 1.0, 2.5])
    right = np.diag(-np.exp(-0.5 * times))
    np.testing.assert_allclose(sg.jacobian(at)(times), right, atol=1e-7)

    def back(k):
        found = precise(decay, (2.0, 0.0), [1.0], args=(k,))
        return found.y[0, -1]

    assert sg.grad(back)(0.5) == pytest.approx(2 * math.e, rel=1e-8)


def test_the_result_holds_times_and_facts():
    def f(k, t1):
        found = precise(decay, (0.0, t1), np.ones(1), args=(k,))
        assert found.success and found.nfev > 0
        return found.t[-1] * found.y[0, -1]

    e = math.exp(-1.0)
    found = sg.grad(f, (0, 1))(0.5, 2.0)
    assert found == pytest.approx((-4 * e, e - 0.5 * 2 * e), rel=1e-8)


def test_a_stiff_equation():
    """y' = -1000 k (y - cos t): the derivative by k, from the same with Radau."""

    def right(t, y, k):
        return -1000 * k * (y - np.cos(t))

    def f(k, method):
        def at_one(k):
            found = solve_ivp(
                right, (0, 1), [0.0], args=(k,), method=method, rtol=1e-8, atol=1e-10
            )
            return found.y[0, -1]

        return sg.grad(at_one)(k)

    # After the first layer, y = (K^2 cos t + K sin t) / (1 + K^2), K = 1000 k.
    def by_hand(k):
        K = 1000 * k
        return (K * K * np.cos(1) + K * np.sin(1)) / (1 + K * K)

    slope = np.imag(by_hand(1.0 + 1e-30j)) / 1e-30
    for method in ("Radau", "BDF"):
        assert f(1.0, method) == pytest.approx(slope, rel=1e-4), method


def test_odeint():
    times = np.linspace(0, 2, 5)

    def f(k, y0):
        return odeint(lambda y, t: -k * y, y0, times)[-1, 0]

    e = math.exp(-0.8 * 2)
    found = sg.grad(f, (0, 1))(0.8, 1.5)
    assert found == pytest.approx((-2 * 1.5 * e, e), rel=1e-6)

    def ordered(k):
        return scipy.integrate.odeint(decay, [1.5], times, args=(k,), tfirst=True)

    _, dots = sg.jvp(ordered, (0.8,), (1.0,))
    right = -times * 1.5 * np.exp(-0.8 * times)
    np.testing.assert_allclose(dots[:, 0], right, atol=1e-6)


def test_inside_loops_and_callees():
    def flown(y, k):
        return precise(lambda t, y: -k * y * y, (0, 0.5), y).y[:, -1]

    def f(k):
        y = np.array([1.0])
        for _ in range(3):
            y = flown(y, k) * 2
        return y[0]

    # y / (1 + k y / 2) at each step, times 2.
    def by_hand(k):
        y = 1.0 + 0j
        for _ in range(3):
            y = 2 * y / (1 + k * y * 0.5)
        return y

    slope = by_hand(0.7 + 1e-30j).imag / 1e-30
    assert sg.grad(f)(0.7) == pytest.approx(slope, rel=1e-8)


def test_the_text_calls_the_solver():
    def f(k):
        return solve_ivp(decay, (0.0, 1.0), [1.0], args=(k,)).y[0, -1]

    text = sg.grad(f).source(0.5)
    assert "from scipy.integrate import RK45, solve_ivp\n" in text
    assert "solve_ivp(decay, (0.0, 1.0), [1.0], args=(k,), dense_output=True)" in text


def test_refusals():
    def hit(t, y):
        return y[0] - 0.5

    def with_event(k):
        found = solve_ivp(lambda t, y: -k * y, (0, 5), [1.0], events=hit)
        return found.y[0, -1]

    def dense(k):
        found = solve_ivp(lambda t, y: -k * y, (0, 5), [1.0], dense_output=True)
        return found.sol(0.5)[0]

    with pytest.raises(sg.SourcegradError, match="events"):
        sg.grad(with_event)(1.0)
    with pytest.raises(sg.SourcegradError, match="sol"):
        sg.grad(dense)(1.0)
