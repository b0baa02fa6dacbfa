"""Early returns: the reverse sweep starts where the function left."""

import math


def early_return(x, y):
    if x < 0.0:
        return x * y
    z = math.exp(-x) * y
    if z > 2.0:
        return z * z
    return z + x


ARGUMENTS = (0.5, 1.5)
ARGNUMS = (0, 1)
