"""Closures that share a code object share a compilation.

A function made in a loop, `lambda p: energy(p, charges)`, is a new object each time.
What was compiled for the first of them serves the next, with the cells of the next:
where each thing that the code relies on lies is kept as a path from the function, and
nothing that the first one captured is kept alive.

>>> def make(k):
...     return lambda x: k * x
>>> first, second = make(2.0), make(3.0)
>>> sorted(map(str, cells(first)[0].values())), at(second, (0,)).cell_contents
(['(0,)'], 3.0)
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sourcegrad.frontend.optional import is_solver
from sourcegrad.frontend.readers import is_captured
from sourcegrad.frontend.reads import CellRead, GlobalRead, Guard, MemberRead, is_data
from sourcegrad.kinds import UNKNOWN, Kind, kind_of
from sourcegrad.loader.load import MODULE_NAME
from sourcegrad.rules import registry

# From a function to a cell or function: the number of a cell, whose content is the
# next function, or the name of a generated function in the same namespace.
Path = tuple[int | str, ...]
Paths = dict[int, Path]


def cells(fn: types.FunctionType) -> tuple[Paths, Paths]:
    """The paths of all cells that a function can reach, and of all functions in them.

    Args:
        fn: the function; functions in its cells are searched too.

    Returns:
        Paths by the id of a cell, and by the id of a function.
    """
    found: Paths = {}
    functions: Paths = {id(fn): ()}
    todo: list[tuple[types.FunctionType, Path]] = [(fn, ())]
    while todo:
        own, path = todo.pop()
        inside: list[tuple[Any, Path]] = []
        for k, cell in enumerate(own.__closure__ or ()):
            found.setdefault(id(cell), (*path, k))
            inside.append((content(cell), (*path, k)))
        if is_generated(own):
            names = own.__code__.co_names
            inside += [(own.__globals__.get(n), (*path, n)) for n in names]
        for obj, where in inside:
            if isinstance(obj, types.FunctionType) and id(obj) not in functions:
                if isinstance(where[-1], int) or is_generated(obj):
                    functions[id(obj)] = where
                    todo.append((obj, where))
    return found, functions


def content(cell: types.CellType) -> Any:
    """What a cell holds; None for an empty one."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def is_generated(fn: types.FunctionType) -> bool:
    """Whether the compiler made the function."""
    return fn.__globals__.get("__name__") == MODULE_NAME


def at(fn: types.FunctionType, path: Path) -> Any:
    """The cell, or generated function, at a path.

    Raises:
        LookupError: the function has nothing there.
    """
    found: Any = fn
    for k, step in enumerate(path):
        if isinstance(found, types.CellType):
            found = content(found)
        if not isinstance(found, types.FunctionType):
            raise LookupError(path[:k])
        if isinstance(step, str):
            found = found.__globals__[step]
        else:
            found = (found.__closure__ or ())[step]
    return found


def function_at(fn: types.FunctionType, path: Path) -> Any:
    """The function at a path."""
    found = at(fn, path)
    return content(found) if isinstance(found, types.CellType) else found


def matches(one: types.FunctionType, code: Any, space: Any, defaults: Any) -> bool:
    """Whether a function differs from the one described in its cells alone.

    One that is known by its identity, as a decorated function of SciPy is, whose code
    is that of its decorator, differs from all others.
    """
    given = one.__defaults__ or ()
    return (
        one.__code__ is code
        and not is_known(one)
        and (is_generated(one) if space is None else one.__globals__ is space)
        and len(given) == len(defaults)
        and all(a is b for a, b in zip(given, defaults, strict=True))
        and not one.__kwdefaults__
    )


def is_known(fn: types.FunctionType) -> bool:
    """Whether a function has a rule, or a handler, which goes by its identity."""
    return registry.lookup(fn) is not None or is_solver(fn)


def described(fn: types.FunctionType) -> tuple[Any, Any, Any]:
    """What `matches` compares; the namespace of a generated function may differ."""
    space = None if is_generated(fn) else fn.__globals__
    return fn.__code__, space, fn.__defaults__ or ()


