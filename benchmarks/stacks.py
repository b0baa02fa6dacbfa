"""Stacks of seeds: 64 seeds of size 100 in one sweep, against one sweep per seed."""

import numpy as np

import sourcegrad
from benchmarks.checks import require_close
from benchmarks.timing import Row, time_ratio

SEEDS, SIZE = 64, 100
# At least five times faster.
BOUND = 0.2
WEIGHTS = np.random.default_rng(0).normal(size=(SIZE, SIZE)) / 10.0


def layer(x: np.ndarray) -> np.ndarray:
    """A layer of a network."""
    return np.tanh(WEIGHTS @ x)


def relaxed(x: np.ndarray) -> np.ndarray:
    """Ten explicit steps of a diffusion with a source."""
    u = x.copy()
    for _ in range(10):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) + 0.01 * np.sin(x[1:-1])
    return u


def measure() -> list[Row]:
    """The rows of this theme."""
    x = np.linspace(-1.0, 1.0, SIZE)
    stack = np.random.default_rng(1).normal(size=(SEEDS, SIZE))
    rows = []
    for f in (layer, relaxed):
        _, pullback = sourcegrad.vjp(f, x)
        _, pushforward = sourcegrad.linearize(f, x)

        def pulled(seeds, pullback=pullback):
            return np.stack([pullback(seed)[0] for seed in seeds])

        def pushed(seeds, pushforward=pushforward):
            return np.stack([pushforward(seed) for seed in seeds])

        require_close(
            "stack of cotangents", pullback.batched(stack)[0], pulled(stack), rtol=1e-9
        )
        require_close(
            "stack of tangents", pushforward.batched(stack), pushed(stack), rtol=1e-9
        )
        for name, once, each in (
            ("pullback", pullback.batched, pulled),
            ("pushforward", pushforward.batched, pushed),
        ):
            ratio = time_ratio(once, (stack,), each, (stack,))
            title = f"{name} of {f.__name__}, 64 seeds / one by one"
            rows.append(Row(title, ratio, BOUND))
    return rows
