"""The methods of dicts that change, and the makers of `defaultdict` and `deque`."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend import library, tables
from sourcegrad.frontend.live import shows
from sourcegrad.frontend.sequences import either
from sourcegrad.frontend.structs import Mapping, Object, Struct
from sourcegrad.ir import Expr, Lit, Obj
from sourcegrad.kinds import UNKNOWN

Handler = Callable[..., Any]


def reading(handler: Handler) -> Handler:
    """A handler of known structures, for a dict that changes too."""

    def read(b: Any, args: Any, kw: Any, node: Any) -> Any:
        return handler(b, [b.structure(a) for a in args], kw, node)

    return read


def showing(handler: Handler) -> Handler:
    """The same for `items`, `keys` and `values`, which show the dict as it is when
    they are read."""

    def show(b: Any, args: Any, kw: Any, node: Any) -> Any:
        def make() -> Any:
            return handler(b, [b.structure(a) for a in args], kw, node)

        still = ("still", node) in b.context.derived
        shown = isinstance(args[0], Mapping) and not still
        return shows(make(), make) if shown else make()

    return show


def changing(handler: Handler) -> Handler:
    """A method that changes a dict; a display becomes one that changes."""

    def change(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if isinstance(args[0], Struct):
            raise b.change_dict(args[0], node)
        return (
            handler(b, args, kw, node)
            if isinstance(args[0], Mapping)
            else NotImplemented
        )

    return change


def set_default(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.setdefault(key, value)`."""
    tree, key = args[0], b.known_key(args[0], args[1])
    if key not in b.keys_of(tree):
        b.put_known(tree, key, args[2] if len(args) > 2 else Lit(None))
    return b.value_at(tree, key)


