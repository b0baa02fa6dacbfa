"""A charged particle is steered by the place of a charge: descent on its miss."""

from __future__ import annotations

import numpy as np

from tests.gradbench.saddle import MODES, descent


def potential(p, charges):
    return sum(1.0 / np.sqrt(np.sum((p - c) ** 2)) for c in charges)


def miss(w, gradient):
    charges = [np.array([10.0, 10.0 - w[0]]), np.array([10.0, 0.0])]
    position = np.array([0.0, 8.0])
    velocity = np.array([0.75, 0.0])
    dt = 0.1
    while True:
        acceleration = -gradient(lambda p: potential(p, charges), position)
        position = position + dt * velocity
        if position[1] <= 0:
            break
        velocity = velocity + dt * acceleration
    t = -position[1] / velocity[1]
    return (position[0] + t * velocity[0]) ** 2


def solve(w, modes):
    outer, inner = MODES[modes[0]], MODES[modes[1]]
    return descent(lambda w: miss(w, inner), np.array([w]), outer)[0]
