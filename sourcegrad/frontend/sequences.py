"""Builtins and list methods along sequences whose length is known only at run time.

Each becomes the loop that `frontend.library` writes for it, where an active element
or a function of the program's passes through it.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

import gast

from sourcegrad.frontend import library
from sourcegrad.frontend.object_order import are_objects, in_order
from sourcegrad.frontend.structs import Abstract, Object, Struct
from sourcegrad.frontend.walks import called
from sourcegrad.ir import Expr, Lit, Op, Ref, call
from sourcegrad.kinds import Atom, ListKind, Num, TupleKind

Handler = Callable[..., Any]


def inline(b: Any, fn: Any, args: list[Abstract], node: Any) -> Any:
    """The body of a function of `library`, built in for a call at `node`."""
    return b.inline_library(fn, args, node)


def is_sequence(b: Any, tree: Abstract) -> bool:
    """Whether a tree is a list, tuple or array that can be read by position."""
    if isinstance(tree, Struct):
        return tree.is_sequence
    kind = b.infer(tree) if isinstance(tree, Expr) else None
    if kind == Atom(range):
        return True
    made = b.made.get(tree.value, tree) if isinstance(tree, Ref) else tree
    if isinstance(made, Op) and any(called(made) is f for f in (list, sorted)):
        return True
    if isinstance(kind, Num):
        return kind.flavor == "array" and kind.ndim != 0
    return isinstance(kind, (ListKind, TupleKind))


def as_items(b: Any, tree: Abstract) -> Abstract:
    """A generator expression kept as written, or a set, as the list of its items."""
    if not isinstance(tree, Expr):
        return as_keys(tree)
    kind = b.infer(tree)
    made = b.made.get(tree.value) if isinstance(tree, Ref) else tree
    written = made.data[0] if isinstance(made, Op) and made.op == "raw" else None
    if kind not in (Atom(set), Atom(frozenset)):
        if not isinstance(written, gast.GeneratorExp):
            return tree
    listed = call(b.binder.bind(list, "list"), tree)
    listed.kind = kind if isinstance(kind, ListKind) else None
    return listed


def as_keys(tree: Abstract) -> Abstract:
    """A dict as the keys that a loop over it meets."""
    if isinstance(tree, Struct) and tree.is_dict:
        return Struct(tuple, tuple(range(len(tree.keys))), [Lit(k) for k in tree.keys])
    return tree


def followed(b: Any, args: Any, kw: Any) -> bool:
    """Whether a call must be built in: an active element, or a function of the
    program's, passes through it."""
    trees = [*args, *kw.values()]
    return b.active(args, kw) or not all(map(b.can_materialise, trees))


def list_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`list(sequence)`."""
    if kw or len(args) != 1 or not followed(b, args, kw) or not is_sequence(b, args[0]):
        return NotImplemented
    return inline(b, library.listed, args, node)


def tuple_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`tuple(sequence)` of unknown length."""
    if len(args) == 1 and followed(b, args, kw) and is_sequence(b, args[0]):
        b.try_unrolled(args[0])
        raise b.unsupported(
            node,
            "tuple() of active elements whose number is not known when compiling",
            "use list(…)",
        )
    return NotImplemented


