"""Loops and branches that depend on the input, for numbers and for vectors.

After "Dive into Deep Learning", section 2.5.4. Whatever path is taken, ``f`` scales
its argument, so its derivative is ``f(a) / a``.
"""

import numpy as np
from showing import show

import sourcegrad


def doubled_until_large(a):
    b = a * 2
    while np.linalg.norm(b) < 1000:
        b = b * 2
    if np.sum(b) > 0:
        c = b
    else:
        c = 100 * b
    return c


PROGRAMS = [(doubled_until_large, (0.3,), 0), (doubled_until_large, (-7.0,), 0)]


def main():
    """Show the program on both branches and on a vector; return the gradients."""
    results = {}
    for f, (a,), _ in PROGRAMS:
        results[a] = show(f, a)
        print("f(a) / a ", f(a) / a, "\n")

    vector = np.array([0.5, -1.5, 2.0])
    y, pullback = sourcegrad.vjp(doubled_until_large, vector)
    (results["vector"],) = pullback(np.ones(3))
    print("a vector ", vector)
    print("gradient ", results["vector"])
    print("f(a) / a ", y / vector)
    return results


if __name__ == "__main__":
    main()
