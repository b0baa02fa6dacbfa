"""`for … in checkpoint(…, budget=k)`: what such a loop may run along."""

from __future__ import annotations

import itertools
import types
from typing import Any

import gast

from sourcegrad import markers
from sourcegrad.errors import KindError
from sourcegrad.ir import Expr, Lit, Obj, Op
from sourcegrad.kinds import BOOL, UNKNOWN, Atom, ListKind, Num, TupleKind

COUNTED = (range, itertools.count)


def checkpointed(b: Any, node: Any) -> tuple[Any, Expr | None]:
    """The iterable inside of a `checkpoint(…)`, and its budget.

    Args:
        b: the builder.
        node: what a `for` runs along.

    Raises:
        KindError: the call is no legal one.
    """
    if not isinstance(node, gast.Call) or not _is_marker(b, node.func):
        return node, None
    given = {k.arg: k.value for k in node.keywords}
    if len(node.args) != 1 or set(given) != {"budget"}:
        raise b.error(
            KindError,
            "checkpoint of a loop takes the iterable and a budget",
            "the budget is the number of states that are kept",
            ("write checkpoint(range(n), budget=100)",),
            b.locate(node),
        )
    budget = b.atom(b.plain(given["budget"]), "budget")
    require_positive(b, budget, given["budget"])
    return node.args[0], budget


def _is_marker(b: Any, func: Any) -> bool:
    """Whether a called function is the marker: `checkpoint` or `sg.checkpoint`."""
    if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name):
        module = b.expr(func.value)
        if not (isinstance(module, Obj) and isinstance(module.obj, types.ModuleType)):
            return False
    elif not isinstance(func, gast.Name):
        return False
    fn = b.expr(func)
    return isinstance(fn, Obj) and fn.obj is markers.checkpoint


def require_positive(b: Any, budget: Expr, node: Any) -> None:
    """A literal budget is checked when compiling; another is a number at run time."""
    wrong = isinstance(budget, Lit) and not (
        type(budget.value) is int and budget.value > 0
    )
    if wrong or b.infer(budget) == BOOL:
        raise b.error(
            KindError,
            "the budget of a checkpointed loop is not a positive whole number",
            "it is the number of states that are kept",
            ("write checkpoint(range(n), budget=100)",),
            b.locate(node),
        )


def is_counted(e: Expr) -> bool:
    """Whether an iterable is a `range` or an `itertools.count`."""
    return (
        isinstance(e, Op)
        and e.op == "call"
        and isinstance(e.args[0], Obj)
        and e.args[0].obj in COUNTED
        and not e.data
        and not any(isinstance(a, Op) and a.op == "star" for a in e.args)
    )


def require_sequence(b: Any, e: Expr, node: Any) -> None:
    """Refuse what cannot be read at a position, such as a generator."""
    if isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj):
        if e.args[0].obj in (zip, enumerate, reversed):
            for part in e.args[1:]:
                require_sequence(b, part, node)
            return
    kind = UNKNOWN if isinstance(node, gast.GeneratorExp) else b.infer(e)
    if not isinstance(kind, (Num, ListKind, TupleKind)) and kind != Atom(range):
        raise b.unsupported(
            node,
            "checkpoint of a loop along this iterable",
            "run along a range, itertools.count() or a sequence: trips run again, "
            "so each element must be found by its position",
        )
