"""The least of the worst case of a saddle: an optimiser inside of an optimiser."""

from __future__ import annotations

import numpy as np

from sourcegrad import grad, jvp


def sum_of_squares(x):
    return np.sum(x**2)


def saddle(x, y):
    return sum_of_squares(x) - sum_of_squares(y)


def reverse_gradient(f, x):
    return grad(f)(x)


def forward_gradient(f, x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        unit = np.zeros(len(x))
        unit[i] = 1.0
        out[i] = jvp(f, (x,), (unit,))[1]
    return out


def descent(f, x, gradient):
    """Gradient descent that doubles its step after ten successes."""
    step = 1e-5
    count = 0
    fx = f(x)
    gx = gradient(f, x)
    while True:
        if np.sqrt(np.sum(gx**2)) <= 1e-5:
            return x
        if count == 10:
            step *= 2
            count = 0
        else:
            moved = x - step * gx
            if np.sqrt(np.sum((moved - x) ** 2)) <= 1e-5:
                return x
            value = f(moved)
            if value < fx:
                x, fx = moved, value
                gx = gradient(f, x)
                count += 1
            else:
                step /= 2
                count = 0


MODES = {"r": reverse_gradient, "f": forward_gradient}


def worst_case(x, start, inner):
    y = descent(lambda y: -saddle(x, y), start, inner)
    return saddle(x, y)


def solve(start, modes):
    outer, inner = MODES[modes[0]], MODES[modes[1]]
    x = descent(lambda x: worst_case(x, start, inner), start, outer)
    y = descent(lambda y: -saddle(x, y), start, inner)
    return np.concatenate((x, y))
