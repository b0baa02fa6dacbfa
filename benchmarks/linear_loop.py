"""A loop of n reads ``x[i]`` costs O(n): twice the reads, twice the time."""

import numpy as np
from numpy.typing import NDArray

import sourcegrad
from benchmarks.checks import require_close
from benchmarks.timing import Row, time_ratio

# Twice the time, and what timing and memory traffic add to it. O(n^2) would be 4.
BOUND = 2.3


def weighted_squares(x: NDArray[np.float64]) -> float:
    """The sum of i x[i]^2, one read at a time."""
    total = 0.0
    for i in range(len(x)):
        total = total + i * x[i] * x[i]
    return total


def measure() -> list[Row]:
    """The rows of this theme."""
    x = np.linspace(-1.0, 1.0, 100_000)
    doubled = np.linspace(-1.0, 1.0, 200_000)
    generated = sourcegrad.grad(weighted_squares).compiled(x)
    expected = 2.0 * np.arange(len(x)) * x
    require_close("gradient of a loop of reads", generated(x), expected, rtol=1e-12)
    ratio = time_ratio(generated, (doubled,), generated, (x,), rounds=9)
    return [Row("loop of 2e5 reads x[i] / loop of 1e5", ratio, BOUND)]
