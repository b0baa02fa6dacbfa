"""Memory from outside of a function: arrays and lists of globals, of closures and of
objects found there, under every name that the function gives them.

    a = TABLE.reshape(-1)        `a` is memory from outside
    b = a if c else np.ones(3)   so is `b`, on one of two paths
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import AliasError, UnsupportedSyntaxError
from sourcegrad.frontend.signature import is_object
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Expr,
    Function,
    If,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    Value,
)
from sourcegrad.ir_walk import refs, stmt_exprs, walk, walk_expr
from sourcegrad.rules import registry

_VIEW_METHODS = ("reshape", "ravel", "view", "transpose", "squeeze", "swapaxes",
                 "diagonal")  # fmt: skip


def values(body: Region) -> Iterator[Value]:
    """The values that are memory from outside the function, or views of it."""
    for stmt in walk(body):
        if isinstance(stmt, Assign) and has_memory(stmt.target):
            held = stmt.expr
            if is_outside(held) or isinstance(held, Obj) and is_object(held.obj):
                yield stmt.target
        elif isinstance(stmt, If):
            for region in (stmt.then, stmt.orelse):
                pairs = zip(stmt.results, region.yields, strict=False)
                yield from (v for v, e in pairs if is_outside(e))
        elif isinstance(stmt, Loop):
            params = zip(stmt.body.params, stmt.inits, strict=False)
            yield from (v for v, e in params if is_outside(e))
            carried = zip(stmt.results, stmt.body.yields, strict=False)
            yield from (v for v, e in carried if is_outside(e))


def is_outside(expr: Expr) -> bool:
    """Whether an expression is an array or list from outside, or a view of one."""
    if isinstance(expr, Obj):
        return isinstance(expr.obj, (np.ndarray, list))
    if isinstance(expr, Op) and expr.op in ("getitem", "attr"):
        return is_outside(expr.args[0])
    if isinstance(expr, Op) and expr.op == "call" and isinstance(expr.args[0], Op):
        method = expr.args[0]
        return method.data in _VIEW_METHODS and is_outside(method.args[0])
    if isinstance(expr, Op) and expr.op == "call" and _views_first(expr):
        return is_outside(expr.args[1])
    return isinstance(expr, Op) and expr.op in ("tuple", "list", "ifexp") and any(
        map(is_outside, expr.args)
    )  # fmt: skip


def _views_first(expr: Op) -> bool:
    """Whether a call makes a view of its first operand, as far as is known."""
    fn = expr.args[0]
    rule = registry.lookup(fn.obj) if isinstance(fn, Obj) else None
    return rule is not None and rule.result_may_view and len(expr.args) > 1


def refuse_stores(
    function: Function, fx: Effects, stores: Iterable[Append | Store]
) -> None:
    """What is put into memory from outside the function would be lost.

    Raises:
        UnsupportedSyntaxError: an active value is stored there, under another name.
    """
    active = [s for s in stores if any(v.varied for v in refs(s.value))]
    outside = {fx.find(v) for v in values(function.body)} if active else set()
    for stmt in active:
        if any(fx.find(v) in outside for v in refs(stmt.base) if has_memory(v)):
            raise UnsupportedSyntaxError(
                "a store of an active value into an array from outside the function "
                "cannot be differentiated yet",
                stmt.where,
                "another name of the array may be read later",
                ("pass the array as an argument", "store into a copy: a = a.copy()"),
            )


def refuse_calls(function: Function, fx: Effects, calls: list[CallFn]) -> None:
    """The same of what a callee puts there.

    Raises:
        UnsupportedSyntaxError: a callee does.
    """
    outside = {fx.find(v) for v in values(function.body)}
    for stmt in calls:
        callee = stmt.callee
        if callee.function is not None:
            effects.returned(callee)  # finds what is written
        written = () if callee.function is None else sorted(callee.written or ())
        active = [stmt.args[k] for k in written if callee.function.params[k].varied]
        held = {fx.find(v) for e in active for v in refs(e) if has_memory(v)}
        if held & outside or any(is_outside(e) for e in active):
            raise UnsupportedSyntaxError(
                f"{callee.name} puts active values into an array from outside the "
                "function, which cannot be differentiated",
                stmt.where,
                "its derivative would have no place",
                ("hand it a copy, or an array made in the function",),
            )


def require_unread(body: Region, fx: Effects, stmt: Store) -> None:
    """An array from outside may be written, as a log; the reverse sweep would find
    other contents than those that the forward sweep has read.

    Args:
        body: the forward sweep.
        fx: its effects.
        stmt: a store into memory for which there is no cotangent.

    Raises:
        AliasError: the memory is from outside, and read.
    """
    base = stmt.base
    if isinstance(base, Ref):
        found = {fx.find(v) for v in values(body)}
        if fx.find(base.value) not in found:
            return
    group = {fx.find(v) for v in refs(base) if has_memory(v)}
    names = {id(e.obj) for e in _sources(body, fx, group)}
    names |= {id(e.obj) for e in walk_expr(base) if isinstance(e, Obj)}
    for other in walk(body):
        if any(_reads(e, fx, group, names) for e in _read_by(other, fx, group, base)):
            raise AliasError(
                "an array from outside the function is read and written in it",
                stmt.where,
                "the reverse sweep would read what was written last",
                ("pass the array as an argument, or read a copy made before",),
            )


def _sources(body: Region, fx: Effects, group: set[Value]) -> Iterator[Obj]:
    """The objects from outside that the names of a group stand for."""
    for stmt in walk(body):
        if isinstance(stmt, Assign) and fx.find(stmt.target) in group:
            for e in walk_expr(stmt.expr):
                if isinstance(e, Obj) and is_outside(e):
                    yield e


def _read_by(stmt: Stmt, fx: Effects, group: set[Value], base: Expr) -> Iterator[Expr]:
    """What a statement reads, but for where it stores and for other names of it."""
    exprs = list(stmt_exprs(stmt))
    if isinstance(stmt, Store) and (
        stmt.base == base
        or isinstance(stmt.base, Ref)
        and fx.find(stmt.base.value) in group
    ):
        exprs = exprs[1:]
    if isinstance(stmt, Assign) and has_memory(stmt.target):
        if fx.find(stmt.target) in group:
            return
    yield from exprs


def _reads(expr: Expr, fx: Effects, group: set[Value], names: set[int]) -> bool:
    """Whether an expression reads memory of a group."""
    for e in walk_expr(expr):
        if isinstance(e, Obj) and id(e.obj) in names:
            return True
        if isinstance(e, Ref) and has_memory(e.value) and fx.find(e.value) in group:
            return True
    return False
