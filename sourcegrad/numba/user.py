"""User functions that generated text calls as they are, compiled by numba."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.errors import Location, NumbaUnsupportedError
from sourcegrad.frontend.reach import names_in
from sourcegrad.frontend.reads import is_data
from sourcegrad.numba.errors import of_numba

_LIBRARIES = ("numpy", "scipy", "math", "cmath", "numba", "sourcegrad", "builtins")


class UserFunctions:
    """The plain functions that a text names, by the name it uses.

    Numba freezes the numbers such a function reads from outside; `changed` tells when
    one is no longer what was frozen.
    """

    def __init__(self) -> None:
        self.renamed: dict[str, str] = {}
        self.functions: dict[str, types.FunctionType] = {}
        self.frozen: list[tuple[Callable[[], Any], Any]] = []

    def add(self, path: str, fn: types.FunctionType) -> None:
        """Compile `fn` where the text says `path`."""
        name = path.replace(".", "_")
        self.renamed[path] = name
        self.functions[name] = fn

    def compiled(self) -> dict[str, Any]:
        """Dispatchers by name, with what they read from outside as it is now.

        Raises:
            NumbaUnsupportedError: one of them reads an array from outside, whose
                later changes numba would not see.
        """
        self.frozen = []
        done: dict[int, Any] = {}
        return {n: self.dispatcher(f, done, True) for n, f in self.functions.items()}

    def changed(self) -> bool:
        """Whether a frozen number is another one now."""
        return any(read() is not seen for read, seen in self.frozen)

    def probe(
        self, fn: types.FunctionType, types_: tuple[Any, ...]
    ) -> Callable[[], Exception | None]:
        """A call that gives numba's error about a primal with these arguments."""

        def compile_primal() -> Exception | None:
            if not types_:
                return None
            try:
                self.dispatcher(fn, {}, False).compile(types_)
            except Exception as error:
                if not of_numba(error):
                    raise
                return error
            return None

        return compile_primal

    def dispatcher(
        self, fn: types.FunctionType, done: dict[int, Any], freeze: bool
    ) -> Any:
        """`fn` compiled, and the user functions it calls."""
        from numba import njit

        if id(fn) in done:
            return done[id(fn)]
        space = dict(fn.__globals__)
        copy = types.FunctionType(
            fn.__code__,
            space,
            fn.__name__,
            fn.__defaults__,
            self.cells(fn, done, freeze),
        )
        copy.__kwdefaults__ = fn.__kwdefaults__
        made = done[id(fn)] = njit(copy)
        for name in names_in(fn.__code__):
            if name in space:
                read = item_reader(fn.__globals__, name)
                space[name] = self.outer(fn, name, read, done, freeze)
        return made

    def cells(
        self, fn: types.FunctionType, done: dict[int, Any], freeze: bool
    ) -> tuple[types.CellType, ...] | None:
        """The closure of the compiled function."""
        if fn.__closure__ is None:
            return None
        made = []
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__, strict=True):
            read = cell_reader(cell)
            made.append(types.CellType(self.outer(fn, name, read, done, freeze)))
        return tuple(made)

    def outer(
        self,
        fn: types.FunctionType,
        name: str,
        read: Callable[[], Any],
        done: Any,
        freeze: bool,
    ) -> Any:
        """What a function reads from outside, as numba is to see it."""
        obj = read()
        if isinstance(obj, types.FunctionType):
            if (obj.__module__ or "").split(".")[0] in _LIBRARIES:
                return obj
            return self.dispatcher(obj, done, freeze)
        if freeze and is_data(obj):
            if isinstance(obj, (np.ndarray, list, dict)):
                raise _frozen_array(fn, name)
            self.frozen.append((read, obj))
        return obj


def item_reader(space: dict[str, Any], name: str) -> Callable[[], Any]:
    """Reads a global."""
    return lambda: space.get(name)


def cell_reader(cell: types.CellType) -> Callable[[], Any]:
    """Reads a closure cell."""
    return lambda: cell.cell_contents


def _frozen_array(fn: types.FunctionType, name: str) -> NumbaUnsupportedError:
    from sourcegrad.source.find import find

    source = find(fn)
    line, text = source.first_line, source.lines[0]
    for k, candidate in enumerate(source.lines):
        if name in candidate and not candidate.lstrip().startswith("#"):
            line, text = source.first_line + k, candidate
            if k:
                break
    col = max(text.find(name), 0)
    return NumbaUnsupportedError(
        f"{name} is read from outside {fn.__name__}, which numba compiles as it is",
        Location(source.filename, line, col, col + len(name), text, source.name),
        why="Numba would freeze its contents, and later changes would not be seen.",
        hints=(f"pass {name} as an argument of {fn.__name__}", 'use backend="python"'),
    )
