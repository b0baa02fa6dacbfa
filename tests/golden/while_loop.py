"""A while loop: its saved list is its trip count as well."""

import math


def while_loop(x, tol):
    y = x
    while y * y > tol:
        y = 0.5 * y * math.cos(y)
    return y * x


ARGUMENTS = (1.2, 0.01)
