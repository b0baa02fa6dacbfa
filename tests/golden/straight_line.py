"""Straight line: one variable used twice, NumPy on numbers."""

import numpy as np


def straight_line(x):
    s = np.sin(x)
    e = np.exp(x)
    y = s * x + e
    return y


ARGUMENTS = (0.7,)
