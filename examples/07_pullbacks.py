"""Functions of one number through NumPy's linear algebra, and pullbacks by hand.

After the documentation and the paper of Zygote.
"""

import math

import numpy as np
from showing import show

import sourcegrad


def exponential(x):
    return math.exp(3 * x**2 + x)


def root(x):
    return math.sqrt(1 + 0.2 + math.sin(x))


def first_eigenvalue(x):
    matrix = np.array([[x, 1.0], [2.0, x * x]])
    values, vectors = np.linalg.eig(matrix)
    return np.cos(np.real(values[0]))


PROGRAMS = [
    (exponential, (0.3,), 0),
    (root, (0.3,), 0),
    (first_eigenvalue, (0.7,), 0),
]


# -- The chain rule by hand --------------------------------------------------------


def inner(x):
    return x * math.sin(x)


def outer(u):
    return math.exp(-u) + u


def chained(x):
    return outer(inner(x))


def chain_by_hand(x):
    """The derivative of ``chained`` from the pullbacks of its two halves."""
    u, inner_pullback = sourcegrad.vjp(inner, x)
    _, outer_pullback = sourcegrad.vjp(outer, u)
    (u_bar,) = outer_pullback(1.0)
    (x_bar,) = inner_pullback(u_bar)
    return x_bar


def main():
    """Show each program; return the gradients by name."""
    results = {f.__name__: show(f, *args) for f, args, _ in PROGRAMS}
    results["by hand"] = chain_by_hand(0.8)
    results["chained"] = sourcegrad.grad(chained)(0.8)
    print("two pullbacks chained by hand", results["by hand"])
    print("the compiler on the whole    ", results["chained"])
    return results


if __name__ == "__main__":
    main()
