"""Generated functions with what they read of the world as it was.

    K = 3.0
    y, pushforward = linearize(lambda x: K * x * x, 2.0)
    K = 5.0
    pushforward(1.0)                    # 12.0: the derivative of what ran

The functions get a namespace and cells of their own, with copies of the data in them.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.cache import Entry
from sourcegrad.frontend.scope import is_data
from sourcegrad.frontend.signature import attribute_names


@dataclasses.dataclass
class Kept:
    """Functions as they were, and the data they read.

    `seen` holds, for each thing that was read, how to read it now and what it was.
    """

    entry: Entry
    seen: list[tuple[Callable[[], Any], Any]]

    def current(self) -> bool:
        """Whether everything that was read is still what it was."""
        try:
            return all(same(read(), was) for read, was in self.seen)
        except (LookupError, AttributeError, ValueError):
            return False  # a name or cell is gone


def kept(entry: Entry) -> Kept:
    """The functions of an entry with all data that they read as it is now."""
    memo: dict[int, Any] = {}
    first = inspect.unwrap(entry.functions[0])
    space = _Space(first.__globals__, memo)
    functions = tuple(space.function(inspect.unwrap(f)) for f in entry.functions)
    seen = [(g.read, data_of(g.read(), memo)) for g, _ in entry.data]
    return Kept(dataclasses.replace(entry, functions=functions, calls=functions), seen)


class _Space:
    """A copy of a namespace of generated functions."""

    def __init__(self, old: dict[str, Any], memo: dict[int, Any]) -> None:
        self.old, self.memo = old, memo
        self.cells: dict[int, types.CellType] = {}
        self.new: dict[str, Any] = {}
        for name, value in old.items():
            own = isinstance(value, types.FunctionType) and value.__globals__ is old
            self.new[name] = self.function(value) if own else data_of(value, memo)

    def function(self, fn: Any) -> Any:
        """A generated function that finds the copies."""
        if not isinstance(fn, types.FunctionType):
            return fn
        cells = tuple(map(self.cell, fn.__closure__ or ()))
        made = types.FunctionType(
            fn.__code__, self.new, fn.__name__, fn.__defaults__, cells or None
        )
        made.__kwdefaults__ = fn.__kwdefaults__
        vars(made).update(vars(fn))
        return made

    def cell(self, cell: types.CellType) -> types.CellType:
        """A cell with a copy of what a cell holds."""
        if id(cell) not in self.cells:
            try:
                made = types.CellType(data_of(cell.cell_contents, self.memo))
            except ValueError:  # it is empty
                made = types.CellType()
            self.cells[id(cell)] = made
        return self.cells[id(cell)]


def data_of(value: Any, memo: dict[int, Any]) -> Any:
    """A copy of arrays, containers and objects with attributes; others as they are."""
    if isinstance(value, (np.ndarray, list, dict, tuple, set)):
        return copy.deepcopy(value, memo)
    if is_data(value) and attribute_names(value) is not None:
        return copy.deepcopy(value, memo)
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two values hold the same data.

    >>> same([np.ones(2), 1.0], [np.ones(2), 1.0]), same({"a": 1}, {"a": 2})
    (True, False)
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    names = attribute_names(a)
    if names is not None and is_data(a):
        return names == attribute_names(b) and all(
            same(getattr(a, n), getattr(b, n)) for n in names
        )
    return isinstance(a, (int, float, complex, str, np.generic)) and bool(a == b)
