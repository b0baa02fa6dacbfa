"""Jacobians, Hessians, and products with a Hessian that is never built."""

import numpy as np
from showing import show

import sourcegrad


def hand(angles):
    """Where the hand of an arm of two links is."""
    shoulder, elbow = angles[0], angles[0] + angles[1]
    return np.array(
        [
            2.0 * np.cos(shoulder) + np.cos(elbow),
            2.0 * np.sin(shoulder) + np.sin(elbow),
        ]
    )


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


PROGRAMS = [(rosenbrock, (np.array([0.8, 0.5, 0.9]),), 0)]


def reach(target, angles):
    """The angles that bring the hand to a point, by Newton's method."""
    jacobian = sourcegrad.jacobian(hand)
    for _ in range(20):
        angles = angles - np.linalg.solve(jacobian(angles), hand(angles) - target)
    return angles


def newton(x):
    """The minimum of the Rosenbrock function, by its Hessian."""
    gradient, hessian = sourcegrad.grad(rosenbrock), sourcegrad.hessian(rosenbrock)
    for _ in range(30):
        x = x - np.linalg.solve(hessian(x), gradient(x))
    return x


def conjugate_gradient(product, b, steps):
    """Solve A x = b where only the product with A is known."""
    x, residual = np.zeros_like(b), b
    direction = residual
    for _ in range(steps):
        along = product(direction)
        scale = residual @ residual / (direction @ along)
        x = x + scale * direction
        following = residual - scale * along
        direction = (
            following + (following @ following) / (residual @ residual) * direction
        )
        residual = following
    return x


def main():
    """Print what the matrices are good for; return it by name."""
    (x,) = PROGRAMS[0][1]
    results = {"gradient": show(rosenbrock, x)}
    angles = np.array([0.3, 0.6])
    for mode in ("forward", "reverse"):
        results[mode] = sourcegrad.jacobian(hand, mode=mode)(angles)
    print("the Jacobian of the hand:", results["forward"], sep="\n")
    results["reached"] = hand(reach(np.array([1.5, 1.8]), angles))
    print("the hand reaches", results["reached"])
    results["hessian"] = sourcegrad.hessian(rosenbrock)(x)
    print("the Hessian of the Rosenbrock function:", results["hessian"], sep="\n")
    results["minimum"] = newton(np.array([1.1, 1.2, 1.4]))
    print("its minimum is at", results["minimum"])

    # In 1000 dimensions: a Newton step by products, each one forward sweep over the
    # gradient, in 60 steps of conjugate gradients.
    many = np.full(1000, 1.01)
    product = sourcegrad.hvp(rosenbrock)
    slope = sourcegrad.grad(rosenbrock)(many)
    step = conjugate_gradient(lambda v: product(many, v), slope, 60)
    results["residual"] = np.linalg.norm(product(many, step) - slope)
    results["slope"] = np.linalg.norm(slope)
    print("a Newton step in 1000 dimensions leaves", results["residual"])
    return results


if __name__ == "__main__":
    main()
