"""Meshes of differential equations, for derivatives along the steps of a solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_ROOT = np.sqrt(6.0)
# The nodes and weights of Radau IIA of order 5. Source: Hairer and Wanner, "Solving
# Ordinary Differential Equations II", 1996, table IV.5.6.
RADAU_C = np.array([(4 - _ROOT) / 10, (4 + _ROOT) / 10, 1.0])
RADAU_A = np.array(
    [
        [(88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225],
        [(296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225],
        [(16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9],
    ]
)
MOST_STEPS = 20000


def mesh_of(steps: Any, outputs: Any) -> Any:
    """The steps of a solver and the times of output, in the order of integration.

    Args:
        steps: the times between which the solver stepped.
        outputs: the times at which the solution is wanted, None for all steps.

    >>> mesh_of(np.array([0.0, 1.0, 3.0]), [0.5, 3.0])
    array([0. , 0.5, 1. , 3. ])
    """
    steps = np.asarray(steps, float)
    if outputs is None:
        return steps
    both = np.union1d(steps, np.asarray(outputs, float))
    return both if steps[-1] >= steps[0] else both[::-1]


def places_of(mesh: Any, outputs: Any) -> Any:
    """Where in a mesh the times of output are.

    >>> places_of(np.array([0.0, 0.5, 1.0, 3.0]), [0.5, 3.0])
    array([1, 3])
    """
    if outputs is None:
        return np.arange(len(mesh))
    if mesh[-1] >= mesh[0]:
        return np.searchsorted(mesh, outputs)
    return len(mesh) - 1 - np.searchsorted(mesh[::-1], outputs)


def steps_by(
    method: str,
    fun: Callable[..., Any],
    times: Any,
    y0: Any,
    args: Any,
    tfirst: bool = True,
    rtol: Any = None,
    atol: Any = None,
) -> Any:
    """The solution by a method whose steps can be taken again, with its steps.

    Args:
        method: of `scipy.integrate.solve_ivp`.
        fun: the right side.
        times: the first and the last are those of the integration.
        y0: where it starts.
        args: further operands of `fun`.
        tfirst: whether `fun` takes the time before the state.
        rtol: the relative tolerance, None for that of `odeint`.
        atol: the absolute tolerance, None for that of `odeint`.

    Raises:
        RuntimeError: the integration fails, or takes so many steps that the equation
            must be stiff.
    """
    from scipy.integrate import solve_ivp

    def right(t: Any, y: Any) -> Any:
        return fun(t, y, *args) if tfirst else fun(y, t, *args)

    default = 1.49012e-8
    found = solve_ivp(
        right,
        (times[0], times[-1]),
        np.atleast_1d(y0),
        method=method,
        dense_output=True,
        rtol=default if rtol is None else rtol,
        atol=default if atol is None else atol,
    )
    if not found.success or len(found.t) > MOST_STEPS:
        raise RuntimeError(
            "the steps for the derivative of this solution cannot be taken "
            f"({found.message}); for a stiff equation use "
            "scipy.integrate.solve_ivp with method='Radau'"
        )
    return found


def steps_of(solution: Any) -> Any:
    """The times between which a solver stepped.

    Args:
        solution: the result of `solve_ivp` with its dense output.
    """
    return solution.sol.ts


def path_of(solution: Any, mesh: Any) -> Path:
    """The states of a solution at Radau's points of each step of a mesh.

    Args:
        solution: the result of `solve_ivp` with its dense output.
        mesh: the times of the steps.
    """
    return Path(solution.sol, np.asarray(mesh))


class Path:
    """The states of a solution at Radau's points of each step.

    >>> line = Path(lambda t: np.array([2 * t]), np.array([0.0, 1.0]))
    >>> line(0)[-1]
    array([2.])
    """

    def __init__(self, solution: Callable[..., Any], mesh: Any) -> None:
        self.solution, self.mesh = solution, mesh

    def __call__(self, n: int) -> Any:
        """The states in step `n`, one row for each point."""
        h = self.mesh[n + 1] - self.mesh[n]
        return np.stack([self.solution(self.mesh[n] + c * h) for c in RADAU_C])


def collocate(residual: Callable[..., Any], guess: Any) -> Any:
    """The root of a collocation equation next to a close guess.

    Raises:
        RuntimeError: there is none.
    """
    from scipy.optimize import root

    def flat(v: Any) -> Any:
        return np.ravel(residual(np.reshape(v, guess.shape)))

    found = root(flat, np.ravel(guess), tol=1e-13)
    scale = 1.0 + np.max(np.abs(guess))
    if np.max(np.abs(flat(found.x))) > 1e-8 * scale:
        raise RuntimeError(
            f"a step of the integration has no solution: {found.message}"
        )
    return np.reshape(found.x, guess.shape)
