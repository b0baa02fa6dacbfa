"""Cotangents of what is put into lists, tuples and their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sourcegrad.adjoint.cotangents import Bar
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.ir import (
    Effect,
    Expr,
    Lit,
    Loop,
    Op,
    Ref,
    Region,
    Store,
    Value,
    call,
    getitem,
)
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import INT, Kind, ListKind, Num, TupleKind
from sourcegrad.runtime_sequences import add_nested

if TYPE_CHECKING:
    from sourcegrad.adjoint.shadows import Shadows


def add_into(rev: Shadows, slot: Expr, g: Expr) -> None:
    """Accumulate the cotangent of a container into a slot that holds one."""
    rev.b.append(Effect(call(rev.cot.library(add_nested), slot, g)))


def add_list(rev: Shadows, slot: Expr, g: Expr, expr: Op) -> None:
    """Accumulate the cotangent of a list into a slot that holds one, item by item."""
    b = rev.b
    index = Value("k", INT, False, b.where)
    trips = call(b.binder.bind(len, "len"), g)
    loop = Loop(
        "for", [index], call(b.binder.bind(range, "range"), trips), None, [], Region()
    )
    item = getitem(g, Ref(index))
    loop.body.stmts.append(Store(slot, Ref(index), item, "add", where=b.where))
    b.append(loop)


def give_items(rev: Shadows, expr: Op, bar: Bar | None) -> None:
    """`l = [a, b]`: each item has the cotangent at its place."""
    if bar is None:
        return
    for k, arg in enumerate(expr.args):
        give(rev, arg, getitem(bar.expr, Lit(k)), bar.owned)


def give(rev: Shadows, expr: Expr, g: Expr, owned: bool = False) -> None:
    """Hand a cotangent found in a container to what was put there.

    Args:
        rev: the sweep.
        expr: what was put there.
        g: the cotangent.
        owned: whether nothing else reads a list in it.
    """
    if isinstance(expr, Ref):
        if rev.active(expr.value):
            inner = isinstance(expr.value.kind, ListKind)
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
        give(rev, arg, getitem(g, Lit(k)), owned)


def zero_item(rev: Shadows, kind: Kind) -> Expr:
    """The cotangent that a place of a list starts with, before an item is put there.

    Raises:
        NonDifferentiableError: the items are lists, or hold some.
    """
    if isinstance(kind, TupleKind):
        return Op("list", tuple(zero_item(rev, k) for k in kind.items))
    if isinstance(kind, ListKind):
        raise rev.b.error(
            NonDifferentiableError,
            "a list in a list is replaced",
            hints=("build a new list", "change the items of the inner list"),
        )
    return Lit(0.0)
