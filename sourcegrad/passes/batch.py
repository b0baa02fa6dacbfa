"""Batching: one sweep for a stack of seeds.

    x_bar = y_bar * w                 x_bar = y_bar * w
    s_bar = np.sum(y_bar * x)    ->   s_bar = np.sum(y_bar * x, axis=(1,))
    x_bar[i] += g                     x_bar[:, i] += g

A sweep is linear in its seeds, so every operation on what depends on them has a
meaning for all at once; whether that can be written down is decided on the kinds, by
`batch.functions` and `batch.indices`. What cannot runs one seed at a time.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.analysis.views import view_bases
from sourcegrad.batch.expressions import Expressions, stacked_kind
from sourcegrad.batch.indices import behind_the_seeds
from sourcegrad.batch.shapes import ALL, Unbatchable
from sourcegrad.batch.spread import Stacks, depends, scattered
from sourcegrad.ir import (
    Assign,
    Effect,
    Expr,
    If,
    Lit,
    Loop,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    Undef,
    Unpack,
    Value,
    getitem,
)
from sourcegrad.ir_walk import defined, map_stmt, refs, stmt_exprs, walk
from sourcegrad.kinds import UNKNOWN, Kind, ListKind, Num, TupleKind, is_scalar

__all__ = ["Unbatchable", "run"]


def run(
    b: Any, body: Region, seeds: list[Value], count: Value
) -> tuple[Region, list[Value]]:
    """The sweep for a stack of seeds.

    Args:
        b: infers kinds.
        body: the sweep for one seed, with its results as yields.
        seeds: its parameters that become stacks.
        count: the number of seeds, a parameter of the new sweep.

    Returns:
        The region, and its seeds.

    Raises:
        Unbatchable: something in it has no known meaning for a stack.
    """
    refuse_hidden_writes(body)
    stacks = Stacks(body, seeds).found
    writes = any(isinstance(s, Store) and depends(s.base, stacks) for s in walk(body))
    batch = _Batch(b, Expressions(b, stacks, Ref(count), writes))
    batch.e.trees = {seed for seed in seeds if seed.kind == UNKNOWN}
    new = [batch.define(seed) for seed in seeds]
    out = batch.region(body)
    out.yields = [batch.e.result(e) for e in body.yields]
    return out, new


def refuse_hidden_writes(body: Region) -> None:
    """Refuse stores beside containers of arrays and beside unpacked rows: which of
    these a store reaches, and so which of them become stacks, is not followed.

    Raises:
        Unbatchable: there are both.
    """
    stmts = list(walk(body))
    if not any(isinstance(s, Store) for s in stmts):
        return
    if any(isinstance(s, Unpack) and rows_of_memory(s) for s in stmts):
        raise Unbatchable("stores beside rows of an array that have names")
    made = {t for s in stmts for t in defined(s) if holds_arrays(t.kind)}
    read = {v for s in stmts for e in stmt_exprs(s) for v in refs(e)}
    if made or any(holds_arrays(v.kind) for v in read):
        raise Unbatchable("stores beside arrays in containers")


def rows_of_memory(stmt: Unpack) -> bool:
    """Whether an unpacking gives names to parts of memory that exists already."""
    made_here = isinstance(stmt.expr, Op) and stmt.expr.op == "call"
    return not made_here and not all(is_scalar(t.kind) for t in stmt.targets)


def holds_arrays(kind: Kind) -> bool:
    """Whether a value of this kind is a container in which an array may be."""
    if isinstance(kind, ListKind):
        return not is_scalar(kind.item)
    if isinstance(kind, TupleKind):
        return not all(map(is_scalar, kind.items))
    return False


class _Batch:
    def __init__(self, b: Any, expressions: Expressions) -> None:
        self.b = b
        self.e = expressions
        self.stacks = expressions.stacks

    def define(self, value: Value) -> Value:
        """The new value for an old one."""
        kind = value.kind
        if value in self.stacks and value not in self.e.trees:
            kind = stacked_kind(kind)
        new = Value(value.name, kind, value.varied, value.where, value.temp)
        new.maybe_undefined, new.key = value.maybe_undefined, value.key
        self.e.known[value] = new
        return new

    def region(self, old: Region) -> Region:
        """The statements of a region; what it hands on is up to its owner."""
        new = Region([self.define(p) for p in old.params])
        new.stmts = [self.statement(stmt) for stmt in old.stmts]
        new.stop = None if old.stop is None else self.e.same(old.stop)
        return new

    def yields(self, old: Region, targets: list[Value]) -> list[Expr]:
        """What a region hands on, stacks where its targets are."""
        return [
            e if isinstance(e, Undef) else self.e.either(e, t in self.stacks)
            for e, t in zip(old.yields, targets, strict=True)
        ]

    def statement(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Assign(target=target, expr=expr):
                return self.assign(stmt, target, expr)
            case Unpack(targets=targets, expr=expr):
                if depends(expr, self.stacks):
                    raise Unbatchable("a function with several results")
                expr = self.e.same(expr)
                return Unpack([self.define(t) for t in targets], expr, where=stmt.where)
            case Store():
                return self.store(stmt)
            case Effect(expr=expr) if self.scatters(expr):
                return self.scatter(stmt)
            case If():
                return self.branch(stmt)
            case Loop():
                return self.loop(stmt)
        return self.copied(stmt)

    def assign(self, stmt: Stmt, target: Value, expr: Expr) -> Stmt:
        stacked = target in self.stacks
        if self.e.is_part(expr):
            return Assign(self.define(target), self.e.part(expr), where=stmt.where)
        if stacked:
            self.require_same_axes(target, expr)
        made = self.e.either(expr, stacked)
        if isinstance(expr, Op) and not view_bases(expr) and expr.op != "getitem":
            self.e.fresh.add(target)
        return Assign(self.define(target), made, where=stmt.where)

    def require_same_axes(self, target: Value, expr: Expr) -> None:
        """The kind of a value is what its expression was found to be."""
        found, kind = self.b.infer(expr), target.kind
        if not (isinstance(found, Num) and isinstance(kind, Num)):
            raise Unbatchable("a value of unknown kind")
        if found.ndim is None or found.ndim != kind.ndim:
            raise Unbatchable("a value of unknown kind")

    def store(self, stmt: Store) -> Stmt:
        base = stmt.base
        if not isinstance(base, Ref) or base.value not in self.stacks:
            return self.copied(stmt)
        slot = base if stmt.index is None else getitem(base, stmt.index)
        index = stmt.index
        if index == Lit(Ellipsis):
            index, slot = Op("tuple", (ALL, Lit(Ellipsis))), base
        elif index is not None:
            index = self.e.same(behind_the_seeds(self.b, index))
        value = self.e.into(slot, stmt.value)
        return Store(self.e.stack(base), index, value, stmt.op, stmt.each,
                     where=stmt.where)  # fmt: skip

    def scatters(self, expr: Expr) -> bool:
        """Whether an expression adds into a stack at an index that may repeat."""
        found = scattered(expr)
        return found is not None and found[0].value in self.stacks

    def scatter(self, stmt: Effect) -> Stmt:
        """`scatter_add(x_bar, index, g)`."""
        found = scattered(stmt.expr)
        assert found is not None and isinstance(stmt.expr, Op)
        base, index, value = found
        new = self.e.same(behind_the_seeds(self.b, index))
        given = self.e.into(getitem(base, index), value)
        args = (stmt.expr.args[0], self.e.stack(base), new, given)
        return Effect(Op("call", args, ()), where=stmt.where)

    def branch(self, stmt: If) -> Stmt:
        new = If(self.e.same(stmt.cond), Region(), Region(), where=stmt.where)
        new.then, new.orelse = self.region(stmt.then), self.region(stmt.orelse)
        new.then.yields = self.yields(stmt.then, stmt.results)
        new.orelse.yields = self.yields(stmt.orelse, stmt.results)
        new.results = [self.define(r) for r in stmt.results]
        return new

    def loop(self, stmt: Loop) -> Stmt:
        params = stmt.body.params
        new = Loop(stmt.sort, [], None, None, [], Region(), where=stmt.where)
        if stmt.iterable is not None:
            new.iterable = self.e.same(stmt.iterable)
        new.inits = [
            e if isinstance(e, Undef) else self.e.either(e, p in self.stacks)
            for e, p in zip(stmt.inits, params, strict=True)
        ]
        new.targets = [self.define(t) for t in stmt.targets]
        new.nested_target = stmt.nested_target
        new.body = self.region(stmt.body)
        if stmt.cond is not None:
            new.cond = self.e.same(stmt.cond)
        new.body.yields = self.yields(stmt.body, params)
        new.results = [self.define(r) for r in stmt.results]
        return new

    def copied(self, stmt: Stmt) -> Stmt:
        """A statement that has nothing to do with stacks."""
        import copy

        from sourcegrad.ir import Scoped

        new = copy.copy(stmt)
        map_stmt(new, self.e.same)
        if isinstance(new, Scoped):
            assert isinstance(stmt, Scoped)
            new.targets = [self.define(t) for t in stmt.targets]
            new.body = self.region(stmt.body)
            new.final = None if stmt.final is None else self.region(stmt.final)
        return new