def mapped(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`map`."""
    if not followed(b, args, kw) or not all(is_sequence(b, a) for a in args[1:]):
        return NotImplemented
    columns = args[1:]
    if len(columns) == 1:
        return inline(b, library.mapped, args, node)
    return inline(b, library.mapped_several, [args[0], *columns], node)


def filtered(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`filter`."""
    if not followed(b, args, kw) or not is_sequence(b, args[1]):
        return NotImplemented
    if args[0] == Lit(None):
        return inline(b, library.filtered_truth, args[1:], node)
    return inline(b, library.filtered, args, node)


def reduced(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`functools.reduce`."""
    if not followed(b, args, kw) or not is_sequence(b, args[1]):
        return NotImplemented
    fn = library.reduced if len(args) == 2 else library.reduced_from
    return inline(b, fn, args, node)


def extremum(fn: Any, plain: Any, by_key: Any) -> Handler:
    """`max` or `min` of a sequence."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if not followed(b, args, kw):
            return NotImplemented
        if len(args) > 1:
            args = [Struct(tuple, tuple(range(len(args))), [b.settle(a) for a in args])]
        args = [as_items(b, args[0])]
        if not is_sequence(b, args[0]) or set(kw) - {"key", "default"}:
            return NotImplemented
        items = b.settle(args[0])
        if "default" in kw:
            rest = {k: v for k, v in kw.items() if k != "default"}
            own = b.binder.bind(fn, fn.__name__)
            best = lambda: b.call_object(own, [items], rest, node)  # noqa: E731
            return defaulted(b, items, b.settle(kw["default"]), best)
        key = kw.get("key", Lit(None))
        if key == Lit(None):
            return inline(b, plain, [items], node)
        return inline(b, by_key, [items, key], node)

    return handler


def defaulted(b: Any, items: Abstract, default: Any, best: Any) -> Any:
    """`max(items, default=…)`."""
    if isinstance(items, Struct):
        return best() if items.items else default
    count = b.call_object(b.binder.bind(len, "len"), [items], {}, None)
    return b.choose(count, best, lambda: default)


def ordered(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`sorted`."""
    known_order = _ordered(b, args, kw, node)
    if known_order is not None:
        return b.display(list, known_order, b.site(node))
    key, reverse = kw.get("key", Lit(None)), kw.get("reverse", Lit(False))
    whole = b.structure(args[0])
    if isinstance(whole, Struct) and are_objects(whole.items):
        if key == Lit(None) or any(type(i) is not Object for i in whole.items):
            found = in_order(b, whole.items, key, b.materialise(reverse), node)
            return b.display(list, found, b.site(node))
    args = [as_items(b, a) for a in args]
    if not followed(b, args, kw) or not is_sequence(b, args[0]):
        return NotImplemented
    if key == Lit(None):
        return inline(b, library.ordered, [args[0], reverse], node)
    return inline(b, library.ordered_by, [args[0], key, reverse], node)


def _ordered(b: Any, args: Any, kw: Any, node: Any) -> list[Abstract] | None:
    """The items of a known structure in the order of what is known when compiling: the
    keys of a dict, literal items, or what a key function makes of each."""
    whole = args[0] if len(args) == 1 else None
    if not isinstance(whole, Struct) or not set(kw) <= {"reverse", "key"}:
        return None
    items: list[Abstract] = [Lit(k) for k in whole.keys]
    items = items if whole.is_dict else list(whole.items)
    key, backwards = kw.get("key", Lit(None)), kw.get("reverse", Lit(False))
    marks = items
    if key != Lit(None):
        with b.passively():
            marks = [b.call_value(key, [item], {}, node) for item in items]
    if not all(isinstance(m, Lit) for m in (*marks, backwards)):
        return None
    values = [m.value for m in marks if isinstance(m, Lit)]
    if len({type(v) for v in values}) != 1 or type(values[0]) not in (str, int):
        return None
    order = sorted(range(len(items)), key=values.__getitem__, reverse=backwards.value)
    return [items[k] for k in order]


def backwards(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`reversed`, where it is not what a loop runs over."""
    if not b.active(args, kw) or not is_sequence(b, args[0]):
        return NotImplemented
    return inline(b, library.backwards, args, node)


def either(first: Handler, second: Handler) -> Handler:
    """The first handler that takes the call."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        found = first(b, args, kw, node)
        return second(b, args, kw, node) if found is NotImplemented else found

    return handler


SEQUENCES: dict[Any, Handler] = {
    builtins.list: list_of,
    builtins.tuple: tuple_of,
    builtins.map: mapped,
    builtins.filter: filtered,
    builtins.max: extremum(max, library.largest, library.largest_by),
    builtins.min: extremum(min, library.smallest, library.smallest_by),
    builtins.sorted: ordered,
    builtins.reversed: backwards,
    functools.reduce: reduced,
}


def with_sequences(handlers: dict[Any, Handler]) -> dict[Any, Handler]:
    """The handlers of known structures, and behind them those of this module."""
    merged = dict(handlers)
    for fn, handler in SEQUENCES.items():
        merged[fn] = either(handlers[fn], handler) if fn in handlers else handler
    return merged


# ---------------------------------------------------------------- list methods


def list_call(b: Any, base: Expr, name: str, args: Any, kw: Any, node: Any) -> Any:
    """A method that changes a run-time list of active elements.

    Returns:
        Its result, or NotImplemented for a method that is none of those.
    """
    key, reverse = kw.get("key", Lit(None)), kw.get("reverse", Lit(False))
    match name, len(args):
        case "extend", 1:
            return done(
                inline(b, library.extend, [base, own(b, base, args[0], node)], node)
            )
        case "insert", 2:
            return done(inline(b, library.insert, [base, *args], node))
        case "pop", 1:
            return inline(b, library.pop_at, [base, *args], node)
        case "remove", 1:
            return done(inline(b, library.remove, [base, *args], node))
        case "clear", 0:
            return done(inline(b, library.clear, [base], node))
        case "reverse", 0:
            return done(inline(b, library.reverse, [base], node))
        case "copy", 0:
            return inline(b, library.listed, [base], node)
        case "sort", 0 if key == Lit(None):
            return done(inline(b, library.sort, [base, reverse], node))
        case "sort", 0:
            return done(inline(b, library.sort_by, [base, key, reverse], node))
    return NotImplemented


def own(b: Any, base: Expr, more: Abstract, node: Any) -> Abstract:
    """What a list is extended by, copied if it may be the list itself."""
    if isinstance(more, Struct) or not isinstance(b.infer(more), ListKind):
        return more
    return b.settle(inline(b, library.listed, [more], node))


def done(result: Any) -> Lit:
    """A method that returns nothing."""
    return Lit(None)
