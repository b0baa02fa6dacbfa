"""The adjoint of a loop: a loop backwards that carries cotangents.

The yield's cotangent is that of the next trip, the init's that of the first; values
from outside gather the contributions of all trips.
"""

from __future__ import annotations

from sourcegrad.adjoint.cotangents import Bar
from sourcegrad.adjoint.stores import StoreAdjoints
from sourcegrad.errors import UnsupportedSyntaxError
from sourcegrad.ir import Expr, If, Lit, Loop, Ref, Region, Value
from sourcegrad.ir_walk import region_defs, region_uses
from sourcegrad.kinds import (
    ListKind,
    Num,
    TupleKind,
    differentiable,
    is_complex,
    join,
    strip,
)


class LoopAdjoints(StoreAdjoints):
    """Emits what a reverse sweep does for a loop."""

    def region(self, region: Region) -> None:
        """The adjoint of a region (see `Reverse`)."""
        raise AssertionError

    def loop(self, stmt: Loop) -> None:
        """The loop backwards: its trips in reverse order, each with its adjoint."""
        body = stmt.body
        carried, outer, starts = self.carried(stmt)
        if not carried and not outer and not self.early.intersection(body.params):
            return
        self.prepare_buffers(outer)
        scalars = [v for v in outer if not self.has_buffer(v)]
        new = Loop(
            "reverse", [], None, None, [], Region(), where=stmt.where, mirror=stmt
        )
        heads = [self.carry(new, body.params[k], self.start(stmt.results[k], starts[k]))
                 for k in carried]  # fmt: skip
        totals = [
            self.carry(new, v, self.start(v, self.cot.bars.get(v))) for v in scalars
        ]
        saved, shadows = dict(self.cot.bars), dict(self.cot.shadows)
        for v, total in zip(scalars, totals, strict=True):
            self.cot.bars[v] = Bar(Ref(total), False)
        with self.b.inside(new.body):
            self.make_shadows(body)
            for k, head in zip(carried, heads, strict=True):
                self.b.where = stmt.where
                expr = body.yields[k] if k < len(body.yields) else None
                if isinstance(expr, Ref) and self.active(expr.value):
                    self.cot.add(expr.value, Ref(head), False)
            self.region(body)
            self.b.where = stmt.where
            for k in carried:
                bar = self.cot.take(body.params[k])
                end = self.cot.zero(body.params[k]) if bar is None else bar.expr
                new.body.yields.append(self.b.atom(end, f"{body.params[k].name}_bar"))
            new.body.yields += [self.cot.bars[v].expr for v in scalars]
        for v in set(outer).difference(scalars, shadows):
            self.require_in_place(stmt, v, saved.get(v))
        self.cot.bars, self.cot.shadows = saved, shadows
        self.b.append(new)
        self.after_loop(stmt, new, carried, scalars)

    def carried(
        self, stmt: Loop
    ) -> tuple[list[int], list[Value], dict[int, Bar | None]]:
        """What is carried back: the places of header values, values from outside,
        and the cotangents of the loop's results, taken."""
        body = stmt.body
        carried = [
            k
            for k, p in enumerate(body.params)
            if p not in self.early
            and self.active(p)
            or (k < len(stmt.results) and stmt.results[k] in self.cot.bars)
        ]
        starts = {
            k: self.cot.take(stmt.results[k]) for k in carried if k < len(stmt.results)
        }
        return carried, self.outer_values(body), starts

    def after_loop(
        self, stmt: Loop, new: Loop, carried: list[int], scalars: list[Value]
    ) -> None:
        """Hand on what the loop backwards has gathered."""
        new.results = [
            self.result_like(p, e)
            for p, e in zip(new.body.params, new.body.yields, strict=True)
        ]
        for v, result in zip(scalars, new.results[len(carried) :], strict=True):
            self.cot.bars[v] = Bar(Ref(result), False)
        for k, result in zip(carried, new.results, strict=False):
            init = stmt.inits[k]
            if isinstance(init, Ref) and self.active(init.value):
                self.cot.add(init.value, Ref(result), False)

    def result_like(self, param: Value, expr: Expr) -> Value:
        """The value that a cotangent carried through the loop has behind it."""
        kind = join(strip(param.kind), strip(self.b.infer(expr)))
        param.kind = kind
        result = Value(param.name, kind, False, self.b.where, param.temp)
        if param in self.cot.absent:
            self.cot.absent.add(result)
        return result

    def start(self, value: Value, bar: Bar | None) -> Expr:
        """The cotangent with which the loop backwards begins."""
        return self.cot.zero(value) if bar is None else bar.expr

    def carry(self, new: Loop, value: Value, start: Expr) -> Value:
        """A carried cotangent of the reversed loop."""
        kind = strip(self.b.infer(start))
        if is_complex(value.kind) or getattr(value.kind, "dtype", "") is None:
            kind = join(kind, strip(value.kind))  # also where it starts as 0.0
        param = Value(f"{value.name}_bar", kind, False, self.b.where, value.temp)
        new.body.params.append(param)
        new.inits.append(self.b.atom(start, f"{value.name}_bar"))
        ends: list[Expr] = [Lit(0.0)] if value.maybe_undefined else []
        self.cot.mark_absent(Ref(param), [start, *ends], value)
        return param

    def outer_values(self, body: Region) -> list[Value]:
        """Active values from outside the loop that its statements use."""
        inner = set(region_defs(body))
        found = dict.fromkeys(
            v for v in region_uses(body) if v not in inner and self.active(v)
        )
        return [v for v in found if differentiable(v.kind)]

    def prepare_buffers(self, outer: list[Value]) -> None:
        """Arrays gather contributions of all trips in one owned buffer."""
        for v in outer:
            if v not in self.cot.shadows and self.wants_buffer(v):
                self.cot.buffer(v)

    def prepare_lists(self, stmt: If) -> None:
        """Lists gather contributions of both arms in one buffer, made before, so that
        its memory does not depend on the path taken."""
        used = [*self.outer_values(stmt.then), *self.outer_values(stmt.orelse)]
        for v in dict.fromkeys(used):
            held = isinstance(v.kind, (ListKind, TupleKind))
            if held and not v.maybe_undefined and v not in self.cot.shadows:
                self.cot.buffer(v)

    def wants_buffer(self, value: Value) -> bool:
        """Whether contributions are gathered in memory: of arrays and containers."""
        kind = value.kind
        if isinstance(kind, (ListKind, TupleKind)):
            return True
        return isinstance(kind, Num) and kind.flavor == "array" and kind.ndim != 0

    def has_buffer(self, value: Value) -> bool:
        """Whether the cotangent of a value is memory that is added to in place."""
        return value in self.cot.shadows or self.wants_buffer(value)

    def require_in_place(self, stmt: Loop, value: Value, before: Bar | None) -> None:
        """Refuse a loop whose trips' contributions would be lost: those to what is
        added to in place have no place among the values that the loop carries."""
        after = self.cot.bars.get(value)
        if before is not None and (after is None or after.expr != before.expr):
            raise self.b.error(
                UnsupportedSyntaxError,
                f"the form of {value.name!r} in this loop is not known when compiling",
                why="Its cotangent is gathered in memory of that form.",
                hints=("make it an array of one form before the loop",),
                where=stmt.where,
            )
