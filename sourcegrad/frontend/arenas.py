"""Arenas: objects and dicts whose number is known only at run time.

    for v in y:                               for v in y:
        rows.append(Point(v, v * v))   ->         rows.append(len(x_of_Point))
                                                  x_of_Point.append(v)
    total += rows[k].x                            y_of_Point.append(v * v)
                                              total += x_of_Point[rows[k]]

All objects of one class, or all dicts with the same keys, keep their attributes in
lists of the run time, one per attribute; such an object is its place in those.  Two
names for one object hold the same place, so what is changed by one is seen by the
other, and a place can stand in any container, or be None.

Objects live there only if the program needs it: where it could not be followed else.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sourcegrad.frontend.context import Context, Restart
from sourcegrad.frontend.cursors import is_cursor
from sourcegrad.frontend.held import PINNED
from sourcegrad.frontend.mappings import KEYS
from sourcegrad.frontend.provenance import is_own
from sourcegrad.frontend.snapshots import Snapshot
from sourcegrad.frontend.structs import (
    Abstract,
    Listing,
    Mapping,
    Object,
    Pointer,
    Poison,
    Struct,
    Variant,
)
from sourcegrad.frontend.walks import STEPPED, called
from sourcegrad.ir import Effect, Expr, Lit, Loop, Op, Plain, Ref, Region
from sourcegrad.ir_walk import stmt_exprs, walk
from sourcegrad.kinds import BOTTOM, Handle, Kind, ListKind, TupleKind, Unknown
from sourcegrad.names import identifier
from sourcegrad.runtime_heaps import heap_order, path_down, path_up
from sourcegrad.runtime_sequences import order_of


class Record:
    """A dict of an arena."""


@dataclass(eq=False)
class Arena:
    """Where the objects of one class, or the dicts with the same keys, live.

    `key` tells which; `type` is what a place in it is an instance of; `fields` are the
    attributes or keys, once the first object is made.  `begun` says that some are made
    before they have all of them; `late` are those that objects get afterwards.
    """

    key: Any
    type: type
    name: str
    fields: tuple[Any, ...] | None = None
    begun: bool = False
    late: tuple[Any, ...] = ()

    def list_name(self, field: Any) -> str:
        """The name of the list that holds an attribute."""
        return f"{identifier(str(field))}_of_{self.name}".strip("_")


def arena_of(context: Context, key: Any) -> Arena | None:
    """The arena of a class or of a tuple of keys, if it has one."""
    found: Arena | None = context.derived.get(("arena", key))
    return found


def arenas(context: Context) -> list[Arena]:
    """All arenas of a compilation."""
    return [a for a in context.derived.values() if isinstance(a, Arena)]


def class_key(cls: type) -> Any:
    """What tells the arena of a class."""
    return ("class", cls)


def keys_key(keys: Any) -> Any:
    """What tells the arena of dicts with these keys."""
    return ("dict", tuple(keys))


def move(b: Any, *trees: Abstract) -> None:
    """Let the objects in some trees live in arenas.

    Args:
        b: the builder.
        trees: what cannot be followed as it is.

    Raises:
        Restart: there are objects that did not live there.
    """
    move_all(b, [k for t in trees for k in keys_in(b, t)])


def move_all(b: Any, keys: Iterable[Any]) -> None:
    """Let all objects of some classes, or dicts of some keys, live in arenas.

    Args:
        b: the builder.
        keys: what tells the arenas.

    Raises:
        Restart: there is one that there was not.
    """
    if b.tentative or b.deriving:
        return
    new = [k for k in dict.fromkeys(keys) if arena_of(b.context, k) is None]
    for key in new:
        b.context.derived["arena", key] = _arena(b, key)
    if new:
        _begin_anew(b.context)
        raise Restart


def _begin_anew(context: Context) -> None:
    """Forget what was decided to know objects one by one, and what lists held."""
    for fact in context.demoted.values():
        fact.item = BOTTOM
    for key in list(context.derived):
        if key == PINNED or isinstance(key, tuple) and key[0] in _ONE_BY_ONE:
            del context.derived[key]


_ONE_BY_ONE = ("known list", "known dict", "unrolled", "read after",
               "trip by trip")  # fmt: skip


def _arena(b: Any, key: Any) -> Arena:
    taken = {a.name for a in arenas(b.context)}
    base = identifier(key[1].__name__) if key[0] == "class" else "record"
    name = next(
        n for k in range(len(taken) + 1) if (n := base + str(k or "")) not in taken
    )
    made = key[1] if key[0] == "class" else type(name, (Record,), {})
    return Arena(key, made, name)


def keys_in(b: Any, tree: Abstract, seen: tuple[Any, ...] = ()) -> Iterator[Any]:
    """What tells the arenas that the objects in a tree would live in."""
    if isinstance(tree, Pointer) or any(tree is s for s in seen):
        return
    seen = (*seen, tree)
    if isinstance(tree, Poison):
        for part in tree.held:
            yield from keys_in(b, part, seen)
    elif isinstance(tree, Listing):
        yield from b.context.derived.get(("put into", tree.site), ())
    elif isinstance(tree, Mapping):
        keys = b.env.get((tree, KEYS))
        if tree.type is dict and isinstance(keys, Struct) and tree.factory is None:
            names = [k.value for k in keys.items if isinstance(k, Lit)]
            b.context.derived["filled", tree.site] = tuple(names)
            yield from _dict_keys(names)
    elif isinstance(tree, Snapshot) or isinstance(tree, Object):
        if is_followed(tree.type) and not is_cursor(tree):
            yield class_key(tree.type)
    elif isinstance(tree, Struct):
        if tree.type is dict:
            yield from _dict_keys(list(tree.keys))
        for part in tree.items:
            yield from keys_in(b, part, seen)


def _dict_keys(keys: list[Any]) -> Iterator[Any]:
    if keys and all(isinstance(k, (str, int)) for k in keys):
        yield keys_key(keys)


def is_followed(cls: type) -> bool:
    """Whether the objects of a class are no more than their attributes."""
    members = [m for c in cls.__mro__ for m in vars(c).values()]
    setter: Any = cls.__setattr__
    plain = setter is object.__setattr__ and not hasattr(cls, "__getattr__")
    frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    return (
        (plain or frozen)
        and not is_own(cls)
        and not issubclass(cls, (BaseException, tuple, list, dict, set, str))
        and not any(isinstance(m, functools.cached_property) for m in members)
    )


def holds_places(kind: Kind) -> bool:
    """Whether values of a kind are places in arenas, or hold them."""
    if isinstance(kind, TupleKind):
        return any(map(holds_places, kind.items))
    return (
        isinstance(kind, Handle)
        or isinstance(kind, ListKind)
        and holds_places(kind.item)
    )


def keeps_places(part: Kind, whole: Kind) -> bool:
    """Whether a kind that covers another one still tells where places stand."""
    if isinstance(part, Handle):
        return isinstance(whole, Handle)
    if isinstance(part, TupleKind):
        pairs = isinstance(whole, TupleKind) and len(whole.items) == len(part.items)
        if not pairs:
            return not holds_places(part)
        return all(map(keeps_places, part.items, whole.items))  # type: ignore[attr-defined]
    if isinstance(part, ListKind):
        if not isinstance(whole, ListKind):
            return not holds_places(part)
        return keeps_places(part.item, whole.item)
    return True


def require_followed(b: Any, region: Region) -> None:
    """No place of an object may be taken for the number that it is.

    Args:
        b: the builder.
        region: all statements of a function.

    Raises:
        UnsupportedSyntaxError: something that is not followed gets an object.
    """
    if not arenas(b.context):
        return
    for stmt in walk(region):
        kept = isinstance(stmt, Plain) and any(_is_place(b, e) for e in stmt.args)
        seen = isinstance(stmt, Effect) and _is_place(b, stmt.expr)
        along = stmt.iterable if isinstance(stmt, Loop) else None
        if kept or seen or any(_escapes(b, e, e is along) for e in stmt_exprs(stmt)):
            b.where = stmt.where
            raise b.unsupported(
                None,
                "an object whose number is known only at run time, handed to what "
                "looks at all of it,",
                "hand it the attributes instead",
            )


def require_values(b: Any, result: Abstract) -> None:
    """What a function returns must be known as a value.

    Args:
        b: the builder.
        result: what the function returns, its records as structures.

    Raises:
        UnsupportedSyntaxError: it holds an object whose number is known only at run
            time, or one that may be None.
    """
    if isinstance(result, Struct):
        for item in result.items:
            require_values(b, item)
    elif isinstance(result, (Object, Variant)):
        b.materialise(result)
    elif isinstance(result, (Op, Ref)) and _is_place(b, result):
        raise b.unsupported(
            None,
            "a result that holds objects whose number is known only at run time",
            "return lists of their attributes: [p.x for p in points]",
        )


def _is_place(b: Any, e: Expr) -> bool:
    return holds_places(b.infer(e))


def _escapes(b: Any, e: Expr, along: bool) -> bool:
    """Whether an operation takes a place for a number, or for nothing that is known;
    `along` says that a loop runs along the expression."""
    if not isinstance(e, Op):
        return False
    steps = along and _calls(e, STEPPED)
    if any(_escapes(b, a, steps) for a in e.args):
        return True
    kinds = [k for k in map(b.infer, e.args) if holds_places(k)]
    if not kinds or steps or _calls(e, (len,)):
        return False
    lists = all(isinstance(k, ListKind) for k in kinds)
    if e.op == "compare":
        return e.data[0] not in _SAME
    if _calls(e, _ORDER):
        return not all(map(_is_behind, kinds))
    if e.op == "not_":
        return not lists
    if e.op == "getitem":  # of a list of objects, or by the place of one
        base, index = map(b.infer, e.args)
        of_attributes = isinstance(base, ListKind) and isinstance(index, Handle)
        return not of_attributes and isinstance(b.infer(e), Unknown)
    moves = e.op in _MOVE or lists and (e.op in _OF_LISTS or _calls(e, (list,)))
    return not (moves and holds_places(b.infer(e)))


def _calls(e: Op, group: Any) -> bool:
    fn = called(e)
    return fn is not None and any(fn is other for other in group)


_MOVE = ("getitem", "list", "tuple", "pop", "slice", "ifexp")
_OF_LISTS = ("add", "mul", "and", "or")
_SAME = ("is", "is not", "==", "!=", "in", "not in")
_ORDER = (order_of, heap_order, path_up, path_down)


_NO_ORDER = getattr(object, "__lt__")  # noqa: B009


def _is_behind(kind: Kind) -> bool:
    """Whether places stand behind what items are ordered by, of objects that have no
    order themselves: a comparison that reached them would raise."""
    item = kind.item if isinstance(kind, ListKind) else kind
    if not isinstance(item, TupleKind) or isinstance(item.items[0], Handle):
        return False
    return not any(
        isinstance(k, Handle) and getattr(k.arena[1], "__lt__", None) is not _NO_ORDER
        for k in item.items
        if not (isinstance(k, Handle) and k.arena[0] == "dict")
    )
