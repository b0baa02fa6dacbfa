"""Cotangents of what is put into lists, tuples and their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sourcegrad.adjoint.cotangents import Bar, added
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.ir import (
    Effect,
    Expr,
    Lit,
    Loop,
    Op,
    Ref,
    Region,
    Value,
    call,
    getitem,
)
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import (
    INT,
    UNKNOWN,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_scalar,
)
from sourcegrad.runtime_project import formed
from sourcegrad.runtime_sequences import add_item

if TYPE_CHECKING:
    from sourcegrad.adjoint.shadows import Shadows


def add_at(rev: Shadows, buffer: Expr, index: Expr, g: Expr) -> None:
    """Accumulate the cotangent of an item that may be a container."""
    rev.b.append(Effect(call(rev.cot.library(add_item), buffer, index, g)))


def add_item_at(rev: Shadows, base: Value, buffer: Ref, index: Expr, g: Expr) -> None:
    """Accumulate the cotangent of an item that is a number or an array."""
    late = rev.is_row(base) and not is_scalar(base.kind.item)  # type: ignore[attr-defined]
    rev.b.append(added(buffer, index, g, late and rev.replaces_items(base)))


def may_be_zero(rev: Shadows, item: Expr) -> bool:
    """Whether the place that an item of a list is found in may hold the number 0.0,
    left there when something else was put in the same place."""
    base = item.args[0] if isinstance(item, Op) else None
    if not isinstance(base, Ref) or not isinstance(base.value.kind, ListKind):
        return False
    has_form = isinstance(zero_item(base.value.kind.item), Op)
    return not has_form and rev.replaces_items(base.value)


def add_list(rev: Shadows, slot: Expr, g: Expr, expr: Op) -> None:
    """Accumulate the cotangent of a list into a slot that holds one, item by item."""
    b = rev.b
    index = Value("k", INT, False, b.where)
    trips = call(b.binder.bind(len, "len"), g)
    loop = Loop(
        "for", [index], call(b.binder.bind(range, "range"), trips), None, [], Region()
    )
    item = getitem(g, Ref(index))
    kind = b.infer(expr)
    late = not (isinstance(kind, ListKind) and is_scalar(kind.item))
    fx = rev.effects
    late = late and all(
        fx.is_mutated(v) and not fx.holds_written(v) for v in refs(expr)
    )
    loop.body.stmts.append(added(slot, Ref(index), item, late))
    b.append(loop)


def give_items(rev: Shadows, base: Value, expr: Op, bar: Bar | None) -> None:
    """`l = [a, b]`: each item has the cotangent at its place."""
    if bar is None:
        return
    for k, arg in enumerate(expr.args):
        g = taken(rev, base, getitem(bar.expr, Lit(k)), arg)
        give(rev, arg, g, bar.owned, rev.replaces_items(base))


def give(
    rev: Shadows, expr: Expr, g: Expr, owned: bool = False, replaced: bool = False
) -> None:
    """Hand a cotangent found in a container to what was put there.

    Args:
        rev: the sweep.
        expr: what was put there.
        g: the cotangent.
        owned: whether nothing else reads a list in it.
        replaced: whether it may be the number 0.0, left there when something else
            was put in the same place.
    """
    if isinstance(expr, Ref):
        if rev.active(expr.value):
            inner = isinstance(expr.value.kind, ListKind)
            if replaced and is_array(expr.value.kind):
                g = rev.b.emit(g, "g")
                rev.cot.absent.add(g.value)
            rev.cot.add(expr.value, g, owned and inner)
        return
    numbers = isinstance(rev.b.infer(expr), Num)  # active only if it has a name
    if numbers or not any(v.varied for v in refs(expr)):
        return
    if not isinstance(expr, Op) or expr.op not in ("tuple", "list"):
        raise rev.b.error(
            NonDifferentiableError,
            "an active value stands in a list inside another container",
            hints=("put the values into the list as a tuple",),
        )
    for k, arg in enumerate(expr.args):
        give(rev, arg, getitem(g, Lit(k)), owned, replaced)


def taken(rev: Shadows, base: Value, slot: Expr, value: Expr) -> Expr:
    """The cotangent found in a slot of a list, in the form of what was put there.

    Args:
        rev: the sweep.
        base: the list.
        slot: the cotangent in the slot.
        value: what was put there.
    """
    kind = rev.b.infer(value)
    formless = not isinstance(kind, (ListKind, TupleKind))
    held = base.kind.item if isinstance(base.kind, ListKind) else UNKNOWN
    if formless or isinstance(zero_item(held), Op) or not rev.replaces_items(base):
        return slot
    return call(rev.cot.library(formed), slot, _form(rev, value))


def _form(rev: Shadows, value: Expr) -> Expr:
    """An expression with the form of what was put into a list."""
    if isinstance(value, Op) and value.op in ("list", "tuple"):
        return Op("list", tuple(_form(rev, arg) for arg in value.args))
    plain = not isinstance(value, Ref) or is_scalar(value.value.kind)
    return Lit(0.0) if plain else value


def zero_item(kind: Kind) -> Expr:
    """The cotangent that a place of a list starts with, before an item is put there:
    0.0 where not only numbers and arrays stood there, since lists differ in length."""
    if isinstance(kind, TupleKind) and all(isinstance(k, Num) for k in kind.items):
        return Op("list", (Lit(0.0),) * len(kind.items))
    return Lit(0.0)
