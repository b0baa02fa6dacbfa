"""Snapshots: old contents of memory that the reverse sweep reads.

The adjoint of a statement is emitted first; where it reads memory that may be
written after the statement ran, the forward sweep keeps what was read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

import numpy as np

from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import (
    BINARY,
    Assign,
    Expr,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Stmt,
    Value,
    call,
)
from sourcegrad.ir_walk import defined, map_stmt, refs, regions, stmt_exprs, walk
from sourcegrad.kinds import Kind, Num, is_scalar
from sourcegrad.runtime_project import kept_apart

_SHAPE_ONLY = ("shape", "ndim", "size", "dtype")
_SHAPE_FUNCTIONS = {
    "zeros_like",
    "unbroadcast",
    "len",
    "full_like",
    "ones_like",
    "shape",
    "ndim",
    "expand_reduced",
}


class Snapshots:
    """Keeps, in the forward sweep, contents that are written over later."""

    def __init__(self, b: Builder, effects: Effects, body: Region) -> None:
        self.b = b
        self.effects = effects
        self.paths: dict[int, list[tuple[Region, Stmt | None]]] = {}
        self.makers: dict[Value, Stmt] = {}
        self.defined: dict[Value, Expr] = {}
        self.counters: set[Value] = set()
        self.homes: dict[Value, Stmt] = {}
        self.body = body
        self.bodies: list[Region] = []
        self._place(body, [])

    def _place(self, region: Region, path: list[tuple[Region, Stmt | None]]) -> None:
        self.bodies.append(region)
        for stmt in region.stmts:
            self.paths[id(stmt)] = [*path, (region, stmt)]
            if isinstance(stmt, Assign):
                self.defined[stmt.target] = stmt.expr
                self.homes[stmt.target] = stmt
            if isinstance(stmt, Assign) and _makes(stmt.expr):
                self.makers[stmt.target] = stmt
            if (
                isinstance(stmt, Loop)
                and stmt.sort == "for"
                and _counts_up(stmt.iterable)
            ):
                self.counters |= set(stmt.targets)
            for inner in regions(stmt):
                self._place(inner, self.paths[id(stmt)])

    def in_loop(self, stmt: Stmt) -> bool:
        """Whether a statement stands in a loop."""
        return any(isinstance(s, Loop) for _, s in self.paths[id(stmt)][:-1])

    @contextlib.contextmanager
    def reading(self, stmt: Stmt, region: Region) -> Iterator[None]:
        """Statements emitted inside are the adjoint of `stmt`."""
        out = self.b.region
        # By identity: an adjoint may also take a statement away (`Cotangents.begin`).
        before = list(out.stmts)
        old = set(map(id, before))
        yield
        emitted = [s for s in out.stmts if id(s) not in old]
        made: dict[Value, Ref] = {}
        for new in emitted:
            self._rewrite(new, stmt, region, made)

    def _rewrite(
        self, new: Stmt, stmt: Stmt, region: Region, made: dict[Value, Ref]
    ) -> None:
        map_stmt(new, lambda e: self._kept(e, stmt, region, made))
        for inner in regions(new):
            for deep in inner.stmts:
                self._rewrite(deep, stmt, region, made)
            inner.yields = [self._kept(e, stmt, region, made) for e in inner.yields]

    def _kept(
        self, e: Expr, stmt: Stmt, region: Region, made: dict[Value, Ref]
    ) -> Expr:
        """The expression with reads of memory replaced by snapshots."""
        if isinstance(e, Ref):
            return self._whole(e, stmt, region, made)
        if not isinstance(e, Op):
            return e
        if e.op == "attr" and e.data in _SHAPE_ONLY:
            return e
        if e.op == "call" and isinstance(e.args[0], Obj):
            name = getattr(e.args[0].obj, "__name__", "")
            if name == "len" and self._lengthat_risk(e, stmt):
                return self._element(e, stmt, region)
            if name in _SHAPE_FUNCTIONS:
                first = 0 if name in ("zeros_like", "len", "shape", "ndim") else 1
                kept = [self._kept(a, stmt, region, made) if 1 <= k <= first else a
                        for k, a in enumerate(e.args)]  # fmt: skip
                return Op(e.op, tuple(kept), e.data)
        if e.op == "getitem" and isinstance(e.args[0], Ref):
            if self.at_risk(e.args[0].value, stmt) and is_scalar(self.b.infer(e)):
                return self._element(e, stmt, region)
        args = tuple(self._kept(a, stmt, region, made) for a in e.args)
        if all(a is b for a, b in zip(args, e.args, strict=True)):
            return e
        return Op(e.op, args, e.data)

    def _lengthat_risk(self, e: Op, stmt: Stmt) -> bool:
        """Whether the number of elements of a list or dict may change later."""
        base = e.args[1]
        grows = isinstance(base, Ref) and not isinstance(base.value.kind, Num)
        return grows and self.at_risk(base.value, stmt)  # type: ignore[attr-defined]

    def at_risk(self, value: Value, stmt: Stmt) -> bool:
        """Whether the memory of a primal value may be written after `stmt` ran."""
        if not has_memory(value) or value not in self.effects.parent:
            return False
        return self.effects.is_mutated(value) and self.written_later(value, stmt)

    def _whole(
        self, e: Ref, stmt: Stmt, region: Region, made: dict[Value, Ref]
    ) -> Expr:
        value = e.value
        if not self.at_risk(value, stmt):
            return e
        if value not in made:
            made[value] = self._insert(call(self._copy(value), e), value, stmt, region)
        return made[value]

    def _element(self, e: Op, stmt: Stmt, region: Region) -> Expr:
        return self._insert(e, Value("kept"), stmt, region)

    def copied(self, e: Expr, value: Value) -> Expr:
        """A copy of an expression that has the memory of a value."""
        return call(self._copy(value), e)

    def _copy(self, value: Value) -> Obj:
        if not isinstance(value.kind, Num):
            return self.b.binder.bind(kept_apart, "kept_apart")
        root = self.b.binder.bind(np, "np")
        return Obj(np.copy, f"{root.path}.copy")

    def _insert(self, expr: Expr, value: Value, stmt: Stmt, region: Region) -> Ref:
        """An assignment in the forward sweep, just before the statement (after it for
        what the statement defines)."""
        if isinstance(expr, Op):
            kind = self.b.infer(expr)
        name = f"{value.name}_kept" if value.name != "kept" else "kept"
        kept = Value(name, kind, False, stmt.where, temp=True)
        place = region.stmts.index(stmt) + (1 if value in defined(stmt) else 0)
        region.stmts.insert(place, Assign(kept, expr, where=stmt.where))
        return Ref(kept)

    def writers_later(self, value: Value, stmt: Stmt) -> list[Stmt]:
        """The statements that may write the memory of a value after `stmt` ran."""
        root = self.effects.find(value)
        mine = self.paths[id(stmt)]
        return [s for s, v in self.effects.written if self.effects.find(v) is root
                and self._after(self.paths.get(id(s)), mine, v)]  # fmt: skip

    def written_later(self, value: Value, stmt: Stmt) -> bool:
        """Whether memory of a value is written after a statement has read it."""
        root = self.effects.find(value)
        stores = [
            (s, v) for s, v in self.effects.written if self.effects.find(v) is root
        ]
        mine = self.paths.get(id(stmt))
        if mine is None:
            return True
        return any(self._after(self.paths.get(id(s)), mine, v) for s, v in stores)

    def before(self, value: Value, expr: Expr, stmt: Stmt, region: Region) -> Ref:
        """A copy of a value made in the forward sweep just before a statement."""
        kept = Value(f"{value.name}_kept", value.kind, False, stmt.where)
        place = region.stmts.index(stmt)
        region.stmts.insert(place, Assign(kept, expr, where=stmt.where))
        return Ref(kept)

    def beside(self, value: Value, name: str, expr: Expr, kind: Kind) -> Ref:
        """A value computed in the forward sweep right after another one."""
        stmt = self.homes[value]
        region = self.paths[id(stmt)][-1][0]
        new = Value(name, kind, False, stmt.where, temp=True)
        region.stmts.insert(
            region.stmts.index(stmt) + 1, Assign(new, expr, where=stmt.where)
        )
        return Ref(new)

    def views_of(self, value: Value) -> list[Expr]:
        """The operations that make members of the value's class."""
        root = self.effects.find(value)
        return [e for v, e in self.defined.items() if self.effects.find(v) is root]

    def written_in(self, value: Value, loop: Loop) -> bool:
        """Whether the memory of a value may be written inside a loop."""
        root = self.effects.find(value)
        stores = [s for s, v in self.effects.written if self.effects.find(v) is root]
        return any(_inside(self.paths.get(id(s)), loop) for s in stores)

    def shows_change(self, value: Value, stmt: Stmt) -> bool:
        """Whether a view made by a statement, or a view of that, may be read after its
        memory changed."""
        views = {value}
        for (
            v,
            e,
        ) in self.defined.items():  # in order: what a view is made of comes first
            if views.intersection(view_bases(e)):
                views.add(v)
        if any(views.intersection(refs_of(r.yields)) for r in self.bodies):
            return self.written_later(value, stmt)
        readers = [s for s in walk(self.body) if views.intersection(
            refs_of(stmt_exprs(s)))]  # fmt: skip
        writers = self.writers_later(value, stmt)
        return any(self._follows(r, w, stmt) for r in readers for w in writers)

    def _follows(self, late: Stmt, early: Stmt, made: Stmt) -> bool:
        """Whether one statement may run after another within a life of what a third
        one makes."""
        mine, other = self.paths.get(id(late)), self.paths.get(id(early))
        if mine is None or other is None:
            return True
        around: Stmt | None = None
        for (r1, s1), (r2, s2) in zip(mine, other, strict=False):
            if r1 is not r2:
                return _ends(around, r1)
            around = s1
            if s1 is not s2 and s1 is not None and s2 is not None:
                return r1.stmts.index(s1) > r1.stmts.index(s2)
            if isinstance(s1, Loop) and not _inside(self.paths.get(id(made)), s1):
                return True
        return False

    def _after(self, store: list | None, mine: list, base: Value) -> bool:
        """Whether a store may run after a statement: later in a common region, or
        anywhere in a loop around both, unless each trip writes an object of its own."""
        if store is None:
            return True
        made = self.makers.get(base)
        around: Stmt | None = None
        for (r1, s1), (r2, s2) in zip(store, mine, strict=False):
            if r1 is not r2:
                return _ends(around, r1)
            around = s1
            if s1 is not s2:
                return r1.stmts.index(s1) > r1.stmts.index(s2)
            if isinstance(s1, Loop) and not _inside(self.paths.get(id(made)), s1):
                return True
        return False


def _ends(around: Stmt | None, region: Region) -> bool:
    """Whether a region of a statement runs behind its others, as `finally` does."""
    return isinstance(around, Scoped) and region is around.final


def refs_of(exprs: Iterable[Expr]) -> set[Value]:
    """The values that expressions use."""
    return {v for e in exprs for v in refs(e)}


def _counts_up(iterable: Expr | None) -> bool:
    """Whether an iterable is `range(n)`."""
    return (
        isinstance(iterable, Op)
        and iterable.op == "call"
        and isinstance(iterable.args[0], Obj)
        and iterable.args[0].obj is range
        and len(iterable.args) == 2
    )


def _makes(expr: Expr) -> bool:
    """Whether an expression makes a new object each time."""
    return isinstance(expr, Op) and (expr.op in ("list", *BINARY) or (
        expr.op == "call" and not view_bases(expr)))  # fmt: skip


def _inside(path: list | None, loop: Stmt) -> bool:
    """Whether a statement stands in a loop's body."""
    return path is not None and any(s is loop for _, s in path[:-1])
