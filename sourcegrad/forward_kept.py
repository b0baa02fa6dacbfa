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
from sourcegrad.frontend.readers import Step, start_of
from sourcegrad.frontend.reads import MemberRead, is_data
from sourcegrad.frontend.signature import attribute_names
from sourcegrad.runtime_project import kept_apart

Seen = list[tuple[Callable[[], Any], Any]]


@dataclasses.dataclass
class Kept:
    """Functions as they were, and the data they read.

    `seen` holds, for each thing that was read, how to read it now and what it was.
    """

    entry: Entry
    seen: Seen
    live: Seen

    def current(self) -> bool:
        """Whether everything that was read is still what it was."""
        return _unchanged(self.seen)

    def valid(self) -> bool:
        """Whether that holds for what the functions still read where it is: attributes
        of classes, and with numba all."""
        return _unchanged(self.live)


def _unchanged(seen: Seen) -> bool:
    try:
        return all(same(read(), was) for read, was in seen)
    except (LookupError, AttributeError, ValueError):
        return False  # a name or cell is gone


def kept(entry: Entry, copied: bool = True) -> Kept:
    """The functions of an entry with all data that they read as it is now.

    Args:
        entry: the functions.
        copied: whether they get a namespace of their own.
    """
    memo: dict[int, Any] = {}
    seen: Seen = [(g.read, data_of(g.read(), memo)) for g, _ in entry.data]
    if not copied:
        return Kept(entry, seen, seen)
    first = inspect.unwrap(entry.functions[0])
    space = _Space(first.__globals__, memo)
    live: Seen = []
    for (guard, _), (read, was) in zip(entry.data, seen, strict=True):
        part = isinstance(read, (MemberRead, Step))
        if part and not space.hold(guard.name, read, was):
            live.append((read, was))
    functions = tuple(space.function(inspect.unwrap(f)) for f in entry.functions)
    made = dataclasses.replace(entry, functions=functions, calls=functions)
    return Kept(made, seen, live)


class _Space:
    """A copy of a namespace of generated functions."""

    def __init__(self, old: dict[str, Any], memo: dict[int, Any]) -> None:
        self.old, self.memo = old, memo
        self.cells: dict[int, types.CellType] = {}
        self.modules: dict[int, types.ModuleType] = {}  # the copies, by their own ids
        self.objects: dict[int, Any] = {}
        self.new: dict[str, Any] = {}
        for name, value in old.items():
            own = isinstance(value, types.FunctionType) and value.__globals__ is old
            self.new[name] = self.function(value) if own else data_of(value, memo)
            if self.new[name] is not value and not own:
                self.objects[id(self.new[name])] = self.new[name]

    def hold(self, path: str, read: Any, value: Any) -> bool:
        """Bind `module.name` to what it is now, in copies of the modules on the path;
        whether that was done: a class cannot be replaced by another one."""
        root, *names = [step.partition("[")[0] for step in path.split(".")]
        space = self.new
        if root not in space:  # what a cell holds is a copy, if it is data
            held = read.holder if isinstance(read, MemberRead) else start_of(read)()
            return data_of(held, self.memo) is not held
        for name in (root, *names[:-1]):
            module = space.get(name)
            if not isinstance(module, types.ModuleType):
                return self.hold_object(space, name)
            if id(module) not in self.modules:
                space[name] = types.ModuleType(module.__name__)
                vars(space[name]).update(vars(module))
                self.modules[id(space[name])] = space[name]
            space = vars(space[name])
        space[names[-1]] = value
        self.objects[id(value)] = value
        return True

    def hold_object(self, space: dict[str, Any], name: str) -> bool:
        """Copy an object of which attributes are read; whether that can be."""
        found = space.get(name)
        if found is not None and id(found) not in self.objects:
            space[name] = data_of(found, self.memo)
            if space[name] is found:
                return False
            self.objects[id(space[name])] = space[name]
        return found is not None

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


_LIBRARIES = frozenset("builtins functools numba numpy scipy sourcegrad".split())


def arguments_apart(values: Any, memo: dict[int, Any] | None = None) -> Any:
    """Arguments for a run that may change them: arrays, containers and objects with
    attributes are copies, and what was one object is one copy.

    >>> body = types.SimpleNamespace(v=np.ones(2))
    >>> copies = arguments_apart((body, body))
    >>> copies[0] is copies[1], copies[0].v is body.v, copies[0].v.tolist()
    (True, False, [1.0, 1.0])
    """
    memo = {} if memo is None else memo
    if id(values) in memo:
        return memo[id(values)]
    own = type(values).__module__.partition(".")[0] not in _LIBRARIES
    made: Any
    if isinstance(values, (list, tuple)):
        kind, items = type(values), [arguments_apart(v, memo) for v in values]
        made = kind(*items) if hasattr(values, "_fields") else kind(items)
    elif isinstance(values, dict):
        made = copy.copy(values)
        made.update({k: arguments_apart(v, memo) for k, v in values.items()})
    elif own and attribute_names(values) is not None and hasattr(values, "__dict__"):
        memo[id(values)] = made = copy.copy(values)  # it may hold itself
        held = {name: arguments_apart(v, memo) for name, v in vars(values).items()}
        vars(made).update(held)
    else:
        made = kept_apart(values)
    memo[id(values)] = made
    return made


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
