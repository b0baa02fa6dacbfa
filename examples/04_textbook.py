"""The automatic differentiation chapter of a textbook on deep learning.

After "Dive into Deep Learning", section 2.5: vectors, a cotangent that is not one
number, and a factor held constant.
"""

import numpy as np
from showing import show

import sourcegrad
from sourcegrad import stop_gradient


def twice_the_dot_product(x):
    return 2 * np.dot(x, x)


def total(x):
    return x.sum()


def squares(x):
    return x * x


def sum_of_squares(x):
    return squares(x).sum()


def detached_factor(x):
    y = x * x
    u = stop_gradient(y)
    return (u * x).sum()


X = np.arange(4.0)

PROGRAMS = [
    (twice_the_dot_product, (X,), 0),
    (total, (X,), 0),
    (sum_of_squares, (X,), 0),
]


def main():
    """Show each program; return the gradients by name."""
    results = {f.__name__: show(f, *args) for f, args, _ in PROGRAMS}

    print("---- squares: its result is a vector, so it is given a cotangent ----\n")
    y, pullback = sourcegrad.vjp(squares, X)
    cotangent = np.array([1.0, 1.0, 1.0, 10.0])
    (results["squares"],) = pullback(cotangent)
    print("y        ", y)
    print("cotangent", cotangent)
    print("x_bar    ", results["squares"], "\n")

    print("---- detached_factor: u is a constant, so the gradient is u ----\n")
    print(sourcegrad.gradient_source(detached_factor, 0, X))
    results["detached_factor"] = sourcegrad.grad(detached_factor)(X)
    print("gradient ", results["detached_factor"])
    return results


if __name__ == "__main__":
    main()
