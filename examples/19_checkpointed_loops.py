"""The adjoint of a long simulation in the memory of a few states.

A reverse sweep needs the states of the forward sweep, last first. A checkpointed loop
keeps some of them and runs the steps in between again, as few times as can be.
"""

import itertools

import numpy as np
from showing import show

import sourcegrad
from sourcegrad import checkpoint
from sourcegrad.runtime_checkpoint import checkpoint_reruns


def heated(source, steps):
    """The mean temperature of a rod that a source heats for so many steps."""
    u = np.zeros(len(source))
    for _ in checkpoint(range(steps), budget=5):
        u[1:-1] += 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) + source[1:-1]
        u[-1] = u[-2]
    return np.mean(u**2)


def relaxed(rate, start, tolerance):
    """Where a step that shrinks comes to rest: a while loop."""
    x = start
    for _ in checkpoint(itertools.count(), budget=3):
        step = rate * np.sin(x)
        if abs(step) < tolerance:
            break
        x = x - step
    return x


def noisy_path(drift, rng, steps):
    """Draws are the same when a step runs again."""
    x = 1.0
    for _ in checkpoint(range(steps), budget=4):
        x = x + 0.01 * drift * x + 0.1 * x * rng.normal()
    return x


SOURCE = np.array([0.0, 1.0, 0.5, 0.0, 0.0, 0.0])
PROGRAMS = [(heated, (SOURCE, 30), 0), (relaxed, (0.4, 1.0, 1e-3), 0)]


def main():
    results = {
        "heated": show(heated, SOURCE, 30),
        "relaxed": show(relaxed, 0.4, 1.0, 1e-3),
        "noisy": sourcegrad.grad(noisy_path)(0.5, np.random.default_rng(1), 50),
        "runs again": checkpoint_reruns(30, 5),
    }
    print(f"of 30 steps, {results['runs again']} run again with 5 states kept")
    return results


if __name__ == "__main__":
    main()
