"""Objects that a name may hold one of: where paths meet, they are joined part by part.

    p = Vec(a, b)                     p is one object before the loop, and another one
    for k in range(n):        ->      after each trip: the loop carries its attributes
        p = p + Vec(c, d)

A joined object has the attributes of whichever it is, but it is not known which; so
neither it nor those it may be are changed afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sourcegrad.frontend.structs import (
    Abstract,
    Listing,
    Mapping,
    Maybe,
    Object,
    Pointer,
    Struct,
    Variant,
    map_leaves,
)
from sourcegrad.frontend.tables import CLASSES
from sourcegrad.ir import Lit, Undef

DEEPEST = 8


@dataclass(eq=False)
class Snapshot(Struct):
    """The attributes of an object at one moment; `source` is the object."""

    source: Object | None = None


@dataclass(eq=False)
class Place(Struct):
    """The place of a record in its arena, as the one leaf of a structure."""

    arena: Any = None


def place(arena: Any, ref: Any) -> Place:
    """The place of a record, which may be None."""
    return Place(arena.type, ("",), [ref], arena=arena)


@dataclass(eq=False)
class Perhaps(Struct):
    """What may be None as a structure: whether it is there, and what it is then."""


def perhaps(there: Any, held: Abstract) -> Perhaps:
    """A structure that may be None."""
    return Perhaps(Perhaps, ("there", ""), [there, held])


def nothing(form: Abstract) -> Abstract:
    """None, in the place of a structure or of a record."""
    if isinstance(form, Place):
        return place(form.arena, Lit(None))
    held = form.items[1] if isinstance(form, Perhaps) else form
    return perhaps(Lit(False), map_leaves(held, lambda _: Lit(None)))


def placed(tree: Abstract) -> Abstract:
    """The tree with the records in it as their places."""
    if isinstance(tree, Pointer):
        return place(tree.arena, tree.ref)
    if isinstance(tree, Maybe):
        return perhaps(tree.there, placed(tree.held))
    if isinstance(tree, Struct):
        items = [placed(item) for item in tree.items]
        if any(a is not b for a, b in zip(items, tree.items, strict=True)):
            return replace(tree, items=items)
    return tree


def opened(tree: Abstract, env: Any, depth: int = 0) -> Abstract:
    """The tree with the objects in it as snapshots of their attributes in `env`."""
    if isinstance(tree, Pointer):
        return placed(tree)
    if isinstance(tree, Maybe):
        return perhaps(tree.there, opened(tree.held, env, depth))
    if isinstance(tree, Variant):
        arms = [opened(t, env, depth) for t in (tree.first, tree.second)]
        return Variant(tree.cond, *arms)
    if isinstance(tree, Object):
        if (
            isinstance(tree, (Listing, Mapping))
            or tree.type in CLASSES
            or depth > DEEPEST
        ):
            return tree
        held = {
            k[1]: v for k, v in env.items() if isinstance(k, tuple) and k[0] is tree
        }
        items = [opened(v, env, depth + 1) for v in held.values()]
        order = sorted(range(len(items)), key=list(held).__getitem__)
        keys = tuple(list(held)[k] for k in order)
        return Snapshot(tree.type, keys, [items[k] for k in order], source=tree)
    if isinstance(tree, Struct):
        items = [opened(item, env, depth + 1) for item in tree.items]
        if all(a is b for a, b in zip(items, tree.items, strict=True)):
            return tree
        return replace(tree, items=items)
    return tree


def closed(tree: Abstract, env: Any, where: Any, frozen: set[Object]) -> Abstract:
    """The tree with snapshots as objects of their own, whose attributes are put into
    `env`; they and those they were taken of are not changed any more."""
    if isinstance(tree, Variant):
        arms = [closed(t, env, where, frozen) for t in (tree.first, tree.second)]
        return Variant(tree.cond, *arms)
    if isinstance(tree, Struct):
        items = [closed(item, env, where, frozen) for item in tree.items]
        if isinstance(tree, Place):
            ref = items[0]
            if isinstance(ref, Undef):
                return ref
            return Pointer(tree.type, where, ref=ref, arena=tree.arena)
        if isinstance(tree, Perhaps):
            return settled(items[0], items[1], where)
        if isinstance(tree, Snapshot):
            made = Object(tree.type, where, joined=True)
            env |= {(made, k): item for k, item in zip(tree.keys, items, strict=True)}
            frozen.add(made)
            return made
        if any(a is not b for a, b in zip(items, tree.items, strict=True)):
            return replace(tree, items=items)
    return tree


def settled(there: Any, held: Abstract, where: Any) -> Abstract:
    """What may be None; the structure itself where it is known to be there."""
    if isinstance(there, Undef) or there == Lit(True):
        return held
    if there == Lit(False):
        return Lit(None)
    return Maybe(getattr(held, "type", object), where, there=there, held=held)


def freeze(tree: Abstract, frozen: set[Object]) -> None:
    """No object a snapshot was taken of is changed any more."""
    if isinstance(tree, Variant):
        freeze(tree.first, frozen)
        freeze(tree.second, frozen)
    if isinstance(tree, Struct):
        if isinstance(tree, Snapshot) and tree.source is not None:
            frozen.add(tree.source)
        for item in tree.items:
            freeze(item, frozen)


def holds_object(tree: Abstract) -> bool:
    """Whether an object is somewhere in a tree."""
    if isinstance(tree, Struct):
        return any(map(holds_object, tree.items))
    return isinstance(tree, Object)


def plain(tree: Abstract) -> Abstract:
    """The tree with snapshots as structures that are no more than their attributes."""
    if not isinstance(tree, Struct):
        return tree
    items = [plain(item) for item in tree.items]
    if isinstance(tree, Snapshot):
        return Struct(tree.type, tree.keys, items)
    if all(a is b for a, b in zip(items, tree.items, strict=True)):
        return tree
    return replace(tree, items=items)
