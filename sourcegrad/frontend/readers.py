"""Readers of parts of the user's world: items, attributes, and facts about them.

A reader starts at a name and takes step after step, so that it follows the world: where
`model` is bound to another object, `model.w` is read of that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.reads import CellRead

Read = Callable[[], Any]


class Holds:
    """What a reader gives while a fact holds."""


class Step:
    """Reads a part of what another reader gives."""

    __slots__ = ("parent",)

    def __init__(self, parent: Read) -> None:
        self.parent = parent


class ItemRead(Step):
    """Reads an item."""

    __slots__ = ("key",)

    def __init__(self, parent: Read, key: Any) -> None:
        self.parent, self.key = parent, key

    def __call__(self) -> Any:
        return self.parent()[self.key]


class AttributeRead(Step):
    """Reads an attribute of an object."""

    __slots__ = ("name",)

    def __init__(self, parent: Read, name: str) -> None:
        self.parent, self.name = parent, name

    def __call__(self) -> Any:
        return getattr(self.parent(), self.name)


class TypeRead(Step):
    """Reads the class of an object."""

    def __call__(self) -> Any:
        return type(self.parent())


class KeysRead(Step):
    """Whether a container still has the keys it had; a list has its positions."""

    __slots__ = ("keys", "type")

    def __init__(self, parent: Read, keys: tuple[Any, ...], kind: type) -> None:
        self.parent, self.keys, self.type = parent, keys, kind

    def __call__(self) -> type[Holds] | None:
        now = self.parent()
        same = type(now) is self.type and keys_of(now) == self.keys
        return Holds if same else None


class NamesRead(Step):
    """Whether an object still has the attributes it had."""

    __slots__ = ("names",)

    def __init__(self, parent: Read, names: frozenset[str]) -> None:
        self.parent, self.names = parent, names

    def __call__(self) -> type[Holds] | None:
        return Holds if vars(self.parent()).keys() == self.names else None


class LacksRead(Step):
    """Whether an object still has no attribute of its own under a name."""

    __slots__ = ("name",)

    def __init__(self, parent: Read, name: str) -> None:
        self.parent, self.name = parent, name

    def __call__(self) -> type[Holds] | None:
        own = getattr(self.parent(), "__dict__", ())
        return None if self.name in own else Holds


class IsRead(Step):
    """Whether a reader still gives one object."""

    __slots__ = ("obj",)

    def __init__(self, parent: Read, obj: Any) -> None:
        self.parent, self.obj = parent, obj

    def __call__(self) -> type[Holds] | None:
        return Holds if self.parent() is self.obj else None


class Same(Step):
    """Whether a reader still gives the same value of the same type (0.0 is not -0.0,
    and nan is nan)."""

    __slots__ = ("value",)

    def __init__(self, parent: Read, value: Any) -> None:
        self.parent, self.value = parent, value

    def __call__(self) -> type[Holds] | None:
        now = self.parent()
        if now is self.value:
            return Holds
        same = type(now) is type(self.value) and repr(now) == repr(self.value)
        return Holds if same else None


class MethodRead:
    """Reads what a class gives for a name: a function, a property and their kin."""

    __slots__ = ("cls", "name")

    def __init__(self, cls: type, name: str) -> None:
        self.cls, self.name = cls, name

    def __call__(self) -> Any:
        for owner in self.cls.__mro__:
            if self.name in vars(owner):
                return vars(owner)[self.name]
        raise AttributeError(self.name)


def start_of(read: Any) -> Any:
    """The reader that the steps of a reader begin at."""
    while isinstance(read, Step):
        read = read.parent
    return read


def is_captured(read: Any) -> bool:
    """Whether a reader looks into what a closure cell holds."""
    return isinstance(read, Step) and isinstance(start_of(read), CellRead)


def keys_of(container: Any) -> tuple[Any, ...]:
    """The keys of a dict, the positions of a sequence.

    >>> keys_of({"a": 1}), keys_of([5, 6])
    (('a',), (0, 1))
    """
    if isinstance(container, dict):
        return tuple(container)
    return tuple(range(len(container)))
