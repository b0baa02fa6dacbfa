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

from collections.abc import Iterator
from typing import Any

import numpy as np

from sourcegrad.adjoint import calls, checkpoints, contributions, inner_lists
from sourcegrad.adjoint.cotangents import Bar, Cotangents
from sourcegrad.adjoint.early import used_behind
from sourcegrad.adjoint.extents import Extents
from sourcegrad.adjoint.snapshots import Snapshots
from sourcegrad.analysis.activity import is_useful
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import (
    has_memory,
    is_read_only,
    may_copy,
    may_repeat,
    reshapes_in_order,
    rows_of,
    view_bases,
)
from sourcegrad.errors import AliasError
from sourcegrad.frontend.builder import Builder
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
    call,
    defined,
    own_value,
    refs,
    region_defs,
    region_uses,
    regions,
    stmt_exprs,
    walk,
    walk_expr,
)
from sourcegrad.kinds import (
    BOOL,
    Kind,
    ListKind,
    Num,
    TupleKind,
    differentiable,
    is_array,
    is_scalar,
    join,
    strip,
)
from sourcegrad.runtime_project import (
    is_last,
    shadow_view,
    zeros_congruent,
)


def holds_memory(kind: Kind) -> bool:
    """Whether values of this kind are lists of arrays or of lists."""
    return isinstance(kind, ListKind) and not is_scalar(kind.item)


