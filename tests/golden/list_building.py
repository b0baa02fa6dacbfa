"""A list built by a loop: append and pop are each other's adjoint."""

import math


def list_building(x, n):
    parts = []
    term = x
    for i in range(n):
        term = term * math.cos(term)
        parts.append(term)
    total = 0.0
    for part in parts:
        total = total + part * part
    return total


ARGUMENTS = (0.9, 5)
