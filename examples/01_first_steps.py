"""First steps: one function into the next, sums and products, a variable used twice.

After the first stage of "Deep Learning from Scratch 3" (DeZero), where the gradient
comes from a graph of objects. Here it comes from the source of the functions.
"""

import numpy as np
from showing import numerical_diff, show

import sourcegrad

# -- One function into the next ----------------------------------------------------


def square(x):
    return x**2


def exp(x):
    return np.exp(x)


def composed(x):
    a = square(x)
    b = exp(a)
    return square(b)


# -- Several inputs, and one input several times -----------------------------------


def add(x, y):
    return x + y


def mul(x, y):
    return x * y


def sum_of_squares(x, y):
    return add(square(x), square(y))


def product_and_sum(a, b, c):
    return add(mul(a, b), c)


def twice(x):
    return add(x, x)


def thrice(x):
    return add(add(x, x), x)


def diamond(x):
    a = square(x)
    return add(square(a), square(a))


PROGRAMS = [
    (composed, (0.5,), 0),
    (sum_of_squares, (2.0, 3.0), (0, 1)),
    (product_and_sum, (3.0, 2.0, 1.0), (0, 1, 2)),
    (twice, (3.0,), 0),
    (thrice, (3.0,), 0),
    (diamond, (2.0,), 0),
]


def main():
    """Show each program; return the gradients by name."""
    results = {
        f.__name__: show(f, *args, argnums=argnums) for f, args, argnums in PROGRAMS
    }
    exact = sourcegrad.grad(composed)(0.5)
    print("by the compiler      ", exact)
    print("by differences       ", numerical_diff(composed, 0.5))
    print("in closed form       ", 4 * 0.5 * np.exp(2 * 0.5**2))
    return results


if __name__ == "__main__":
    main()