@dataclass
class Condition:
    """One guard, without what the first closure captured."""

    name: str
    path: Path | None
    read: Callable[[], Any] | None
    expected: Any
    kind: Kind | None
    function: tuple[Any, Any, Any] | None = None

    def guard(self, fn: types.FunctionType) -> Guard | None:
        """The guard for another closure; None where it does not hold there."""
        read = self.reader(fn)
        now = read()
        if self.kind is not None:
            same = is_data(now) and kind_of(now) == self.kind
            if self.kind == UNKNOWN:
                same = same and type(now) is self.expected
        elif self.function is not None:
            known = isinstance(now, types.FunctionType)
            same = known and matches(now, *self.function)
        else:
            same = now is self.expected
        return Guard(self.name, read, now, self.kind) if same else None

    def reader(self, fn: types.FunctionType) -> Callable[[], Any]:
        """Reads what the guard is about."""
        if self.path is None:
            assert self.read is not None
            return self.read
        if isinstance(self.path[-1], str):
            owner = function_at(fn, self.path[:-1])
            return GlobalRead(owner.__globals__, self.path[-1])
        return CellRead(at(fn, self.path))


def condition(guard: Guard, found: Paths, functions: Paths) -> Condition | None:
    """A guard as a condition; None where it is about one closure alone."""
    read, now = guard.read, guard.expected
    path: Path | None = None
    if is_captured(read):
        return None
    if isinstance(read, CellRead):
        path = found.get(id(read.cell))
        if path is None:
            return None
    elif isinstance(read, GlobalRead) and isinstance(now, types.FunctionType):
        if is_generated(now):
            path = functions.get(id(now))
            if path is None or path[-1:] != (read.name,):
                return None
    own = isinstance(now, types.FunctionType) and id(now) in functions
    own = own and not is_known(now)
    if guard.kind is not None:
        expected: Any = type(now)
    else:
        expected = None if own else now
    kept = None if path is not None else read
    function = described(now) if own else None
    return Condition(guard.name, path, kept, expected, guard.kind, function)


def conditions(
    fn: types.FunctionType, guards: list[Guard]
) -> tuple[list[Condition], Paths, Paths] | None:
    """The guards of a compilation as conditions; None where it cannot be shared."""
    found, functions = cells(fn)
    made = [condition(g, found, functions) for g in guards]
    if not all(made):
        return None
    objects = any(g.kind == UNKNOWN and isinstance(g.read, CellRead) for g in guards)
    members = [g.read for g in guards if isinstance(g.read, MemberRead)]
    if objects and not all(isinstance(m.holder, types.ModuleType) for m in members):
        return None
    return [m for m in made if m is not None], found, functions


@dataclass
class Functions:
    """Generated functions without namespace and cells."""

    space: dict[str, Any]
    captured: dict[str, Path]
    codes: dict[str, tuple[types.CodeType, Any, list[Path]]] = field(
        default_factory=dict
    )

    def made(
        self, fn: types.FunctionType, guards: list[Guard]
    ) -> tuple[dict[str, Any], dict[str, types.FunctionType]]:
        """The namespace and the functions for another closure."""
        space = dict(self.space)
        for name, path in self.captured.items():
            space[name] = function_at(fn, path)
        for guard in guards:
            if guard.kind is not None and guard.name in space:
                space[guard.name] = guard.expected
        loaded = {}
        for name, (code, defaults, paths) in self.codes.items():
            held = tuple(at(fn, path) for path in paths)
            own = types.FunctionType(code, space, name, defaults, held or None)
            space[name] = loaded[name] = own
        return space, loaded


def stripped(
    loaded: dict[str, types.FunctionType],
    namespace: dict[str, Any],
    guards: list[Guard],
    found: Paths,
    functions: Paths,
) -> Functions | None:
    """Generated functions as something every closure can have; None if it cannot."""
    live = {g.name for g in guards if g.kind is not None}
    made = Functions({}, {})
    for name, obj in namespace.items():
        if name in loaded:
            continue
        if isinstance(obj, types.FunctionType) and id(obj) in functions:
            made.captured[name] = functions[id(obj)]
        else:
            made.space[name] = None if name in live else obj
    for name, fn in loaded.items():
        paths = [found.get(id(cell)) for cell in fn.__closure__ or ()]
        if None in paths:
            return None
        kept = [p for p in paths if p is not None]
        made.codes[name] = fn.__code__, fn.__defaults__, kept
    return made


def hollow(fn: types.FunctionType) -> types.FunctionType:
    """A function with the code of another one, and none of what that captured."""
    if not fn.__closure__:
        return fn
    empty = tuple(types.CellType() for _ in fn.__closure__)
    return types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, None, empty)


class ByCode:
    """Values by code object, as long as that lives; equal code objects are apart."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[weakref.ref[types.CodeType], dict[Any, Any]]] = {}

    def of(self, code: types.CodeType) -> dict[Any, Any]:
        """The values of one code object."""
        key = id(code)
        known = self._held.get(key)
        if known is None or known[0]() is not code:
            drop = weakref.ref(code, lambda _: self._held.pop(key, None))
            known = self._held[key] = (drop, {})
        return known[1]
