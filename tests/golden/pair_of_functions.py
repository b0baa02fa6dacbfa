"""A user function of some size becomes a pair beside its caller."""

import math


def damped(x, steps):
    v = 1.0
    for k in range(steps):
        v = v - 0.1 * math.sin(x) * v
        if v < 0.5:
            v = v + 0.05 * x
        else:
            v = v * 0.99
        x = x + 0.1 * v
        if x > 3.0:
            x = 0.5 * x
    return x * v


def pair_of_functions(x, y):
    return damped(x, 4) * y + damped(y, 3)


ARGUMENTS = (0.9, 1.4)
ARGNUMS = (0, 1)
