"""Slices that are objects, as indices of lists and tuples.

s = slice(1, None)
items[s]            ->  items[1:None], or items[s.start:s.stop:s.step]
"""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend.known import known
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref
from sourcegrad.kinds import Atom, ListKind, TupleKind


def spelled(b: Any, base: Abstract, index: Expr) -> Expr:
    """An index of a list or tuple, with the bounds of a slice written out.

    Args:
        b: the builder.
        base: what is indexed.
        index: the index.
    """
    listed = isinstance(base, Struct) or (
        isinstance(base, Expr) and isinstance(b.infer(base), (ListKind, TupleKind))
    )
    if not listed or isinstance(index, Op) and index.op == "slice":
        return index
    if b.infer(index) != Atom(slice):
        return index
    made = b.made.get(index.value) if isinstance(index, Ref) else index
    bounds = _bounds(made)
    if bounds is None:
        with b.passively():
            held = b.atom(index)
        bounds = [Op("attr", (held,), name) for name in ("start", "stop", "step")]
    return Op("slice", tuple(bounds))


def _bounds(made: Expr | None) -> list[Expr] | None:
    """The bounds of `slice(…)`, if they are literals."""
    if not (isinstance(made, Op) and made.op == "call" and not made.data):
        return None
    fn, *given = made.args
    if not (isinstance(fn, Obj) and fn.obj is slice and all(map(known, given))):
        return None
    if len(given) == 1:
        given = [Lit(None), *given]
    return [*given, Lit(None)][:3]
