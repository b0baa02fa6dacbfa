"""Shadows made in the forward sweep, for memory whose name changes hands.

Where buffers are swapped in a loop or chosen by a branch, which shadow belongs to a
name is known only while the program runs.  The shadow is then made beside the array
and goes wherever the array goes: through views, branches and carried values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sourcegrad.adjoint.calls import is_fresh
from sourcegrad.adjoint.container_contributions import zero_item
from sourcegrad.adjoint.contributions import replaced
from sourcegrad.adjoint.cotangents import is_fresh as makes_memory
from sourcegrad.adjoint.cotangents import library
from sourcegrad.adjoint.inner_lists import makes_list, needs_early
from sourcegrad.analysis.choices import beside_each, is_choice
from sourcegrad.analysis.views import (
    has_memory,
    holds_unseen_arrays,
    is_read_only,
    rows_of,
    view_bases,
)
from sourcegrad.ir import (
    UNDEF,
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    Function,
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
    Unpack,
    Value,
    call,
    own_value,
)
from sourcegrad.ir_walk import (
    refs,
    region_defs,
    region_uses,
    regions,
    stmt_exprs,
    substitute,
    walk,
)
from sourcegrad.kinds import NONE, ListKind, Num, is_array, is_scalar
from sourcegrad.runtime_project import shared_zeros, zero_buffer, zeros_congruent

if TYPE_CHECKING:
    from sourcegrad.frontend.builder import Builder
    from sourcegrad.passes.reverse import Reverse


def make_early(rev: Reverse, function: Function) -> None:
    """Make the shadows of such memory, in the forward region, in place."""
    classes = _moving_classes(rev, function)
    if not classes:
        return
    maker = _Maker(rev, classes)
    head = [maker.made(p, call(rev.cot.library(zeros_congruent), Ref(p)), None)
            for p in function.params if maker.wants(p)]  # fmt: skip
    maker.region(function.body)
    function.body.stmts[:0] = head
    rev.early |= set(maker.shadows)
    for value in maker.shadows:
        if rev.holds_memory(value):
            require_item_by_item(rev, value, function.body, maker.shadows[value])
            rev.effects.mutated.add(rev.effects.find(value))
    rev.cot.shadows |= {v: Ref(s) for v, s in maker.shadows.items()}


def require_item_by_item(
    rev: Reverse, value: Value, body: Region, shadow: Value
) -> None:
    """A list of shadows is as it was at the end of the forward sweep: what reads the
    list as a whole must not come before a change of it.

    Raises:
        AliasError: a statement does.
    """
    for stmt in walk(body):
        if isinstance(stmt, (Append, Store)) and stmt.base == Ref(value):
            continue
        if isinstance(stmt, Assign) and stmt.target is shadow:
            continue
        whole = any(_reads_whole(e, value) for e in stmt_exprs(stmt))
        if whole and rev.snapshots.written_later(value, stmt):
            rev.b.where = stmt.where
            raise rev.ambiguous(value)


def _reads_whole(expr: Expr, value: Value) -> bool:
    if isinstance(expr, Ref):
        return expr.value is value
    if not isinstance(expr, Op):
        return False
    args = expr.args
    if expr.op in ("getitem", "pop") and args[0] == Ref(value):
        args = args[1:]
    elif expr.op == "call" and isinstance(args[0], Obj) and args[0].obj is len:
        return False
    return any(_reads_whole(a, value) for a in args)


def _moving_classes(rev: Reverse, function: Function) -> set[Value]:
    """Alias classes written after a branch or loop decided what a name is."""
    body = function.body
    found: set[Value] = set()
    refused: set[Value] = set()
    behind = dict(_attempts(body))
    rows = {_replaced_rows(rev, s) for s in walk(body)} - {None}
    for stmt in walk(body):
        if isinstance(stmt, If):
            moved = [r for r in stmt.results if rev.snapshots.written_later(r, stmt)]
        elif isinstance(stmt, Loop):
            moved = [p for p in stmt.body.params if rev.snapshots.written_in(p, stmt)]
            moved += [r for r in stmt.results if rev.snapshots.written_later(r, stmt)]
        elif stmt in behind:
            moved = behind[stmt]
        else:
            moved = []
            values = stmt.targets if isinstance(stmt, (Unpack, CallFn)) else []
            if isinstance(stmt, Unpack) and rows_of(stmt):
                values = []
            if isinstance(stmt, CallFn):
                values = [v for v in values if not is_fresh(stmt, v)]
            if isinstance(stmt, Assign) and rev.is_pointer(stmt.expr):
                if _moves(rev, stmt, function.params):
                    moved = [stmt.target]
            put = _put_away(stmt)
            put = [v for v in put if is_array(v.kind)]
            put = [v for v in put if rev.snapshots.written_later(v, stmt)]
            _require_shallow(rev, put, stmt)
            moved += put
            refused |= {rev.effects.find(v) for v in values if rev.needs_shadow(v)}
        found |= {
            rev.effects.find(v)
            for v in moved
            if (is_array(v.kind) or may_move(rev, v)) and rev.needs_shadow(v)
        }
    found |= {rev.effects.find(c) for c in rows if c is not None}
    return {c for c in found - refused if not _deep(rev, c)}


def _replaced_rows(rev: Reverse, stmt: Stmt) -> Value | None:
    """The class of the lists that change places where one is stored into a list of
    them: it counts as written, since a name may hold another one from then on."""
    base = stmt.base if isinstance(stmt, Store) else None
    if not isinstance(base, Ref) or not isinstance(base.value.kind, ListKind):
        return None
    if not is_nest(rev, base.value) or not rev.active(base.value):
        return None
    rows = rev.effects.find(rev.effects.content(base.value))
    rev.effects.mutated.add(rows)
    return rows


def _require_shallow(rev: Reverse, put: list[Value], stmt: Stmt) -> None:
    """Refuse an array that is written after it went into a container of containers."""
    for value in put:
        held = is_array(value.kind) and rev.needs_shadow(value)
        if held and _deep(rev, rev.effects.find(value)):
            rev.b.where = stmt.where
            raise rev.ambiguous(value)


def _put_away(stmt: Stmt) -> list[Value]:
    """What a statement puts into a list, where it has another name from then on."""
    if isinstance(stmt, Append):
        return list(refs(stmt.value))
    if isinstance(stmt, Store) and isinstance(stmt.base, Ref):
        held = isinstance(stmt.base.value.kind, ListKind)
        return list(refs(stmt.value)) if held else []
    if (
        isinstance(stmt, Assign)
        and isinstance(stmt.expr, Op)
        and stmt.expr.op == "list"
    ):
        return list(refs(stmt.expr))
    return []


def may_move(rev: Reverse, value: Value) -> bool:
    """Whether a value is a row, and all that it may be is known to be new where it is
    made, or found in a container; lists of numbers are asked for that later."""
    if not rev.is_row(value) or is_scalar(value.kind.item):  # type: ignore[attr-defined]
        return rev.is_row(value)
    made = [rev.snapshots.defined.get(v) for v in rev.effects.members(value)]
    return all(
        makes_list(e) or is_choice(e) or rev.is_pointer(e)
        for e in made
        if e is not None
    )


def is_nest(rev: Reverse, value: Value) -> bool:
    """Whether a value is a list of rows (see `Shadows.is_row`)."""
    if not isinstance(value.kind, ListKind):
        return False
    root = rev.effects.find(rev.effects.content(value))
    return rev.makes_row(value.kind.item, root)


def _moves(rev: Reverse, stmt: Assign, params: list[Value]) -> bool:
    """Whether memory found in a container needs a shadow beside it."""
    if isinstance(stmt.target.kind, ListKind):
        base = stmt.expr.args[0] if isinstance(stmt.expr, Op) else None
        if isinstance(base, Ref) and base.value not in rev.snapshots.defined:
            if base.value not in params and rev.active(base.value):  # one of several
                return rev.snapshots.written_later(stmt.target, stmt)
        return needs_early(rev, stmt)
    return rev.snapshots.written_later(stmt.target, stmt)


def _deep(rev: Reverse, content: Value) -> bool:
    """Whether a class is held by something else than lists of arrays."""
    fx = rev.effects
    for holder, inner in fx.contents.items():
        if fx.find(inner) is content:
            for v in fx.members(holder):
                item = v.kind.item if isinstance(v.kind, ListKind) else None
                if item is None or not (is_array(item) or is_nest(rev, v)):
                    return True
    return False


def _attempts(region: Region) -> Iterator[tuple[Stmt, list[Value]]]:
    """The attempts of `try` blocks, and what each makes that is used behind it."""
    for stmt in region.stmts:
        if isinstance(stmt, Scoped) and stmt.sort == "attempt":
            yield stmt, used_behind(region, stmt)
        for inner in regions(stmt):
            yield from _attempts(inner)


def used_behind(region: Region, stmt: Scoped) -> list[Value]:
    """What an attempt makes and the rest of its region uses: whether it exists there
    is known only at run time."""
    others = [s for s in region.stmts if s is not stmt]
    uses = set(region_uses(Region(stmts=others, yields=region.yields)))
    return [v for v in region_defs(stmt.body) if v in uses]


class _Maker:
    def __init__(self, rev: Reverse, classes: set[Value]) -> None:
        self.rev = rev
        self.classes = classes
        self.shadows: dict[Value, Value] = {}

    def wants(self, value: Value) -> bool:
        """Whether a value has a shadow beside it: an array, or a list of them."""
        fx = self.rev.effects
        if self.rev.holds_memory(value):
            inner = fx.contents.get(fx.find(value))
            return inner is not None and fx.find(inner) in self.classes
        held = is_array(value.kind) or self.rev.is_row(value)
        return held and fx.find(value) in self.classes

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
        none = isinstance(expr, Ref) and expr.value.kind == NONE
        if isinstance(expr, Ref) and has_memory(expr.value) and not none:
            raise self.rev.ambiguous(expr.value)
        if isinstance(expr, Obj) and isinstance(expr.obj, np.ndarray):
            return memory_like(self.rev.b, expr)
        return UNDEF

    def region(self, region: Region) -> None:
        stmts: list[Stmt] = []
        for stmt in region.stmts:
            for named in self.named_items(stmt):
                stmts.append(named)
                stmts.append(self.made(named.target, self.start(
                    named.target, named.expr, named), stmt.where))  # fmt: skip
            stmts.append(stmt)
            if isinstance(stmt, If):
                self.branch(stmt)
            elif isinstance(stmt, Loop):
                self.loop(stmt)
            else:
                for inner in regions(stmt):
                    self.region(inner)
            stmts += [
                self.made(value, self.start(value, expr, stmt), stmt.where)
                for value, expr in _definitions(stmt)
                if self.wants(value) and not is_read_only(expr)
            ]
            if isinstance(stmt, (Append, Store)) and self.is_listed(stmt.base):
                stmts += self.filled(stmt)
            elif isinstance(stmt, (Assign, Unpack)):
                stmts += self.popped(stmt)
        region.stmts = stmts

    def named_items(self, stmt: Stmt) -> list[Assign]:
        """Lists displayed in a list of lists, as values of their own, so that each has
        a shadow."""
        found: list[Assign] = []
        holder = stmt.target if isinstance(stmt, Assign) else None
        if isinstance(stmt, (Append, Store)) and isinstance(stmt.base, Ref):
            holder = stmt.base.value
        if holder is None or not self.wants(holder) or self.rev.is_row(holder):
            return found
        fx = self.rev.effects

        def name(expr: Expr) -> Expr:
            if not (isinstance(expr, Op) and makes_list(expr)):
                return expr
            new = Value("row", self.rev.b.infer(expr), True, stmt.where)
            fx.parent[new] = new
            fx.join(fx.content(holder), new)
            found.append(Assign(new, expr, where=stmt.where))
            return Ref(new)

        if isinstance(stmt, (Append, Store)):
            stmt.value = name(stmt.value)
        elif isinstance(stmt, Assign):
            e = stmt.expr
            if isinstance(e, Op) and e.op == "list":
                stmt.expr = Op("list", tuple(map(name, e.args)))
                stmt.expr.kind = e.kind
        return found

    def is_listed(self, base: Expr) -> bool:
        """Whether a list of arrays has a list of shadows."""
        return (
            isinstance(base, Ref)
            and isinstance(base.value.kind, ListKind)
            and base.value in self.shadows
        )

    def popped(self, stmt: Assign | Unpack) -> list[Stmt]:
        """A row and its shadow keep the same length."""
        base = stmt.expr.args[0] if _pops(stmt.expr) else None  # type: ignore[attr-defined]
        if isinstance(base, Ref) and self.is_listed(base):
            if self.rev.is_row(base.value):
                shadow = Ref(self.shadows[base.value])
                return [Effect(Op("pop", (shadow,)), where=stmt.where)]
        return []

    def filled(self, stmt: Append | Store) -> list[Stmt]:
        """The shadow of what is put into a list, put into the list of shadows."""
        assert isinstance(stmt.base, Ref)
        kind = stmt.base.value.kind
        if self.rev.is_row(stmt.base.value) and isinstance(kind, ListKind):
            base = Ref(self.shadows[stmt.base.value])
            if isinstance(stmt, Store):
                return []
            return [Append(base, zero_item(kind.item), where=stmt.where)]
        base, part = Ref(self.shadows[stmt.base.value]), self.item(stmt.value, stmt)
        if isinstance(stmt, Append):
            return [Append(base, part, where=stmt.where)]
        if stmt.op is not None:
            raise self.rev.ambiguous(stmt.base.value)
        return [Store(base, stmt.index, part, None, where=stmt.where)]

    def item(self, expr: Expr, stmt: Stmt) -> Expr:
        """The shadow of an array that is put into a list."""
        if isinstance(expr, Ref) and expr.value in self.shadows:
            return Ref(self.shadows[expr.value])
        if isinstance(expr, Lit) and expr.value is None:
            return expr
        if isinstance(expr, Op) and makes_memory(expr) and not makes_list(expr):
            return memory_like(self.rev.b, expr)
        self.rev.b.where = stmt.where
        raise self.rev.ambiguous(next(refs(expr), Value("it")))

    def listed(self, value: Value, expr: Expr, stmt: Stmt) -> Expr:
        """The list of shadows of a new list."""
        if isinstance(expr, Op) and expr.op == "list":
            return Op("list", tuple(self.item(e, stmt) for e in expr.args))
        bases = view_bases(expr)
        if isinstance(expr, Op) and expr.op != "raw" and bases:
            shadow = self.shadows.get(bases[0])
            if len(bases) == 1 and shadow is not None and is_array(bases[0].kind):
                return own_value(replaced(expr, bases[0], Ref(shadow)))
        elif not bases and holds_unseen_arrays(value, expr):
            return call(self.rev.cot.library(shared_zeros), Ref(value))
        self.rev.b.where = stmt.where
        raise self.rev.ambiguous(value)

    def start(self, value: Value, expr: Expr, stmt: Stmt) -> Expr:
        """Zeros for new memory, the same view of a shadow for a view."""
        if is_choice(expr):
            return beside_each(expr, lambda arm: self.start_of(value, arm, stmt))
        if self.rev.is_pointer(expr):
            return own_value(substitute(expr, self.shadow_of))
        if self.rev.holds_memory(value):
            return self.listed(value, expr, stmt)
        if isinstance(value.kind, ListKind):
            if not makes_list(expr):
                self.rev.b.where = stmt.where
                raise self.rev.ambiguous(value)
            return call(self.rev.cot.library(zero_buffer), Ref(value))
        bases = [v for v in view_bases(expr) if v in self.shadows]
        if bases:
            shadow = Ref(self.shadows[bases[0]])
            return own_value(replaced(expr, bases[0], shadow))
        return memory_like(self.rev.b, Ref(value))

    def start_of(self, value: Value, arm: Expr, stmt: Stmt) -> Expr:
        """The same, of what a choice may give."""
        if isinstance(arm, Ref) and has_memory(arm.value):
            return self.beside(arm)
        return self.start(value, arm, stmt)

    def shadow_of(self, value: Value) -> Expr | None:
        """What stands for a value where its shadow is found as it is."""
        return Ref(self.shadows[value]) if value in self.shadows else None

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


def _pops(expr: Expr) -> bool:
    return isinstance(expr, Op) and expr.op == "pop"


def _definitions(stmt: Stmt) -> list[tuple[Value, Expr]]:
    """The values that a statement makes, and what each is."""
    if isinstance(stmt, Assign):
        return [(stmt.target, stmt.expr)]
    if isinstance(stmt, CallFn):
        return [(v, Ref(v)) for v in stmt.targets]
    return rows_of(stmt) if isinstance(stmt, Unpack) else []


def memory_like(b: Builder, array: Expr) -> Expr:
    """Zeros in the shape and the memory layout of an array."""
    kind = b.infer(array)
    ints = isinstance(kind, Num) and kind.dtype in ("number", "int64")
    return call(library(b, zeros_congruent if ints else np.zeros_like), array)
