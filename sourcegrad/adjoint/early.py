"""Shadows made in the forward sweep, for memory whose name changes hands.

Where buffers are swapped in a loop or chosen by a branch, which shadow belongs to a
name is known only while the program runs.  The shadow is then made beside the array
and goes wherever the array goes: through views, branches and carried values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sourcegrad.adjoint.calls import is_fresh
from sourcegrad.adjoint.contributions import replaced
from sourcegrad.analysis.views import has_memory, rows_of, view_bases
from sourcegrad.ir import (
    UNDEF,
    Assign,
    CallFn,
    Expr,
    Function,
    If,
    Loop,
    Obj,
    Ref,
    Region,
    Stmt,
    Unpack,
    Value,
    call,
    own_value,
    regions,
    walk,
)
from sourcegrad.kinds import is_array
from sourcegrad.runtime_project import zeros_congruent

if TYPE_CHECKING:
    from sourcegrad.passes.reverse import Reverse


def make_early(rev: Reverse, function: Function) -> None:
    """Make the shadows of such memory, in the forward region, in place."""
    classes = _moving_classes(rev, function.body)
    if not classes:
        return
    maker = _Maker(rev, classes)
    head = [maker.made(p, call(rev.cot.library(zeros_congruent), Ref(p)), None)
            for p in function.params if maker.wants(p)]  # fmt: skip
    maker.region(function.body)
    function.body.stmts[:0] = head
    rev.early |= set(maker.shadows)
    rev.cot.shadows |= {v: Ref(s) for v, s in maker.shadows.items()}


def _moving_classes(rev: Reverse, body: Region) -> set[Value]:
    """Alias classes written after a branch or loop decided what a name is."""
    found: set[Value] = set()
    refused: set[Value] = set()
    for stmt in walk(body):
        if isinstance(stmt, If):
            moved = [r for r in stmt.results if rev.snapshots.written_later(r, stmt)]
        elif isinstance(stmt, Loop):
            moved = [p for p in stmt.body.params if rev.snapshots.written_in(p, stmt)]
            moved += [r for r in stmt.results if rev.snapshots.written_later(r, stmt)]
        else:
            moved = []
            values = stmt.targets if isinstance(stmt, (Unpack, CallFn)) else []
            if isinstance(stmt, Unpack) and rows_of(stmt):
                values = []
            if isinstance(stmt, CallFn):
                values = [v for v in values if not is_fresh(stmt, v)]
            if isinstance(stmt, Assign) and rev.is_pointer(stmt.expr):
                values = [stmt.target]
            refused |= {rev.effects.find(v) for v in values if rev.needs_shadow(v)}
        found |= {
            rev.effects.find(v)
            for v in moved
            if is_array(v.kind) and rev.needs_shadow(v)
        }
    return found - refused


class _Maker:
    def __init__(self, rev: Reverse, classes: set[Value]) -> None:
        self.rev = rev
        self.classes = classes
        self.shadows: dict[Value, Value] = {}

    def wants(self, value: Value) -> bool:
        return is_array(value.kind) and self.rev.effects.find(value) in self.classes

    def shadow(self, value: Value) -> Value:
        new = Value(f"{value.name}_bar", value.kind, False, value.where)
        new.maybe_undefined = value.maybe_undefined
        self.shadows[value] = new
        return new

    def made(self, value: Value, expr: Expr, where: object) -> Stmt:
        return Assign(self.shadow(value), expr, where=where)  # type: ignore[arg-type]

    def beside(self, expr: Expr) -> Expr:
        """The shadow of what a region hands on."""
        if isinstance(expr, Ref) and expr.value in self.shadows:
            return Ref(self.shadows[expr.value])
        if isinstance(expr, Ref) and has_memory(expr.value):
            raise self.rev.ambiguous(expr.value)
        if isinstance(expr, Obj) and isinstance(expr.obj, np.ndarray):
            return call(self.rev.cot.library(np.zeros_like), expr)
        return UNDEF

    def region(self, region: Region) -> None:
        stmts: list[Stmt] = []
        for stmt in region.stmts:
            stmts.append(stmt)
            if isinstance(stmt, If):
                self.branch(stmt)
            elif isinstance(stmt, Loop):
                self.loop(stmt)
            else:
                for inner in regions(stmt):
                    self.region(inner)
            stmts += [
                self.made(value, self.start(value, expr), stmt.where)
                for value, expr in _definitions(stmt)
                if self.wants(value)
            ]
        region.stmts = stmts

    def start(self, value: Value, expr: Expr) -> Expr:
        """Zeros for new memory, the same view of a shadow for a view."""
        bases = [v for v in view_bases(expr) if v in self.shadows]
        if bases:
            shadow = Ref(self.shadows[bases[0]])
            return own_value(replaced(expr, bases[0], shadow))
        return call(self.rev.cot.library(np.zeros_like), Ref(value))

    def branch(self, stmt: If) -> None:
        for arm in (stmt.then, stmt.orelse):
            self.region(arm)
        for k, result in enumerate(list(stmt.results)):
            if self.wants(result):
                for arm in (stmt.then, stmt.orelse):
                    if arm.yields:
                        arm.yields.append(self.beside(arm.yields[k]))
                stmt.results.append(self.shadow(result))

    def loop(self, stmt: Loop) -> None:
        body = stmt.body
        moved = [k for k, p in enumerate(body.params) if self.wants(p)]
        for k in moved:
            stmt.inits.append(self.beside(stmt.inits[k]))
            body.params.append(self.shadow(body.params[k]))
        self.region(body)
        for k in moved:
            if body.yields:
                body.yields.append(self.beside(body.yields[k]))
            if stmt.results:
                stmt.results.append(self.shadow(stmt.results[k]))


def _definitions(stmt: Stmt) -> list[tuple[Value, Expr]]:
    """The values that a statement makes, and what each is."""
    if isinstance(stmt, Assign):
        return [(stmt.target, stmt.expr)]
    if isinstance(stmt, CallFn):
        return [(v, Ref(v)) for v in stmt.targets]
    return rows_of(stmt) if isinstance(stmt, Unpack) else []
