"""Least squares of a polynomial against the sign of its argument."""

from __future__ import annotations

import numpy as np


def powers_matrix(x, n):
    t = np.linspace(-1.0, 1.0, n)
    powers = t[:, None] ** np.arange(len(x))
    residual = np.sign(t) - powers @ x
    return 0.5 * np.sum(residual**2)


def vandermonde(x, n):
    t = -1.0 + 2.0 * np.arange(n) / (n - 1)
    residual = np.sign(t) - np.vander(t, len(x), increasing=True).dot(x)
    return 0.5 * residual @ residual


def horner(x, n):
    t = -1 + np.arange(n) * 2.0 / (n - 1.0)
    poly = np.zeros(n)
    for c in x[::-1]:
        poly = poly * t + c
    return 0.5 * ((np.sign(t) - poly) ** 2).sum()


def two_loops(x, n):
    total = 0.0
    for i in range(n):
        t = -1.0 + 2.0 * i / (n - 1.0)
        value = 0.0
        power = 1.0
        for j in range(len(x)):
            value += x[j] * power
            power *= t
        residual = np.sign(t) - value
        total += residual * residual
    return 0.5 * total


def powers_in_loop(x, n):
    total = 0.0
    for i in range(n):
        t = -1 + i * 2.0 / (n - 1)
        residual = np.sign(t)
        for j in range(x.shape[0]):
            residual -= x[j] * t**j
        total += residual**2
    return total / 2


WHOLE = (powers_matrix, vandermonde, horner)
LOOPS = (two_loops, powers_in_loop)
