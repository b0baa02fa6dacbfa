"""Fit the rates of a reaction to its steady state, through the solver.

A substance flows in, decays, and is used up by an enzyme; what is measured is the
level at which it settles, for several inflows. The fit needs the derivative of the
level by the rates: that of the root, not of the iterations that found it.
"""

import numpy as np
from scipy import optimize
from showing import show

import sourcegrad

INFLOWS = np.array([0.2, 0.5, 1.0, 2.0])
TRUE = np.array([0.4, 1.5])


def change(level, inflow, rates):
    """What the substance gains in unit time."""
    decay, enzyme = rates
    return inflow - decay * level - enzyme * level / (1.0 + level)


def steady(inflow, rates):
    return optimize.brentq(change, 0.0, 100.0, args=(inflow, rates), xtol=1e-14)


def misfit(rates, inflows, measured):
    total = 0.0
    for inflow, level in zip(inflows, measured, strict=True):
        total = total + (steady(inflow, rates) - level) ** 2
    return total


MEASURED = np.array([steady(inflow, TRUE) for inflow in INFLOWS])
PROGRAMS = [(misfit, (np.array([0.6, 1.0]), INFLOWS, MEASURED), 0)]


def main():
    """Show the adjoint, and fit."""
    gradient = show(misfit, *PROGRAMS[0][1])
    found = optimize.minimize(
        misfit,
        PROGRAMS[0][1][0],
        args=(INFLOWS, MEASURED),
        jac=sourcegrad.grad(misfit),
        bounds=[(0.05, None), (0.0, None)],
        tol=1e-14,
    )
    print("rates", found.x, "after", found.nfev, "evaluations")
    return {"gradient": gradient, "rates": found.x}


if __name__ == "__main__":
    main()
