"""Solve a nonlinear boundary value problem by Newton's method with a sparse Jacobian.

The Bratu problem u'' + 3 exp(u) = 0 on [0, 1], u = 0 at both ends; its solution is
known in closed form.
"""

import numpy as np
from scipy.sparse.linalg import spsolve
from showing import show

import sourcegrad

STRENGTH = 3.0


def residual(u):
    spacing = 1.0 / (len(u) + 1)
    full = np.concatenate([np.zeros(1), u, np.zeros(1)])
    bend = (full[:-2] - 2.0 * u + full[2:]) / spacing**2
    return bend + STRENGTH * np.exp(u)


def energy(u):
    """The misfit as one number, for the picture of an adjoint."""
    return np.sum(residual(u) ** 2)


def solved(count):
    """The solution at `count` inner points, and the steps it took."""
    jacobian = sourcegrad.sparse_jacobian(residual)
    u, steps = np.zeros(count), 0
    while np.max(np.abs(residual(u))) > 1e-7:
        u = u - spsolve(jacobian(u).tocsc(), residual(u))
        steps += 1
    return u, steps, jacobian.sweeps(u)


PROGRAMS = [(energy, (np.array([0.1, 0.2, 0.1]),), 0)]


def main(count=400):
    """Show the adjoint of the misfit, and solve."""
    show(energy, *PROGRAMS[0][1])
    u, steps, sweeps = solved(count)
    print(f"{count} unknowns: {steps} Newton steps, {sweeps} sweeps for each Jacobian")
    print("largest value of the solution:", u.max())
    return {"u": u, "steps": steps, "sweeps": sweeps}


if __name__ == "__main__":
    main()
