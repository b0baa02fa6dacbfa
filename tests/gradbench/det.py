"""The determinant by expansion by minors along the first row."""

from __future__ import annotations

import numpy as np


def minors(a):
    n = len(a)
    if n == 1:
        return a[0, 0]
    total = 0.0
    sign = 1.0
    for j in range(n):
        rest = np.concatenate((a[1:, :j], a[1:, j + 1 :]), axis=1)
        total += sign * a[0, j] * minors(rest)
        sign = -sign
    return total


def deleted(a):
    if a.shape == (2, 2):
        return a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    total = 0.0
    for j in range(a.shape[1]):
        minor = np.delete(np.delete(a, 0, axis=0), j, axis=1)
        total += (-1) ** j * a[0, j] * deleted(minor)
    return total


def over_columns(a, row, columns):
    if row == len(a):
        return 1.0
    total = 0.0
    for k, j in enumerate(columns):
        rest = columns[:k] + columns[k + 1 :]
        total += (-1) ** k * a[row, j] * over_columns(a, row + 1, rest)
    return total


def by_columns(a):
    return over_columns(a, 0, list(range(len(a))))


def masked(a, row, mask):
    n = a.shape[0]
    if row == n:
        return 1.0
    total = 0.0
    sign = 1.0
    for j in range(n):
        if mask & (1 << j):
            continue
        total += sign * a[row, j] * masked(a, row + 1, mask | (1 << j))
        sign = -sign
    return total


def by_mask(a):
    return masked(a, 0, 0)


WHOLE = (minors, deleted, by_columns)
LOOPS = (by_mask,)
