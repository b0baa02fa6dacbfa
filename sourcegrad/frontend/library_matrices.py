"""Matrices of derivatives, as plain Python that the frontend builds in."""

from __future__ import annotations

from typing import Any

import numpy as np


def on_copies(sweep: Any, which: Any, *operands: Any) -> Any:
    """A sweep on copies of the operands that it writes: the frontend builds it in.

    Args:
        sweep: the generated function.
        which: for each operand of the function, whether it is written.
        operands: those, and the tangents.
    """
    raise AssertionError("the frontend builds this in")


def parts_along(sweep: Any, which: Any, form: Any, unit: Any) -> Any:
    """What a sweep finds along one part of a container, as a tuple of its numbers and
    arrays: the frontend builds it in.

    Args:
        sweep: the generated function.
        which: the position of that part among those that carry derivatives.
        form: the container.
        unit: the tangent or cotangent of the part; those of the others are zero.
    """
    raise AssertionError("the frontend builds this in")


def units(sweep: Any, x: Any) -> Any:
    """What a sweep finds for each number of `x` in turn."""
    return [sweep(np.reshape(unit, np.shape(x))) for unit in np.eye(np.size(x))]


def block_of_columns(found: Any, which: Any, x: Any) -> Any:
    """The block of one part of the result, from the tangents along each unit of `x`."""
    block = np.stack([parts[which] for parts in found], axis=-1)
    return np.reshape(block, np.shape(found[0][which]) + np.shape(x))


def block_of_rows(found: Any, which: Any, y: Any) -> Any:
    """The block of one part of an argument, from the cotangents of each unit of `y`."""
    block = np.stack([parts[which] for parts in found])
    return np.reshape(block, np.shape(y) + np.shape(found[0][which]))


def columns(push: Any, x: Any) -> Any:
    """The Jacobian by a vector, one column per tangent of `x`."""
    found = [push(unit) for unit in np.eye(np.size(x))]
    return np.stack(found, axis=-1)


def columns_of_blocks(push: Any, x: Any) -> Any:
    """The same where `x` has several dimensions: numbers in their order."""
    found = [push(np.reshape(unit, np.shape(x))) for unit in np.eye(np.size(x))]
    return np.reshape(np.stack(found, axis=-1), np.shape(found[0]) + np.shape(x))


def rows(pull: Any, y: Any) -> Any:
    """The Jacobian of a vector, one row per cotangent of `y`."""
    found = [pull(unit)[0] for unit in np.eye(np.size(y))]
    return np.stack(found)


def rows_of_blocks(pull: Any, y: Any) -> Any:
    """The same where `y` has several dimensions: numbers in their order."""
    found = [pull(np.reshape(unit, np.shape(y)))[0] for unit in np.eye(np.size(y))]
    return np.reshape(np.stack(found), np.shape(y) + np.shape(found[0]))
