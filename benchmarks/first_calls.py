"""The value and the first pullback of some rules against both written by hand.

A first call does what the pullback alone, which the theme `rules` times, does not: what
the pullback will read is copied, since the caller may change it, and its first result
is looked at for nan, where zero might have to win.  Each is one more pass over memory.
"""

from typing import Any

import numpy as np

import sourcegrad
from benchmarks import rules_arrays, rules_elementwise, rules_scipy
from benchmarks.checks import require_close
from benchmarks.rules import cotangent
from benchmarks.timing import Row, time_ratio

BOUND = 2.0
ROUNDS = 31
NAMES = (
    "x * x", "x / c", "sin", "log", "relu", "sum", "x[index]", "x @ b",
    "special.erf", "fft.dct", "stats.norm.logpdf", "distance.cdist",
)  # fmt: skip


def first_call(name: str, f: Any, hand: Any, x: Any) -> Row:
    """A value and a cotangent; the pullback is made anew each time."""
    g = cotangent(f, x)

    def generated(g: Any, x: Any) -> Any:
        y, back = sourcegrad.vjp(f, x)
        return y, back(g)[0]

    def by_hand(g: Any, x: Any) -> Any:
        y = f(x)
        return y, hand(g, x, y)

    require_close(f"generated {name}", generated(g, x)[1], by_hand(g, x)[1], rtol=1e-9)
    ratio = time_ratio(generated, (g, x), by_hand, (g, x), rounds=ROUNDS)
    return Row(f"{name} and first pullback: generated / hand-written", ratio, BOUND)


def measure() -> list[Row]:
    """The rows of this theme."""
    x = np.random.default_rng(16).uniform(0.1, 0.9, 1_000_000)
    rows = [(n, x.shape, f, hand) for n, f, hand in rules_elementwise.ROWS]
    rows += [*rules_arrays.ROWS, *rules_scipy.ROWS]
    return [
        first_call(name, f, hand, np.resize(x, shape))
        for name, shape, f, hand in rows
        if name in NAMES
    ]
