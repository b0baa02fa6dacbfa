"""`np.emath`: functions that go to complex numbers where real ones end."""

import math

import numpy as np

from ..runtime import log_or_zero
from .registry import by_value, elementwise


@elementwise(np.emath.sqrt, singular=True)
def sqrt(y, x):
    return 0.5 / y


@elementwise(np.emath.log, singular=True)
def log(y, x):
    return 1.0 / x


@elementwise(np.emath.log2, singular=True)
def log2(y, x):
    return 1.0 / (x * math.log(2.0))


@elementwise(np.emath.log10, singular=True)
def log10(y, x):
    return 1.0 / (x * math.log(10.0))


@elementwise(np.emath.logn, singular=True)
def logn(y, n, x):
    return -y / (n * np.emath.log(n)), 1.0 / (x * np.emath.log(n))


@elementwise(np.emath.power, singular=True)
def power(y, x, p):
    return p * np.emath.power(x, p - 1), y * log_or_zero(x + 0j)


@elementwise(np.emath.arccos, singular=True)
def arccos(y, x):
    return -1.0 / np.sin(y)


@elementwise(np.emath.arcsin, singular=True)
def arcsin(y, x):
    return 1.0 / np.cos(y)


@elementwise(np.emath.arctanh, singular=True)
def arctanh(y, x):
    return 1.0 / ((1.0 - x) * (1.0 + x))


by_value(
    np.emath.sqrt,
    np.emath.log,
    np.emath.log2,
    np.emath.log10,
    np.emath.logn,
    np.emath.power,
    np.emath.arccos,
    np.emath.arcsin,
    np.emath.arctanh,
)
