"""Helpers that adjoints of solvers call."""

import numpy as np

from .. import runtime_implicit, runtime_ode
from ..runtime_implicit import regular
from .registry import adjoint, constant, tangent


@adjoint(runtime_implicit.regular, views="lent")
def regular_adjoint(y, y_bar, slope):
    return y_bar


@tangent(runtime_implicit.regular)
def regular_tangent(y, slope, slope_dot):
    return slope_dot


@adjoint(runtime_implicit.kept_free, views="lent")
def kept_free_adjoint(y, y_bar, matrix, free):
    return np.where(np.outer(free, free), y_bar, 0.0)


@tangent(runtime_implicit.kept_free)
def kept_free_tangent(y, matrix, matrix_dot, free):
    return np.where(np.outer(free, free), matrix_dot, 0.0)


constant(runtime_implicit.free_of, runtime_implicit.free_within)


# The slope of a step at a root has no derivative: it is multiplied by a residual of 0.


@adjoint(runtime_implicit.newton_number, source="the implicit function theorem")
def newton_number_adjoint(y, y_bar, x, slope, residual):
    return None, None, -y_bar / regular(slope)


@tangent(runtime_implicit.newton_number)
def newton_number_tangent(y, x, slope, residual, residual_dot):
    return -residual_dot / regular(slope)


@adjoint(runtime_implicit.newton_vector, source="the implicit function theorem")
def newton_vector_adjoint(y, y_bar, x, slope, residual):
    return None, None, -np.linalg.solve(regular(slope).T, y_bar)


@tangent(runtime_implicit.newton_vector)
def newton_vector_tangent(y, x, slope, residual, residual_dot):
    return -np.linalg.solve(regular(slope), residual_dot)


@adjoint(runtime_implicit.newton_array, source="the implicit function theorem")
def newton_array_adjoint(y, y_bar, x, slope, residual):
    weights = np.linalg.solve(regular(slope).T, np.ravel(y_bar))
    return None, None, -np.reshape(weights, np.shape(x))


@tangent(runtime_implicit.newton_array)
def newton_array_tangent(y, x, slope, residual, residual_dot):
    step = np.linalg.solve(regular(slope), np.ravel(residual_dot))
    return -np.reshape(step, np.shape(x))


constant(
    runtime_ode.mesh_of,
    runtime_ode.places_of,
    runtime_ode.steps_of,
    runtime_ode.path_of,
    runtime_ode.steps_by,
)
