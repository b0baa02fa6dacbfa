"""Jacobians of equations, as plain Python that the frontend builds in."""

from __future__ import annotations

from typing import Any

import numpy as np


def slope_matrix(push: Any, operands: Any, x: Any) -> Any:
    """The Jacobian of an equation, one column per tangent of `x`."""
    size = np.size(x)
    slope = np.zeros((size, size))
    for k in range(size):
        unit = np.zeros(size)
        unit[k] = 1.0
        slope[:, k] = np.ravel(np.asarray(push(*operands, unit)))
    return slope


def slope_blocks(push: Any, operands: Any, x: Any) -> Any:
    """The same where `x` has several dimensions: numbers in their order."""
    size, shape = np.size(x), np.shape(x)
    slope = np.zeros((size, size))
    for k in range(size):
        unit = np.zeros(size)
        unit[k] = 1.0
        column = push(*operands, np.reshape(unit, shape))
        slope[:, k] = np.ravel(np.asarray(column))
    return slope
