"""What a reverse sweep knows, and the cotangents of memory that is written to.

Such memory has a cotangent of the same shape from the start, its *shadow*: a view of
the memory is the same view of the shadow, and a store takes from the shadow what is
due to the value that was stored.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sourcegrad.adjoint import calls, contributions, inner_lists
from sourcegrad.adjoint.cotangents import Cotangents
from sourcegrad.adjoint.early import used_behind
from sourcegrad.adjoint.extents import Extents
from sourcegrad.adjoint.snapshots import Snapshots
from sourcegrad.analysis.activity import is_useful
from sourcegrad.analysis.choices import arms, found_in, is_choice
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import (
    has_memory,
    is_read_only,
    may_copy,
    reshapes_in_order,
    rows_of,
    view_bases,
)
from sourcegrad.errors import AliasError
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.provenance import module_of
from sourcegrad.ir import (
    Assign,
    CallFn,
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
    Unpack,
    Value,
    call,
    own_value,
)
from sourcegrad.ir_walk import defined, refs, region_defs, region_uses, regions, walk
from sourcegrad.kinds import (
    BOOL,
    BOTTOM,
    Kind,
    ListKind,
    Num,
    TupleKind,
    is_array,
    is_scalar,
)
from sourcegrad.runtime_project import shadow_view, zeros_congruent


class Shadows:
    """The state of a reverse sweep of one function, with its shadows."""

    def __init__(
        self, b: Builder, effects: Effects, useful: set[Value], body: Region
    ) -> None:
        self.b = b
        self.body = body
        self.effects = effects
        self.useful = useful
        self.inputs: frozenset[Value] = frozenset()
        self.outside: list[Value] = [v for e in body.yields for v in refs(e)]
        self.outside += effects.kept
        self.early: set[Value] = set()
        self.tried: set[Value] = set()
        self.pointers: set[Value] = set()
        self.indexed: set[Value] | None = None
        self.replaced: set[Value] | None = None
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
        elif isinstance(expr, Op) and (
            expr.op in ("tuple", "list", "dict") or makes_object(expr)
        ):
            for arg in expr.args:
                yield from self.active_refs(arg)

    def exposed(self, value: Value) -> bool:
        """Whether memory of a value can be changed: here, or by whoever called."""
        if not has_memory(value):
            return False
        root = self.effects.find(value)
        return self.effects.is_mutated(value) or any(
            self.effects.find(v) is root for v in self.outside
        )

    # ---------------------------------------------------------------- shadows

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
                    if value not in self.used:
                        continue  # as the last list that a loop ran over
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
        if is_choice(expr):
            return any(self.is_pointer(arm) or found_in(arm) for arm in arms(expr))
        base = expr.args[0] if isinstance(expr, Op) and expr.args else None
        return (
            isinstance(expr, Op)
            and expr.op in ("getitem", "pop")
            and isinstance(base, Ref)
            and isinstance(base.value.kind, (ListKind, TupleKind))
        )

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
        """The same, of what a loop hands from trip to trip."""
        for param in stmt.body.params:
            held = self.needs_shadow(param) and param not in self.early
            if held and not isinstance(param.kind, ListKind):
                if self.snapshots.written_in(param, stmt):
                    raise self.ambiguous(param)

    def ambiguous(self, value: Value) -> AliasError:
        """The refusal of a write to memory that several names may be."""
        name = value.name
        held = "memory found or made here" if value.temp else f"the memory of {name!r}"
        hint = "give it a name, and copy it before it is changed"
        if not value.temp:
            hint = f"write {name} = {name}.copy() before it is changed"
        return AliasError(
            f"{held} is written while which array it is depends on the path taken",
            self.b.where,
            "the cotangent of each array must be kept apart",
            (hint,),
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

    def replaces_items(self, value: Value) -> bool:
        """Whether items of a list give their places to others, or its cotangents start
        as the number 0.0."""
        if value in self.early:
            return True
        if self.replaced is None:
            stores = [s for s in walk(self.body) if isinstance(s, Store) and not s.op]
            held = [s.base.value for s in stores if isinstance(s.base, Ref)]
            self.replaced = {self.effects.find(v) for v in held}
        return self.effects.find(value) in self.replaced

    def is_row(self, value: Value) -> bool:
        """Whether a value is a list of what is never written itself: numbers, arrays,
        tuples of them. The cotangent of an item is then what its place holds."""
        return self.makes_row(value.kind, self.effects.find(value))

    def makes_row(self, kind: Kind, root: Value) -> bool:
        """The same, of a kind and a class of values."""
        if not isinstance(kind, ListKind) or is_scalar(kind.item):
            return isinstance(kind, ListKind)
        item = kind.item
        parts = item.items if isinstance(item, TupleKind) else (item,)
        plain = all(isinstance(part, Num) or part == BOTTOM for part in parts)
        return plain and not self.effects.holds_written(root)

    def holds_memory(self, value: Value) -> bool:
        """Whether a value is a list of arrays that are written, or of lists."""
        return isinstance(value.kind, ListKind) and not self.is_row(value)

    def needs_shadow(self, value: Value) -> bool:
        """Whether a value is active memory that is written to somewhere."""
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


def makes_object(expr: Op) -> bool:
    """Whether an expression is a call of a user's class, which holds its operands."""
    made = expr.args[0] if expr.op == "call" else None
    if not (isinstance(made, Obj) and isinstance(made.obj, type)):
        return False
    return module_of(made.obj) not in ("builtins", "numpy", "scipy")
