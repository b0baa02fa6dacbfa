"""Reverse mode: the adjoint of a function, as IR after its forward sweep.

    z = x * y           ->  x_bar += z_bar * y;  y_bar += z_bar * x
    r = if c: a else b  ->  if c: a_bar += r_bar else b_bar += r_bar
    loop carrying h     ->  loop backwards carrying h_bar: the yield's cotangent is
                            h_bar of the next trip, the init's that of the first
    a[i] = v            ->  g = a_bar[i]; a_bar[i] = 0; v_bar += g
    a[i] += v           ->  v_bar += a_bar[i]
    l.append(v)         ->  v_bar += l_bar.pop()

The reverse sweep refers to values of the forward sweep wherever they were defined;
the pass `record` makes them available afterwards.  Structure after the duality of
regions in "Don't Unroll Adjoint" (arXiv 1810.07951), section 3.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.adjoint import (
    calls,
    checkpoints,
    container_contributions,
    contributions,
)
from sourcegrad.adjoint.cotangents import Bar, added
from sourcegrad.adjoint.loops import LoopAdjoints
from sourcegrad.analysis.views import rows_of, view_bases
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Expr,
    If,
    Lit,
    Loop,
    Op,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import region_defs
from sourcegrad.kinds import Num, is_scalar, join, strip


class Reverse(LoopAdjoints):
    """Emits the reverse sweep of one function."""

    # ---------------------------------------------------------------- regions

    def region(self, region: Region) -> None:
        """The adjoint of a region's statements, last first; its shadows are made."""
        for stmt in reversed(list(region.stmts)):
            self.b.where = stmt.where
            self.statement(stmt, region)

    def statement(self, stmt: Stmt, region: Region) -> None:
        """The adjoint of one statement."""
        match stmt:
            case Assign():
                self.assign(stmt, region)
            case Unpack():
                self.unpack(stmt, region)
            case Store():
                self.store(stmt, region)
            case Append():
                self.append(stmt)
            case CallFn():
                calls.contribute(self, stmt, region)
            case If():
                self.branch(stmt)
            case Loop(budget=None):
                self.loop(stmt)
            case Loop():
                with self.snapshots.reading(stmt, region):
                    checkpoints.loop(self, stmt, region)
            case Scoped():
                self.scoped(stmt)

    # -------------------------------------------------------------- assignments

    def assign(self, stmt: Assign, region: Region) -> None:
        target = stmt.target
        if target in self.pointers or target in self.early and self.moves(stmt):
            return
        if not self.active(target) or target in self.inputs:
            if self.pops_shadowed(stmt.expr):
                contributions.contribute(self, stmt.expr, [target], [None])
            return
        shadowed = target in self.cot.shadows
        if shadowed and any(v in self.cot.shadows for v in view_bases(stmt.expr)):
            if self.may_copy(stmt.expr):
                self.unless_view(stmt, region)
            elif isinstance(stmt.expr, Op) and stmt.expr.op == "hook":
                contributions.hook_shadow(self, stmt.expr, self.cot.shadows[target])
            return
        bar = self.cot.take(target)
        if bar is None and not self.pops_shadowed(stmt.expr):
            return
        with self.snapshots.reading(stmt, region):
            contributions.contribute(self, stmt.expr, [target], [bar])

    def moves(self, stmt: Assign) -> bool:
        """Whether a value is memory that goes from hand to hand: its shadow goes along,
        so that there is nothing to hand on backwards."""
        return self.is_pointer(stmt.expr) or self.holds_memory(stmt.target)

    def unless_view(self, stmt: Assign, region: Region) -> None:
        """A reshape that had to copy is an operation like any other."""
        b = self.b
        shared = self.sharing(stmt.target, view_bases(stmt.expr)[0])
        new = If(Op("not_", (shared,)), Region(), Region(), where=stmt.where)
        bar = Bar(self.cot.shadows[stmt.target], False)
        with b.inside(new.then), self.snapshots.reading(stmt, region):
            contributions.contribute(self, stmt.expr, [stmt.target], [bar])
        b.append(new)

    def unpack(self, stmt: Unpack, region: Region) -> None:
        views = {v for v, _ in rows_of(stmt) if v in self.cot.shadows}
        bars = [
            self.cot.take(t) if self.active(t) and t not in views else None
            for t in stmt.targets
        ]
        if all(bar is None for bar in bars) and not self.pops_shadowed(stmt.expr):
            return
        with self.snapshots.reading(stmt, region):
            slot = self.sequence_slot(stmt.expr)
            if isinstance(slot, Op) and container_contributions.may_be_zero(
                self, stmt.expr
            ):  # all at once: its place may hold no more than the number 0.0
                parts = [Lit(None) if bar is None else bar.expr for bar in bars]
                own = Op("list", tuple(parts))
                container_contributions.add_at(self, slot.args[0], slot.args[1], own)
            elif slot is not None:
                self.unpack_sequence(slot, bars, stmt.targets)
            else:
                contributions.contribute(self, stmt.expr, stmt.targets, bars, True)

    def sequence_slot(self, expr: Expr) -> Expr | None:
        """Where the cotangents of the items of an unpacked sequence go."""
        if isinstance(expr, Ref):
            return self.cot.buffer(expr.value) if self.active(expr.value) else Lit(None)
        if (
            isinstance(expr, Op)
            and expr.op == "getitem"
            and isinstance(expr.args[0], Ref)
        ):
            base = expr.args[0].value
            if not self.active(base):
                return Lit(None)
            return Op("getitem", (self.cot.buffer(base), expr.args[1]))
        return None

    def unpack_sequence(
        self, slot: Expr, bars: list[Bar | None], targets: list[Value]
    ) -> None:
        """`a, b = sequence`: each item has a place in the sequence's cotangent."""
        for k, bar in enumerate(bars):
            if bar is None or isinstance(slot, Lit):
                continue
            if isinstance(targets[k].kind, Num):
                late = isinstance(slot, Op) and not is_scalar(targets[k].kind)
                late = late and not self.effects.is_mutated(targets[k])
                self.b.append(added(slot, Lit(k), bar.expr, late))
            else:
                container_contributions.add_at(self, slot, Lit(k), bar.expr)

    def pops_shadowed(self, expr: Expr) -> bool:
        """Whether the statement pops from a list that has a shadow."""
        return (
            isinstance(expr, Op)
            and expr.op == "pop"
            and isinstance(expr.args[0], Ref)
            and expr.args[0].value in self.cot.shadows
        )

    # ------------------------------------------------------------------ branches

    def branch(self, stmt: If) -> None:
        self.prepare_lists(stmt)
        given = [
            self.cot.take(r) if self.active(r) and r not in self.early else None
            for r in stmt.results
        ]
        before = dict(self.cot.bars)
        shadows = dict(self.cot.shadows)
        arms: list[tuple[Region, dict[Value, Bar]]] = []
        for arm in (stmt.then, stmt.orelse):
            region = Region()
            self.cot.bars = dict(before)
            with self.b.inside(region):
                self.b.where = stmt.where
                self.make_shadows(arm)
                for bar, expr in zip(given, arm.yields, strict=False):
                    if (
                        bar is not None
                        and isinstance(expr, Ref)
                        and self.active(expr.value)
                    ):
                        self.cot.add(expr.value, bar.expr, False)
                self.region(arm)
            arms.append((region, self.cot.bars))
            self.cot.shadows = dict(shadows)
        self.cot.bars = before
        self.join_arms(stmt, arms)

    def join_arms(self, stmt: If, arms: Any) -> None:
        (r1, e1), (r2, e2) = arms
        new = If(stmt.cond, r1, r2, where=stmt.where, mirror=stmt)
        inner = {*region_defs(stmt.then), *region_defs(stmt.orelse)}
        for value in {**e1, **e2}:
            a, b = e1.get(value), e2.get(value)
            if a is not None and b is not None and a.expr == b.expr:
                self.cot.bars[value] = Bar(a.expr, a.owned and b.owned)
            elif value not in inner:
                self.join_value(new, value, a, b)
        if r1.stmts or r2.stmts or new.results:
            self.b.append(new)

    def join_value(self, new: If, value: Value, a: Bar | None, b: Bar | None) -> None:
        exprs, owned = [], True
        for bar, region in ((a, new.then), (b, new.orelse)):
            if bar is None and region is new.then and self.is_missing(value, new.cond):
                bar = Bar(Lit(0.0), False)
            elif bar is None:
                with self.b.inside(region):
                    bar = Bar(
                        self.b.atom(self.cot.zero(value), f"{value.name}_bar"), True
                    )
            exprs.append(bar.expr)
            owned = owned and bar.owned
        kind = join(*(strip(self.b.infer(e)) for e in exprs))
        result = self.b.value(f"{value.name}_bar", kind, False, value.temp)
        new.then.yields.append(exprs[0])
        new.orelse.yields.append(exprs[1])
        new.results.append(result)
        if any(isinstance(e, Ref) and not self.cot.tells(e) for e in exprs):
            self.cot.promised.add(result)
        self.cot.mark_absent(Ref(result), exprs, value)
        self.cot.bars[value] = Bar(Ref(result), owned)

    def is_missing(self, value: Value, cond: Expr) -> bool:
        """Whether a condition tells that the attempt that makes a value has raised."""
        return isinstance(cond, Ref) and self.raised.get(value) is cond.value

    def scoped(self, stmt: Scoped) -> None:
        """A block: its statements backwards; those of a `try` if none raised."""
        if stmt.final is not None:
            self.region(stmt.final)
        if stmt.sort != "attempt":
            self.region(stmt.body)
            return
        before = dict(self.cot.bars)
        region = Region()
        with self.b.inside(region):
            self.make_shadows(stmt.body)
            self.region(stmt.body)
        inside, self.cot.bars = self.cot.bars, before
        new = If(
            Op("not_", (Ref(stmt.targets[0]),)), region, Region(), where=stmt.where
        )
        new.mirror = stmt
        inner = set(region_defs(stmt.body))
        for value in {**inside, **before}:
            a, b = inside.get(value), before.get(value)
            if value in inner:
                self.cot.bars.pop(value, None)
            elif not (a is not None and b is not None and a.expr == b.expr):
                self.join_value(new, value, a, b)
        if region.stmts or new.results:
            self.b.append(new)
