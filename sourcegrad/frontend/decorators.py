"""Decorators, and makers of functions, that are looked through."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import gast

from sourcegrad import markers
from sourcegrad.frontend import library
from sourcegrad.frontend.binding import bind_arguments
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.lifting import as_partial
from sourcegrad.frontend.structs import Bound, Closure, Struct, is_function
from sourcegrad.ir import Expr, Lit, Obj

Handler = Callable[..., Any]


def caching(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`lru_cache` and `cache`: results are computed again, which is the same."""
    if len(args) == 1 and is_function(args[0]):
        return args[0]
    return Obj(library.unchanged, "unchanged")


def wrapping(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`wraps(f)`, which copies names only."""
    return Obj(library.unchanged, "unchanged")


def unchanged(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """A decorator that gives back what it is given."""
    return args[0]


def getter(marker: Any) -> Handler:
    """`itemgetter(…)`, `attrgetter(…)` or `methodcaller(…)`."""

    def make(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if b.passive:
            return NotImplemented
        return Bound(Obj(marker, marker.__name__), [Struct(
            tuple, tuple(range(len(args))), args), Struct(dict, tuple(kw),
            list(kw.values()))])  # fmt: skip

    return make


def _each(parts: list[Any], one: Any) -> Any:
    found = [one(p) for p in parts]
    if len(found) == 1:
        return found[0]
    return Struct(tuple, tuple(range(len(found))), found)


def item_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`itemgetter(k)(x)`."""
    held = b.settle(args[2])

    def one(key: Any) -> Any:
        index = b.materialise(key, node)
        found = None if isinstance(held, Expr) else b.item_call(held, index, node)
        if found is None and isinstance(held, Struct):
            found = b.struct_item(held, index)
        return b.subscript(held, index, node) if found is None else found

    return _each(args[0].items, one)


def attribute_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`attrgetter("a.b")(x)`."""

    def one(name: Any) -> Any:
        held = args[2]
        for part in _text(b, name, node).split("."):
            held = b.attribute(held, part, node)
        return held

    return _each(args[0].items, one)


def method_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`methodcaller("name", …)(x)`."""
    name, *rest = args[0].items
    named = dict(zip(args[1].keys, args[1].items, strict=True))
    method = b.attribute(args[2], _text(b, name, node), node)
    return b.call_value(method, rest, named, node)


def _text(b: Any, tree: Any, node: Any) -> str:
    if isinstance(tree, Expr) and known(tree) and isinstance(literal(tree), str):
        return literal(tree)
    raise b.unsupported(node, "an attribute whose name is not known when compiling",
                        "write the attribute itself: x.name")  # fmt: skip


GETTERS = {
    library.item_of: operator.itemgetter,
    library.attribute_of: operator.attrgetter,
    library.method_of: operator.methodcaller,
}


def as_getter(b: Any, tree: Any, node: Any) -> Any:
    """The getter that a marker with its operands stands for, as an expression."""
    if not isinstance(tree, Bound) or not isinstance(tree.fn, Obj):
        return None
    made = GETTERS.get(tree.fn.obj) if callable(tree.fn.obj) else None
    if made is None or len(tree.args) != 2:
        return None
    args, kw = tree.args
    assert isinstance(args, Struct) and isinstance(kw, Struct)
    named = dict(zip(kw.keys, kw.items, strict=True))
    fn = b.binder.bind(made, made.__name__)
    return b.call_tree(fn, args.items, named, node)


def of_getter(b: Any, obj: Any, args: Any, kw: Any, node: Any) -> Any:
    """A call of a getter made outside."""
    marker = next((m for m, made in GETTERS.items() if isinstance(obj, made)), None)
    if marker is None or not b.active(args, kw):
        return None
    state = obj.__reduce__()[1]
    if isinstance(obj, operator.methodcaller) and len(state) < 1:
        return None
    own = Struct(tuple, tuple(range(len(state))), [Lit(s) for s in state])
    return DECORATORS[marker](b, [own, Struct(dict, (), []), *args], kw, node)


def decorated(b: Any, tree: Any, decorators: list[Any], node: Any) -> Any:
    """What an inner function is bound as: its decorators called on it."""
    for decorator in reversed(decorators):
        fn = b.expr(decorator)
        if not isinstance(fn, Expr | Bound) and not is_function(fn):
            raise b.unsupported(decorator, "this decorator of an inner function")
        call = gast.copy_location(
            gast.Call(func=decorator, args=[], keywords=[]), decorator
        )
        tree = b.call_value(fn, [tree], {}, call)
    return tree


def checkpointing(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`checkpoint(f)`: what it captures is read where it is called."""
    if len(args) != 1 or kw or not isinstance(args[0], Closure | Bound | Obj):
        return NotImplemented
    return Bound(Obj(library.checkpointed, "checkpoint"), [args[0]])


def checkpointed(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """A call of what `checkpoint(f)` gave."""
    f, *operands = args
    if isinstance(f, Closure):
        kw = bind_arguments(b, f.node.args, operands, kw, f)
        f, operands = as_partial(b, f, node, bound=True), []
    return b.call_value(_marked(b, f), operands, kw, node)


def _marked(b: Any, f: Any) -> Any:
    """The function of a callee, marked as `checkpoint` marks it."""
    if isinstance(f, Bound):
        return Bound(_marked(b, f.fn), f.args, f.keywords)
    if not isinstance(f, Obj) or not isinstance(f.obj, types.FunctionType):
        return f
    key = ("checkpoint", f.obj)
    found = b.context.derived.get(key)
    if found is None:
        found = b.context.derived[key] = markers.checkpoint(f.obj)
    return b.binder.bind(found, f.obj.__name__)


DECORATORS: dict[Any, Handler] = {
    markers.checkpoint: checkpointing,
    library.checkpointed: checkpointed,
    functools.lru_cache: caching,
    functools.cache: caching,
    functools.wraps: wrapping,
    library.unchanged: unchanged,
    operator.itemgetter: getter(library.item_of),
    operator.attrgetter: getter(library.attribute_of),
    operator.methodcaller: getter(library.method_of),
    library.item_of: item_of,
    library.attribute_of: attribute_of,
    library.method_of: method_of,
}
