"""A break: how far the loop came is counted."""

import math


def break_out(x, limit):
    s = x
    for i in range(20):
        s = s + math.sin(s)
        if s > limit:
            break
        s = s * 1.1
    return s * s


ARGUMENTS = (0.3, 2.0)
