"""Calls that change what they are given, told by their names.

Where no derivative is asked for, as in a condition, such a call counts all the same:
what it writes may be read later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

Quiet = Callable[[Any], bool]

_LISTS = "append extend insert remove pop clear sort reverse"
_OTHERS = "add discard update setdefault popitem appendleft popleft extendleft rotate"
_ARRAYS = "fill put partition resize itemset at place putmask copyto fill_diagonal"
_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
_SPECIAL = ["__setitem__", "__delitem__", *(f"__i{o}__" for o in _OPERATORS.split())]
_NAMES = frozenset(
    [*f"{_LISTS} {_OTHERS} {_ARRAYS} put_along_axis shuffle".split(), *_SPECIAL]
)


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


def changes_behind(tree: Any, stmt: Any, quiet: Quiet) -> bool:
    """Whether a container may change behind a statement, by whatever name: later in the
    text, or in a loop around it.

    Args:
        tree: the function.
        stmt: the statement.
        quiet: whether a call of what stands there certainly changes nothing.
    """
    around = [
        loop
        for loop in gast.walk(tree)
        if isinstance(loop, (gast.For, gast.While))
        and any(part is stmt for part in gast.walk(loop))
    ]
    places = [gast.walk(loop) for loop in around] or [gast.walk(tree)]
    line = 0 if around else getattr(stmt, "lineno", 0)
    own = {id(part) for part in gast.walk(stmt)}
    return any(
        _may_change(part, quiet)
        for place in places
        for part in place
        if getattr(part, "lineno", 0) >= line and id(part) not in own
    )


def _may_change(part: Any, quiet: Quiet) -> bool:
    """Whether a node stores into memory, or calls what may do so."""
    if isinstance(part, (gast.Subscript, gast.Attribute)):
        return isinstance(part.ctx, (gast.Store, gast.Del))
    return isinstance(part, gast.Call) and (changes(part) or not quiet(part.func))


def changes_somewhere(tree: Any, node: Any, quiet: Quiet) -> bool:
    """Whether a function changes memory in place, calls what may do so, or binds again
    what an expression in it reads."""
    read = {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}
    own = {id(n) for n in gast.walk(node)}
    bound: set[str] = set()
    for part in gast.walk(tree):
        if id(part) in own:
            continue
        if _may_change(part, quiet):
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
