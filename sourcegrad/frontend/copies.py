"""`copy.copy` and `copy.deepcopy`, and `slice` of numbers: they look at no element."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend.structs import (
    Abstract,
    Closure,
    Mapping,
    Maybe,
    Object,
    Pointer,
    Struct,
)
from sourcegrad.ir import Expr
from sourcegrad.kinds import ListKind, Num, is_array, is_scalar

Handler = Callable[..., Any]


def copier(deep: bool) -> Handler:
    """The handler of a function that copies its argument."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if len(args) != 1 or kw or not (b.active(args, kw) or _has_parts(args[0])):
            return NotImplemented
        own = "__deepcopy__" if deep else "__copy__"
        if has_method(b, args[0], own):
            memo = b.dict_display((), [], (b.site(node), "memo"), dict)
            return b.call_special(args[0], own, [memo] if deep else [], node)
        return copied(b, args[0], deep, node)

    return handler


def copied(b: Any, tree: Abstract, deep: bool, node: Any, path: Any = ()) -> Abstract:
    """A copy: of its parts too if it is deep.

    `path` leads to the part from what is copied: with the node it tells the lists and
    dicts that one call makes from each other.
    """
    if isinstance(tree, Closure):  # there is one of each function
        return tree
    if isinstance(tree, Expr):
        return _copied_value(b, tree, deep, node)
    if isinstance(tree, Struct) and issubclass(tree.type, (tuple, list, dict)):
        items = list(tree.items)
        if deep:
            steps = [(*path, key) for key in tree.keys]
            pairs = zip(items, steps, strict=True)
            items = [copied(b, i, True, node, step) for i, step in pairs]
        site = (b.site(node), *path)
        if tree.is_dict:
            return b.dict_display(tree.keys, items, site, tree.type)
        return b.display(tree.type, items, site)
    if any(has_method(b, tree, name) for name in _OWN_COPIES):
        raise b.unsupported(
            node,
            "a copy of an object that says itself how it is copied",
            "call the method that makes the copy, or build a new one of its parts",
        )
    if isinstance(tree, Pointer):
        return _copied_record(b, tree, deep, node, path)
    if isinstance(tree, Object) and not isinstance(tree, (Mapping, Maybe)):
        return _copied_object(b, tree, deep, node, path)
    raise b.unsupported(node, "a copy of this object", "build a new one of its parts")


# What a class may define to be copied in its own way.
_OWN_COPIES = (
    *("__copy__", "__deepcopy__", "__getstate__", "__setstate__"),
    *("__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"),
)


def has_method(b: Any, tree: Abstract, name: str) -> bool:
    """Whether a user's class defines a special method."""
    return isinstance(tree, Object | Struct) and b.method_of(tree, name) is not None


def _has_parts(tree: Abstract) -> bool:
    return isinstance(tree, (Struct, Object))


def _copied_value(b: Any, tree: Expr, deep: bool, node: Any) -> Abstract:
    kind = b.infer(tree)
    if (
        is_scalar(kind)
        or not b.is_varied(tree)
        and not isinstance(kind, (Num, ListKind))
    ):
        return tree
    flat = isinstance(kind, ListKind) and (not deep or is_scalar(kind.item))
    if is_array(kind) or flat:
        found: Abstract = b.call_method(tree, "copy", [], {}, node)
        return found
    raise b.unsupported(node, "a copy of this value", "write [a.copy() for a in it]")


def _copied_object(b: Any, tree: Object, deep: bool, node: Any, path: Any) -> Object:
    """A new object with the attributes of the old one."""
    made = Object(tree.type, b.locate(node))
    held = [
        (key[1], value)
        for key, value in b.env.items()
        if isinstance(key, tuple) and key[0] is tree
    ]
    for name, value in held:
        step = (*path, name)
        b.env[made, name] = copied(b, value, True, node, step) if deep else value
    return made


def _copied_record(b: Any, tree: Pointer, deep: bool, node: Any, path: Any) -> Any:
    """A new object in the arena of the old one."""
    held = {}
    for name in tree.arena.fields or ():
        value = b.settle(b.field(tree, name, node))
        if deep:
            value = copied(b, value, True, node, (*path, name))
        held[name] = value
    return b.settled_in(tree.arena, held, node)


def bounds(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`slice`: what reads its bounds later is out of sight."""
    if b.active(args, kw):
        raise b.unsupported(node, "a slice between active bounds", "keep the numbers")
    return NotImplemented


COPIES: dict[Any, Handler] = {
    copy.copy: copier(False),
    copy.deepcopy: copier(True),
    builtins.slice: bounds,
}
