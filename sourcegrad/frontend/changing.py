"""Calls that change what they are given, told by their names.

Where no derivative is asked for, as in a condition, such a call counts all the same:
what it writes may be read later.
"""

from __future__ import annotations

import builtins
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


def changes_behind(tree: Any, stmt: Any, name: str) -> bool:
    """Whether a name's container may change behind a statement: later in the text, or
    in a loop around it; any call that is handed the container may change it."""
    around = [
        loop
        for loop in gast.walk(tree)
        if isinstance(loop, (gast.For, gast.While))
        and any(part is stmt for part in gast.walk(loop))
    ]
    places = [gast.walk(loop) for loop in around] or [gast.walk(tree)]
    line = 0 if around else stmt.lineno
    for part in (p for place in places for p in place):
        if getattr(part, "lineno", 0) <= line:
            continue
        stored = isinstance(getattr(part, "ctx", None), (gast.Store, gast.Del))
        if isinstance(part, gast.Subscript) and stored and _names(part.value, name):
            return True
        if isinstance(part, gast.Call) and (
            changes(part)
            and _names(part.func, name)
            or not _is_builtin(part.func)
            and any(_names(a, name) for a in part.args if isinstance(a, gast.Name))
        ):
            return True
    return False


def _is_builtin(func: Any) -> bool:
    return isinstance(func, gast.Name) and hasattr(builtins, func.id)


def _names(node: Any, name: str) -> bool:
    return any(isinstance(n, gast.Name) and n.id == name for n in gast.walk(node))


def changes_somewhere(tree: Any, node: Any) -> bool:
    """Whether a function changes memory in place, or binds again what an expression
    in it reads."""
    read = {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}
    own = {id(n) for n in gast.walk(node)}
    bound: set[str] = set()
    for part in gast.walk(tree):
        if id(part) in own:
            continue
        stored = isinstance(getattr(part, "ctx", None), (gast.Store, gast.Del))
        if isinstance(part, (gast.Subscript, gast.Attribute)) and stored:
            return True
        if isinstance(part, gast.Call) and changes(part):
            return True
        if isinstance(part, gast.AugAssign) and isinstance(part.target, gast.Name):
            if part.target.id in read:
                return True
        if isinstance(part, gast.Name) and part.id in read:
            if not isinstance(part.ctx, gast.Load):
                if part.id in bound:
                    return True
                bound.add(part.id)
    return False
