"""Containers of the user's world that hold functions: `for layer in LAYERS`.

Such a container is known when compiling, part by part, and each part is guarded: code
that was built for it is built again when another function stands in its place.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.scope import CellRead, GlobalRead, MemberRead, is_data
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Lit, Obj, Op

MOST = 64
_PLAIN = (str, int, float, bool, complex, type(None))


class Holds:
    """What a reader gives while a fact about a container holds."""


class ItemRead:
    """Reads an item of what another reader gives."""

    __slots__ = ("parent", "key")

    def __init__(self, parent: Callable[[], Any], key: Any) -> None:
        self.parent, self.key = parent, key

    def __call__(self) -> Any:
        return self.parent()[self.key]


class KeysRead:
    """Whether a container still has the keys it had; a list has its positions."""

    __slots__ = ("parent", "keys", "type")

    def __init__(
        self, parent: Callable[[], Any], keys: tuple[Any, ...], kind: type
    ) -> None:
        self.parent, self.keys, self.type = parent, keys, kind

    def __call__(self) -> type[Holds] | None:
        now = self.parent()
        same = type(now) is self.type and keys_of(now) == self.keys
        return Holds if same else None


class Same:
    """Whether a reader still gives the same value of the same type (0.0 is not -0.0,
    and nan is nan)."""

    __slots__ = ("parent", "value")

    def __init__(self, parent: Callable[[], Any], value: Any) -> None:
        self.parent, self.value = parent, value

    def __call__(self) -> type[Holds] | None:
        now = self.parent()
        if now is self.value:
            return Holds
        same = type(now) is type(self.value) and repr(now) == repr(self.value)
        return Holds if same else None


def is_captured(read: Any) -> bool:
    """Whether a reader looks into a container that a closure cell holds."""
    inside = isinstance(read, (ItemRead, KeysRead, Same))
    while isinstance(read, (ItemRead, KeysRead, Same)):
        read = read.parent
    return inside and isinstance(read, CellRead)


def keys_of(container: Any) -> tuple[Any, ...]:
    """The keys of a dict, the positions of a sequence.

    >>> keys_of({"a": 1}), keys_of([5, 6])
    (('a',), (0, 1))
    """
    if isinstance(container, dict):
        return tuple(container)
    return tuple(range(len(container)))


def holds_functions(obj: Any, depth: int = 0) -> bool:
    """Whether an object is a container in which a function is.

    >>> holds_functions([len]), holds_functions([1.0]), holds_functions({"k": (1, abs)})
    (True, False, True)
    """
    if type(obj) not in (list, tuple, dict) or len(obj) > MOST or depth > 3:
        return False
    items = obj.values() if isinstance(obj, dict) else obj
    return any(
        not is_data(item)
        and not isinstance(item, types.ModuleType)
        or holds_functions(item, depth + 1)
        for item in items
    )


def opened(b: Any, whole: Obj, read: Callable[[], Any]) -> Abstract:
    """The container as a structure of its parts, guarded.

    Args:
        b: the builder.
        whole: the container as the generated code names it.
        read: gives the present container.
    """
    container = whole.obj
    keys = keys_of(container)
    path = ("held", id(container))
    kept = KeysRead(read, keys, type(container))
    b.binder.guard((*path, "keys", id(read)), whole.path, kept, Holds)
    items: list[Abstract] = []
    for key in keys:
        items.append(_part(b, whole, key, ItemRead(read, key)))
    return Struct(type(container), keys, items)


def _part(b: Any, whole: Obj, key: Any, read: ItemRead) -> Abstract:
    item = whole.obj[key]
    name = getattr(item, "__name__", None) or f"{whole.path}_{key}"
    if holds_functions(item) or _is_plain(item):
        return opened(b, b.binder.bind(item, name), read)
    if not is_data(item):
        bound: Obj = b.binder.bind(item, name)
        b.binder.guard(("item", id(whole.obj), key), bound.path, read, item)
        return bound
    if type(item) in _PLAIN:
        same = Same(read, item)
        b.binder.guard(("item", id(whole.obj), key), whole.path, same, Holds)
        return Lit(item)
    return Op("getitem", (whole, Lit(key)))


def keywords_of(b: Any, partial: functools.partial[Any]) -> dict[str, Abstract]:
    """The keywords of a `functools.partial` of the user's world, guarded: the dict that
    holds them may change."""
    own = partial.keywords
    read = MemberRead(partial, "keywords")
    path = ("keywords", id(partial))
    kept = KeysRead(read, keys_of(own), dict)
    b.binder.guard(path, "keywords", kept, Holds)
    found: dict[str, Abstract] = {}
    for key, value in own.items():
        origin, item = (*path, key), ItemRead(read, key)
        if value is None or type(value) in _PLAIN:
            b.binder.guard(origin, key, Same(item, value), Holds)
            found[key] = Lit(value)
        elif holds_functions(value) or _is_plain(value):
            found[key] = opened(b, b.binder.bind(value, key, origin), item)
        else:
            bound = b.binder.bind(value, getattr(value, "__name__", key), origin)
            b.binder.guard(origin, bound.path, item, value)
            found[key] = bound
    return found


def reader_of(fn: Any, name: str) -> Callable[[], Any]:
    """What reads a captured or global name of a function."""
    if name in fn.__code__.co_freevars:
        return CellRead(fn.__closure__[fn.__code__.co_freevars.index(name)])
    return GlobalRead(fn.__globals__, name)


PINNED = "values of globals are known"


def pinned(b: Any, whole: Obj, read: Callable[[], Any]) -> Abstract:
    """A number, text or small container from outside as the value that it has, guarded,
    where the structure of the program was found to depend on such values."""
    if PINNED not in b.context.derived or b.deriving:
        return whole
    if type(whole.obj) in (int, str):
        same = Same(read, whole.obj)
        b.binder.guard(("pinned", whole.path), whole.path, same, Holds)
        return Lit(whole.obj)
    if _is_plain(whole.obj):
        return opened(b, whole, read)
    return whole


def _is_plain(obj: Any, depth: int = 0) -> bool:
    """Whether an object is a small container of numbers and texts."""
    if type(obj) in _PLAIN:
        return depth > 0
    if type(obj) not in (list, tuple, dict) or len(obj) > MOST or depth > 3:
        return False
    items = obj.values() if isinstance(obj, dict) else obj
    return all(_is_plain(item, depth + 1) for item in items)
