"""The logarithm of a sum of exponentials, shifted by the maximum."""

from __future__ import annotations

import math

import numpy as np


def whole(x):
    top = np.max(x)
    return np.log(np.sum(np.exp(x - top))) + top


def methods(x):
    top = x.max()
    return top + np.log(np.exp(x - top).sum())


def element_by_element(x):
    top = x[0]
    for i in range(1, len(x)):
        if x[i] > top:
            top = x[i]
    total = 0.0
    for i in range(len(x)):
        total += math.exp(x[i] - top)
    return math.log(total) + top


def over_values(x):
    top = -np.inf
    for v in x:
        top = max(top, v)
    total = 0.0
    for v in x:
        total += np.exp(v - top)
    return np.log(total) + top


WHOLE = (whole, methods)
LOOPS = (element_by_element, over_values)
