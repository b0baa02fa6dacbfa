"""Iterative solvers of `scipy.sparse.linalg` for linear systems.

The derivative is that of the solution of the system: the same solver is asked for the
transposed system, to the same tolerance, so that a gradient is as exact as `rtol`
says. The matrix is an array, a sparse matrix, or a `LinearOperator`, which is a
constant. `x0`, the preconditioner and `callback` carry no derivative. A run without
success is refused: its result is not the solution.
"""

import numpy as np
from scipy.sparse import linalg

from ..runtime import is_zero, not_differentiable
from ..runtime_krylov import Run, krylov, krylov_first
from ..runtime_sparse import sparse_times
from .registry import adjoint, composite, constant, tangent
from .scipy_sparse import Sparse, outer_entries, turned_times

constant(Run, krylov_first)

SOLUTION = "A x = b, so A dx = db - dA x"


def by_entries(layout, left, right):
    """The cotangent of a matrix: the entries of `left @ right.T` that it has."""
    if layout is None:
        return np.outer(left, right)
    else:
        return outer_entries(layout[0], layout[1], left, right)


def product(layout, data, x, turned):
    """The product of a matrix, or its transposed one, and a vector."""
    if layout is None:
        return data.T @ x if turned else data @ x
    elif turned:
        return turned_times(layout[0], layout[1], layout[2], data, x)
    else:
        return sparse_times(layout[0], layout[1], layout[2], data, x)


@adjoint(krylov, source=SOLUTION)
def krylov_adjoint(x, x_bar, layout, data, b, run, turned, known):
    b_bar = krylov(layout, data, x_bar, run, not turned, None)
    if turned:
        return None, -by_entries(layout, x, b_bar), b_bar
    else:
        return None, -by_entries(layout, b_bar, x), b_bar


@tangent(krylov)
def krylov_tangent(x, layout, data, data_dot, b, b_dot, run, turned, known):
    moved = np.zeros_like(x) + b_dot
    if not is_zero(data_dot):
        moved = moved - product(layout, data_dot, x, turned)
    return krylov(layout, data, moved, run, turned, None)


def solved(A, b, run, x0, callback):
    """The solution and the success of a run."""
    if np.ndim(b) != 1:
        not_differentiable(
            "iterative solvers of scipy.sparse.linalg have a rule for a vector b",
            hint="pass np.ravel(b)",
        )
    if isinstance(A, Sparse):
        layout = (A.form, A.parts, A.shape)
        x, info = krylov_first(layout, A.data, b, run, x0, callback)
        return krylov(layout, A.data, b, run, False, x), info
    else:
        x, info = krylov_first(None, A, b, run, x0, callback)
        return krylov(None, A, b, run, False, x), info


@composite(linalg.cg, builds=True)
def cg(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    options = {"rtol": rtol, "atol": atol, "maxiter": maxiter}
    return solved(A, b, Run("cg", options, M), x0, callback)


@composite(linalg.cgs, builds=True)
def cgs(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    options = {"rtol": rtol, "atol": atol, "maxiter": maxiter}
    return solved(A, b, Run("cgs", options, M), x0, callback)


@composite(linalg.bicg, builds=True)
def bicg(A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None):
    options = {"rtol": rtol, "atol": atol, "maxiter": maxiter}
    return solved(A, b, Run("bicg", options, M), x0, callback)


@composite(linalg.bicgstab, builds=True)
def bicgstab(
    A, b, x0=None, *, rtol=1e-5, atol=0.0, maxiter=None, M=None, callback=None
):
    options = {"rtol": rtol, "atol": atol, "maxiter": maxiter}
    return solved(A, b, Run("bicgstab", options, M), x0, callback)


@composite(linalg.gmres, builds=True)
def gmres(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    atol=0.0,
    restart=None,
    maxiter=None,
    M=None,
    callback=None,
    callback_type=None,
):
    options = {"rtol": rtol, "atol": atol, "maxiter": maxiter, "restart": restart}
    if callback is not None:
        not_differentiable("scipy.sparse.linalg.gmres with callback has no rule")
    return solved(A, b, Run("gmres", options, M), x0, None)


@composite(linalg.minres, builds=True)
def minres(
    A,
    b,
    x0=None,
    *,
    rtol=1e-5,
    shift=0.0,
    maxiter=None,
    M=None,
    callback=None,
    show=False,
    check=False,
):
    if is_zero(shift) or shift == 0:
        options = {"rtol": rtol, "maxiter": maxiter}
        return solved(A, b, Run("minres", options, M), x0, callback)
    else:
        not_differentiable(
            "scipy.sparse.linalg.minres has a rule for shift=0 only",
            hint="subtract it from the matrix",
        )
