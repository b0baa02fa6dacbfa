"""What a helper may hand back as it is, is copied where its memory changes.

    part = unbroadcast(y_bar[:1], x)         kept = np.copy(y_bar[:1])
    y_bar[1:] += part * c             ->     part = unbroadcast(kept, x)
    ...                                      y_bar[1:] += part * c

Helpers of generated code such as `unbroadcast` give their operand itself where shapes
agree.  One sweep reads it at once; where the sweep is differentiated, its adjoint
reads it later, when the memory may hold something else.  On the primal, before it is
differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory, lent, view_bases
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import Assign, Expr, Function, Obj, Op, Ref, Region, Value, call
from sourcegrad.ir_walk import map_stmt, refs, regions, stmt_exprs, walk, walk_expr
from sourcegrad.kinds import is_array
from sourcegrad.runtime_project import kept_apart

_Test = Callable[[Value], bool]
_HOLDERS = ("tuple", "list", "dict", "ifexp")


def run(b: Builder, function: Function, called: bool) -> None:
    """Copy what a helper may hand back, in place.

    Args:
        b: infers kinds and names functions.
        function: a primal.
        called: whether it is a callee, whose caller may write its operands and results.
    """
    exprs = [e for stmt in walk(function.body) for e in stmt_exprs(stmt)]
    if not any(lent(part) for e in exprs for part in walk_expr(e)):
        return
    fx = effects.run(function)
    seen = _seen_outside(fx, function) if called else set()

    def changes(value: Value) -> bool:
        return fx.is_mutated(value) or bool(fx.reach(value) & seen)

    _region(b, function.body, changes)


def _always(value: Value) -> bool:
    return True


def _seen_outside(fx: Effects, function: Function) -> set[Value]:
    """The classes of what a caller hands in and gets back."""
    held = [*function.params, *(v for e in function.body.yields for v in refs(e))]
    return set().union(*(fx.reach(v) for v in held if has_memory(v)))


def _region(b: Builder, region: Region, changes: Callable[[Value], bool]) -> None:
    for stmt in list(region.stmts):
        copies: list[Assign] = []

        written = isinstance(stmt, Assign) and changes(stmt.target)
        test = _always if written else changes  # the result, or the operand, changes

        def kept(e: Expr, copies: list[Assign] = copies, test: _Test = test) -> Expr:
            return _kept(b, e, test, copies)

        map_stmt(stmt, kept)
        for copy in copies:
            copy.where = stmt.where
            region.stmts.insert(region.stmts.index(stmt), copy)
        for inner in regions(stmt):
            _region(b, inner, changes)


def _kept(
    b: Builder, e: Expr, changes: Callable[[Value], bool], copies: list[Assign]
) -> Expr:
    """The expression with calls of copies, where it may be the operand itself."""
    if not isinstance(e, Op):
        return e
    if e.op in _HOLDERS:
        return Op(e.op, tuple(_kept(b, a, changes, copies) for a in e.args), e.data)
    args = list(e.args)
    for k in lent(e):
        bases = list(_bases(args[k]))
        if any(map(changes, bases)):
            kind = b.infer(args[k])
            made = call(_copier(b, is_array(kind)), args[k])
            held = Value("kept", kind, any(v.varied for v in bases), temp=True)
            copies.append(Assign(held, made))
            args[k] = Ref(held)
    return Op(e.op, tuple(args), e.data)


def _bases(operand: Expr) -> Iterator[Value]:
    return (v for v in view_bases(operand) if has_memory(v))


def _copier(b: Builder, array: bool) -> Obj:
    if array:
        root = b.binder.bind(np, "np")
        return Obj(np.copy, f"{root.path}.copy")
    return b.binder.bind(kept_apart, "kept_apart")