class Reverse:
    """Emits the reverse sweep of one function."""

    def __init__(
        self, b: Builder, effects: Effects, useful: set[Value], body: Region
    ) -> None:
        self.b = b
        self.body = body
        self.effects = effects
        self.useful = useful
        self.inputs: frozenset[Value] = frozenset()
        self.outside: list[Value] = [v for e in body.yields for v in refs(e)]
        self.early: set[Value] = set()
        self.tried: set[Value] = set()
        self.pointers: set[Value] = set()
        self.indexed: set[Value] | None = None
        self.used = set(region_uses(body))
        self.careful = False
        # Whether an int among the inputs was asked for, or came with all the others.
        self.chosen = True
        self.shared: dict[Value, Ref] = {}
        self.twins: dict[Value, Value] = {}  # equal values, by a definition's
        self.cot = Cotangents(b, effects)
        self.extents = Extents(body)
        self.snapshots = Snapshots(b, effects, body)
        self.raised = {  # the flag that tells that a value of an attempt is missing
            value: stmt.targets[0]
            for stmt in walk(body)
            if isinstance(stmt, Scoped) and stmt.sort == "attempt"
            for value in region_defs(stmt.body)
        }

    # ---------------------------------------------------------------- queries

    def active(self, value: Value) -> bool:
        """Varied and useful."""
        return value.varied and is_useful(value, self.useful, self.effects)

    def active_refs(self, expr: Expr) -> Iterator[Value]:
        """The active values among an operand: itself, or items of a display.

        Other trees are inactive: an active operation is a statement of its own.
        """
        if isinstance(expr, Ref):
            if self.active(expr.value):
                yield expr.value
        elif isinstance(expr, Op) and expr.op in ("tuple", "list"):
            for arg in expr.args:
                yield from self.active_refs(arg)

    # ---------------------------------------------------------------- regions

    def region(self, region: Region) -> None:
        """The adjoint of a region's statements, last first; its shadows are made."""
        for stmt in reversed(list(region.stmts)):
            self.b.where = stmt.where
            self.statement(stmt, region)

    def make_shadows(self, region: Region) -> None:
        """Cotangent buffers of the memory that the region makes and writes."""
        for stmt in region.stmts:
            if isinstance(stmt, Assign) and self.has_shadow(stmt.target):
                continue
            if isinstance(stmt, Assign) and self.needs_shadow(stmt.target):
                self.b.where = stmt.where
                if self.is_pointer(stmt.expr):
                    if not inner_lists.point(self, stmt):
                        self.require_final(stmt.target, stmt)
                elif is_read_only(stmt.expr):
                    self.require_unchanged(stmt.target, stmt)
                else:
                    inner_lists.require_sole(self, stmt.expr, stmt)
                    self.shadow(stmt.target, stmt.expr)
            elif isinstance(stmt, Unpack) and rows_of(stmt):
                self.b.where = stmt.where
                for value, row in rows_of(stmt):
                    if self.needs_shadow(value) and value not in self.early:
                        self.shadow(value, row)
            elif isinstance(stmt, (If, Unpack, CallFn, Loop)):
                for value in defined(stmt):
                    if isinstance(stmt, CallFn) and calls.is_fresh(stmt, value):
                        self.own_result(stmt, value)
                        continue
                    if value not in self.used and isinstance(value.kind, ListKind):
                        continue  # the last list a loop ran over, not read afterwards
                    if self.needs_shadow(value) and value not in self.early:
                        self.b.where = stmt.where
                        self.require_final(value, stmt)
                if isinstance(stmt, Loop):
                    self.require_final_params(stmt)
            elif isinstance(stmt, Scoped) and stmt.sort != "attempt":
                for inner in regions(stmt):
                    self.make_shadows(inner)
            elif isinstance(stmt, Scoped):
                self.shadows_of_attempt(stmt, region)

    def own_result(self, stmt: CallFn, value: Value) -> None:
        """The shadow of memory that a callee made."""
        if self.needs_shadow(value) and value not in self.early:
            self.b.where = stmt.where
            self.shadow(value, Ref(value))

    def has_shadow(self, value: Value) -> bool:
        """Whether a shadow was made ahead of the statement that defines a value."""
        return value in self.early or value in self.tried

    def shadows_of_attempt(self, stmt: Scoped, region: Region) -> None:
        """Shadows of memory made in a `try` body, written, and used behind it; there
        is none where the body has raised."""
        made = {s.target: s.expr for s in stmt.body.stmts if isinstance(s, Assign)}
        for value in used_behind(region, stmt):
            if not self.needs_shadow(value) or value in self.early:
                continue
            if value not in made or self.snapshots.in_loop(stmt):
                raise AliasError(
                    f"the array {value.name!r} is made in a try block and written",
                    stmt.where,
                    "whether it exists behind the block is known only at run time",
                    ("make the array before the try block",),
                )
            self.b.where = stmt.where
            self.shadow(value, made[value], Ref(stmt.targets[0]))
            self.tried.add(value)

    def is_pointer(self, expr: Expr) -> bool:
        """Whether the value is memory found in a container, not made or viewed here."""
        if isinstance(expr, Op) and expr.op in ("getitem", "pop"):
            base = expr.args[0]
            if isinstance(base, Op):
                return base.op in ("list", "tuple", "dict")
            return isinstance(base, Ref) and isinstance(
                base.value.kind, (ListKind, TupleKind)
            )
        return isinstance(expr, Op) and expr.op == "ifexp"

    def require_final(self, value: Value, stmt: Stmt) -> None:
        """Memory that is reached by a path known only at run time may be read, but
        not written any more: its cotangent goes to where it came from."""
        if self.snapshots.written_later(value, stmt):
            raise self.ambiguous(value)

    def require_unchanged(self, value: Value, stmt: Stmt) -> None:
        """What a read-only view shows must not change: its cotangent is handed to its
        array where it was made."""
        if self.snapshots.shows_change(value, stmt):
            raise AliasError(
                f"the array that {value.name!r} is a read-only view of is written",
                stmt.where,
                "its cotangent is handed to the array where the view was made",
                ("copy what the view shows: call .copy() on it",),
            )

    def require_final_params(self, stmt: Loop) -> None:
        for param in stmt.body.params:
            held = self.needs_shadow(param) and param not in self.early
            if held and not isinstance(param.kind, ListKind):
                if self.snapshots.written_in(param, stmt):
                    raise self.ambiguous(param)

    def ambiguous(self, value: Value) -> AliasError:
        """The refusal of a write to memory that several names may be."""
        return AliasError(
            f"the memory of {value.name!r} is written "
            "while which array it is depends on "
            "the path taken",
            self.b.where,
            "the cotangent of each array must be kept apart",
            (f"write {value.name} = {value.name}.copy() before it is changed",),
        )

    def parameter_shadow(self, param: Value) -> None:
        """The shadow of an argument that the function writes to."""
        if self.needs_shadow(param) and param not in self.early:
            made = self.cot.zero(param)
            if is_array(param.kind) and self.is_viewed(param):
                made = call(self.cot.library(zeros_congruent), Ref(param))
            self.cot.shadows[param] = self.cot.named(made, param)

    def may_copy(self, expr: Expr) -> bool:
        """Whether an operation on shadowed memory may make a view or a copy."""
        bases = view_bases(expr)
        made = None
        if bases and getattr(bases[0].kind, "ndim", None) == 1:
            # New vectors lie in one piece, and so do their cotangents
            made = self.snapshots.defined.get(bases[0])
        return may_copy(expr) and not reshapes_in_order(expr, made)

    def is_viewed(self, value: Value) -> bool:
        """Whether views of an array are made that may be copies for another layout."""
        return any(may_copy(e) for e in self.snapshots.views_of(value))

    def changes_items(self, value: Value) -> bool:
        """Whether the cotangents of the tuples in a list are added to, or replaced: an
        item is read or stored by its index."""
        if self.indexed is None:
            held = inner_lists.indexed(self.body)
            self.indexed = {self.effects.find(v) for v in held}
        return self.effects.find(value) in self.indexed

    def needs_shadow(self, value: Value) -> bool:
        kind = value.kind
        held = is_array(kind) or isinstance(kind, ListKind)
        return held and self.effects.is_mutated(value) and self.active(value)

    def shadow(self, value: Value, expr: Expr, unless: Expr | None = None) -> None:
        """The shadow of one value: zeros like it, or the same view of a shadow; none
        where a flag says that there is no such value."""
        bases = [v for v in view_bases(expr) if v in self.cot.shadows]
        if bases:
            shadow = self.cot.shadows[bases[0]]
            made = own_value(contributions.replaced(expr, bases[0], shadow))
            if self.may_copy(expr):
                shared = self.sharing(value, bases[0])
                made = call(self.cot.library(shadow_view), made, Ref(value), shared)
        elif isinstance(value.kind, ListKind):
            made = self.cot.zero_buffer(value)
        else:
            made = self.cot.zero(value)
        if unless is not None:
            made = Op("ifexp", (unless, Lit(None), made))
        ref = self.b.emit(made, f"{value.name}_bar")
        ref.value.kind = value.kind
        self.cot.shadows[value] = ref

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
        return self.is_pointer(stmt.expr) or holds_memory(stmt.target.kind)

    def sharing(self, value: Value, base: Value) -> Ref:
        """Whether a reshape made a view: found in the forward sweep, since residuals
        may be copies."""
        known = self.shared.get(value)
        if known is None:
            test = call(self.cot.library(np.may_share_memory), Ref(value), Ref(base))
            known = self.shared[value] = self.snapshots.beside(
                value, "shared", test, BOOL
            )
        return known

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
            if slot is not None:
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
            if isinstance(targets[k].kind, (ListKind, TupleKind)):
                contributions.add_into(self, Op("getitem", (slot, Lit(k))), bar.expr)
            else:
                self.b.append(Store(slot, Lit(k), bar.expr, "add"))

    def pops_shadowed(self, expr: Expr) -> bool:
        """Whether the statement pops from a list that has a shadow."""
        return (
            isinstance(expr, Op)
            and expr.op == "pop"
            and isinstance(expr.args[0], Ref)
            and expr.args[0].value in self.cot.shadows
        )

    # ------------------------------------------------------------------- stores

    def store(self, stmt: Store, region: Region) -> None:
        base = stmt.base
        if not isinstance(base, Ref):
            self.require_unread(base, stmt)
            return
        shadow = self.cot.shadows.get(base.value)
        if shadow is None:
            if self.active(base.value):
                raise self.ambiguous(base.value)
            return
        if base.value in self.early and holds_memory(base.value.kind):
            return
        with self.snapshots.reading(stmt, region):
            self.store_adjoint(stmt, shadow)

    def require_unread(self, base: Expr, stmt: Store) -> None:
        """An array from outside may be written, as a log; the reverse sweep would find
        other contents than those that the forward sweep has read."""
        for other in walk(self.body):
            read = list(stmt_exprs(other))
            if isinstance(other, Store) and other.base == base:
                read = read[1:]
            if any(e == base for expr in read for e in walk_expr(expr)):
                raise AliasError(
                    "an array from outside the function is read and written in it",
                    stmt.where,
                    "the reverse sweep would read what was written last",
                    ("pass the array as an argument, or read a copy made before",),
                )

    def store_adjoint(self, stmt: Store, shadow: Ref) -> None:
        b = self.b
        index = stmt.index if stmt.index is not None else Lit(Ellipsis)
        slot: Expr = Op("getitem", (shadow, index))
        targets = list(self.active_refs(stmt.value))
        zero: Expr = Lit(0.0)
        kind = b.infer(stmt.base)
        if isinstance(kind, ListKind) and stmt.op is None:
            zero = contributions.zero_item(self, kind.item)
        if isinstance(zero, Op):
            parts = b.emit(slot, "parts")
            b.append(Store(shadow, index, zero, None))
            contributions.give(self, stmt.value, parts)
            return
        if stmt.op is None:
            g = (
                self.slot_copy(self.last_written(shadow, index, slot))
                if targets
                else None
            )
            b.append(Store(shadow, index, Lit(0.0), None))
        else:
            g = shadow if stmt.index is None else slot
            if not stmt.each:
                g = g if g is shadow else self.last_written(shadow, index, slot)
            if stmt.op == "sub":
                g = b.folded(Op("neg", (g,)))
            g = self.slot_copy(g) if targets and isinstance(g, (Ref, Op)) else g
        if not targets or g is None:
            return
        assert isinstance(stmt.value, Ref)
        value = stmt.value.value
        self.cot.add(value, contributions.narrowed(self, g, value, slot), None)

    def last_written(self, shadow: Ref, index: Expr, slot: Expr) -> Expr:
        """A slot's cotangent; where an index repeats, only the last writer gets it."""
        if not may_repeat(self.b.infer, index):
            return slot
        last = call(self.cot.library(is_last), shadow, index)
        return call(self.cot.library(np.where), last, slot, Lit(0.0))

    def slot_copy(self, slot: Expr) -> Expr:
        """What a slot of a shadow holds now, kept apart from the buffer."""
        new = isinstance(slot, Op) and slot.op in ("neg", "call")
        if not new and not is_scalar(self.b.infer(slot)):
            slot = self.cot.copied(slot)
        g = self.b.emit(slot, "g")
        g.value.key = "slot"
        return g

    def append(self, stmt: Append) -> None:
        base = stmt.base
        assert isinstance(base, Ref)
        shadow = self.cot.shadows.get(base.value)
        if shadow is None or base.value in self.early and holds_memory(base.value.kind):
            return
        popped: Expr = Op("pop", (shadow,))
        value = stmt.value
        inner_lists.require_sole(self, value, stmt)
        if isinstance(value, Op) and value.op == "tuple":
            self.append_tuple(value, popped)
            return
        if isinstance(value, Op):
            parts = self.b.emit(popped, "parts")
            contributions.give(self, value, parts)
            return
        ref = self.b.emit(popped, "g")
        ref.value.temp = True
        if isinstance(value, Ref) and self.active(value.value):
            ref.value.kind = strip(value.value.kind)
            self.cot.add(value.value, ref, False)

    def append_tuple(self, value: Op, popped: Expr) -> None:
        parts = []
        for arg in value.args:
            found = list(self.active_refs(arg))
            name = f"{found[0].name}_g" if found else "_"
            kind = strip(self.b.infer(arg))
            parts.append(Value(name, kind, False, self.b.where))
        self.b.append(Unpack(parts, popped))
        for arg, part in zip(value.args, parts, strict=True):
            contributions.give(self, arg, Ref(part))

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

    # --------------------------------------------------------------------- loops

    def loop(self, stmt: Loop) -> None:
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

    def exposed(self, value: Value) -> bool:
        """Whether memory of a value can be changed: here, or by whoever called."""
        if not has_memory(value):
            return False
        root = self.effects.find(value)
        return self.effects.is_mutated(value) or any(
            self.effects.find(v) is root for v in self.outside
        )

    def after_loop(
        self, stmt: Loop, new: Loop, carried: list[int], scalars: list[Value]
    ) -> None:
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
        kind = join(strip(param.kind), strip(self.b.infer(expr)))
        param.kind = kind
        result = Value(param.name, kind, False, self.b.where, param.temp)
        if param in self.cot.absent:
            self.cot.absent.add(result)
        return result

    def start(self, value: Value, bar: Bar | None) -> Expr:
        return self.cot.zero(value) if bar is None else bar.expr

    def carry(self, new: Loop, value: Value, start: Expr) -> Value:
        """A carried cotangent of the reversed loop."""
        kind = strip(self.b.infer(start))
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
        kind = value.kind
        if isinstance(kind, (ListKind, TupleKind)):
            return True
        return isinstance(kind, Num) and kind.flavor == "array" and kind.ndim != 0

    def has_buffer(self, value: Value) -> bool:
        return value in self.cot.shadows or self.wants_buffer(value)
