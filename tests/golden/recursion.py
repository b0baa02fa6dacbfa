"""Recursion: the pair calls itself."""

import math


def recursion(x, n):
    if n == 0:
        return x
    return math.sin(x) * recursion(0.5 * x + 1.0, n - 1)


ARGUMENTS = (0.6, 4)
