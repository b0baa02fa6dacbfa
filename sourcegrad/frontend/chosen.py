"""Items of a known structure that a computed index or key chooses.

Numbers and arrays are read from a list of the run time.  Tuples and objects of one
form are read part by part; of functions, a call takes the branch of the one chosen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sourcegrad.frontend.snapshots import closed, freeze, opened
from sourcegrad.frontend.structs import (
    Abstract,
    Choice,
    Struct,
    Variant,
    is_function,
    leaves,
    refilled,
    same_form,
)
from sourcegrad.frontend.variants import are_variants
from sourcegrad.ir import Expr, Lit, Obj, Op
from sourcegrad.kinds import BOTTOM, Kind, ListKind, join, strip

MOST = 32


def chosen(b: Any, base: Struct, index: Expr) -> Abstract | None:
    """What `base[index]` is, where its items are not all plain expressions.

    Returns:
        None where the items have no form in common.
    """
    if base.items and all(map(is_function, base.items)):
        return function(b, base, index)
    items = [opened(item, b.env) for item in base.items]
    first = items[0] if items else None
    if first is None or not all(alike(first, i) for i in items):
        objects = all(are_variants(i, i) for i in base.items)
        return variant(b, base, index) if objects else None
    place = position(b, base, index)
    for item in items:
        freeze(item, b.frozen)
    columns = zip(*(list(leaves(item)) for item in items), strict=True)
    found = [one_of(b, list(column), place) for column in columns]
    tree = refilled(_of_several(first, items), found)
    return closed(tree, b.env, b.where, b.frozen)


def _of_several(first: Abstract, items: list[Any]) -> Abstract:
    """The form of the items; a list in it that is changed may be any of theirs."""
    if not isinstance(first, Struct):
        return first
    parts = [
        _of_several(part, [item.items[k] for item in items])
        for k, part in enumerate(first.items)
    ]
    places = [item.site for item in items]
    site = None if first.type is not list or None in places else ("several", *places)
    return replace(first, items=parts, site=site, origin=None)


def alike(a: Abstract, b: Abstract) -> bool:
    """Whether two trees have the same form, down to their leaves."""
    if isinstance(a, Struct) and isinstance(b, Struct):
        return same_form(a, b) and all(map(alike, a.items, b.items))
    if is_function(a) or is_function(b):
        return isinstance(a, Obj) and a == b
    return isinstance(a, Expr) and isinstance(b, Expr)


def position(b: Any, base: Struct, index: Expr) -> Expr:
    """Where an item stands, from 0; the program's own error if there is none."""
    numbers = [Lit(k) for k in range(len(base.items))]
    if base.is_dict:
        pairs = [
            e for k, n in zip(base.keys, numbers, strict=True) for e in (Lit(k), n)
        ]
        held = Op("dict", tuple(pairs))
    else:
        held = Op("tuple", tuple(numbers))
    with b.passively():
        return b.emit(Op("getitem", (held, index)), "place")


def one_of(b: Any, column: list[Expr], place: Expr) -> Abstract:
    """The part at a place, of the parts of all items."""
    if all(e == column[0] for e in column):
        return column[0]
    return b.settle(b.subscript(run_time_list(b, column), place, None))


def run_time_list(b: Any, items: list[Expr]) -> Expr:
    """A list of the generated program that holds expressions."""
    held = b.emit(Op("list", tuple(items)), "parts")
    kind: Kind = BOTTOM
    for e in items:
        kind = join(kind, strip(b.infer(e)))
    held.value.kind = ListKind(kind)
    return held


def function(b: Any, base: Struct, index: Expr) -> Abstract:
    """A function by computed index: a call branches on it."""
    if len(base.items) > MOST:
        raise b.unsupported(
            None, f"one of more than {MOST} functions, by a computed index"
        )
    place = position(b, base, index)
    found = base.items[-1]
    for k in reversed(range(len(base.items) - 1)):
        found = Choice(Op("compare", (place, Lit(k)), ("==",)), base.items[k], found)
    return found


def variant(b: Any, base: Struct, index: Expr) -> Abstract | None:
    """An object of one of several classes by computed index."""
    if len(base.items) > MOST:
        return None
    place = position(b, base, index)
    found = base.items[-1]
    for k in reversed(range(len(base.items) - 1)):
        with b.passively():
            cond = b.atom(Op("compare", (place, Lit(k)), ("==",)))
        found = Variant(cond, base.items[k], found)
    return found


def of_functions(b: Any, base: Obj) -> Struct | None:
    """A container from outside that holds functions, as a structure; each item is
    guarded, so that code is built again when it changes."""
    holder = base.obj
    if not isinstance(holder, (dict, list, tuple)) or not holder or len(holder) > MOST:
        return None
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    if not all(callable(holder[k]) and not isinstance(holder[k], type) for k in keys):
        return None
    items: list[Abstract] = []
    for key in keys:
        member = holder[key]
        path = f"{base.path}[{key!r}]"
        b.binder.guard(("k", id(holder), key), path, _read(holder, key), member)
        name = getattr(member, "__name__", "fn").strip("<>")
        items.append(b.binder.bind(member, name))
    kind = next(k for k in (dict, list, tuple) if isinstance(holder, k))
    return Struct(kind, tuple(keys), items)


def _read(holder: Any, key: Any) -> Any:
    def read() -> Any:
        try:
            return holder[key]
        except LookupError:
            return None

    return read
