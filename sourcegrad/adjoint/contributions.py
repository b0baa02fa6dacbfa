"""What one operation contributes to the cotangents of its operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sourcegrad import runtime
from sourcegrad.adjoint.container_contributions import (
    add_at,
    add_item_at,
    add_list,
    give_items,
    may_be_zero,
)
from sourcegrad.adjoint.cotangents import Bar, is_nested
from sourcegrad.adjoint.rule_contributions import apply_rule, callee
from sourcegrad.analysis.choices import arms, is_choice
from sourcegrad.analysis.views import may_repeat
from sourcegrad.errors import AliasError
from sourcegrad.ir import (
    Append,
    Assign,
    Effect,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Store,
    Value,
    call,
)
from sourcegrad.ir_walk import substitute
from sourcegrad.kinds import UNKNOWN, ListKind, Num, TupleKind, is_array, is_scalar

if TYPE_CHECKING:
    from sourcegrad.adjoint.shadows import Shadows


def contribute(
    rev: Shadows,
    expr: Expr,
    targets: list[Value],
    bars: list[Bar | None],
    unpacked: bool = False,
) -> None:
    """Add what `targets = expr` contributes, given the cotangents of its targets.

    `unpacked` tells `(part,) = expr` from `whole = expr`.
    """
    if isinstance(expr, Ref):
        if bars[0] is not None and rev.active(expr.value):
            rev.cot.add(expr.value, bars[0].expr, bars[0].owned)
        return
    if isinstance(expr, Lit):  # None, where another path makes a list or an array
        return
    assert isinstance(expr, Op)
    operands = arms(expr) if is_choice(expr) else [*expr.args, *_receiver(expr)]
    if not any(True for a in operands for _ in rev.active_refs(a)) and not _pops(expr):
        return
    if expr.op == "hook":
        _hook(rev, expr, bars)
        return
    if expr.op == "slope":
        _slope(rev, expr, targets, bars)
        return
    if expr.op == "as":
        if bars[0] is not None and isinstance(expr.args[1], Ref):
            rev.cot.add(expr.args[1].value, bars[0].expr, bars[0].owned)
            if expr.data == "twin" and not rev.effects.is_mutated(targets[0]):
                rev.twins[expr.args[1].value] = targets[0]
        return
    if expr.op == "getitem":
        _getitem(rev, expr, bars[0])
    elif expr.op == "pop":
        _pop(rev, expr, targets, bars)
    elif expr.op in ("tuple", "list"):
        give_items(rev, targets[0], expr, bars[0])
    else:
        fn, args, kwargs = callee(rev, expr)
        apply_rule(rev, fn, args, kwargs, targets, bars, unpacked)


def _receiver(expr: Op) -> tuple[Expr, ...]:
    """The object a method is called on."""
    fn = expr.args[0] if expr.op == "call" else None
    return fn.args if isinstance(fn, Op) and fn.op == "attr" else ()


def _pops(expr: Expr) -> bool:
    return isinstance(expr, Op) and expr.op == "pop"


def _hook(rev: Shadows, expr: Op, bars: list[Bar | None]) -> None:
    """`h = on_adjoint(x, hook)`: the hook sees, and may replace, the cotangent."""
    hook, held = expr.data, expr.args[: len(bars)]
    if all(bar is None for bar in bars):
        return
    if any(isinstance(v, Ref) and v.value in rev.cot.shadows for v in held):
        raise rev.b.error(
            AliasError,
            "a hook on several arrays of which one is written to",
            hints=("give each array a hook of its own",),
        )
    for value, given, bar in zip(held, hook.given, bars, strict=True):
        assert isinstance(value, Ref)
        g = rev.cot.zero(value.value) if bar is None else bar.expr
        kept = bar is not None and bar.owned or hook.quiet
        if not kept and is_array(value.value.kind):
            g = call(rev.cot.library(np.copy), g)
        rev.b.append(Assign(given, g))
    for stmt in hook.body.stmts:
        rev.b.append(stmt)
    for value, found in zip(held, hook.found, strict=True):
        if isinstance(value, Ref) and rev.active(value.value):
            rev.cot.add(value.value, found, False)


def _slope(
    rev: Shadows, expr: Op, targets: list[Value], bars: list[Bar | None]
) -> None:
    """A gradient whose Jacobian is symmetric: the region has what it does to cotangents
    of the gradient, and to whom that goes."""
    slope = expr.data
    count = slope.operands
    outputs = expr.args[count : count + slope.outputs]
    for value, given, bar in zip(outputs, slope.given, bars, strict=True):
        assert isinstance(value, Ref)
        g = rev.cot.zero(value.value) if bar is None else bar.expr
        rev.b.append(Assign(given, g))
    for stmt in slope.body.stmts:
        rev.b.append(stmt)
    for operand, found in zip(expr.args[:count], slope.found, strict=True):
        if isinstance(operand, Ref) and rev.active(operand.value):
            rev.cot.add(operand.value, found, False)


def hook_shadow(rev: Shadows, expr: Op, shadow: Expr) -> None:
    """`h = on_adjoint(a, hook)` of an array that is written to: `h` is `a`, and so
    the hook sees what is gathered for that memory, under whatever name."""
    hook = expr.data
    held = shadow if hook.quiet else call(rev.cot.library(np.copy), shadow)
    rev.b.append(Assign(hook.given[0], held))
    for stmt in hook.body.stmts:
        rev.b.append(stmt)
    if not hook.looks_only:
        rev.b.append(Store(shadow, Lit(Ellipsis), hook.found[0]))


def replaced(expr: Expr, old: Value, new: Expr) -> Expr:
    """The expression with one value replaced."""
    return substitute(expr, lambda v: new if v is old else None)


# ------------------------------------------------------------- structural rules


def _getitem(rev: Shadows, expr: Op, bar: Bar | None) -> None:
    base, index = expr.args
    if bar is None or not isinstance(base, Ref) or not rev.active(base.value):
        return
    if index == Op("tuple", ()) and base.value not in rev.cot.shadows:
        rev.cot.add(base.value, bar.expr, bar.owned)
        return
    if is_scalar(base.value.kind):  # `x[..., None]` of a number
        rev.cot.add(base.value, call(rev.cot.library(np.sum), bar.expr))
        return
    if _only_adds_axes(index) and base.value not in rev.cot.shadows:
        shape = rev.b.folded(call(rev.cot.library(np.shape), base))
        rev.cot.add(base.value, call(rev.cot.library(np.reshape), bar.expr, shape))
        return
    buffer = rev.cot.buffer(base.value)
    kind = rev.b.infer(expr)
    inner = isinstance(kind, ListKind) and isinstance(base.value.kind, ListKind)
    late = inner and may_be_zero(rev, expr)
    if is_nested(kind) or isinstance(kind, TupleKind) or late:
        add_at(rev, buffer, index, bar.expr)
        return
    if inner:
        add_list(rev, Op("getitem", (buffer, index)), bar.expr, expr)
        return
    unknown = isinstance(base.value.kind, (ListKind, TupleKind))
    unknown |= base.value.kind == UNKNOWN and not may_repeat(rev.b.infer, index)
    if unknown and UNKNOWN in (kind, rev.b.infer(bar.expr)):
        add_at(rev, buffer, index, bar.expr)
        return
    if may_repeat(rev.b.infer, index):
        fn = rev.cot.library(runtime.scatter_add)
        rev.b.append(Effect(call(fn, buffer, index, bar.expr)))
    else:
        add_item_at(rev, base.value, buffer, index, bar.expr)


def _only_adds_axes(index: Expr) -> bool:
    """Whether an index takes the whole array, with axes of length 1 put in."""
    parts = index.args if isinstance(index, Op) and index.op == "tuple" else (index,)
    whole = Op("slice", (Lit(None), Lit(None), Lit(None)))
    held = [p.obj if isinstance(p, Obj) else p for p in parts]
    held = [h.value if isinstance(h, Lit) else h for h in held]
    adds = [h is None for h in held]
    keeps = [h is ... or (isinstance(h, Op) and h == whole) for h in held]
    return any(adds) and all(a or k for a, k in zip(adds, keeps, strict=True))


def _pop(rev: Shadows, expr: Op, targets: list[Value], bars: list[Bar | None]) -> None:
    base = expr.args[0]
    assert isinstance(base, Ref)
    shadow = rev.cot.shadows.get(base.value)
    if shadow is None:
        return
    parts = [Lit(0.0) if bar is None else bar.expr for bar in bars]
    for k, target in enumerate(targets):
        if bars[k] is None and (rev.active(target) or not is_scalar(target.kind)):
            plain = isinstance(target.kind, Num)
            made = rev.cot.zero(target) if plain else rev.cot.zero_buffer(target)
            parts[k] = rev.b.atom(made)
    sort = "list" if rev.changes_items(base.value) else "tuple"
    whole = parts[0] if len(parts) == 1 else Op(sort, tuple(parts))
    rev.b.append(Append(shadow, whole))
