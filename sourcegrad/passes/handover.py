"""Memory of the reverse sweep that changes hands instead of being copied.

    x_bar = np.zeros_like(x)              x_bar = y_bar
    x_bar[1] += g                  ->     x_bar[1] += g
    x_bar += y_bar                        (y_bar is not used any more)

    y_bar[...] = y_bar * x         ->     y_bar_1 = y_bar * x
    y_bar = np.full_like(x, s); x_bar = y_bar * z   ->   x_bar = s * z

Only arrays that one block of the sweep makes, and all names of which it knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeGuard

import numpy as np

from sourcegrad.adjoint.cotangents import is_fresh
from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.frontend.algebra import narrow
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    BINARY,
    Assign,
    Expr,
    Function,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    Value,
)
from sourcegrad.ir_walk import (
    defined,
    map_region,
    refs,
    region_defs,
    region_uses,
    regions,
    stmt_exprs,
    substitute,
    walk,
    walk_expr,
)
from sourcegrad.kinds import Kind, Num, is_array, is_scalar

WHOLE = (None, Lit(Ellipsis))


def adopt(b: Builder, whole: Region, head: int) -> None:
    """A buffer that ends as the sum of itself and one that is then idle becomes it.

    Args:
        b: infers kinds.
        whole: both sweeps; changed in place.
        head: where the reverse sweep begins.
    """
    _each_block(whole, head, _Handover(b, whole).adopt_in)


def rename(b: Builder, whole: Region, head: int) -> None:
    """An array that is overwritten as a whole gets a new name; fills become numbers.

    Args:
        b: infers kinds.
        whole: both sweeps; changed in place.
        head: where the reverse sweep begins.
    """
    _each_block(whole, head, _Handover(b, whole).rename_in)


def _each_block(whole: Region, head: int, work: Callable[[Region], None]) -> None:
    """Applies `work` to every block of the reverse sweep, the inner ones first."""
    tail = Region(stmts=whole.stmts[head:], yields=whole.yields)
    _region(tail, work)
    whole.stmts[head:], whole.yields = tail.stmts, tail.yields


def _region(region: Region, work: Callable[[Region], None]) -> None:
    for stmt in region.stmts:
        for inner in regions(stmt):
            _region(inner, work)
    work(region)


class _Handover:
    def __init__(self, b: Builder, whole: Region) -> None:
        self.b = b
        self.fx: Effects = effects.run(
            Function("handover", [], Region(stmts=whole.stmts))
        )

    def touches(self, stmt: Stmt, array: Value) -> bool:
        """Whether a statement uses memory that an array may share."""
        return self.fx.shares(set(region_uses(Region(stmts=[stmt]))), array)

    def is_own(self, array: Value, region: Region) -> bool:
        """Whether all names of an array's memory are made in one block, for it."""
        made = {v for stmt in region.stmts for v in _made(stmt)}
        ends = {v for e in region.yields for v in refs(e)}
        if region.stop is not None:
            ends |= set(refs(region.stop))
        return self.fx.members(array) != [] and all(
            v in made and v not in ends and is_array(v.kind)
            for v in self.fx.members(array)
        )

    # ------------------------------------------------------------------- adopting

    def adopt_in(self, region: Region) -> None:
        """Buffers of zeros of a block that end as the sum with an idle array."""
        for made in [s for s in region.stmts if _makes_zeros(s)]:
            self.adopt(region, made)

    def adopt(self, region: Region, made: Assign) -> None:
        stmts, x_bar = region.stmts, made.target
        k = stmts.index(made)
        users = [s for s in stmts[k + 1 :] if self.touches(s, x_bar)]
        for at, last in enumerate(users):
            given = self.given(region, last, x_bar)
            if given is not None:
                self.take_over(stmts, made, users[: at + 1], given)
                return
            if not self.only_adds(last, x_bar):
                return

    def only_adds(self, stmt: Stmt, x_bar: Value) -> bool:
        if not (isinstance(stmt, Store) and stmt.base == Ref(x_bar)):
            return False
        read = [*refs(stmt.value), *refs(stmt.index or Lit(None))]
        return stmt.op in ("add", "sub") and not self.fx.shares(read, x_bar)

    def given(self, region: Region, stmt: Stmt, x_bar: Value) -> Value | None:
        """The array of the block that is added as a whole, and idle from then on."""
        added = isinstance(stmt, Store) and stmt.base == Ref(x_bar) and stmt.op == "add"
        if not added or stmt.index not in WHOLE or not isinstance(stmt.value, Ref):  # type: ignore[attr-defined]
            return None
        array = stmt.value.value  # type: ignore[attr-defined]
        later = region.stmts[region.stmts.index(stmt) + 1 :]
        idle = not any(self.touches(s, array) for s in later)
        if not (
            idle and _same_form(array.kind, x_bar.kind) and self.is_own(array, region)
        ):
            return None
        fresh = any(
            isinstance(s, Assign) and s.target is array and is_fresh(s.expr)
            for s in region.stmts
        )
        return array if fresh and not self.fx.shares([x_bar], array) else None

    def take_over(
        self, stmts: list[Stmt], made: Assign, users: list[Stmt], given: Value
    ) -> None:
        """The buffer begins as the array, where its first part was added."""
        first, last = stmts.index(users[0]), stmts.index(users[-1])
        if any(self.touches(s, given) or given in _made(s) for s in stmts[first:last]):
            return
        made.expr, made.where = Ref(given), users[-1].where
        stmts.insert(first, made)
        stmts.remove(made)  # the first of the two
        stmts.remove(users[-1])

    # ------------------------------------------------------------------- renaming

    def rename_in(self, region: Region) -> None:
        """Arrays of a block that are overwritten as a whole, and fills."""
        for stmt in list(region.stmts):
            if isinstance(stmt, Store):
                self.rename_stored(region, stmt)
        for made in [s for s in region.stmts if _fills(s)]:
            self.narrow_uses(region, made)

    def rename_stored(self, region: Region, stmt: Store) -> None:
        if stmt.op is not None or stmt.index not in WHOLE or stmt.each:
            return
        old = stmt.base.value if isinstance(stmt.base, Ref) else None
        if old is None or self.fx.members(old) != [old] or is_scalar(old.kind):
            return
        made = [s for s in region.stmts if isinstance(s, Assign) and s.target is old]
        found, like = self.b.infer(stmt.value), old.kind
        if not made or not is_fresh(made[0].expr) or not _same_form(found, like):
            return
        if not is_fresh(stmt.value) or not pure(stmt.value):
            return
        k = region.stmts.index(stmt)
        new = Value(old.name, old.kind, old.varied, stmt.where)
        assign = Assign(new, stmt.value)
        assign.where = stmt.where
        region.stmts[k] = assign
        self.fx.parent[new] = new
        replaced = {old: Ref(new)}
        rest = Region(stmts=region.stmts[k + 1 :], yields=region.yields)
        map_region(rest, lambda e: substitute(e, replaced.get))
        region.yields = rest.yields

    def narrow_uses(self, region: Region, made: Assign) -> None:
        """A number for the array filled with it, where arithmetic spreads it anyway."""
        array = made.target
        if self.fx.members(array) not in ([], [array]):
            return
        at = region.stmts.index(made)
        rest = Region(stmts=region.stmts[at + 1 :], yields=region.yields)
        uses = Counter(region_uses(rest))[array]
        spread = [e for s in walk(rest) for e in stmt_exprs(s)] + rest.yields
        if uses != sum(self.spreads(e, made) for top in spread for e in walk_expr(top)):
            return
        map_region(rest, lambda e: self.narrowed(e, made))
        region.yields = rest.yields
        region.stmts.remove(made)

    def spreads(self, e: Expr, made: Assign) -> int:
        """How many operands of an operation are a fill that a number does for."""
        if not (isinstance(e, Op) and e.op in BINARY):
            return 0
        return sum(
            a is not b for a, b in zip(self.operands(e, made), e.args, strict=True)
        )

    def operands(self, e: Op, made: Assign) -> list[Expr]:
        """The operands, where the fill is its number if the other has its shape."""
        x, y = e.args
        return [
            narrow(self.b, made.expr, self.b.infer(other))
            if arg == Ref(made.target) and self.does(made, other)
            else arg
            for arg, other in ((x, y), (y, x))
        ]

    def does(self, made: Assign, other: Expr) -> bool:
        """Whether a number does for the array filled with it beside another operand."""
        return narrow(self.b, made.expr, self.b.infer(other)) is not made.expr

    def narrowed(self, e: Expr, made: Assign) -> Expr:
        """An expression with the number of a fill in place of its name."""
        if not isinstance(e, Op):
            return e
        args = [self.narrowed(a, made) for a in e.args]
        if all(a is b for a, b in zip(args, e.args, strict=True)):
            if not self.spreads(e, made):
                return e
            args = self.operands(e, made)
        new = Op(e.op, tuple(args), e.data)
        new.kind = e.kind or self.b.infer(e)
        return new


def _same_form(a: Kind, b: Kind) -> bool:
    """Whether two arrays surely have one shape and dtype."""
    if not isinstance(a, Num) or not isinstance(b, Num) or a.shape is None:
        return False
    return a.shape == b.shape and a.dtype == b.dtype


def _made(stmt: Stmt) -> Iterator[Value]:
    """What a statement defines, inside its regions too."""
    yield from defined(stmt)
    for region in regions(stmt):
        yield from region_defs(region)


def _function(stmt: Stmt) -> object:
    """The function that an assignment calls, or None."""
    e = stmt.expr if isinstance(stmt, Assign) else None
    fn = e.args[0] if isinstance(e, Op) and e.op == "call" else None
    return fn.obj if isinstance(fn, Obj) and not e.data else None  # type: ignore[union-attr]


def _makes_zeros(stmt: Stmt) -> TypeGuard[Assign]:
    return any(_function(stmt) is fn for fn in (np.zeros_like, np.zeros))


def _fills(stmt: Stmt) -> TypeGuard[Assign]:
    return _function(stmt) is np.full_like
