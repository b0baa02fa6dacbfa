"""A million Euler steps whose adjoint keeps a thousand states of 1 kB.

The peak of what Python allocates in the whole gradient, and how often a step runs,
which is counted in a run of its own: a primal that counts costs time.
"""

import gc
import math
import tracemalloc

import numpy as np
from numpy.typing import NDArray

import sourcegrad
from benchmarks.checks import require_close
from benchmarks.timing import Row
from sourcegrad import checkpoint, elementwise
from sourcegrad.runtime_checkpoint import checkpoint_reruns

STEPS, BUDGET, STATE = 1_000_000, 1_000, 128  # 128 doubles: 1 kB
CALLS = [0]


def counted_sine(h: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sine of an array; calls are counted."""
    CALLS[0] += 1
    return np.sin(h)


@elementwise(counted_sine)
def counted_sine_slope(y, x):  # type: ignore[no-untyped-def]
    """The partial of the sine."""
    return np.cos(x)


def euler(h: NDArray[np.float64], dt: float, n: int) -> float:
    """The sum of what flows along h' = sin(h)."""
    for _ in checkpoint(range(n), budget=BUDGET):
        h = h + dt * counted_sine(h)
    return np.sum(h)


def slope(h: NDArray[np.float64], t: float) -> NDArray[np.float64]:
    """The derivative of the flow by its start: tan(h(t)/2) = e^t tan(h(0)/2)."""
    end = 2.0 * np.arctan(math.exp(t) * np.tan(h / 2.0))
    return np.sin(end) / np.sin(h)


def measure() -> list[Row]:
    """The rows of this theme."""
    h = np.linspace(0.5, 1.5, STATE)
    generated = sourcegrad.grad(euler).compiled(h, 1e-6, 3)
    generated(h, 1e-6, 3)
    gc.collect()
    CALLS[0] = 0
    tracemalloc.start()
    gradient = generated(h, 1.0 / STEPS, STEPS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    require_close("checkpointed Euler", gradient, slope(h, 1.0), rtol=1e-5)
    runs = 2 * STEPS + checkpoint_reruns(STEPS, BUDGET)
    budget = BUDGET * h.nbytes
    return [
        Row("Euler, 1e6 steps: peak memory / 1,000 states of 1 kB", peak / budget, 1.2),
        Row("Euler, 1e6 steps: runs of a step / schedule", CALLS[0] / runs, 1.0),
    ]
