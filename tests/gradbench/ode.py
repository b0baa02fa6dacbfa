"""Classical Runge-Kutta steps of y' = g(y), where g multiplies neighbours."""

from __future__ import annotations

import numpy as np

END = 2.0


def concatenated(x, s):
    def g(y):
        return np.concatenate((x[:1], x[1:] * y[:-1]))

    h = END / s
    y = np.zeros(len(x))
    for _ in range(s):
        k1 = g(y)
        k2 = g(y + h * k1 / 2)
        k3 = g(y + h * k2 / 2)
        k4 = g(y + h * k3)
        y = y + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    return y[-1]


def right_side(x, y):
    out = np.empty_like(y)
    out[0] = x[0]
    out[1:] = x[1:] * y[:-1]
    return out


def sliced(x, s):
    h = END / s
    y = np.zeros_like(x)
    for _ in range(s):
        k1 = right_side(x, y)
        k2 = right_side(x, y + 0.5 * h * k1)
        k3 = right_side(x, y + 0.5 * h * k2)
        k4 = right_side(x, y + h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y[-1]


def write_slope(x, y, out):
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * y[i - 1]


def element_by_element(x, s):
    n = len(x)
    h = END / s
    y = np.zeros(n)
    k1 = np.zeros(n)
    k2 = np.zeros(n)
    k3 = np.zeros(n)
    k4 = np.zeros(n)
    moved = np.zeros(n)
    for _ in range(s):
        write_slope(x, y, k1)
        for i in range(n):
            moved[i] = y[i] + h / 2 * k1[i]
        write_slope(x, moved, k2)
        for i in range(n):
            moved[i] = y[i] + h / 2 * k2[i]
        write_slope(x, moved, k3)
        for i in range(n):
            moved[i] = y[i] + h * k3[i]
        write_slope(x, moved, k4)
        for i in range(n):
            y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])
    return y[n - 1]


def stages(x, s):
    n = x.size
    dt = END / s
    y = np.zeros(n)
    k = np.zeros((4, n))
    shift = (0.0, 0.5, 0.5, 1.0)
    weight = (1.0, 2.0, 2.0, 1.0)
    for _ in range(s):
        for j in range(4):
            z = y + dt * shift[j] * k[j - 1]
            k[j, 0] = x[0]
            for i in range(1, n):
                k[j, i] = x[i] * z[i - 1]
        for j in range(4):
            y += dt / 6.0 * weight[j] * k[j]
    return y[-1]


WHOLE = (concatenated, sliced)
LOOPS = (element_by_element, stages)
