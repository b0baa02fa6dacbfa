"""Derivatives inside of what is differentiated: mechanics, and learning to learn.

The inner derivative is compiled first, and its text built into the outer function.
"""

import numpy as np
from showing import show

import sourcegrad
from sourcegrad import grad, hessian, jacobian

GRAVITY = 9.81


# -- The motion of a pendulum from its Lagrangian ----------------------------------


def lagrangian(angle, speed, length):
    return 0.5 * length**2 * speed**2 + GRAVITY * length * np.cos(angle)


def acceleration(angle, speed, length):
    """From Lagrange's equation: (dL/dv)' = dL/dq, with the chain rule on the left."""
    force = grad(lagrangian, 0)(angle, speed, length)
    momentum = grad(lagrangian, 1)
    mass = grad(momentum, 1)(angle, speed, length)
    turning = grad(momentum, 0)(angle, speed, length)
    return (force - turning * speed) / mass


def swing(length, angle):
    """The angle after a second, by steps that keep the energy."""
    speed, dt = 0.0, 0.01
    for _ in range(100):
        speed = speed + dt * acceleration(angle, speed, length)
        angle = angle + dt * speed
    return angle


# -- Through an optimiser ----------------------------------------------------------


def after_training(rate, steps):
    """The loss x^2 after steps of gradient descent from x = 1."""
    x = 1.0
    for _ in range(steps):
        x = x - rate * grad(lambda x: x**2)(x)
    return x**2


def smoothed(data, strength):
    """The vector nearest to the data that is smooth: one step of Newton's method."""

    def energy(x):
        return np.sum((x - data) ** 2) + strength * np.sum((x[1:] - x[:-1]) ** 2)

    x = np.zeros(len(data))
    return x - np.linalg.solve(hessian(energy)(x), grad(energy)(x))


PROGRAMS = [
    (after_training, (0.1, 5), 0),
    (acceleration, (0.4, 1.5, 2.0), 0),
]


def main():
    """Show the programs; return derivatives by name."""
    results = {f.__name__: show(f, *args) for f, args, _ in PROGRAMS}
    results["acceleration itself"] = acceleration(0.4, 1.5, 2.0)
    results["swing"] = sourcegrad.value_and_grad(swing)(2.0, 0.4)
    print(
        "the angle after a second, and its derivative by the length", results["swing"]
    )
    data = np.array([1.0, 3.0, 2.0, 5.0])
    results["influence"] = jacobian(smoothed)(data, 0.5)
    print("how each smooth value depends on the data:", results["influence"], sep="\n")
    return results


if __name__ == "__main__":
    main()
