"""The sine by its Taylor series: a while loop that stops when the terms are small.

The gradient runs the loop backwards, as often as the input made it run.
"""

import math

from showing import show


def taylor_sine(x, threshold=1e-4):
    term = x
    total = x
    k = 1
    while abs(term) > threshold:
        term = -term * x * x / (2 * k * (2 * k + 1))
        total = total + term
        k += 1
    return total


PROGRAMS = [(taylor_sine, (math.pi / 4,), 0)]


def main():
    """Show the program; return its gradient and value at pi / 4."""
    gradient = show(taylor_sine, math.pi / 4)
    print("value     ", taylor_sine(math.pi / 4), " sine   ", math.sin(math.pi / 4))
    print("derivative", gradient, " cosine ", math.cos(math.pi / 4))
    return {"taylor_sine": gradient, "value": taylor_sine(math.pi / 4)}


if __name__ == "__main__":
    main()
