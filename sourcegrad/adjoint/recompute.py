"""Recompute: what the reverse sweep computes again instead of reading a record.

In Python a record costs less than almost any arithmetic, so only a value is computed
again whose operands are at hand. Compiled, it is the other way round: a record is
memory, so chains of loads and arithmetic are computed again as well.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import Assign, Expr, Lit, Obj, Op, Ref, Region, Value
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import ListKind, TupleKind, is_scalar
from sourcegrad.runtime_places import flat_index

_ARITHMETIC = frozenset(
    {"pow", "add", "sub", "mul", "truediv", "neg", "floordiv", "mod", "compare", "and",
     "or", "not_"}
)  # fmt: skip
_QUICK = (math.sqrt, np.sqrt, builtins.abs, math.fabs, np.abs, builtins.float)
_LONGEST = 12


class Recompute:
    """Decides between a record and computing again."""

    b: Builder
    effects: Effects
    compiled: bool
    home: Any

    def own(self, forward: Region) -> list[Region]:
        """See `Record`."""
        raise AssertionError

    def in_order(self, forward: Region, found: set[Value]) -> list[Value]:
        """See `Record`."""
        raise AssertionError

    def split(
        self, forward: Region, wanted: list[Value], free: set[Value]
    ) -> tuple[list[Value], list[Value]]:
        """What is computed again, and what is recorded."""
        must = {v for v in wanted if not self.cheap(v)}
        again: list[Value] = []
        kept: list[Value] = []
        available = must | free
        for value in wanted:
            if value not in must and self.at_hand(value, forward, available):
                again.append(value)
            else:
                kept.append(value)
            available.add(value)
        return again, kept

    def widened(
        self, forward: Region, wanted: list[Value], free: set[Value]
    ) -> list[Value]:
        """The wanted values, with those by which some of them are computed again."""
        given = {v for v in wanted if not self.cheap(v)} | free
        found = set(wanted)
        for value in wanted:
            chain: set[Value] = set()
            if value not in given and self.chained(value, forward, given, chain):
                found |= chain
            given.add(value)  # at hand for the next: computed again, or recorded
        return self.in_order(forward, found)

    def chained(
        self, value: Value, forward: Region, given: set[Value], chain: set[Value]
    ) -> bool:
        """Whether a short chain of cheap values leads to a value; gathers it."""
        stmt = self.home.stmt.get(value)
        if not isinstance(stmt, Assign) or not self.cheap(value):
            return False
        chain.add(value)
        return len(chain) <= _LONGEST and all(
            v in given
            or v in chain
            or self.home.region.get(v) not in self.own(forward)
            or self.chained(v, forward, given, chain)
            for v in refs(stmt.expr)
        )

    def cheap(self, value: Value) -> bool:
        """Whether computing a value again costs less than recording it."""
        stmt = self.home.stmt.get(value)
        if not isinstance(stmt, Assign) or not pure(stmt.expr):
            return False
        if value.name == "kept" or value.name.endswith("_kept"):
            return False
        return self.cheap_expr(stmt.expr)

    def cheap_expr(self, e: Expr) -> bool:
        """Whether computing an expression again costs less than a record."""
        if isinstance(e, (Ref, Lit, Obj)):
            return True
        assert isinstance(e, Op)
        if e.op in ("getitem", "attr"):
            return self.intact(e)
        if e.op == "pow" and not (
            isinstance(e.args[1], Lit) and e.args[1].value in (2, 3)
        ):
            return False
        if e.op in _ARITHMETIC:
            if not is_scalar(self.b.infer(e)) or self.asks_mutated(e):
                return False
            return all(map(self.cheap_expr, e.args))
        if e.op == "call" and isinstance(e.args[0], Obj):
            fn = e.args[0].obj
            if self.compiled and any(fn is quick for quick in _QUICK):
                return is_scalar(self.b.infer(e)) and self.cheap_expr(e.args[1])
            return fn is flat_index and self.cheap_expr(e.args[2])
        return False

    def asks_mutated(self, e: Op) -> bool:
        """Whether an operator (`in`, `==`, `not`, `and`) looks into a container that is
        changed."""
        held = [a.value for a in e.args if isinstance(a, Ref)]
        return any(has_memory(v) and self.effects.is_mutated(v) for v in held)

    def intact(self, e: Op) -> bool:
        """Whether a read of memory gives the same in the reverse sweep."""
        if any(has_memory(v) and self.effects.is_mutated(v) for v in refs(e)):
            return False
        if any(isinstance(v.kind, (ListKind, TupleKind)) for v in refs(e)):
            return e.op == "attr"
        base = e.args[0]
        if e.op == "getitem" and not all(map(self.cheap_expr, e.args[1:])):
            return (
                isinstance(e.args[1], Op)
                and e.args[1].op in ("slice", "tuple")
                and all(map(self.cheap_index, e.args[1].args))
            )
        return isinstance(base, (Ref, Obj)) or self.cheap_expr(base)

    def cheap_index(self, e: Expr) -> bool:
        """The same of an index."""
        if isinstance(e, Op) and e.op in ("slice", "tuple"):
            return all(map(self.cheap_index, e.args))
        return self.cheap_expr(e)

    def at_hand(self, value: Value, forward: Region, available: set[Value]) -> bool:
        """Whether the reverse sweep has all that a value is computed from."""
        stmt = self.home.stmt[value]
        assert isinstance(stmt, Assign)
        return all(
            v in available or self.home.region.get(v) not in self.own(forward)
            for v in refs(stmt.expr)
        )