def pop(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.pop(key, default)`."""
    tree, key = args[0], b.known_key(args[0], args[1])
    if key not in b.keys_of(tree):
        return args[2] if len(args) > 2 else b.missing_key(Lit(key))
    found = b.value_at(tree, key)
    b.drop_known(tree, key)
    return found


def update(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.update(other, **more)`."""
    for source in map(b.structure, args[1:]):
        if not isinstance(source, Struct):
            raise b.to_table(args[0])
        if not source.is_dict:
            raise b.unsupported(
                node, "update by something that is not a dict of known keys"
            )
        for key, item in zip(source.keys, source.items, strict=True):
            b.put_known(args[0], key, item)
    for key, item in kw.items():
        b.put_known(args[0], key, item)
    return Lit(None)


def clear(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.clear()`."""
    for key in b.keys_of(args[0]):
        b.drop_known(args[0], key)
    return Lit(None)


def copied(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.copy()`."""
    source = b.structure(args[0])
    return b.dict_display(source.keys, list(source.items), b.site(node), source.type)


def default_dict(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`collections.defaultdict(factory)`."""
    if not args or len(args) > 1 or kw:
        raise b.unsupported(node, "a defaultdict that does not start empty")
    return b.dict_display((), [], b.site(node), collections.defaultdict, args[0])


def ordered_dict(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`collections.OrderedDict`, as the dict it is."""
    made = b.special[dict](b, args, kw, node)
    if isinstance(made, (Mapping, Struct)):
        made.type = collections.OrderedDict
    return made


def move_to_end(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.move_to_end(key, last=True)`."""
    tree, key = args[0], b.known_key(args[0], args[1])
    last = kw.get("last", args[2] if len(args) > 2 else Lit(True)) != Lit(False)
    if key not in b.keys_of(tree):
        return b.missing_key(Lit(key))
    found = b.value_at(tree, key)
    others = [(k, b.value_at(tree, k)) for k in b.keys_of(tree) if k != key]
    clear(b, [tree], {}, node)
    for k, item in [*others, (key, found)] if last else [(key, found), *others]:
        b.put_known(tree, k, item)
    return Lit(None)


def pop_item(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`d.popitem()` and `d.popitem(last=False)`."""
    tree = args[0]
    keys = b.keys_of(tree)
    last = kw.get("last", args[1] if len(args) > 1 else Lit(True)) != Lit(False)
    if not keys:
        return b.missing_key(Lit("popitem(): dictionary is empty"))
    key = keys[-1] if last else keys[0]
    found = b.value_at(tree, key)
    b.drop_known(tree, key)
    return Struct(tuple, (0, 1), [Lit(key), found])


def counter(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`collections.Counter()`; counts of active elements are refused."""
    if b.active(args, kw):
        raise b.unsupported(node, "collections.Counter of active values",
                            "add up in Counter() or a defaultdict(float)")  # fmt: skip
    if b.passive or args or kw:
        return NotImplemented
    if ("followed", node) not in b.context.derived:
        return kept(b, collections.Counter, args, kw, node)
    return b.table([], [], b.site(node), None, tables.CountTable)


def deque(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`collections.deque(items, maxlen)`."""
    if b.passive:
        return NotImplemented
    source = b.elements(args[0], node) if args else Struct(tuple, (), [])
    maxlen = kw.get("maxlen", args[1] if len(args) > 1 else Lit(None))
    if isinstance(source, Struct):
        return b.queue(source.items, maxlen, b.site(node))
    made = b.queue([], maxlen, b.site(node))
    b.call_value(b.attribute(made, "extend", node), [source], {}, node)
    return made


def of_pairs(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`dict(pairs)` of a number that is known only at run time."""
    if len(args) != 1 or b.passive:
        return NotImplemented
    followed = ("followed", node) in b.context.derived
    if not (followed or b.active(args, kw) or b.is_unread(args[0])):
        return kept(b, dict, args, kw, node)
    made = b.table([], [], b.site(node))
    source = args[0]
    if isinstance(source, Object) and hasattr(source.type, "keys"):
        b.inline_library(library.put_entries, [made, source], node)
    elif (
        isinstance(source, Expr)
        and b.infer(source) == UNKNOWN
        and not b.active(args, {})
    ):
        b.inline_library(library.put_unknown, [made, source], node)
    else:
        b.inline_library(library.put_pairs, [made, b.elements(source, node)], node)
    for key, item in kw.items():
        b.store_call(made, [Lit(key), item], "__setitem__", node)
    return made


def kept(b: Any, fn: Any, args: Any, kw: Any, node: Any) -> Any:
    """A dict of nothing active, as written; it is built if that changes."""
    if not all(map(b.can_materialise, [*args, *kw.values()])):
        return NotImplemented
    name = getattr(fn, "__qualname__", "dict")
    held = b.binder.bind(fn, name) if isinstance(fn, type) else Obj(fn, name)
    tree = b.call_tree(held, args, kw, node)
    b.context.kept[id(tree)] = (tree, ("dict", node))
    return tree


def from_keys(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`dict.fromkeys(keys, value)`."""
    if b.passive or not args or kw:
        return NotImplemented
    value = b.settle(args[1]) if len(args) > 1 else Lit(None)
    keys = args[0]
    known = isinstance(keys, Struct) and all(
        isinstance(k, Lit) for k in ([] if keys.is_dict else keys.items)
    )
    if known:
        found = keys.keys if keys.is_dict else [k.value for k in keys.items]
        unique = tuple(dict.fromkeys(found))
        return b.dict_display(unique, [value] * len(unique), b.site(node))
    if ("followed", node) not in b.context.derived and not b.active(args, kw):
        return kept(b, dict.fromkeys, args, kw, node)
    made = b.table([], [], b.site(node))
    b.inline_library(library.put_keys, [made, b.elements(keys, node), value], node)
    return made


MAPPINGS: dict[Any, Handler] = {
    dict.setdefault: changing(set_default),
    dict.pop: changing(pop),
    dict.update: changing(update),
    dict.clear: changing(clear),
    dict.copy: copied,
    dict.fromkeys: from_keys,
    collections.defaultdict: default_dict,
    collections.OrderedDict: ordered_dict,
    collections.Counter: counter,
    collections.deque: deque,
    dict.popitem: changing(pop_item),
    collections.OrderedDict.popitem: changing(pop_item),
    collections.OrderedDict.move_to_end: changing(move_to_end),
    collections.OrderedDict.setdefault: changing(set_default),
    collections.OrderedDict.pop: changing(pop),
    collections.OrderedDict.update: changing(update),
    collections.OrderedDict.clear: changing(clear),
    collections.OrderedDict.copy: copied,
}


def with_mappings(handlers: dict[Any, Handler]) -> dict[Any, Handler]:
    """The handlers of known structures, made to read dicts that change."""
    merged = dict(handlers)
    read: Any
    for read in (dict, len):
        merged[read] = reading(handlers[read])
    for fn in (dict.items, dict.keys, dict.values):
        merged[fn] = showing(handlers[fn])
    merged[dict] = either(merged[dict], of_pairs)
    return merged | MAPPINGS
