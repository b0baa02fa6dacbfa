"""`iter(x)` and `next(it)` along sequences, as plain Python.

A cursor is a sequence and the place that is read next.  The frontend builds these
methods in; they are never run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.frontend.sequences import is_sequence
from sourcegrad.frontend.structs import Abstract, Closure, Object, Struct
from sourcegrad.ir import Lit, Obj

Handler = Callable[..., Any]


class Cursor:
    """An iterator along a list, tuple or array."""

    def __init__(self, items: Any) -> None:
        self.items: Any = items
        self.place = 0

    def take(self) -> Any:
        """`next(it)`."""
        if self.place >= len(self.items):
            raise StopIteration
        self.place = self.place + 1
        return self.items[self.place - 1]

    def take_or(self, default: Any) -> Any:
        """`next(it, default)`."""
        if self.place >= len(self.items):
            return default
        self.place = self.place + 1
        return self.items[self.place - 1]

    def rest(self) -> Any:
        """All that was not read yet, which then is."""
        left = self.items[self.place :]
        self.place = len(self.items)
        return left


def remaining(cursor: Any) -> Iterator[Any]:
    """What a loop over a cursor meets, which the loop may read itself meanwhile."""
    while cursor.place < len(cursor.items):
        cursor.place = cursor.place + 1
        yield cursor.items[cursor.place - 1]


def pairs(first: Any, second: Any) -> Iterator[Any]:
    """`zip` of two cursors, which may be one and the same."""
    while first.place < len(first.items):
        first.place = first.place + 1
        item = first.items[first.place - 1]
        if second.place >= len(second.items):
            return
        second.place = second.place + 1
        yield item, second.items[second.place - 1]


def triples(first: Any, second: Any, third: Any) -> Iterator[Any]:
    """`zip` of three cursors."""
    for a, b in pairs(first, second):
        if third.place >= len(third.items):
            return
        third.place = third.place + 1
        yield a, b, third.items[third.place - 1]


def following(iterator: Any) -> Iterator[Any]:
    """What a loop over an object with `__next__` meets."""
    more = True
    while more:
        item = None
        try:
            item = next(iterator)
        except StopIteration:
            more = False
        if more:
            yield item


def is_cursor(tree: Any) -> bool:
    """Whether a tree is an iterator made by `iter`."""
    return isinstance(tree, Object) and tree.type is Cursor


def in_step(b: Any, trees: list[Any], kw: Any, node: Any) -> Any:
    """`zip` of sequences of which one is a cursor."""
    if len(trees) not in (2, 3) or kw:
        raise b.unsupported(node, "zip of these iterators", "make lists of them")
    made = [b.call_value(b.binder.bind(iter, "iter"), [t], {}, node) for t in trees]
    if not all(map(is_cursor, made)):
        raise b.unsupported(node, "zip of these iterators", "make lists of them")
    fn = pairs if len(made) == 2 else triples
    return b.generator_of(Obj(fn, fn.__name__), made, {}, node)


def refuse_partial(b: Any, node: Any) -> None:
    """`any` and `all` stop early, so that an iterator they read goes on from there.

    Raises:
        UnsupportedSyntaxError: they read one that has a name.
    """
    name = getattr(node.func, "id", "")
    inner = node.args[0] if node.args else None
    if name in ("any", "all") and isinstance(inner, (gast.GeneratorExp, gast.Name)):
        source = inner if isinstance(inner, gast.Name) else inner.generators[0].iter
        if isinstance(source, gast.Name) and is_cursor(b.env.get((b.scope, source.id))):
            raise b.unsupported(node, f"{name} of an iterator", "make a list of it")


def cursor_of(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`iter(x)` of active elements."""
    if len(args) != 1 or b.is_unread(args[0]) or is_cursor(args[0]):
        return args[0] if len(args) == 1 else NotImplemented
    held = b.elements(args[0], node)
    if b.is_unread(held):
        return held
    if b.passive or not (b.active_choice(held) or b.active(args, kw)):
        return NotImplemented
    if isinstance(held, Struct) and held.is_dict:
        held = Struct(tuple, tuple(range(len(held.keys))), [Lit(k) for k in held.keys])
    held = b.settle(held)
    if not is_sequence(b, held):
        return held
    if isinstance(held, Struct) and held.type is tuple:
        # Nobody sees which it is, and what is left of a list is a list.
        held = b.display(list, held.items, b.site(node))
    return b.construct(Obj(Cursor, "Cursor"), [held], {}, node)


def taken(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`next(it)` and `next(it, default)`."""
    if not args:
        return NotImplemented
    if is_cursor(args[0]):
        name = "take" if len(args) == 1 else "take_or"
        with b.actively():
            return b.call_value(b.attribute(args[0], name, node), args[1:], {}, node)
    if isinstance(args[0], Object) and not b.is_unread(args[0]) and len(args) == 1:
        return b.call_special(args[0], "__next__", [], node)
    if b.is_unread(args[0]) or b.active(args, kw):
        raise b.unsupported(node, "next() of this iterator",
                            "make a list of it and keep the place in it")  # fmt: skip
    return NotImplemented


def first_of(b: Any, node: Any) -> Abstract | None:
    """`next(e for x in y if …)`, read no further than the first item: a function that
    returns it."""
    inner = node.args[0] if node.args else None
    if not isinstance(inner, gast.GeneratorExp) or node.keywords:
        return None
    fn = b.expr(node.func)
    if not (isinstance(fn, Obj) and fn.obj is next) or len(node.args) > 2:
        return None
    key = ("first of", node)
    if key not in b.context.derived:
        b.context.derived[key] = _function(inner, len(node.args) > 1, node)
    b.scope.has_closures = True
    closure = Closure(b.context.derived[key], b.scope, [], [], "first")
    default = [b.expr(a) for a in node.args[1:]]
    return b.call_value(closure, default, {}, node)


def _function(inner: Any, defaulted: bool, node: Any) -> Any:
    body: list[Any] = [gast.Return(value=inner.elt)]
    for generator in reversed(inner.generators):
        for test in reversed(generator.ifs):
            body = [gast.If(test=test, body=body, orelse=[])]
        body = [gast.For(target=generator.target, iter=generator.iter, body=body,
                         orelse=[], type_comment=None)]  # fmt: skip
    params = [("default", None)] if defaulted else []
    last: Any = gast.Return(value=syntax.name("default"))
    if not defaulted:
        last = gast.Raise(exc=syntax.name("StopIteration"), cause=None)
    made = syntax.function("first", params, [*body, last])
    for part in gast.walk(made):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return made


CURSORS: dict[Any, Handler] = {iter: cursor_of, next: taken}
