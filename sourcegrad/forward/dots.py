"""Tangents of values: what they are, their zeros, and whose memory they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad import runtime
from sourcegrad.adjoint.cotangents import (
    is_fresh,
    is_zero,
    library,
    zero,
    zeros_in_form,
)
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import may_copy, view_bases
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import Assign, Expr, Lit, Op, Ref, Region, Undef, Value, call
from sourcegrad.ir_walk import refs, walk
from sourcegrad.kinds import (
    FLOAT,
    NONE,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_scalar,
    strip,
)
from sourcegrad.runtime_project import laid_out


class Dots:
    """The tangents of the values of one function; a value without one has zero.

    A tangent shares memory where its value does, and nowhere else if either is
    written to: then a store into the value is the same store into the tangent.
    """

    def __init__(self, b: Builder, effects: Effects) -> None:
        self.b = b
        self.stands_in = False
        self.order = 1
        self.suffix = "_dot"
        self.series: Any = None
        self.careful = False
        self.effects = effects
        self.known: dict[Value, Expr] = {}
        self.written: set[Value] = set()
        self.owned: set[Value] = set()
        self.reshaped: set[Value] = set()
        self.beside: list[tuple[Value, Value]] = []

    def title(self, value: Value) -> str:
        """What the tangent of a value is called."""
        return f"{value.name}{self.suffix}"

    def find_reshaped(self, body: Region) -> None:
        """Note the memory of which views are made that may be copies."""
        self.reshaped = {
            self.effects.find(s.target)
            for s in walk(body)
            if isinstance(s, Assign) and may_copy(s.expr) and view_bases(s.expr)
        }

    # ----------------------------------------------------------------- queries

    def of(self, expr: Expr) -> Expr | None:
        """The tangent of an operand; None if it is zero."""
        if isinstance(expr, Ref):
            return self.known.get(expr.value)
        if isinstance(expr, Op) and expr.op in ("tuple", "list", "star"):
            parts = list(map(self.of, expr.args))
            if any(part is not None for part in parts):
                args = [
                    self.zero(a) if p is None else p
                    for a, p in zip(expr.args, parts, strict=True)
                ]
                return Op(expr.op, tuple(args), expr.data)
        if isinstance(expr, Op) and expr.op == "dict":
            values = list(map(self.of, expr.args[1::2]))
            if any(value is not None for value in values):
                return self.beside_keys(expr, self.given)
        return None

    def beside_keys(self, expr: Op, of: Callable[[Expr], Expr]) -> Expr:
        """The dict with the same keys and what `of` gives for its values."""
        args = [of(a) if k % 2 else a for k, a in enumerate(expr.args)]
        return Op("dict", tuple(args), expr.data)

    def given(self, expr: Expr) -> Expr:
        """The tangent of an operand, zeros of its form where it has none."""
        found = self.of(expr)
        return self.zero(expr) if found is None else found

    def zero(self, expr: Expr) -> Expr:
        """A zero tangent for an expression, with the form of its value."""
        if isinstance(expr, Undef):
            return expr
        if isinstance(expr, Ref):
            value = expr.value
            if value.kind == NONE:
                return Lit(None)
            if value.maybe_undefined and not is_scalar(value.kind):
                return call(library(self.b, runtime.zeros_like), expr)
            return zero(self.b, value)
        if isinstance(expr, Lit):
            number = isinstance(expr.value, (int, float, complex))
            return Lit(0.0 if number and not isinstance(expr.value, bool) else None)
        if isinstance(expr, Op) and expr.op in ("tuple", "list", "star"):
            return Op(expr.op, tuple(map(self.zero, expr.args)), expr.data)
        if isinstance(expr, Op) and expr.op == "dict":
            return self.beside_keys(expr, self.zero)
        kind = self.b.infer(expr)
        if is_scalar(kind) or kind == FLOAT:
            return Lit(0.0)
        if isinstance(kind, Num) and kind.flavor == "array":
            return zeros_in_form(self.b, expr)
        return call(library(self.b, runtime.zeros_like), expr)

    # ------------------------------------------------------------- definitions

    def define(self, value: Value, g: Expr, primal: Expr | None = None) -> None:
        """Name the tangent of a value, right after the value's own statement.

        `primal` is what the value is: where that is a view, the tangent is one too.
        """
        g = self.apart(value, g, primal)
        held = g if isinstance(g, (Ref, Lit)) else self.named(value, g)
        if isinstance(held, Ref) and held is g and self.is_written(value):
            self.written.add(held.value)
        self.known[value] = held

    def named(self, value: Value, g: Expr) -> Ref:
        """A tangent assigned to its name."""
        ref = self.b.emit(g, self.title(value))
        ref.value.kind = self.kind(value.kind, self.b.infer(g))
        ref.value.temp = value.temp and not self.is_written(value)
        self.beside.append((value, ref.value))
        if is_fresh(g):
            self.owned.add(ref.value)
        if self.is_written(value):
            self.written.add(ref.value)
        return ref

    def kind(self, kind: Kind, found: Kind) -> Kind:
        """The kind of a tangent: the form of its value, the dtype it was given."""
        if isinstance(kind, Num) and kind.flavor == "array":
            dtype = (
                found.dtype if isinstance(found, Num) and found.dtype else kind.dtype
            )
            return replace(kind, dtype=dtype)
        if is_scalar(kind):
            return strip(found) if is_scalar(found) else self.slot_kind(kind)
        return kind if isinstance(kind, (ListKind, TupleKind)) else strip(found)

    def slot_kind(self, kind: Kind) -> Kind:
        """The kind of a tangent that several places define."""
        if isinstance(kind, Num) and is_scalar(kind):
            dtype = {"float": "float64", "complex": "complex128"}.get(
                kind.dtype or "", kind.dtype
            )
            return Num("scalar", 0, dtype)
        return kind

    def parameter(self, value: Value, name: str | None = None) -> Value:
        """A tangent that a region is handed, or hands out, beside the value."""
        dot = Value(
            self.title(value) if name is None else f"{name}{self.suffix}",
            self.slot_kind(value.kind),
            False,
            value.where,
            value.temp,
        )
        dot.maybe_undefined = value.maybe_undefined
        if self.is_written(value):
            self.written.add(dot)
        return dot

    def keep_names(self, uses: Counter[Value]) -> None:
        """Keep the name of a tangent whose value keeps its name."""
        for value, dot in self.beside:
            if uses[value] > 1:
                dot.temp = False

    def tangents(self) -> set[Value]:
        """The tangents that were added to the function."""
        known = {e.value for e in self.known.values() if isinstance(e, Ref)}
        return known.union(dot for _, dot in self.beside)

    # ------------------------------------------------------------------ memory

    def is_written(self, value: Value) -> bool:
        """Whether the memory of a value, or of what a list holds, is written."""
        fx = self.effects
        if isinstance(value.kind, ListKind):
            inner = fx.contents.get(fx.find(value))
            held = inner is not None and fx.is_mutated(inner)
            return held or fx.is_mutated(value)
        return not is_scalar(value.kind) and fx.is_mutated(value)

    def apart(self, value: Value, g: Expr, primal: Expr | None) -> Expr:
        """The tangent in memory of its own, where a store could tell the difference."""
        own = self.in_own_memory(value, g, primal)
        return self.in_layout(value, own, primal)

    def in_layout(self, value: Value, g: Expr, primal: Expr | None) -> Expr:
        """The tangent laid out as its value, where views are made that may be copies
        for another layout."""
        viewed = self.effects.find(value) in self.reshaped and self.is_written(value)
        if not viewed or not is_array(value.kind) or is_zero(g):
            return g
        if primal is not None and view_bases(primal):
            return g
        return call(library(self.b, laid_out), g, Ref(value))

    def in_own_memory(self, value: Value, g: Expr, primal: Expr | None) -> Expr:
        """The tangent, copied where a store would be seen in another value's."""
        if is_fresh(g) and not isinstance(g, Lit):
            return g
        if primal is not None and (view_bases(primal) or self.is_item(primal)):
            return g
        if self.is_written(value):
            if is_zero(g):
                return self.zero(Ref(value))
            return self.copied(value, g)
        if any(v in self.written for v in refs(g)) and not is_scalar(value.kind):
            return self.copied(value, g)
        return g

    def is_item(self, primal: Expr) -> bool:
        """Whether a value is what a container holds, or holds what it is made of."""
        if not isinstance(primal, Op):
            return False
        if primal.op == "getitem":
            kind = self.b.infer(primal.args[0])
            return isinstance(kind, (ListKind, TupleKind))
        return primal.op in ("pop", "list", "tuple")

    def copied(self, value: Value, g: Expr) -> Expr:
        """A copy of a tangent that is shared."""
        if (
            isinstance(value.kind, (ListKind, TupleKind))
            or isinstance(g, Op)
            and g.op in ("list", "tuple")
        ):
            return g
        return call(library(self.b, np.copy), g)
