"""Cotangent buffers as a person writes them: no idle view, zero or store.

    t_bar = u_bar[1:]; t_bar += g              ->  u_bar[1:] += g
    v_bar[i] = 0.0; v_bar[i] += e              ->  v_bar[i] = e
    x_bar = np.zeros_like(x); x_bar[1:] += e   ->  x_bar = ...; x_bar[1:] = e
    x_bar = np.zeros_like(x); x_bar += e       ->  x_bar = e
    g = v_bar[1:].copy(); t_bar = 2.0 * g      ->  t_bar = 2.0 * v_bar[1:]
    v_bar[0] = 0.0                             ->  (not read any more)

In a reverse sweep, where what is added to a buffer may be added in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from sourcegrad.adjoint.cotangents import is_fresh
from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory, is_basic_index
from sourcegrad.analysis.writes import writes
from sourcegrad.forward.private import private_stores
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    BINARY,
    UNARY,
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
    map_stmt,
    refs,
    region_defs,
    region_uses,
    regions,
    stmt_exprs,
    substitute,
)
from sourcegrad.kinds import Num, is_array

_WHOLE = (None, Lit(Ellipsis))


def run(b: Builder, whole: Region, head: int) -> None:
    """Tidy the buffers of a reverse sweep, in place.

    Args:
        b: infers kinds.
        whole: both sweeps.
        head: where the reverse sweep begins.
    """
    tail = Region(stmts=whole.stmts[head:], yields=whole.yields)
    _views(tail, Counter(region_uses(whole)))
    whole.stmts[head:] = tail.stmts
    fx = effects.run(Function("buffers", [], Region(stmts=whole.stmts)))
    made = set(region_defs(whole))
    outside = {fx.find(v) for v in fx.parent if v not in made or v in fx.kept}
    tidy = _Tidy(b, fx, outside)
    own = private_stores(Region(stmts=whole.stmts), fx)
    own |= {id(s) for s in tail.stmts if isinstance(s, Store) and tidy.is_local(s)}
    tidy.unread(whole, own)
    tidy.unkept(whole)
    late = {id(s) for s in tail.stmts}
    tail.stmts = [s for s in whole.stmts if id(s) in late]
    count = len(tail.stmts)
    tidy.region(tail)
    whole.stmts[len(whole.stmts) - count :] = tail.stmts


def mentions(stmt: Stmt) -> set[Value]:
    """The values that a statement uses, inside its regions too."""
    return set(region_uses(Region(stmts=[stmt])))


# ----------------------------------------------------------------------- views


def _views(region: Region, counts: Counter[Value]) -> None:
    """Views go where they are used first, and into the store that alone uses them."""
    for k in range(len(region.stmts) - 1, -1, -1):
        stmt = region.stmts[k]
        for inner in regions(stmt):
            _views(inner, counts)
        if isinstance(stmt, Assign) and (
            _is_view(stmt) or _reshapes_own(stmt, region.stmts[:k])
        ):
            _sink(region.stmts, k, stmt, counts)


def _sink(stmts: list[Stmt], k: int, stmt: Assign, counts: Counter[Value]) -> None:
    for at in range(k + 1, len(stmts)):
        user = stmts[at]
        if stmt.target not in mentions(user):
            continue
        stmts.insert(at - 1, stmts.pop(k))
        sole = counts[stmt.target] == 1 and _is_view(stmt)
        if not (sole and isinstance(user, Store) and user.base == Ref(stmt.target)):
            return
        if user.index in _WHOLE:
            assert isinstance(stmt.expr, Op)
            user.base, user.index = stmt.expr.args
            stmts.remove(stmt)
        return


def _is_view(stmt: Assign) -> bool:
    """Whether a statement is `view = array[index]`, whatever the array holds."""
    e = stmt.expr
    if not (isinstance(e, Op) and e.op == "getitem" and isinstance(e.args[0], Ref)):
        return False
    if not (is_array(e.args[0].value.kind) and is_array(stmt.target.kind)):
        return False
    reads = any(has_memory(v) for v in refs(e.args[1]))
    return is_basic_index(e.args[1]) and pure(e.args[1]) and not reads


def _reshapes_own(stmt: Assign, before: list[Stmt]) -> bool:
    """Whether a statement reshapes a vector made before it: new ones have no gaps."""
    e = stmt.expr
    fn = e.args[0] if isinstance(e, Op) and e.op == "call" else None
    if not (isinstance(fn, Op) and fn.op == "attr" and fn.data == "reshape"):
        return False
    base = fn.args[0].value if isinstance(fn.args[0], Ref) else None
    vector = base is not None and is_array(base.kind) and base.kind.ndim == 1  # type: ignore[attr-defined]
    return vector and any(
        isinstance(s, Assign) and s.target is base and is_fresh(s.expr) for s in before
    )


# --------------------------------------------------------------------- contents


class _Tidy:
    def __init__(self, b: Builder, fx: Effects, outside: set[Value]) -> None:
        self.b = b
        self.fx = fx
        self.outside = outside

    def region(self, region: Region) -> None:
        stmts = region.stmts
        for stmt in list(stmts):
            for inner in regions(stmt):
                self.region(inner)
            if _is_zeroing(stmt):
                self.after_zeroing(stmts, stmts.index(stmt))
            elif _makes_zeros(stmt):
                self.after_making(stmts, stmts.index(stmt))
        for stmt in list(stmts):
            if _keeps_slot(stmt):
                self.share_slot(region, stmts.index(stmt))

    def after_zeroing(self, stmts: list[Stmt], k: int) -> None:
        """`slot = 0.0`, and the first that is added to the slot, become one store.

        It stands where the addition stood, or, if something else is added to the
        buffer in between, where the slot was cleared.
        """
        zero = stmts[k]
        assert isinstance(zero, Store) and isinstance(zero.base, Ref)
        made: set[Value] = set()
        stored: list[Stmt] = []
        alone = True
        for stmt in stmts[k + 1 :]:
            if isinstance(stmt, Store) and stmt.op in ("add", "sub"):
                others = [*refs(stmt.value), *refs(stmt.index or Lit(None))]
                if self.fx.shares(others, zero.base.value):
                    return
                if self.is_same(stmt, zero) and not stmt.each:
                    if alone:
                        stmt.value, stmt.op = _signed(self.b, stmt), None
                        stmt.index = zero.index
                        stmts.remove(zero)
                    elif self.may_move(stmt, made, stored):
                        zero.value, zero.where = _signed(self.b, stmt), stmt.where
                        stmts.remove(stmt)
                    return
                alone = alone and not self.fx.shares(refs(stmt.base), zero.base.value)
            elif self.fx.shares(mentions(stmt), zero.base.value):
                return
            made |= {
                *defined(stmt),
                *(v for r in regions(stmt) for v in region_defs(r)),
            }
            if writes(stmt):
                stored.append(stmt)

    def is_same(self, stmt: Store, zero: Store) -> bool:
        return stmt.base == zero.base and (
            stmt.index == zero.index or stmt.index in _WHOLE and zero.index in _WHOLE
        )

    def may_move(self, stmt: Store, made: set[Value], passed: list[Stmt]) -> bool:
        """Whether what is stored may be computed before the statements passed."""
        if any(v in made for v in refs(stmt.value)) or not pure(stmt.value):
            return False
        read = [v for v in refs(stmt.value) if has_memory(v)]
        return not any(self.fx.shares(mentions(p), v) for p in passed for v in read)

    def after_making(self, stmts: list[Stmt], k: int) -> None:
        """What is added first to a buffer of zeros is stored, or is the buffer."""
        made = stmts[k]
        assert isinstance(made, Assign)
        for stmt in stmts[k + 1 :]:
            if not self.fx.shares(mentions(stmt), made.target):
                continue
            if not (isinstance(stmt, Store) and stmt.base == Ref(made.target)):
                return
            others = [*refs(stmt.value), *refs(stmt.index or Lit(None))]
            added = stmt.op in ("add", "sub") and not stmt.each
            if not added or self.fx.shares(others, made.target):
                return
            if stmt.index not in _WHOLE:
                stmt.value, stmt.op = _signed(self.b, stmt), None
            elif self.is_like(stmt.value, made):
                made.expr, made.where = _signed(self.b, stmt), stmt.where
                stmts[stmts.index(stmt)] = made
                del stmts[k]
            return

    def is_like(self, e: Expr, made: Assign) -> bool:
        """Whether an expression is new memory in the form of the zeros."""
        kind, found = made.target.kind, self.b.infer(e)
        if not isinstance(kind, Num) or not isinstance(found, Num):
            return False
        same = kind.shape is not None and kind.shape == found.shape
        return same and kind.dtype == found.dtype and is_fresh(e)

    def share_slot(self, region: Region, k: int) -> None:
        """What a slot held is read from it, where nothing is written before its end."""
        stmts, keep = region.stmts, region.stmts[k]
        assert isinstance(keep, Assign) and isinstance(keep.expr, Op)
        slot, target = keep.expr.args[1], keep.target
        if any(target in refs(e) for e in region.yields):
            return
        users = [s for s in stmts[k + 1 :] if target in mentions(s)]
        if not users or not all(self.reads_only(s, target, slot) for s in users):
            return
        self.write_last(stmts, users, slot)
        for stmt in stmts[k + 1 : stmts.index(users[-1])]:
            if writes(stmt) and self.meets(stmt, slot):
                return
        if isinstance(slot, Op) and slot.args[1] == Lit(Ellipsis):
            slot = slot.args[0]
        if not isinstance(slot, Ref) and len(users) > 1:
            keep.expr = slot
            return
        for stmt in users:
            map_stmt(stmt, lambda e: substitute(e, {target: slot}.get))
        stmts.remove(keep)

    def meets(self, stmt: Stmt, slot: Expr) -> bool:
        """Whether a statement uses memory that a slot may share."""
        held = [v for v in refs(slot) if has_memory(v)]
        return any(self.fx.shares(mentions(stmt), v) for v in held)

    def write_last(self, stmts: list[Stmt], users: list[Stmt], slot: Expr) -> None:
        """The one store into the buffer among the users goes behind the others."""
        writers = [s for s in users if isinstance(s, Store) and self.meets(s, slot)]
        if len(writers) != 1 or writers[0] is users[-1]:
            return
        (writer,) = writers
        at, end = stmts.index(writer), stmts.index(users[-1])
        between = stmts[at + 1 : end + 1]
        read = [v for v in refs(writer.value) if has_memory(v)]
        for stmt in between:
            wrote = writes(stmt) and any(
                self.fx.shares(mentions(stmt), v) for v in read
            )
            if wrote or self.meets(stmt, slot):
                return
        stmts.insert(end, stmts.pop(at))
        users.append(users.pop(users.index(writer)))

    def reads_only(self, stmt: Stmt, kept: Value, slot: Expr) -> bool:
        """Whether a statement computes with a slot, and hands on nothing of it."""
        if not isinstance(stmt, (Assign, Store)) or not all(
            map(pure, stmt_exprs(stmt))
        ):
            return False
        if isinstance(stmt, Assign):
            return all(_inside(stmt.expr, kept))
        assert isinstance(stmt, Store)
        if kept in refs(stmt.base) or kept in refs(stmt.index or Lit(None)):
            return False
        added = stmt.op is not None and stmt.value == Ref(kept)
        apart = not any(self.fx.shares(refs(stmt.base), v) for v in refs(slot))
        return added and apart or all(_inside(stmt.value, kept))

    def unread(self, region: Region, own: set[int]) -> None:
        """Drop stores, of those with such ids, that nothing reads any more."""
        live = {self.fx.find(v) for e in region.yields for v in refs(e)}
        kept = []
        for stmt in reversed(region.stmts):
            base = stmt.base if isinstance(stmt, Store) else None
            if isinstance(base, Ref) and self.fx.find(base.value) not in live:
                if id(stmt) in own and pure(stmt.value):  # type: ignore[attr-defined]
                    continue
            live |= {self.fx.find(v) for v in mentions(stmt)}
            kept.append(stmt)
        region.stmts = kept[::-1]

    def unkept(self, region: Region) -> None:
        """Copies of arrays that nothing writes to after all."""
        known: dict[Value, Expr] = {}
        yielded = {v for e in region.yields for v in refs(e)}
        for stmt in list(region.stmts):
            source = _copied(stmt) if isinstance(stmt, Assign) else None
            if source is None or stmt.target in yielded:  # type: ignore[attr-defined]
                continue
            later = region.stmts[region.stmts.index(stmt) + 1 :]
            pair = (source, stmt.target)  # type: ignore[attr-defined]
            if not any(
                writes(s) and any(self.fx.shares(mentions(s), v) for v in pair)
                for s in later
            ):
                known[stmt.target] = Ref(source)  # type: ignore[attr-defined]
                region.stmts.remove(stmt)
        if known:
            map_region(region, lambda e: substitute(e, known.get))

    def is_local(self, stmt: Store) -> bool:
        """Whether the sweeps made all memory that a store may write to."""
        base = stmt.base
        if not isinstance(base, Ref) or not is_array(base.value.kind):
            return False
        return self.fx.find(base.value) not in self.outside


def _signed(b: Builder, stmt: Store) -> Expr:
    if stmt.op == "add":
        return stmt.value
    made = b.folded(Op("neg", (stmt.value,)))
    return made


def _keeps_slot(stmt: Stmt) -> bool:
    """Whether a statement copies what a slot of a buffer holds."""
    if not (isinstance(stmt, Assign) and stmt.target.key == "slot"):
        return False
    e = stmt.expr
    fn = e.args[0] if isinstance(e, Op) and e.op == "call" else None
    return isinstance(fn, Obj) and fn.obj is np.copy


def _inside(e: Expr, value: Value, under: bool = False) -> Iterator[bool]:
    """For each use of a value in an expression, whether arithmetic is done on it."""
    if e == Ref(value):
        yield under
    if isinstance(e, Op):
        under = under or e.op in BINARY or e.op in UNARY
        for arg in e.args:
            yield from _inside(arg, value, under)


def _copied(stmt: Assign) -> Value | None:
    """What a snapshot of the compiler is a copy of."""
    e = stmt.expr
    fn = e.args[0] if isinstance(e, Op) and e.op == "call" else None
    if not (isinstance(fn, Obj) and fn.obj is np.copy and isinstance(e, Op)):
        return None
    kept = stmt.target.name == "kept" or stmt.target.name.endswith("_kept")
    source = e.args[1]
    return source.value if kept and isinstance(source, Ref) else None


def _is_zeroing(stmt: Stmt) -> bool:
    return (
        isinstance(stmt, Store)
        and stmt.op is None
        and not stmt.each
        and stmt.value == Lit(0.0)
        and isinstance(stmt.base, Ref)
        and is_array(stmt.base.value.kind)
    )


def _makes_zeros(stmt: Stmt) -> bool:
    e = stmt.expr if isinstance(stmt, Assign) else None
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj)):
        return False
    return e.args[0].obj in (np.zeros_like, np.zeros) and is_array(stmt.target.kind)  # type: ignore[attr-defined]
