"""Structures that show a container which may change: read again, they may differ.

    for key, value in table.items():      # the value that is there in this trip
        table["last"] = value

A loop over such a structure, and a name that holds one, read it as it is then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Lit


def shows(made: Any, again: Callable[[], Any], grows: bool = False) -> Any:
    """A structure that is made again where it is read."""
    if not isinstance(made, Struct):
        return made
    return replace(made, live=again, grows=grows)


def now(tree: Any) -> Any:
    """A tree as it is now."""
    if not isinstance(tree, Struct) or tree.live is None:
        return tree
    return shows(tree.live(), tree.live, tree.grows)


def is_shown(tree: Any) -> bool:
    """Whether a tree, or a part of it, shows a container that may change."""
    seen: set[int] = set()  # a structure may stand in another one many times
    todo = [tree]
    while todo:
        part = todo.pop()
        if isinstance(part, Struct) and id(part) not in seen:
            if part.live is not None:
                return True
            seen.add(id(part))
            todo += part.items
    return False


def met(source: Struct) -> list[Abstract]:
    """What a loop over a structure meets."""
    return [Lit(k) for k in source.keys] if source.is_dict else list(source.items)
