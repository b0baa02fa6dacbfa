"""The adjoint of stores into arrays and lists, and of items appended to a list.

a[i] = v            ->  g = a_bar[i]; a_bar[i] = 0; v_bar += g
a[i] += v           ->  v_bar += a_bar[i]
l.append(v)         ->  v_bar += l_bar.pop()
"""

from __future__ import annotations

import numpy as np

from sourcegrad.adjoint import container_contributions, inner_lists, stretched
from sourcegrad.adjoint.shadows import Shadows
from sourcegrad.analysis import outside
from sourcegrad.analysis.views import may_repeat
from sourcegrad.ir import Append, Expr, Lit, Op, Ref, Region, Store, Unpack, Value, call
from sourcegrad.kinds import ListKind, is_array, is_scalar, strip
from sourcegrad.runtime_project import is_last


class StoreAdjoints(Shadows):
    """Emits what a reverse sweep does for a store."""

    def store(self, stmt: Store, region: Region) -> None:
        """What a store takes from the shadow of the memory, for the value stored."""
        base = stmt.base
        if not isinstance(base, Ref):
            outside.require_unread(self.body, self.effects, stmt)
            return
        shadow = self.cot.shadows.get(base.value)
        if shadow is None:
            if self.active(base.value):
                raise self.ambiguous(base.value)
            outside.require_unread(self.body, self.effects, stmt)
            return
        if base.value in self.early and self.holds_memory(base.value):
            return
        with self.snapshots.reading(stmt, region):
            self.store_adjoint(stmt, shadow)

    def store_adjoint(self, stmt: Store, shadow: Ref) -> None:
        """The same, where the shadow is known and what the store read is at hand."""
        b = self.b
        index = stmt.index if stmt.index is not None else Lit(Ellipsis)
        slot: Expr = Op("getitem", (shadow, index))
        targets = list(self.active_refs(stmt.value))
        kind = b.infer(stmt.base)
        if isinstance(kind, ListKind) and stmt.op is None:
            self.item_adjoint(stmt, kind, shadow, slot)
            return
        if stmt.op is None:
            last = self.last_written(shadow, index, slot)
            g = self.slot_copy(last) if targets else None
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
        self.cot.add(value, stretched.narrowed(self, g, value, slot), None)

    def item_adjoint(
        self, stmt: Store, kind: ListKind, shadow: Ref, slot: Expr
    ) -> None:
        """The adjoint of putting something in the place of an item of a list."""
        assert isinstance(stmt.base, Ref) and stmt.index is not None
        zero = container_contributions.zero_item(kind.item)
        active = any(True for _ in self.active_refs(stmt.value))
        taken = container_contributions.taken
        g = taken(self, stmt.base.value, slot, stmt.value) if active else None
        parts = None if g is None else self.b.emit(g, "g")
        self.b.append(Store(shadow, stmt.index, zero, None))
        if parts is not None:
            replaced = self.replaces_items(stmt.base.value)
            container_contributions.give(self, stmt.value, parts, False, replaced)

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
        """The cotangent of an item that was appended, taken off the end."""
        base = stmt.base
        assert isinstance(base, Ref)
        shadow = self.cot.shadows.get(base.value)
        if shadow is None or base.value in self.early and self.holds_memory(base.value):
            return
        value = stmt.value
        slot = Op("pop", (shadow,))
        popped = container_contributions.taken(self, base.value, slot, value)
        inner_lists.require_sole(self, value, stmt)
        replaced = self.replaces_items(base.value)
        if isinstance(value, Op) and value.op == "tuple":
            self.append_tuple(value, popped, replaced)
            return
        if isinstance(value, Op):
            parts = self.b.emit(popped, "parts")
            container_contributions.give(self, value, parts, False, replaced)
            return
        ref = self.b.emit(popped, "g")
        ref.value.temp = True
        if isinstance(value, Ref) and self.active(value.value):
            ref.value.kind = strip(value.value.kind)
            if replaced and is_array(value.value.kind):
                self.cot.absent.add(ref.value)
            owned = isinstance(value.value.kind, ListKind)  # it was taken off the end
            self.cot.add(value.value, ref, owned)

    def append_tuple(self, value: Op, popped: Expr, replaced: bool) -> None:
        """The cotangents of a tuple that was appended."""
        parts = []
        for arg in value.args:
            found = list(self.active_refs(arg))
            name = f"{found[0].name}_g" if found else "_"
            kind = strip(self.b.infer(arg))
            parts.append(Value(name, kind, False, self.b.where))
        self.b.append(Unpack(parts, popped))
        for arg, part in zip(value.args, parts, strict=True):
            container_contributions.give(self, arg, Ref(part), False, replaced)
