"""Gradients by complex step and by extrapolated central differences."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.oracle import trees
from tests.oracle.forward import normalise, quiet

Function = Callable[..., Any]


def _perturbed(
    args: tuple[Any, ...], wanted: tuple[int, ...], position: int, step: Any
) -> list[Any]:
    """A copy of the arguments with one element of one leaf moved by `step`."""
    count = iter(range(10**9))

    def leaf(x: Any) -> Any:
        kind = complex if isinstance(step, complex) else float
        if isinstance(x, np.ndarray):
            moved = x.astype(kind)
            for at in np.ndindex(*x.shape):
                if next(count) == position:
                    moved[at] = moved[at] + step
            return moved
        moved = x + step if next(count) == position else x
        return np.complex128(moved) if kind is complex else float(moved)

    values = copy.deepcopy(list(args))
    for n in wanted:
        values[n] = trees.place(values[n], leaf, trees.set_part)
    return values


def _positions(args: Any, wanted: tuple[int, ...]) -> Iterator[int]:
    return iter(range(sum(np.size(v) for n in wanted for v in trees.leaves(args[n]))))


def _assemble(flat: list[float], args: Any, wanted: Any, single: bool) -> Any:
    pieces, start = [], 0
    for n in wanted:
        for leaf in trees.leaves(args[n]):
            pieces.append(np.array(flat[start : start + np.size(leaf)]))
            start += np.size(leaf)
    made = tuple(trees.gradient_like(args[n], pieces) for n in wanted)
    return made[0] if single else made


def _number(y: Any) -> Any:
    return np.asarray(y).reshape(-1)[0]


def complex_step_grad(
    f: Function,
    args: tuple[Any, ...],
    argnums: Any = 0,
    kwargs: dict[str, Any] | None = None,
) -> Any:
    """The gradient by complex step, or None where the function does not take complex.

    Legal only for functions that are analytic along the path taken (no abs, no
    conjugate, no float stores): the caller knows.  Source: Squire and Trapp, "Using
    complex variables to estimate derivatives of real functions", SIAM Review 40, 1998.
    """
    wanted, single = normalise(f, argnums)
    flat = []
    for k in _positions(args, wanted):
        values = _perturbed(args, wanted, k, 1e-30j)
        try:
            with quiet(), warnings.catch_warnings():
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                y = f(*values, **(kwargs or {}))
        except (TypeError, np.exceptions.ComplexWarning, ValueError):
            return None
        flat.append(complex(_number(y)).imag / 1e-30)
    return _assemble(flat, args, wanted, single)


def central_difference_grad(
    f: Function,
    args: tuple[Any, ...],
    argnums: Any = 0,
    kwargs: dict[str, Any] | None = None,
    step: float = 1e-2,
    levels: int = 5,
) -> Any:
    """The gradient by central differences, extrapolated by Richardson and Ridders.

    Each row of the tableau halves the step; the entry with the smallest error estimate
    is taken.  Source: Ridders, "Accurate computation of F'(x) and F'(x) F''(x)",
    Advances in Engineering Software 4, 1982.
    """
    wanted, single = normalise(f, argnums)

    def at(k: int, h: float) -> float:
        with quiet():
            up = f(*_perturbed(args, wanted, k, h), **(kwargs or {}))
            down = f(*_perturbed(args, wanted, k, -h), **(kwargs or {}))
        return float((_number(up) - _number(down)) / (2 * h))

    flat = [
        _ridders(lambda h, k=k: at(k, h), step, levels)  # type: ignore[misc]
        for k in _positions(args, wanted)
    ]
    return _assemble(flat, args, wanted, single)


def _ridders(slope: Callable[[float], float], step: float, levels: int) -> float:
    rows: list[list[float]] = []
    best, error = np.nan, np.inf
    for k in range(levels + 5):
        row = [slope(step / 2**k)]
        for j, earlier in enumerate(rows[-1] if rows else []):
            row.append(row[j] + (row[j] - earlier) / (4.0 ** (j + 1) - 1.0))
            estimate = max(abs(row[-1] - row[-2]), abs(row[-1] - earlier))
            if estimate < error:
                best, error = row[-1], estimate
        rows.append(row)
    return best
