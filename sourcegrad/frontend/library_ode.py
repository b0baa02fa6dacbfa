"""Integrating along the steps that a solver took, as plain Python that the frontend
builds in: the value is the solver's, the derivative that of these steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from sourcegrad.markers_implicit import implicit_root
from sourcegrad.runtime_ode import RADAU_A, RADAU_C, collocate


def explicit_steps(
    f: Any, times: Any, y0: Any, args: Any, nodes: Any, weights: Any, last: Any
) -> Any:
    """The states at all times by an explicit Runge-Kutta method.

    `nodes`, `weights` and `last` are c, A and b of its tableau.
    """
    y = np.atleast_1d(np.asarray(y0))
    states = np.zeros((len(times), len(y)))
    states[0] = y
    for n in range(len(times) - 1):
        step = times[n + 1] - times[n]
        y = explicit_step(f, times[n], step, y, args, nodes, weights, last)
        states[n + 1] = y
    return states


def explicit_step(
    f: Any,
    start: Any,
    step: Any,
    y: Any,
    args: Any,
    nodes: Any,
    weights: Any,
    last: Any,
) -> Any:
    """The state after one step."""
    slopes = np.zeros((len(last), len(y)))
    for s in range(len(last)):
        slopes[s] = slope_at(
            f, start, step, y, args, nodes[s], weights[s, :s], slopes[:s]
        )
    return y + step * (last @ slopes)


def slope_at(
    f: Any, start: Any, step: Any, y: Any, args: Any, node: Any, row: Any, before: Any
) -> Any:
    """The right side at one stage."""
    return np.asarray(f(start + node * step, y + step * (row @ before), *args))


def explicit_steps_swapped(
    f: Any, times: Any, y0: Any, args: Any, nodes: Any, weights: Any, last: Any
) -> Any:
    """The same for a right side that takes the state before the time."""

    def right(t: Any, y: Any, *args: Any) -> Any:
        return f(y, t, *args)

    return explicit_steps(right, times, y0, args, nodes, weights, last)


def implicit_steps(f: Any, times: Any, y0: Any, args: Any, path: Any) -> Any:
    """The same by collocation at Radau's three points; `path` gives the first guess."""
    y = np.atleast_1d(np.asarray(y0))
    states = np.zeros((len(times), len(y)))
    states[0] = y
    for n in range(len(times) - 1):
        guess = np.reshape(path(n), (3, len(y)))
        y = implicit_step(f, times[n], times[n + 1] - times[n], y, args, guess)
        states[n + 1] = y
    return states


def implicit_step(f: Any, start: Any, step: Any, y: Any, args: Any, guess: Any) -> Any:
    """The state after one step: the last of three that satisfy an equation."""

    def misfit(stages: Any, start: Any, step: Any, state: Any) -> Any:
        slopes = np.stack(
            [
                np.asarray(f(start + RADAU_C[0] * step, stages[0], *args)),
                np.asarray(f(start + RADAU_C[1] * step, stages[1], *args)),
                np.asarray(f(start + RADAU_C[2] * step, stages[2], *args)),
            ]
        )
        return stages - state - step * (RADAU_A @ slopes)

    return implicit_root(misfit, collocate)(guess, start, step, y)[2]
