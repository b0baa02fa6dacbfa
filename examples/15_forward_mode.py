"""How a population answers to its parameters: forward mode, one sweep per direction.

The growth of prey and predators (Lotka and Volterra) by Euler steps in place. Forward
mode carries a tangent beside each value, so its memory does not grow with the steps.
"""

import numpy as np
from showing import show

import sourcegrad

STEPS, DT = 200, 0.02


def populations(rates, start):
    prey, predators = start[0], start[1]
    for _ in range(STEPS):
        eaten = rates[1] * prey * predators
        prey, predators = (
            prey + DT * (rates[0] * prey - eaten),
            predators + DT * (0.5 * eaten - rates[2] * predators),
        )
    return np.array([prey, predators])


def final_prey(rates, start):
    return populations(rates, start)[0]


PROGRAMS = [(final_prey, (np.array([1.0, 0.4, 0.6]), np.array([2.0, 1.0])), 0)]


def main():
    """Show a tangent program; return tangents and what they must agree with."""
    rates, start = PROGRAMS[0][1]
    results = {"gradient": show(final_prey, rates, start)}
    print(sourcegrad.gradient_source(populations, 0, rates, start, mode="forward"))

    # One direction: more growth and, at the same time, a more voracious predator.
    direction = np.array([1.0, 0.5, 0.0])
    value, tangent = sourcegrad.jvp(populations, (rates, start), (direction, None))
    results["value"], results["tangent"] = value, tangent

    # The same linear map for several directions: the point is given once.
    _, pushforward = sourcegrad.linearize(
        lambda rates: populations(rates, start), rates
    )
    results["columns"] = np.stack([pushforward(unit) for unit in np.eye(3)], axis=1)

    # Forward and reverse mode are each other's transpose.
    _, pullback = sourcegrad.vjp(lambda rates: populations(rates, start), rates)
    weights = np.array([1.0, -2.0])
    results["forward product"] = weights @ tangent
    results["reverse product"] = pullback(weights)[0] @ direction
    print("populations", value, "moved along the direction by", tangent)
    print("by forward mode", results["forward product"])
    print("by reverse mode", results["reverse product"])
    return results


if __name__ == "__main__":
    main()
