"""Two buffers that change places: their cotangents do as well."""

import numpy as np


def buffer_swap(x, steps):
    old = np.copy(x)
    new = np.zeros_like(x)
    for t in range(steps):
        new[1:-1] = 0.5 * (old[:-2] + old[2:])
        new[0] = old[0] * old[0]
        new[-1] = old[-1]
        old, new = new, old
    return np.sum(old * x)


ARGUMENTS = (np.array([1.0, 0.5, -0.25, 2.0, 0.75]), 3)
