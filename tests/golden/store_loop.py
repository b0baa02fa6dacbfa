"""Stores into an array in a loop: the overwritten value gets no cotangent."""

import numpy as np


def store_loop(x, n):
    a = np.zeros(n)
    a[0] = x[0]
    for i in range(1, n):
        a[i] = a[i - 1] * 0.5 + np.sin(x[i])
    return np.sum(a * a)


ARGUMENTS = (np.array([0.3, -0.6, 1.1, 0.2]), 4)
