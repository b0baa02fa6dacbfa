"""Containers of the user's world that hold functions or objects: `for layer in NET`.

    NET = [Layer(0.5), Layer(2.0)]
                                             y = x * NET[0].w
    def f(x):                          ->    y_1 = y * NET[1].w
        for layer in NET:
            x = x * layer.w

Such a container is known when compiling, part by part, and each part is guarded: code
that was built for it is built again when another function, an object of another class
or one with other attributes stands in its place.  Numbers and arrays in objects are
read where they are, at each call.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.changed_outside import known
from sourcegrad.frontend.given import given_object, has_own_ways
from sourcegrad.frontend.readers import (
    AttributeRead,
    Holds,
    IsRead,
    ItemRead,
    KeysRead,
    NamesRead,
    Same,
    TypeRead,
    keys_of,
)
from sourcegrad.frontend.reads import CellRead, GlobalRead, MemberRead, is_data
from sourcegrad.frontend.signature import attribute_names, is_object
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Lit, Obj

MOST = 64
MOST_OBJECTS = 1024
DEEPEST = 6
MOST_PARTS = 1 << 14
_PLAIN = (str, int, float, bool, complex, type(None))


def holds_known(obj: Any, depth: int = 0) -> bool:
    """Whether an object is a container in which a function or an object of a class of
    the user's is.

    >>> holds_known([len]), holds_known([1.0]), holds_known({"k": (1, abs)})
    (True, False, True)
    >>> holds_known([types.SimpleNamespace(w=1.0)])
    True
    """
    if type(obj) not in (list, tuple, dict) or depth > 3:
        return False
    items = list(obj.values()) if isinstance(obj, dict) else obj
    most = MOST_OBJECTS if items and is_object(items[0]) else MOST
    return len(obj) <= most and any(
        not is_data(item)
        and not isinstance(item, types.ModuleType)
        or is_object(item)
        or holds_known(item, depth + 1)
        for item in items
    )


def from_outside(b: Any, whole: Obj, read: Callable[[], Any]) -> Abstract:
    """What stands for an object of the user's world: the structure of a container that
    is known part by part, a value that is known, or the object itself.

    Args:
        b: the builder.
        whole: the object as the generated code names it.
        read: gives the present one.
    """
    changed = known(b, whole, read)
    if changed is not None:
        return changed
    b.binder.parts = 0
    if holds_known(whole.obj):
        return opened(b, whole, read)
    return pinned(b, whole, read)


def opened(b: Any, whole: Obj, read: Callable[[], Any], depth: int = 0) -> Struct:
    """The container as a structure of its parts, guarded."""
    container = whole.obj
    keys = keys_of(container)
    kept = KeysRead(read, keys, type(container))
    b.binder.guard(("keys", whole.path), whole.path, kept, Holds)
    items = [_part(b, whole, key, ItemRead(read, key), depth) for key in keys]
    return Struct(type(container), keys, items, whole)


def _part(b: Any, whole: Obj, key: Any, read: ItemRead, depth: int) -> Abstract:
    item = whole.obj[key]
    path = f"{whole.path}[{key!r}]"
    name = getattr(item, "__name__", None) or f"{whole.path}_{key}"
    if not is_data(item) and not is_object(item):
        bound: Obj = b.binder.bind(item, name)
        b.binder.guard(("item", path), bound.path, read, item)
        return bound
    if type(item) in _PLAIN:
        same = Same(read, item)
        b.binder.guard(("item", path), whole.path, same, Holds)
        return Lit(item)
    if type(key) in (str, int, bool):
        found = Obj(item, path)
        return (
            opened(b, found, read) if _is_plain(item) else part(b, found, read, depth)
        )
    b.binder.guard(("item", path), whole.path, IsRead(read, item), Holds)
    return from_outside(b, b.binder.bind(item, name), read)


def part(b: Any, whole: Obj, read: Callable[[], Any], depth: int) -> Abstract:
    """A part of a container or an object: an object as a structure of its attributes.

    Args:
        b: the builder.
        whole: the part as the generated code names it.
        read: gives the present one.
        depth: how many objects and containers it is in.
    """
    if holds_known(whole.obj):
        return opened(b, whole, read, depth)
    b.binder.parts += 1
    if not is_object(whole.obj) or depth > DEEPEST or b.binder.parts > MOST_PARTS:
        b.binder.guard(("part", whole.path), whole.path, read, whole.obj)
        return pinned(b, whole, read)
    changed = known(b, whole, read)
    if changed is not None:
        return changed
    b.binder.met[id(whole.obj)] = whole
    cls, names = type(whole.obj), attribute_names(whole.obj) or ()
    b.binder.readers.setdefault(whole.path, read)
    b.binder.guard(("class", whole.path), whole.path, TypeRead(read), cls)
    if hasattr(whole.obj, "__dict__"):
        own = frozenset(vars(whole.obj))
        b.binder.guard(("names", whole.path), whole.path, NamesRead(read, own), Holds)
    items: list[Abstract] = []
    for name in names:
        member = Obj(getattr(whole.obj, name), f"{whole.path}.{name}")
        items.append(part(b, member, AttributeRead(read, name), depth + 1))
    made = Struct(cls, names, items, whole)
    return given_object(b, whole, made, False) if has_own_ways(cls) else made


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
        else:
            bound = b.binder.bind(value, getattr(value, "__name__", key), origin)
            b.binder.guard(origin, bound.path, item, value)
            known = opened if _is_plain(value) else from_outside
            found[key] = known(b, bound, item)
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
