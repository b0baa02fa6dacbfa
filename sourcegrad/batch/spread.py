"""Which values of a sweep are stacks: all that depends on the seeds, and the memory
that it is stored into."""

from __future__ import annotations

from collections.abc import Iterable

from sourcegrad import runtime
from sourcegrad.analysis.views import may_copy, view_bases
from sourcegrad.batch.shapes import Unbatchable
from sourcegrad.ir import (
    Append,
    Assign,
    Effect,
    Expr,
    If,
    Loop,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import refs, region_defs, regions, walk
from sourcegrad.kinds import is_array

SHAPES = ("shape", "ndim", "size", "dtype")


def depends(e: Expr, stacks: set[Value]) -> bool:
    """Whether an expression is a stack; the shape of one seed's cotangent is not."""
    if isinstance(e, Ref):
        return e.value in stacks
    if not isinstance(e, Op) or e.op == "attr" and e.data in SHAPES:
        return False
    if e.op == "call" and isinstance(e.args[0], Obj):
        if getattr(e.args[0].obj, "__name__", "") in ("len", "shape", "ndim"):
            return False
    return any(depends(a, stacks) for a in e.args)


def scattered(e: Expr) -> tuple[Ref, Expr, Expr] | None:
    """Buffer, index and value of `scatter_add(x_bar, index, g)`."""
    if not (isinstance(e, Op) and e.op == "call"):
        return None
    fn, *args = e.args
    if (
        not isinstance(fn, Obj)
        or fn.obj is not runtime.scatter_add
        or not isinstance(args[0], Ref)
    ):
        return None
    return args[0], args[1], args[2]


class Stacks:
    """The stacks of a region, found by repeating until nothing changes.

    Args:
        body: the region.
        seeds: the values that are stacks at its beginning.

    Raises:
        Unbatchable: a stack goes where it cannot be followed.
    """

    def __init__(self, body: Region, seeds: Iterable[Value]) -> None:
        self.found = set(seeds)
        self.inside = set(region_defs(body)) | self.found
        self.made = {s.target: s.expr for s in walk(body) if isinstance(s, Assign)}
        self.writes = any(isinstance(s, Store) for s in walk(body))
        before = -1
        while before != len(self.found):
            before = len(self.found)
            for stmt in walk(body):
                self.statement(stmt)

    def add(self, value: Value) -> None:
        """A value is a stack, and so is what it is a view of."""
        if value in self.found:
            return
        if value not in self.inside:
            raise Unbatchable(f"{value.name} is made before the sweep, and written")
        self.found.add(value)
        made = self.made.get(value)
        if made is not None and not depends(made, self.found):
            for base in view_bases(made):
                if may_copy(made):
                    raise Unbatchable(f"{value.name} may be a view or a copy")
                self.add(base)

    def join(self, values: Iterable[Value | Expr | None]) -> None:
        """Values that a region hands on as one another are all stacks, or none."""
        group = list(values)
        if any(
            depends(Ref(v) if isinstance(v, Value) else v, self.found)
            for v in group
            if v is not None
        ):
            for v in group:
                if isinstance(v, Value):
                    self.add(v)
                elif self.writes and isinstance(v, Ref) and is_array(v.value.kind):
                    self.add(v.value)  # the same memory under another name

    def statement(self, stmt: Stmt) -> None:
        """What one statement makes a stack of."""
        match stmt:
            case Assign(target=target, expr=expr):
                if depends(expr, self.found):
                    self.add(target)
            case Unpack(targets=targets, expr=expr):
                if depends(expr, self.found):
                    for target in targets:
                        self.add(target)
            case Store(base=Ref(value=base), value=value):
                if depends(value, self.found):
                    self.add(base)
                    self.refuse_copies(base)
            case Store():
                self.refuse(stmt)
            case If():
                arms = (stmt.then, stmt.orelse)
                for k, result in enumerate(stmt.results):
                    self.join([result, *(_at(arm.yields, k) for arm in arms)])
            case Loop():
                self.loop(stmt)
            case Effect(expr=expr) if scattered(expr) is not None:
                self.scatter(expr)
            case Append() | Effect() | Plain() | Scoped():
                self.refuse(stmt)
        self.decisions(stmt)

    def scatter(self, expr: Expr) -> None:
        """An addition at an index that may repeat."""
        found = scattered(expr)
        assert found is not None
        base, index, value = found
        if depends(index, self.found):
            raise Unbatchable("a subscript that depends on the seed")
        if depends(value, self.found):
            self.add(base.value)
            self.refuse_copies(base.value)

    def refuse_copies(self, base: Value) -> None:
        """Stores into what may be a view or a copy of another array."""
        made = self.made.get(base)
        if made is not None and view_bases(made) and may_copy(made):
            raise Unbatchable(f"{base.name} may be a view or a copy")

    def loop(self, stmt: Loop) -> None:
        """What a loop carries."""
        body = stmt.body
        for k, param in enumerate(body.params):
            self.join([param, _at(stmt.inits, k), _at(body.yields, k),
                       stmt.results[k] if k < len(stmt.results) else None])  # fmt: skip

    def refuse(self, stmt: Stmt) -> None:
        """Statements that a stack may not be part of."""
        from sourcegrad.ir_walk import stmt_exprs

        if isinstance(stmt, Scoped) or any(
            depends(e, self.found) for e in stmt_exprs(stmt)
        ):
            if not isinstance(stmt, Scoped) or self.touches(stmt):
                raise Unbatchable(f"a {type(stmt).__name__.lower()} of the sweep")

    def touches(self, stmt: Scoped) -> bool:
        """Whether a block has to do with stacks."""
        inner = {v for r in regions(stmt) for v in region_defs(r)}
        return bool(inner & self.found)

    def decisions(self, stmt: Stmt) -> None:
        """What a sweep does next may not depend on a seed."""
        exprs: list[Expr | None] = []
        if isinstance(stmt, If):
            exprs = [stmt.cond]
        if isinstance(stmt, Loop):
            exprs = [stmt.iterable, stmt.cond, stmt.body.stop]
        if any(v in self.found for e in exprs if e is not None for v in refs(e)):
            raise Unbatchable("a decision that depends on the seed")


def _at(items: list[Expr], k: int) -> Expr | None:
    return items[k] if k < len(items) else None
