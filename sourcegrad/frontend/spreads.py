"""Displays and arguments with stars: `[a, *items, b]`.

    [a, *items, b]      becomes      [a] + list(items) + [b]

where the number of items is known only at run time.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

import gast
import numpy as np

from sourcegrad.frontend import library
from sourcegrad.frontend.known import literal_slice
from sourcegrad.frontend.provenance import is_library
from sourcegrad.frontend.structs import Abstract, Bound, Closure, Struct, has_own
from sourcegrad.ir import Expr, Lit, Op, Ref
from sourcegrad.kinds import TupleKind


class Spread:
    """The items of a sequence whose length is not known."""

    __slots__ = ("tree",)

    def __init__(self, tree: Abstract) -> None:
        self.tree = tree


Part = Any  # an Abstract, or a Spread


def evaluated(b: Any, nodes: list[Any]) -> list[Part]:
    """The parts of a display, each evaluated once and in order."""
    found: list[Part] = []
    marks: list[int] = []
    for node in nodes:
        star = isinstance(node, gast.Starred)
        tree = b.expr(node.value if star else node)
        if star and has_own(tree, "__iter__"):
            tree = b.elements(tree, node.value)
        tree = known_items(b, tree) if star else tree
        if not star:
            found.append(tree)
        elif isinstance(tree, Struct):
            found += [Lit(k) for k in tree.keys] if tree.is_dict else tree.items
        else:
            found.append(Spread(tree))
        marks += [len(b.region.stmts)] * (len(found) - len(marks))
    trees = [_tree(f) if isinstance(_tree(f), Expr) else Lit(None) for f in found]
    b.keep_order(trees, marks)
    return [
        _with(f, t) if isinstance(_tree(f), Expr) else f
        for f, t in zip(found, trees, strict=True)
    ]


def known_items(b: Any, tree: Abstract) -> Abstract:
    """An inactive tuple of known length, as from a global, as its items."""
    if not isinstance(tree, Expr) or b.is_varied(tree):
        return tree
    kind = b.infer(tree)
    if not isinstance(kind, TupleKind):
        return tree
    base: Expr
    base, places = tree, tuple(range(len(kind.items)))
    if isinstance(tree, Op) and tree.op == "getitem":
        whole, cut = b.infer(tree.args[0]), literal_slice(tree.args[1])
        if isinstance(whole, TupleKind) and cut is not None:
            base, places = tree.args[0], tuple(range(len(whole.items)))[cut]
    items = [Op("getitem", (base, Lit(k))) for k in places]
    return Struct(tuple, tuple(range(len(items))), list(items))


def _tree(part: Part) -> Any:
    return part.tree if isinstance(part, Spread) else part


def _with(part: Part, tree: Expr) -> Part:
    return Spread(tree) if isinstance(part, Spread) else tree


def is_open(parts: list[Part]) -> bool:
    """Whether the number of items is known only at run time."""
    return any(isinstance(p, Spread) for p in parts)


def plain(b: Any, parts: list[Part], node: Any) -> tuple[Expr, ...]:
    """The parts as operands with stars, where nothing in them is active.

    Raises:
        UnsupportedSyntaxError: something is.
    """
    found: list[Expr] = []
    for part in parts:
        item = b.materialise(_tree(part), node)
        if not b.passive and b.is_varied(item):
            raise b.unsupported(
                node, "a starred display of active values", "make a list of them"
            )
        found.append(Op("star", (item,)) if isinstance(part, Spread) else item)
    return tuple(found)


def handed(b: Any, parts: list[Part], fn: Any, node: Any) -> list[Abstract]:
    """The operands of a call with stars: where the callee takes so many and no more,
    the one sequence of unknown length is taken apart."""
    open_parts = [k for k, p in enumerate(parts) if isinstance(p, Spread)]
    if len(open_parts) == 1 and not b.passive:
        k = open_parts[0]
        count = fixed_count(fn)
        if count is not None and b.any_varied(_tree(parts[k])):
            missing = count - (len(parts) - 1)
            whole = b.materialise(_tree(parts[k]), node)
            names = [gast.Constant(value=None, kind=None)] * max(missing, 0)
            return [*parts[:k], *b.unpacked(whole, names).items, *parts[k + 1 :]]
    if not b.passive and any(b.any_varied(_tree(p)) for p in parts):
        if getattr(fn, "obj", None) is zip and len(parts) == 1:
            return [Op("star", (b.settle(_tree(parts[0])),))]
        least = named_before_rest(fn)
        if least is not None:
            return with_rest(b, parts, least, node)
        for part in parts:  # a list made here may be known item by item
            tree = _tree(part)
            if isinstance(part, Spread) and isinstance(tree, Ref):
                b.keep_known(tree.value.key)
    return [*plain(b, parts, node)]


def with_rest(b: Any, parts: list[Part], count: int, node: Any) -> list[Abstract]:
    """The operands of a callee with `*rest`, which is a list of the run time: those it
    names, and a star of all others."""
    first = next(k for k, p in enumerate(parts) if isinstance(p, Spread))
    own = parts[: min(first, count)]
    left = b.settle(listed(b, parts[len(own) :], node))
    lacking = count - len(own)
    if lacking:
        own += [b.settle(b.subscript(left, Lit(k), node)) for k in range(lacking)]
        cut = Op("slice", (Lit(lacking), Lit(None), Lit(None)))
        left = b.settle(b.subscript(left, cut, node))
    return [*own, Op("star", (left,))]


def named_before_rest(fn: Any) -> int | None:
    """How many operands a callee of the program names before its `*rest`."""
    if isinstance(fn, Closure):
        args = fn.node.args
        return len(args.posonlyargs) + len(args.args) if args.vararg else None
    if isinstance(fn, Bound):
        count = None if fn.keywords else named_before_rest(fn.fn)
        return None if count is None or count < len(fn.args) else count - len(fn.args)
    obj = getattr(fn, "obj", None)
    own = 0
    if isinstance(obj, type):
        obj, own = obj.__init__, 1  # type: ignore[misc]
    if not isinstance(obj, types.FunctionType):
        return None
    if not obj.__code__.co_flags & inspect.CO_VARARGS or is_library(obj):
        return None
    return obj.__code__.co_argcount - own


def fixed_count(fn: Any) -> int | None:
    """How many operands a function takes, if that is no choice of its caller's."""
    if isinstance(fn, Closure):
        args = fn.node.args
        open_end = args.vararg or fn.defaults
        return None if open_end else len(args.posonlyargs) + len(args.args)
    if isinstance(fn, Bound):
        count = None if fn.keywords else fixed_count(fn.fn)
        return None if count is None else count - len(fn.args)
    obj = getattr(fn, "obj", None)
    if isinstance(obj, np.ufunc):
        return obj.nin
    if not callable(obj) or isinstance(obj, type):
        return None
    try:
        parameters = inspect.signature(obj).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    open_end = any(
        p.kind is p.VAR_POSITIONAL or p.default is not p.empty for p in parameters
    )
    return None if open_end else len(positional)


_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def listed(b: Any, parts: list[Part], node: Any) -> Abstract:
    """A list display with stars."""
    active = any(b.any_varied(_tree(p)) for p in parts)
    if b.passive or not active:
        return Op("list", plain(b, parts, node))
    whole: Any = None
    group: list[Abstract] = []
    for k, part in enumerate(parts):
        if not isinstance(part, Spread):
            group.append(part)
            if k + 1 < len(parts) and not isinstance(parts[k + 1], Spread):
                continue
            right: Any = b.display(list, group, (node, "group", k))
            group = []
        else:
            right = as_list(b, part.tree, node)
        whole = (
            right
            if whole is None
            else b.inline_library(library.joined, [whole, right], node)
        )
    return whole


def as_list(b: Any, tree: Abstract, node: Any) -> Abstract:
    """`list(sequence)` of active elements."""
    return b.inline_library(library.listed, [tree], node)
