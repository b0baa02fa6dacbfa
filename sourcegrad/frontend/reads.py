"""What generated code reads of the world: globals, cells, attributes, and guards."""

from __future__ import annotations

import builtins
import enum
import types
from collections.abc import Callable
from typing import Any

from sourcegrad.kinds import Kind


class Guard:
    """A fact about the user's world that compiled code relies on.

    `read()` gives the present object; the code is valid while it is `expected`
    (functions, modules, classes), or has the same kind (data).
    """

    __slots__ = ("read", "expected", "kind", "name")

    def __init__(
        self, name: str, read: Callable[[], Any], expected: Any, kind: Kind | None
    ) -> None:
        self.name, self.read, self.expected, self.kind = name, read, expected, kind


def is_data(obj: Any) -> bool:
    """Whether an object is data, guarded by kind, rather than code or one of the few
    members of an enumeration."""
    return not (
        callable(obj)
        or isinstance(obj, (types.ModuleType, type, staticmethod, property, enum.Enum))
    )


class GlobalRead:
    """Reads a global or builtin as Python would."""

    __slots__ = ("space", "name")

    def __init__(self, space: dict[str, Any], name: str) -> None:
        self.space, self.name = space, name

    @property
    def origin(self) -> tuple[dict[str, Any], str]:
        """The namespace and the name in it."""
        return self.space, self.name

    def __call__(self) -> Any:
        try:
            return self.space[self.name]
        except KeyError:
            return builtins_of(self.space)[self.name]


class CellRead:
    """Reads a closure cell."""

    __slots__ = ("cell",)

    def __init__(self, cell: types.CellType) -> None:
        self.cell = cell

    def __call__(self) -> Any:
        return self.cell.cell_contents


class Fixed:
    """Gives one object always."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def __call__(self) -> Any:
        return self.obj


class MemberRead:
    """Reads an attribute of a module or a class."""

    __slots__ = ("holder", "name")

    def __init__(self, holder: Any, name: str) -> None:
        self.holder, self.name = holder, name

    def __call__(self) -> Any:
        return getattr(self.holder, self.name)


def builtins_of(space: dict[str, Any]) -> dict[str, Any]:
    found = space.get("__builtins__", builtins)
    return found if isinstance(found, dict) else vars(found)
