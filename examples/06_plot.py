"""A derivative by hand and by the compiler, and a plot of the sine and its slope.

    python examples/06_plot.py [FILE.png]

Without matplotlib the numbers are printed and no picture is made.
"""

import importlib.util
import sys

import numpy as np
from showing import show

import sourcegrad


def product_and_reciprocal(x):
    return np.log(x**2) * np.sin(x) + 1 / x


def product_and_reciprocal_by_hand(x):
    """The derivative by the rules of the calculus course."""
    return 2 / x * np.sin(x) + np.log(x**2) * np.cos(x) - 1 / x**2


def sine(x):
    return np.sin(x)


PROGRAMS = [(product_and_reciprocal, (2.0,), 0), (sine, (0.5,), 0)]


def plot(x, y, slope, path):
    """Draw the sine and its derivative into ``path``; False without matplotlib."""
    if importlib.util.find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 3.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(x, y, label="sin(x)")
    axes.plot(x, slope, label="d sin(x) / dx, compiled")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=120)
    return True


def main(path="sine_and_slope.png"):
    """Show the programs, draw the plot; return the gradients and the curve."""
    results = {f.__name__: show(f, *args) for f, args, _ in PROGRAMS}
    print("by hand  ", product_and_reciprocal_by_hand(2.0), "\n")

    x = np.linspace(-np.pi, np.pi, 121)
    y, pullback = sourcegrad.vjp(sine, x)
    (slope,) = pullback(np.ones_like(x))
    results["slope"] = x, slope
    drawn = plot(x, y, slope, path)
    print(f"wrote {path}" if drawn else "matplotlib is not installed: no plot")
    return results


if __name__ == "__main__":
    main(*sys.argv[1:])
