"""Matrices of derivatives, as plain Python that the frontend builds in."""

from __future__ import annotations

from typing import Any

import numpy as np


def block(value: Any) -> Any:
    """A tangent, of which a matrix has one number or array: no container."""
    return value


def on_copies(sweep: Any, which: Any, *operands: Any) -> Any:
    """A sweep on copies of the operands that it writes: the frontend builds it in.

    Args:
        sweep: the generated function.
        which: for each operand of the function, whether it is written.
        operands: those, and the tangents.
    """
    raise AssertionError("the frontend builds this in")


def columns(push: Any, x: Any) -> Any:
    """The Jacobian by a vector, one column per tangent of `x`."""
    found = [block(push(unit)) for unit in np.eye(np.size(x))]
    return np.stack(found, axis=-1)


def columns_of_blocks(push: Any, x: Any) -> Any:
    """The same where `x` has several dimensions: numbers in their order."""
    found = [block(push(np.reshape(unit, np.shape(x)))) for unit in np.eye(np.size(x))]
    return np.reshape(np.stack(found, axis=-1), np.shape(found[0]) + np.shape(x))


def rows(pull: Any, y: Any) -> Any:
    """The Jacobian of a vector, one row per cotangent of `y`."""
    found = [pull(unit)[0] for unit in np.eye(np.size(y))]
    return np.stack(found)


def rows_of_blocks(pull: Any, y: Any) -> Any:
    """The same where `y` has several dimensions: numbers in their order."""
    found = [pull(np.reshape(unit, np.shape(y)))[0] for unit in np.eye(np.size(y))]
    return np.reshape(np.stack(found), np.shape(y) + np.shape(found[0]))
