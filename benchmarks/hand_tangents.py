"""Tangents, and tangents of adjoints, written by hand in plain NumPy."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rosenbrock(x: Array) -> float:
    """The sum of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rosenbrock_gradient(x: Array) -> Array:
    """Its gradient."""
    head, tail = x[:-1], x[1:]
    r_bar = 200.0 * (tail - head**2)
    x_bar = np.zeros_like(x)
    x_bar[1:] += r_bar
    x_bar[:-1] += -2.0 * r_bar * head - 2.0 * (1.0 - head)
    return x_bar


def rosenbrock_hvp(x: Array, x_dot: Array) -> Array:
    """The tangent of the gradient, each line beside the line it belongs to."""
    head, tail = x[:-1], x[1:]
    head_dot, tail_dot = x_dot[:-1], x_dot[1:]
    r_bar = 200.0 * (tail - head**2)
    r_bar_dot = 200.0 * (tail_dot - 2.0 * head * head_dot)
    x_bar_dot = np.zeros_like(x)
    x_bar_dot[1:] += r_bar_dot
    x_bar_dot[:-1] += -2.0 * (r_bar_dot * head + r_bar * head_dot) + 2.0 * head_dot
    return x_bar_dot


def newton(a: float, tolerance: float) -> float:
    """The square root of ``a`` by Newton's iteration, then a function of it."""
    x = a
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x * a


def newton_tangent(a: float, tolerance: float, a_dot: float) -> tuple[float, float]:
    """Its value and tangent."""
    x, x_dot = a, a_dot
    while abs(x * x - a) > tolerance:
        t = a / x
        t_dot = (a_dot - t * x_dot) / x
        x = 0.5 * (x + t)
        x_dot = 0.5 * (x_dot + t_dot)
    return x * a, x_dot * a + x * a_dot


def diffusion(x: Array, steps: int) -> Array:
    """Heat steps with a source that depends on the state, in place."""
    u = x.copy()
    for _ in range(steps):
        flow = u[2:] + u[:-2] - 2.0 * u[1:-1]
        u[1:-1] += 0.1 * flow + 0.01 * np.sin(u[1:-1])
    return u


def diffusion_tangent(x: Array, steps: int, x_dot: Array) -> tuple[Array, Array]:
    """Its value and tangent."""
    u, u_dot = x.copy(), x_dot.copy()
    for _ in range(steps):
        flow = u[2:] + u[:-2] - 2.0 * u[1:-1]
        flow_dot = u_dot[2:] + u_dot[:-2] - 2.0 * u_dot[1:-1]
        slope = np.cos(u[1:-1])
        u[1:-1] += 0.1 * flow + 0.01 * np.sin(u[1:-1])
        u_dot[1:-1] += 0.1 * flow_dot + 0.01 * slope * u_dot[1:-1]
    return u, u_dot


def mixture(x: Array, weights: Array) -> Array:
    """A vector function: a layer with a normalised output."""
    y = np.tanh(weights @ x)
    return y / np.sum(y * y)


def mixture_tangent(x: Array, weights: Array, x_dot: Array) -> tuple[Array, Array]:
    """Its value and tangent."""
    y = np.tanh(weights @ x)
    y_dot = (1.0 - y * y) * (weights @ x_dot)
    total = np.sum(y * y)
    z = y / total
    return z, (y_dot - z * (2.0 * np.sum(y * y_dot))) / total
