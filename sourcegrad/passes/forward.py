"""Forward mode: the tangent of every active value beside the value itself.

    z = x * y           ->  z = x * y;  z_dot = y * x_dot + x * y_dot
    r = if c: a else b  ->  r, r_dot = if c: a, a_dot else b, b_dot
    loop carrying h     ->  loop carrying h and h_dot
    a[i] = v            ->  a[i] = v;  a_dot[i] = v_dot
    l.append(v)         ->  l.append(v);  l_dot.append(v_dot)
    y = g(x)            ->  y, y_dot = g_tangent(x, x_dot)

The tangent of memory that is written to is memory that is written to in the same
way: what shares an array with its value shares the tangent's array (a shadow).

A Taylor series is the same with several tangents, its coefficients: for whatever is
linear each goes its own way, and `forward.series` has the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sourcegrad.adjoint.cotangents import is_zero, library
from sourcegrad.analysis.activity import is_useful
from sourcegrad.analysis.choices import found_in, is_choice
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import holds_unseen_arrays, is_renewed
from sourcegrad.errors import AliasError
from sourcegrad.forward.dots import Dots
from sourcegrad.forward.operations import tangent
from sourcegrad.forward.series import coefficients
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.structs import Struct
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    If,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Undef,
    Unpack,
    Value,
    call,
    own_value,
)
from sourcegrad.ir_walk import regions
from sourcegrad.kinds import (
    Kind,
    ListKind,
    TupleKind,
    differentiable,
    is_array,
    is_scalar,
)
from sourcegrad.runtime_project import renewed, shared_zeros, zeros_sharing


def _found(expr: Expr) -> bool:
    """Whether memory is found in a container rather than made."""
    if not (isinstance(expr, Op) and expr.op in ("getitem", "pop")):
        return False
    base = expr.args[0]
    if isinstance(base, Ref):
        return isinstance(base.value.kind, (ListKind, TupleKind))
    return is_choice(expr) and found_in(expr)


def _handed_on(expr: Op, count: int) -> Sequence[Expr | None]:
    """What the parts of renewed residuals are made of; None for each part of zeros."""
    whole = expr.args[1] if len(expr.args) == 2 else None
    fn = expr.args[0]
    if isinstance(fn, Obj) and fn.obj is renewed and isinstance(whole, Op):
        if whole.op == "tuple" and len(whole.args) == count:
            return whole.args
    return [None] * count


def _may_hold_buffers(kind: Kind) -> bool:
    """Whether values are lists of tuples in which arrays are."""
    item = kind.item if isinstance(kind, ListKind) else None
    return isinstance(item, TupleKind) and not all(map(is_scalar, item.items))


class Forward:
    """Adds tangents to one function, in place."""

    def __init__(
        self,
        b: Builder,
        effects: Effects,
        useful: set[Value],
        stands_in: bool = False,
        order: int = 1,
    ) -> None:
        self.b = b
        self.effects = effects
        self.useful = useful
        self.orders = coefficients(b, effects, order)
        self.dots = self.orders[0]
        self.dots.stands_in = stands_in
        members = [v for v in effects.parent if v.varied]
        self.moving = {effects.find(v) for v in members if self.dots.is_written(v)}

    def active(self, value: Value) -> bool:
        """Varied and useful, by itself or for the memory that it shares."""
        varied = value.varied or self.shares(value)
        return varied and is_useful(value, self.useful, self.effects)

    def shares(self, value: Value) -> bool:
        """Whether a store under another name may make the value varied."""
        kind = value.kind
        held = is_array(kind) or isinstance(kind, ListKind)
        if not held or not differentiable(kind):
            return False
        return self.dots.is_written(value) and self.effects.find(value) in self.moving

    def region(self, region: Region) -> None:
        """The statements of a region, each with its tangent behind it."""
        old, region.stmts = region.stmts, []
        with self.b.inside(region):
            for stmt in old:
                self.b.where = stmt.where
                self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        """One statement and its tangent."""
        match stmt:
            case If():
                self.branch(stmt)
            case Loop():
                self.loop(stmt)
            case CallFn():
                self.call_tangent(stmt)
            case Scoped():
                for inner in regions(stmt):
                    self.region(inner)
                self.b.append(stmt)
            case _:
                self.b.append(stmt)
        match stmt:
            case Assign():
                self.assign(stmt)
            case Unpack():
                self.unpack(stmt)
            case Store():
                self.store(stmt)
            case Append():
                self.append(stmt)

    # -------------------------------------------------------------- assignments

    def assign(self, stmt: Assign) -> None:
        target, expr = stmt.target, stmt.expr
        stmt.expr = own_value(expr)  # a definition counts for the tangent only
        for dots in self.orders:
            self.assign_tangent(dots, target, expr)

    def assign_tangent(self, dots: Dots, target: Value, expr: Expr) -> None:
        if target in dots.known:
            return
        if not self.active(target):
            shadow = None
            if isinstance(expr, Op) and expr.op == "pop":
                shadow = dots.of(expr.args[0])
            if shadow is not None:  # it stays as long as the list
                self.b.append(Effect(Op("pop", (shadow,))))
            return
        found = tangent(dots, expr, [target])
        if isinstance(found, Struct):
            found = self.b.materialise(found)
        if found is not None and not is_zero(found):
            assert isinstance(found, Expr)
            dots.define(target, found, expr)
        elif dots.is_written(target):
            if _found(expr):
                raise self.b.error(
                    AliasError,
                    f"{target.name!r} is found in a container whose tangent is not "
                    "known, and is written",
                )
            dots.define(target, self.fresh_zero(dots, target, expr), expr)

    def fresh_zero(self, dots: Dots, target: Value, expr: Expr) -> Expr:
        """A shadow that starts as zero."""
        if (
            isinstance(target.kind, ListKind)
            and isinstance(expr, Op)
            and expr.op == "list"
        ):
            return dots.zero(expr)
        if holds_unseen_arrays(target, expr):
            return call(library(self.b, shared_zeros), Ref(target))
        if _makes_zeros(expr):
            return expr  # of the value itself not even the shape is read
        return dots.zero(Ref(target))

    def unpack(self, stmt: Unpack) -> None:
        targets, expr = stmt.targets, stmt.expr
        stmt.expr = own_value(expr)
        if any(map(self.active, targets)) or self.pops_active(expr):
            for dots in self.orders:
                self.unpack_tangent(dots, targets, expr)

    def unpack_tangent(self, dots: Dots, targets: list[Value], expr: Expr) -> None:
        if isinstance(expr, Op) and is_renewed(expr):
            return self.shadows_of_buffers(dots, targets, expr)
        found = tangent(dots, expr, targets)
        if isinstance(found, Struct):
            for target, item in zip(targets, found.items, strict=True):
                if not self.active(target) or target in dots.known:
                    continue
                if isinstance(item, Expr) and not is_zero(item):
                    dots.define(target, item)
        elif isinstance(found, Expr) and not is_zero(found):
            wanted = [self.active(t) and t not in dots.known for t in targets]
            parts = [
                dots.parameter(t) if wants else Value("_")
                for t, wants in zip(targets, wanted, strict=True)
            ]
            self.b.append(Unpack(parts, found))
            for target, part, wants in zip(targets, parts, wanted, strict=True):
                if wants:
                    dots.known[target] = Ref(part)
        for target in targets:
            if (
                self.active(target)
                and target not in dots.known
                and dots.is_written(target)
            ):
                dots.define(target, dots.zero(Ref(target)))

    def shadows_of_buffers(self, dots: Dots, targets: list[Value], expr: Op) -> None:
        """Tangents of buffers that the forward sweep handed on: they share memory as
        the buffers do, and start as zero as those do. What has a tangent already, and
        is handed on beside them, has a copy of that."""
        held = _handed_on(expr, len(targets))
        known = {
            t: None if e is None else dots.of(e)
            for t, e in zip(targets, held, strict=True)
        }
        active = [t for t in targets if self.active(t)]
        moved = [t for t in active if known[t] is not None]
        rest = [t for t in active if known[t] is None and dots.is_written(t)]
        for t in moved:
            if _may_hold_buffers(t.kind):
                raise self.b.error(
                    AliasError,
                    "the record of this gradient's loop holds buffers in which "
                    "cotangents are gathered under several names",
                    "in forward mode their tangents could not be followed",
                    ("differentiate it in reverse mode",),
                )
        tangents = [e for t in moved if (e := known[t]) is not None]
        own = call(library(self.b, renewed), Op("tuple", tuple(tangents)))
        made = call(library(self.b, zeros_sharing), *map(Ref, rest))
        for group, start in ((moved, own), (rest, made)):
            if group:
                parts = [dots.parameter(t) for t in group]
                self.b.append(Unpack(parts, start))
                dots.known |= {t: Ref(p) for t, p in zip(group, parts, strict=True)}

    def pops_active(self, expr: Expr) -> bool:
        """Whether an item is taken off a list that has a shadow."""
        return (
            isinstance(expr, Op)
            and expr.op == "pop"
            and self.dots.of(expr.args[0]) is not None
        )

    # ------------------------------------------------------------------- stores

    def store(self, stmt: Store) -> None:
        for dots in self.orders:
            self.store_tangent(dots, stmt)

    def store_tangent(self, dots: Dots, stmt: Store) -> None:
        if not isinstance(stmt.base, Ref):
            return  # an array from outside, which receives nothing active
        shadow = dots.known.get(stmt.base.value)
        g = dots.of(stmt.value)
        if shadow is None or is_zero(shadow):
            if g is not None and self.active(stmt.base.value):
                raise self.b.error(
                    AliasError,
                    f"an active value is stored into {stmt.base.value.name!r}, and "
                    "which array that is depends on the path taken",
                )
            return
        if g is None and stmt.op is not None:
            return
        if g is None:
            g = (
                Lit(0.0)
                if not isinstance(stmt.base.value.kind, ListKind)
                else dots.zero(stmt.value)
            )
        self.b.append(Store(shadow, stmt.index, g, stmt.op, stmt.each))

    def append(self, stmt: Append) -> None:
        assert isinstance(stmt.base, Ref)
        for dots in self.orders:
            shadow = dots.known.get(stmt.base.value)
            if shadow is not None:
                self.b.append(Append(shadow, dots.given(stmt.value)))

    # -------------------------------------------------------------------- calls

    def call_tangent(self, stmt: CallFn) -> None:
        """`y = g(x)` becomes `y, y_dot = g_tangent(x, x_dot)`."""
        spec = stmt.callee
        moved = [
            a for a, p in zip(stmt.args, spec.function.params, strict=True) if p.varied
        ]
        given = [dots.given(a) for dots in self.orders for a in moved]
        varied = [t for t in stmt.targets if t.varied]
        parts = [(dots, t, dots.parameter(t)) for dots in self.orders for t in varied]
        targets = [*stmt.targets, *(part for _, _, part in parts)]
        tree = call(Obj(("tangent", spec), f"{spec.name}_tangent"), *stmt.args, *given)
        if len(targets) == 1:
            self.b.append(Assign(targets[0], tree, where=stmt.where))
        elif targets:
            self.b.append(Unpack(targets, tree, where=stmt.where))
        else:
            self.b.append(Effect(tree, where=stmt.where))
        for dots, target, part in parts:
            dots.known[target] = Ref(part)

    # ------------------------------------------------------------------ branches

    def branch(self, stmt: If) -> None:
        for arm in (stmt.then, stmt.orelse):
            self.region(arm)
        for k, result in enumerate(list(stmt.results)):
            if self.active(result):
                for dots in self.orders:
                    self.join(dots, stmt, k, result)
        self.b.append(stmt)

    def join(self, dots: Dots, stmt: If, k: int, result: Value) -> None:
        """The tangent of a result of a branch."""
        arms = (stmt.then, stmt.orelse)
        ends = [arm.yields[k] if k < len(arm.yields) else None for arm in arms]
        if all(e is None or dots.of(e) is None for e in ends) and not dots.is_written(
            result
        ):
            return
        dot = dots.parameter(result)
        stmt.results.append(dot)
        for arm, end in zip(arms, ends, strict=True):
            if end is not None:
                with self.b.inside(arm):
                    arm.yields.append(self.end(dots, end, result))
        dots.known[result] = Ref(dot)

    def end(self, dots: Dots, expr: Expr, value: Value) -> Expr:
        """The tangent that a region hands on with a value."""
        if isinstance(expr, Undef):
            return expr
        return self.b.atom(dots.given(expr), dots.title(value))

    # --------------------------------------------------------------------- loops

    def loop(self, stmt: Loop) -> None:
        body = stmt.body
        carried = [
            (dots, k) for dots in self.orders for k, p in enumerate(body.params)
            if self.active(p) or k < len(stmt.results) and self.active(stmt.results[k])
        ]  # fmt: skip
        for dots, k in carried:
            param = body.params[k]
            dot = dots.parameter(param)
            stmt.inits.append(self.end(dots, stmt.inits[k], param))
            body.params.append(dot)
            dots.known[param] = Ref(dot)
        self.region(body)
        with self.b.inside(body):
            for dots, k in carried:
                body.yields.append(self.end(dots, body.yields[k], body.params[k]))
        for dots, k in carried:
            result = stmt.results[k]
            dot = dots.parameter(result)
            stmt.results.append(dot)
            dots.known[result] = Ref(dot)
        self.b.append(stmt)


def _makes_zeros(expr: Expr) -> bool:
    fn = expr.args[0] if isinstance(expr, Op) and expr.op == "call" else None
    return isinstance(fn, Obj) and fn.obj in (np.zeros, np.zeros_like)
