"""Helpers of generated code: iterative solvers of SciPy for linear systems.

A matrix is told by a layout and its numbers: no layout for an array or an operator,
which is its own numbers, and (form, parts, shape) for a sparse one made of entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .runtime import not_differentiable
from .runtime_sparse import made

_SYMMETRIC = ("cg", "minres")


class Run(NamedTuple):
    """A solver by its name, the options it has for every system, the preconditioner."""

    method: str
    options: dict[str, Any]
    M: Any


def krylov_first(
    layout: Any, data: Any, b: Any, run: Run, x0: Any, callback: Any
) -> tuple[Any, int]:
    """What the solver returns: the solution, and 0 as the sign of its success.

    >>> krylov_first(None, 2.0 * np.eye(2), np.ones(2), Run("cg", {}, None), None, None)
    (array([0.5, 0.5]), 0)
    """
    matrix = _matrix(layout, data)
    return _solved(matrix, b, run, run.M, {"x0": x0, "callback": callback})


def krylov(layout: Any, data: Any, b: Any, run: Run, turned: bool, known: Any) -> Any:
    """The solution of a system, or of the transposed one, if it is not known.

    >>> krylov(None, 2.0 * np.eye(2), np.ones(2), Run("cg", {}, None), True, None)
    array([0.5, 0.5])
    """
    if known is not None:
        return known
    matrix = _matrix(layout, data)
    if not turned:
        return _solved(matrix, b, run, run.M, {})[0]
    if run.method in _SYMMETRIC:  # the transposed matrix is the conjugate one
        return np.conj(_solved(matrix, np.conj(b), run, run.M, {})[0])
    try:
        return _solved(matrix.T, b, run, None if run.M is None else run.M.T, {})[0]
    except NotImplementedError:
        not_differentiable(
            f"scipy.sparse.linalg.{run.method} cannot solve the transposed system,"
            " which the adjoint needs",
            why="the LinearOperator has no rmatvec",
            hint="make it as LinearOperator(shape, matvec, rmatvec=…)",
        )


def _matrix(layout: Any, data: Any) -> Any:
    if layout is None:
        return data
    form, parts, shape = layout
    return made(form, parts, shape, data)


def _solved(
    matrix: Any, b: Any, run: Run, M: Any, more: dict[str, Any]
) -> tuple[Any, int]:
    from scipy.sparse import linalg

    solve = getattr(linalg, run.method)
    x, info = solve(matrix, b, M=M, **run.options, **more)
    if info != 0:
        not_differentiable(
            f"scipy.sparse.linalg.{run.method} did not converge (info = {info})",
            why="the derivative is that of the solution, which it did not reach",
            hint="raise maxiter, or give it a preconditioner",
        )
    return x, info
