"""Fit an orbit: the start of a planet's path, from positions seen later.

The equation of motion is integrated by `solve_ivp`, and least squares get the
Jacobian of the positions by the start through the integration.
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares
from showing import show

import sourcegrad

TIMES = np.array([0.5, 1.0, 1.5, 2.0])
TRUE = np.array([1.0, 0.0, 0.1, 1.1])


def motion(t, state):
    """Newton's law around a sun of mass 1 at the origin."""
    distance = np.sqrt(state[0] ** 2 + state[1] ** 2)
    pull = -state[:2] / distance**3
    return np.concatenate([state[2:], pull])


def seen(start):
    """The positions at the times of observation."""
    path = solve_ivp(
        motion, (0.0, 2.0), start, "DOP853", t_eval=TIMES, rtol=1e-10, atol=1e-10
    )
    return path.y[:2].ravel()


def last_distance(start):
    """How far from the sun the planet ends, as one number for the picture."""
    places = seen(start)
    return np.sqrt(places[3] ** 2 + places[7] ** 2)


PROGRAMS = [(last_distance, (TRUE,), 0)]


def main():
    """Show the adjoint of a path, and fit one."""
    gradient = show(last_distance, TRUE)
    positions = seen(TRUE)
    found = least_squares(
        lambda start: seen(start) - positions,
        np.array([0.9, 0.1, 0.0, 1.2]),
        jac=sourcegrad.jacobian(seen, mode="forward"),
        xtol=1e-13,
        ftol=1e-13,
        gtol=1e-13,
    )
    print("start of the orbit", found.x, "after", found.nfev, "evaluations")
    return {"start": found.x, "gradient": gradient}


if __name__ == "__main__":
    main()
