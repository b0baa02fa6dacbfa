"""Dead code: what neither a result nor an effect needs is removed.

A value is live if a result, an effect or a live value needs it; a statement is kept
if it defines a live value or has an effect; a region result, and with it a carried
value, is kept if it is live. Of a statement of the primal that goes, what may raise
stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sourcegrad.analysis.raising import nothing
from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.analysis.writes import changes_operands_only
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
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
from sourcegrad.ir_walk import defined, refs, regions, walk
from sourcegrad.kinds import ListKind, TupleKind


class _Liveness:
    def __init__(
        self,
        removable: set[int],
        raising: Callable[[Stmt], list[Expr]] = nothing,
    ) -> None:
        self.removable = removable
        self.raising = raising
        self.parts: dict[int, list[Expr]] = {}
        self.live: set[Value] = set()
        self.needed: set[int] = set()
        self.work: list[Value] = []
        self.home: dict[Value, Stmt] = {}
        self.part: dict[Value, tuple[Stmt, int]] = {}
        self.above: dict[int, list[Stmt]] = {}
        self.waiting: dict[Value, list[Stmt]] = {}
        self.roots: dict[Value, Value] = {}
        self.found: set[Value] = set()

    def scan(self, region: Region, above: list[Stmt]) -> None:
        for stmt in region.stmts:
            self.above[id(stmt)] = above
            for value in defined(stmt):
                self.home[value] = stmt
            if isinstance(stmt, Assign):
                for base in view_bases(stmt.expr):
                    self.join(stmt.target, base)
            if isinstance(stmt, (Assign, Unpack)) and _from_container(stmt.expr):
                self.found |= {v for v in defined(stmt) if has_memory(v)}
            if isinstance(stmt, If):
                for arm in (stmt.then, stmt.orelse):
                    self.join_all(stmt.results, arm.yields)
            if isinstance(stmt, Loop):
                self.join_all(stmt.body.params, stmt.inits)
                self.join_all(stmt.body.params, stmt.body.yields)
                self.join_all(stmt.results, [Ref(p) for p in stmt.body.params])
                for k, param in enumerate(stmt.body.params):
                    self.part[param] = (stmt, k)
                for target in stmt.targets:
                    self.home[target] = stmt
            for inner in regions(stmt):
                self.scan(inner, [*above, stmt])

    def root(self, value: Value) -> Value:
        """What stands for all values that may share memory with this one."""
        while value in self.roots:
            value = self.roots[value]
        return value

    def join(self, a: Value, b: Value) -> None:
        a, b = self.root(a), self.root(b)
        if a is not b:
            self.roots[a] = b

    def join_all(self, targets: list[Value], exprs: list[Expr]) -> None:
        for target, expr in zip(targets, exprs, strict=False):
            if isinstance(expr, Ref) and has_memory(target):
                self.join(target, expr.value)

    def use(self, exprs: Iterable[Expr]) -> None:
        for expr in exprs:
            for value in refs(expr):
                if value not in self.live:
                    self.live.add(value)
                    self.work.append(value)

    def need(self, stmt: Stmt) -> None:
        """A statement is kept: with what it reads, and what it stands in."""
        if id(stmt) in self.needed:
            return
        self.needed.add(id(stmt))
        match stmt:
            case If():
                self.use([stmt.cond])
            case Loop():
                self.use(
                    e
                    for e in (stmt.iterable, stmt.budget, stmt.cond, stmt.body.stop)
                    if e is not None
                )
                if stmt.mirror is not None:
                    self.need(stmt.mirror)
            case _:
                self.use(_operands(stmt))
        for outer in self.above.get(id(stmt), ()):
            self.need(outer)

    def effects(self, region: Region) -> None:
        for stmt in region.stmts:
            base = _written(stmt)
            if base is not None and id(stmt) in self.removable:
                root = self.root(base)
                if root in {self.root(v) for v in self.found}:
                    self.need(stmt)
                    continue
                self.waiting.setdefault(root, []).append(stmt)
            elif base is not None or _has_effect(stmt):
                self.need(stmt)
            elif parts := self.raising(stmt):
                self.keep_parts(stmt, parts)
            if isinstance(stmt, Scoped):
                self.need(stmt)
            for inner in regions(stmt):
                if isinstance(stmt, Scoped) and stmt.sort == "attempt":
                    self.keep_all(inner)
                self.effects(inner)

    def keep_parts(self, stmt: Stmt, parts: list[Expr]) -> None:
        """What may raise is kept, whether the statement itself is or not."""
        self.parts[id(stmt)] = parts
        self.use(parts)
        for outer in self.above.get(id(stmt), ()):
            self.need(outer)

    def keep_all(self, region: Region) -> None:
        """What may raise inside a `try` decides the branch taken: all of it stays."""
        for stmt in region.stmts:
            self.need(stmt)
            for value in defined(stmt):
                self.use([Ref(value)])
            for inner in regions(stmt):
                self.keep_all(inner)

    def run(self) -> None:
        while self.work:
            value = self.work.pop()
            for stmt in self.waiting.pop(self.root(value), ()):
                self.need(stmt)
            if value in self.part:
                loop, k = self.part[value]
                assert isinstance(loop, Loop)
                self.need(loop)
                self.use([loop.inits[k], *loop.body.yields[k : k + 1]])
            if value in self.home:
                self.define(value, self.home[value])

    def define(self, value: Value, stmt: Stmt) -> None:
        self.need(stmt)
        if isinstance(stmt, If) and value in stmt.results:
            k = stmt.results.index(value)
            for region in (stmt.then, stmt.orelse):
                self.use(region.yields[k : k + 1])
        if isinstance(stmt, Loop) and value in stmt.results:
            k = stmt.results.index(value)
            self.use([Ref(stmt.body.params[k])])


def run(
    body: Region,
    removable: set[int] | None = None,
    raising: Callable[[Stmt], list[Expr]] = nothing,
) -> dict[int, Stmt]:
    """Remove dead code from a function body, in place.

    Args:
        body: the region; its yields are the results.
        removable: ids of statements that write memory which only the function sees.
        raising: the parts of a statement to be kept for what they may raise.

    Returns:
        By the ids of assignments to what nobody reads, the effects that stand for them.
    """
    flow = _Liveness(removable or set(), raising)
    flow.scan(body, [])
    flow.effects(body)
    flow.use(body.yields)
    flow.run()
    return dict(_sweep(body, flow))


def phis(body: Region, keep: Iterable[Value] = ()) -> None:
    """Drop results of branches and carried values of loops that nobody reads.

    A name that is bound again before it is read carries no memory from one use to the
    next, though its versions meet where the branch or loop ends.

    Args:
        body: a region; statements stay, and in place.
        keep: values that something outside of the body refers to.
    """
    flow = _Liveness(set())
    flow.scan(body, [])
    for stmt in walk(body):
        flow.need(stmt)
    flow.use(map(Ref, keep))
    flow.use(body.yields)
    flow.run()
    for stmt in walk(body):
        if isinstance(stmt, (If, Loop)):
            _prune(stmt, flow)


def _from_container(e: Expr) -> bool:
    """Whether a value is memory found in a list, whose other names are not known."""
    if not isinstance(e, Op) or e.op not in ("pop", "getitem"):
        return False
    return e.op == "pop" or (
        isinstance(e.args[0], Ref)
        and isinstance(e.args[0].value.kind, (ListKind, TupleKind))
    )


def _operands(stmt: Stmt) -> Iterable[Expr]:
    from sourcegrad.ir_walk import stmt_exprs

    return stmt_exprs(stmt)


def _has_effect(stmt: Stmt) -> bool:
    match stmt:
        case Assign(expr=e) | Unpack(expr=e):
            return not pure(e)
        case Effect() | Plain() | Store() | Append() | CallFn():
            return True
    return False


def _written(stmt: Stmt) -> Value | None:
    """The value whose memory a statement of the reverse sweep writes."""
    match stmt:
        case Store(base=Ref(value=base)) | Append(base=Ref(value=base)):
            return base
        case (
            Assign(expr=Op(op="pop", args=(Ref(value=base),)))
            | Unpack(expr=Op(op="pop", args=(Ref(value=base),)))
        ):
            return base
        case Effect(expr=Op(op="call", args=(Obj(obj=fn), Ref(value=base), *_))):
            return base if changes_operands_only(fn) else None
    return None


def _sweep(region: Region, flow: _Liveness) -> Iterator[tuple[int, Stmt]]:
    kept: list[Stmt] = []
    for stmt in region.stmts:
        if id(stmt) not in flow.needed:
            parts = flow.parts.get(id(stmt), ())
            kept += [Effect(e, where=stmt.where) for e in parts]
            continue
        if isinstance(stmt, (If, Loop)):
            _prune(stmt, flow)
        for inner in regions(stmt):
            yield from _sweep(inner, flow)
        if isinstance(stmt, Assign) and stmt.target not in flow.live:
            effect = Effect(stmt.expr, where=stmt.where, comment=stmt.comment)
            yield id(stmt), effect
            stmt = effect
        kept.append(stmt)
    region.stmts = kept


def _prune(stmt: If | Loop, flow: _Liveness) -> None:
    """Drop dead results and carried values."""
    if isinstance(stmt, If):
        keep = [k for k, r in enumerate(stmt.results) if r in flow.live]
        for region in (stmt.then, stmt.orelse):
            if region.yields:
                region.yields = [region.yields[k] for k in keep]
        stmt.results = [stmt.results[k] for k in keep]
        return
    params = stmt.body.params
    keep = [
        k for k, p in enumerate(params)
        if p in flow.live or (k < len(stmt.results) and stmt.results[k] in flow.live)
    ]  # fmt: skip
    stmt.inits = [stmt.inits[k] for k in keep]
    if stmt.results:
        stmt.results = [stmt.results[k] for k in keep]
    if stmt.body.yields:
        stmt.body.yields = [stmt.body.yields[k] for k in keep]
    stmt.body.params = [params[k] for k in keep]
