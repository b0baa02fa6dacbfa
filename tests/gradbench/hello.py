"""The square of a number, and its derivative."""

from __future__ import annotations

import numpy as np


def square(x):
    return x * x


def power(x):
    return x**2


def numpy_square(x):
    return np.square(x)
