"""Lists and dicts among the arguments that the function changes.

    def f(p):                       def f(p):
        p[0] = p[0] * 2.0   ->          values = [p_0]
        …                               values[0] = p_0 * 2.0
                                        …
                                        p[:] = values

The function works on a container of its own, which has a cotangent like any other, and
hands the caller the contents at the end, as the plain call leaves them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from sourcegrad.frontend import library
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.given import given_object, has_own_ways
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Op, Plain, Ref, Value
from sourcegrad.kinds import ListKind

CHANGED = "changed argument"


@dataclass(eq=False)
class Changed:
    """An argument that is changed: the caller's object, and what stands for it."""

    whole: Expr
    own: Abstract


def own(b: Any, tree: Abstract) -> Abstract:
    """What stands for an argument: itself, but for lists and dicts that are changed."""
    if isinstance(tree, Ref) and isinstance(tree.value.kind, ListKind):
        return _long(b, tree)
    if not isinstance(tree, Struct) or tree.origin is None:
        return tree
    origin = tree.origin
    items = [own(b, item) for item in tree.items]
    if any(new is not old for new, old in zip(items, tree.items, strict=True)):
        tree = replace(tree, items=items, origin=None)
    named = tree.site[1] if tree.site is not None else None
    changed = (CHANGED, named) in b.context.derived
    if not (tree.is_dict or tree.is_sequence):
        followed = changed or has_own_ways(tree.type)
        return given_object(b, origin, tree, changed) if followed else tree
    if not changed:
        return tree
    whole = b.atom(origin)
    site = (CHANGED, named)
    if tree.is_dict:
        b.context.dicts.setdefault(site, "known")
        found = b.dict_display(tree.keys, list(tree.items), site, tree.type)
    else:
        b.context.demoted.setdefault(site, ListFact())
        found = b.runtime_list(list(tree.items), site)
    b.changed.append(Changed(whole, found))
    return found


def _long(b: Any, whole: Ref) -> Abstract:
    """A list that is too long to be known item by item."""
    if (CHANGED, whole.value.key[1]) not in b.context.derived:
        return whole
    found = b.inline_library(library.listed, [whole], None)
    b.changed.append(Changed(whole, found))
    return found


def change_long(b: Any, value: Value) -> None:
    """Let a long list among the arguments be one that is changed.

    Raises:
        Restart: it is one.
    """
    place = value.key if isinstance(value.key, tuple) else ()
    if place[:1] == ("param",) and (CHANGED, place[1]) not in b.context.derived:
        b.context.derived[CHANGED, place[1]] = True
        raise Restart


def change(b: Any, tree: Struct, sites: list[Any], node: Any) -> bool:
    """Let an argument be one that is changed; whether it is an argument.

    Raises:
        UnsupportedSyntaxError: it is one of several containers, by the path taken.
    """
    places = [s for s in sites if isinstance(s, tuple) and s[:1] == ("param",)]
    if not places:
        return False
    if len(sites) > 1 or tree.type not in (list, dict):
        raise b.unsupported(
            node,
            f"changing this {tree.type.__name__} among the arguments",
            "copy it first: values = list(values)",
        )
    b.context.derived[CHANGED, places[0][1]] = True
    return True


def hand_back(b: Any) -> None:
    """Give the caller's containers the contents that the function leaves."""
    for item in b.changed:
        if isinstance(item.own, Expr):
            _plainly(b, "whole[:] = values", item.whole, item.own)
            continue
        held = b.structure(item.own)
        pairs = zip(held.keys, held.items, strict=True)
        parts = [e for k, v in pairs for e in (b.constant(k, "key"), v)]
        items = tuple(b.materialise(e) for e in parts)
        _plainly(b, "whole.clear()", item.whole)
        _plainly(b, "whole.update(values)", item.whole, Op("dict", items))


def _plainly(b: Any, text: str, *operands: Expr) -> None:
    names = ("whole", "values")[: len(operands)]
    b.append(Plain(gast.parse(text).body[0], names, operands, writes=True))
