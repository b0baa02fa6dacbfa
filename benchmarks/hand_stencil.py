"""Array programs that write in place, and their adjoints, written by hand.

A linear stencil keeps nothing for the way back but its arrays' shapes.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def heat_swap(x: Array, rate: float, steps: int) -> float:
    """Explicit heat steps between two buffers that change places."""
    u = x.copy()
    v = x.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + rate * (
            u[2:, 1:-1]
            + u[:-2, 1:-1]
            + u[1:-1, 2:]
            + u[1:-1, :-2]
            - 4.0 * u[1:-1, 1:-1]
        )
        u, v = v, u
    return np.sum(u * u)


def heat_swap_gradient(x: Array, rate: float, steps: int) -> Array:
    """The derivative by the first state: two cotangents that change places."""
    u = x.copy()
    v = x.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + rate * (
            u[2:, 1:-1]
            + u[:-2, 1:-1]
            + u[1:-1, 2:]
            + u[1:-1, :-2]
            - 4.0 * u[1:-1, 1:-1]
        )
        u, v = v, u
    u_bar = 2.0 * u
    v_bar = np.zeros_like(v)
    for _ in range(steps):
        u_bar, v_bar = v_bar, u_bar
        g = v_bar[1:-1, 1:-1].copy()
        v_bar[1:-1, 1:-1] = 0.0
        flow = rate * g
        u_bar[2:, 1:-1] += flow
        u_bar[:-2, 1:-1] += flow
        u_bar[1:-1, 2:] += flow
        u_bar[1:-1, :-2] += flow
        u_bar[1:-1, 1:-1] += g - 4.0 * flow
    u_bar += v_bar
    return u_bar


def heat_in_place(x: Array, rate: float, steps: int) -> float:
    """The same steps as increments of one array."""
    u = x.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += rate * (
            u[2:, 1:-1]
            + u[:-2, 1:-1]
            + u[1:-1, 2:]
            + u[1:-1, :-2]
            - 4.0 * u[1:-1, 1:-1]
        )
    return np.sum(u * u)


def heat_in_place_gradient(x: Array, rate: float, steps: int) -> Array:
    """The derivative by the first state, as increments of one cotangent."""
    u = x.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += rate * (
            u[2:, 1:-1]
            + u[:-2, 1:-1]
            + u[1:-1, 2:]
            + u[1:-1, :-2]
            - 4.0 * u[1:-1, 1:-1]
        )
    u_bar = 2.0 * u
    for _ in range(steps):
        flow = rate * u_bar[1:-1, 1:-1]
        u_bar[2:, 1:-1] += flow
        u_bar[:-2, 1:-1] += flow
        u_bar[1:-1, 2:] += flow
        u_bar[1:-1, :-2] += flow
        u_bar[1:-1, 1:-1] -= 4.0 * flow
    return u_bar


def recurrence(x: Array, c: float) -> float:
    """An array filled one element at a time, each from the one before."""
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = c * y[i - 1] + x[i] * x[i]
    return np.sum(y * y)


def recurrence_gradient(x: Array, c: float) -> Array:
    """The derivative by ``x``, element by element."""
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = c * y[i - 1] + x[i] * x[i]
    y_bar = 2.0 * y
    x_bar = np.zeros_like(x)
    for i in range(len(x) - 1, 0, -1):
        g = y_bar[i]
        y_bar[i - 1] += g * c
        x_bar[i] += 2.0 * g * x[i]
    x_bar[0] += y_bar[0]
    return x_bar


def smoothing(x: Array, sweeps: int) -> float:
    """Gauss-Seidel: an element is overwritten by a product of its neighbours."""
    u = x.copy()
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i] * u[i - 1] + 0.25 * u[i + 1]
    return np.sum(u * u)


def smoothing_gradient(x: Array, sweeps: int) -> Array:
    """The derivative by ``x``; the two factors of each product are kept."""
    u = x.copy()
    saved = []
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            centre = u[i]
            left = u[i - 1]
            saved.append((centre, left))
            u[i] = 0.5 * centre * left + 0.25 * u[i + 1]
    u_bar = 2.0 * u
    for _ in range(sweeps):
        for i in range(len(u) - 2, 0, -1):
            centre, left = saved.pop()
            g = u_bar[i]
            half = 0.5 * g
            u_bar[i] = half * left
            u_bar[i - 1] += half * centre
            u_bar[i + 1] += 0.25 * g
    return u_bar
