"""Calls that change what they are given, told by their names.

Where no derivative is asked for, as in a condition, such a call counts all the same:
what it writes may be read later.
"""

from __future__ import annotations

from typing import Any

import gast

_LISTS = "append extend insert remove pop clear sort reverse"
_OTHERS = "add discard update setdefault popitem appendleft popleft extendleft rotate"
_ARRAYS = "fill put partition resize itemset at place putmask copyto fill_diagonal"
_NAMES = frozenset(f"{_LISTS} {_OTHERS} {_ARRAYS} put_along_axis shuffle".split())


def changes(node: gast.Call) -> bool:
    """Whether a call may change an operand or what it is a method of.

    >>> changes(gast.parse("seen.add(v)", mode="eval").body)
    True
    >>> changes(gast.parse("np.sin(v)", mode="eval").body)
    False
    """
    name = getattr(node.func, "attr", getattr(node.func, "id", None))
    return name in _NAMES or any(k.arg == "out" for k in node.keywords)


def changes_inside(node: Any) -> bool:
    """Whether a call that changes something stands in an expression."""
    return any(isinstance(n, gast.Call) and changes(n) for n in gast.walk(node))
