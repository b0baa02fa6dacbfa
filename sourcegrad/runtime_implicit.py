"""Helpers of adjoints that pass through solvers."""

from __future__ import annotations

from typing import Any

import numpy as np


def regular(slope: Any) -> Any:
    """The slope of an equation at its solution, if the solution is isolated.

    Args:
        slope: a number or a square matrix.

    Raises:
        numpy.linalg.LinAlgError: it is singular; then the solution has no derivative.

    >>> regular(2.0)
    2.0
    """
    if np.ndim(slope) < 2:
        singular = not (np.all(np.isfinite(slope)) and np.all(np.asarray(slope) != 0))
    else:
        singular = not np.all(np.isfinite(slope)) or bool(
            np.linalg.cond(slope) > 1 / np.finfo(float).eps
        )
    if singular:
        raise np.linalg.LinAlgError(
            "the solution is not isolated: the slope of the equation is singular "
            "there, so the solution has no derivative"
        )
    return slope


def newton_number(x: Any, slope: Any, residual: Any) -> Any:
    """A step of Newton's method from `x`, a number, or roots with an equation each.

    From a root it leads nowhere; its derivative by the residual is that of the root
    (the implicit function theorem). The same holds for the other two.

    >>> newton_number(3.0, 6.0, 0.0)
    3.0
    """
    return x - residual / regular(slope)


def newton_vector(x: Any, slope: Any, residual: Any) -> Any:
    """A step of Newton's method from a vector.

    >>> newton_vector(np.array([1.0, 2.0]), np.eye(2), np.zeros(2))
    array([1., 2.])
    """
    return x - np.linalg.solve(regular(slope), np.asarray(residual))


def newton_array(x: Any, slope: Any, residual: Any) -> Any:
    """A step of Newton's method from an array, whose numbers `slope` has in order.

    >>> newton_array(np.array([[1.0, 2.0]]), np.eye(2), np.zeros((1, 2)))
    array([[1., 2.]])
    """
    step = np.linalg.solve(regular(slope), np.ravel(residual))
    return x - np.reshape(step, np.shape(x))


def free_of(x: Any, bounds: Any) -> Any:
    """Which variables of a minimum do not lie on their bounds.

    Args:
        x: the solution.
        bounds: pairs `(low, high)` with None for no bound, or an object with
            attributes `lb` and `ub`, as `scipy.optimize.minimize` takes them.

    >>> free_of(np.array([0.0, 0.5]), [(0, None), (0, 1)]).tolist()
    [False, True]
    """
    if hasattr(bounds, "lb"):
        return free_within(x, bounds)
    pairs = list(bounds)
    low = [-np.inf if low is None else low for low, _ in pairs]
    high = [np.inf if high is None else high for _, high in pairs]
    return free_within(x, (low, high))


def free_within(x: Any, bounds: Any) -> Any:
    """The same for bounds as a pair of lower and upper ones.

    >>> bool(free_within(0.5, (0, 1)))
    True
    """
    low, high = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    slack = 1e-8 * np.maximum(1.0, np.abs(x))
    return (x > np.asarray(low) + slack) & (x < np.asarray(high) - slack)


def kept_free(matrix: Any, free: Any) -> Any:
    """A matrix with the rows and columns of fixed variables those of the identity.

    >>> kept_free(np.full((2, 2), 3.0), np.array([True, False]))
    array([[3., 0.],
           [0., 1.]])
    """
    if np.ndim(free) == 0:
        return matrix if free else 1.0
    return np.where(np.outer(free, free), matrix, np.eye(len(free)))
