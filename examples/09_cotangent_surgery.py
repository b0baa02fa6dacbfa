"""Clip the cotangent of a recurrent network at every step, and look at it.

Long products of Jacobians explode; the usual cure works on the cotangent inside the
reverse sweep, where no gradient of the whole loss can reach.
"""

import numpy as np
from showing import show

import sourcegrad
from sourcegrad import on_adjoint

LIMIT = 1.0


def loss(weights, inputs, targets):
    state = np.zeros(len(weights))
    total = 0.0
    for x, target in zip(inputs, targets, strict=True):
        state = np.tanh(weights @ state + x)
        total = total + np.sum((state - target) ** 2)
    return total


def clipped_loss(weights, inputs, targets):
    state = np.zeros(len(weights))
    total = 0.0
    for x, target in zip(inputs, targets, strict=True):
        state = np.tanh(weights @ state + x)
        state = on_adjoint(state, lambda g: g * min(1.0, LIMIT / np.linalg.norm(g)))
        total = total + np.sum((state - target) ** 2)
    return total


def norms(weights, inputs, targets):
    """The norm of the cotangent of each state, from the last to the first."""
    seen = []

    def watched_loss(weights, inputs, targets):
        state = np.zeros(len(weights))
        total = 0.0
        for x, target in zip(inputs, targets, strict=True):
            state = np.tanh(weights @ state + x)
            state = on_adjoint(state, lambda g: seen.append(np.linalg.norm(g)))
            total = total + np.sum((state - target) ** 2)
        return total

    sourcegrad.grad(watched_loss)(weights, inputs, targets)
    return seen


def data(steps=6, width=3):
    """Weights that make the cotangent grow, inputs and targets."""
    rng = np.random.default_rng(0)
    weights = 2.0 * rng.normal(size=(width, width))
    return weights, 0.1 * rng.normal(size=(steps, width)), np.ones((steps, width))


PROGRAMS = [(loss, data(), 0)]


def main():
    """Show the clipped adjoint; return norms and gradients."""
    args = data()
    show(loss, *args)
    print(sourcegrad.grad(clipped_loss).source(*args))
    results = {
        "norms": norms(*args),
        "gradient": sourcegrad.grad(loss)(*args),
        "clipped": sourcegrad.grad(clipped_loss)(*args),
    }
    print("norm of the cotangent, last step first:", np.round(results["norms"], 2))
    print("norm of the gradient        ", np.linalg.norm(results["gradient"]))
    print("norm of the clipped gradient", np.linalg.norm(results["clipped"]))
    return results


if __name__ == "__main__":
    main()
