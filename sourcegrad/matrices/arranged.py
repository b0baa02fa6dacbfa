"""The numbers of a matrix from one sweep for each row or column, or for many."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from sourcegrad.batch_api import as_rows, rows_of, unit_stacks, zeros_of
from sourcegrad.cache import Entry
from sourcegrad.forward.trees import leaves, mapped, row, size, unit_tangents
from sourcegrad.forward_api import Tangent, finite_or_none
from sourcegrad.forward_kept import arguments_apart
from sourcegrad.matrices.second import Second


def by_rows(
    entry: Entry, y: Any, residuals: Any, width: int, scale: complex = 1.0
) -> np.ndarray:
    """The rows of a Jacobian: a reverse sweep for each number of the result, or one
    for many of them."""
    if len(entry.calls) < 3:
        rows = [entry.calls[1](residuals, _scaled(seed, scale))
                for seed in unit_tangents(y)]  # fmt: skip
        return _matrix(rows, width)
    parts = [
        as_rows(entry.calls[2](residuals, _scaled(seeds, scale), count), count)
        for seeds, count in unit_stacks(y)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, width))


def _scaled(tree: Any, scale: complex) -> Any:
    """Seeds times a number; those of real results stay real, and are then zero."""
    if scale == 1.0:
        return tree

    def leaf(x: Any) -> Any:
        return x * scale if np.iscomplexobj(x) else x * 0.0

    return mapped(leaf, tree)


def arranged(y: Any, moved: tuple[Any, ...], matrix: np.ndarray, single: bool) -> Any:
    """The matrix cut into blocks, in the structure of result and arguments."""
    rows = _cuts(y)

    def block(leaf: Any) -> Any:
        part = matrix[next(rows)]
        columns = _cuts(moved)

        def inner(x: Any) -> Any:
            found = part[:, next(columns)]
            shape = (*np.shape(leaf), *np.shape(x))
            return np.array(found).reshape(shape) if shape else found.item()

        made = mapped(inner, moved)
        return made[0] if single else made

    return mapped(block, y)


def by_columns(
    transform: Tangent | Second,
    values: tuple[Any, ...],
    moved: tuple[Any, ...],
    single: bool,
) -> Any:
    """A Jacobian by a forward sweep per number of the arguments, or one for many."""
    transform.require_apart(values)
    sweep, run = transform.stacks_of(values), transform.run
    if not size(moved):
        y = run(arguments_apart(values), zeros_of(moved))
        return arranged(y, moved, np.zeros((size(y), 0)), single)
    found = None if sweep is None else _by_stacks(sweep, values, moved)
    if found is None:
        columns = [run(arguments_apart(values), dots) for dots in unit_tangents(moved)]
        found = columns[0], _matrix(columns, size(columns[0]))
    return arranged(found[0], moved, found[1].T, single)


def _by_stacks(
    sweep: Any, values: tuple[Any, ...], moved: tuple[Any, ...]
) -> tuple[Any, np.ndarray] | None:
    """The columns by sweeps of many each; None where they are not all finite."""
    parts, y = [], None
    for seeds, count in unit_stacks(moved):
        found = finite_or_none(
            functools.partial(sweep, arguments_apart(values), seeds, count)
        )
        if found is None:
            return None
        y = next(rows_of(found, found, 1)) if y is None else y
        parts.append(as_rows(found, count))
    return y, np.concatenate(parts)


def _matrix(trees: list[Any], width: int) -> np.ndarray:
    """One row per tree: its numbers in order."""
    if not trees or not width:
        return np.zeros((len(trees), width))
    return np.stack(list(map(row, trees)))


def _cuts(tree: Any) -> Iterator[slice]:
    """The range of numbers of each leaf."""
    start = 0
    for leaf in leaves(tree):
        count = math.prod(np.shape(leaf))
        yield slice(start, start + count)
        start += count
