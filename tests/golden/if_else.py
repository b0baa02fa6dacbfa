"""A branch: the condition is kept, nothing else is."""

import math


def if_else(x, y):
    if x > y:
        z = x * y
    else:
        z = math.sin(x) + y
    return z * x


ARGUMENTS = (0.4, 1.3)
ARGNUMS = (0, 1)
