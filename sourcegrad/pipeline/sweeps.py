"""Two sweeps as one region: optimised, with what the second reads recorded."""

from __future__ import annotations

from typing import Any

from sourcegrad.analysis.raising import Raising, nothing
from sourcegrad.frontend.builder import Builder, Primal
from sourcegrad.frontend.context import Context
from sourcegrad.frontend.scope import Scope
from sourcegrad.frontend.structs import leaves
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    Function,
    Obj,
    Region,
    Stmt,
    Store,
    Unpack,
    Value,
    call,
    own_value,
)
from sourcegrad.ir_walk import map_region, refs, regions, walk
from sourcegrad.kinds import UNKNOWN
from sourcegrad.passes import (
    branches,
    buffers,
    common,
    dead,
    handover,
    idle_copies,
    inline_temps,
    items,
    lent,
    merge,
    methods,
    outline,
    products,
    propagate,
    pulls,
    shapes,
    signs,
)
from sourcegrad.passes.record import Record
from sourcegrad.pipeline.generated import Staged
from sourcegrad.request import Request, optimising, verifying
from sourcegrad.verify import verify
from sourcegrad.writer.functions import Writer


class Sweeps(Staged):
    """The passes behind the adjoint, over the functions of one compilation."""

    raising: Raising

    def __init__(self, primal: Primal, request: Request, stage: str | None) -> None:
        self.primal = primal
        self.request = request
        super().__init__(stage)
        self.context = primal.context
        self.context.binder.taken |= {p.name for p in primal.function.params}
        self.outline()
        self.writer = Writer(primal, self.context)
        self.writer.reserve(request.what)
        self.writer.compiled = request.compiled
        self.written: frozenset[str] = frozenset()

    def outline(self) -> None:
        """Trips of checkpointed loops become functions."""
        primal = self.primal
        b = derive(self.context, primal)
        outline.run(b, self.context, primal.function, primal.source.fn)
        for spec in list(self.context.specialisations.values()):
            if spec.function is None:
                continue
            if getattr(spec.fn, "__sourcegrad_checkpoint__", False):
                body = spec.function.body
                outline.require_repeatable(body, None, "function")
            outline.run(b, self.context, spec.function, spec.fn)

    def settle_lent(self) -> None:
        """What helpers may hand back as it is, where that changes, becomes copies."""
        b = derive(self.context, self.primal)
        lent.run(b, self.primal.function, called=False)
        for spec in self.context.specialisations.values():
            if spec.function is not None:
                lent.run(b, spec.function, called=True)

    def check(self, after: str, function: Function | None, **how: bool) -> None:
        """Check the invariants of the IR where tests ask for it."""
        if function is not None and verifying():
            verify(function, after, **how)

    def repeatable(self) -> bool:
        """Whether running the primal again has no effect that anyone could see."""
        return not self.written and self.quiet()

    def quiet(self) -> bool:
        """Whether the primal has no effect but on the arguments it writes."""
        specs = [s.function for s in self.context.specialisations.values()]
        bodies = [self.primal.function.body, *(f.body for f in specs if f is not None)]
        return all(map(self.context.quiet.is_quiet, bodies))

    def function_like(self, body: Region) -> Any:
        """Another body in place of the primal's."""
        return Function("f", self.primal.function.params, body)

    def linked(
        self, b: Builder, forward: Region, reverse: Region, fx: Any, ends: list[Expr],
        params: list[Value], title: str, shared: Any = None,
        alive: frozenset[Value] = frozenset(), joint: bool = False,
    ) -> tuple[Region, int]:  # fmt: skip
        """Forward and reverse sweep as one region, simplified and linked."""
        map_region(forward, own_value)
        body = Region(stmts=[*forward.stmts, *reverse.stmts], yields=list(ends))
        self.note("reverse", Function(title, params, body))
        self.check("reverse", Function(title, params, body), mirrored=True)
        self.raising.meet(reverse)
        if optimising():
            merge.run(body)
        self.clean(body, reverse, self.raising)
        if joint and optimising() and self.repeatable():
            pulls.run(body, self.boundary(body, reverse), fx)
            self.clean(body, reverse, self.raising)
        split = self.boundary(body, reverse)
        fwd, back = Region(stmts=body.stmts[:split]), Region(stmts=body.stmts[split:])
        back.yields = body.yields
        if optimising():
            shapes.run(b, fwd, back, fx, alive, params)
        record = Record(b, fwd, back, fx, shared or (lambda v: False),
                        self.request.compiled)  # fmt: skip
        record.run()
        whole = Region(stmts=[*fwd.stmts, *back.stmts], yields=back.yields)
        marker = back.stmts[0] if back.stmts else None
        lower_calls(whole)
        self.check("record", Function(title, params, whole))
        self.clean(whole, back)
        self.check("simplification", Function(title, params, whole))
        if optimising():
            inline_temps.run(whole)
        head = (
            whole.stmts.index(marker)
            if marker in whole.stmts
            else self.boundary(whole, back)
        )
        if optimising():
            if joint and self.repeatable():
                branches.run(whole, head)
                inline_temps.run(whole)
            handover.adopt(b, whole, self.boundary(whole, back))
            head = self.boundary(whole, back)
            buffers.run(b, whole, head)
            handover.rename(b, whole, self.boundary(whole, back))
            items.run(b, whole, self.boundary(whole, back))
            idle_copies.run(b, whole, self.boundary(whole, back))
            inline_temps.run(whole)
            head = self.boundary(whole, back)
            signs.run(b, whole.stmts[head:])
            products.run(b, whole.stmts[head:])
            methods.run(b, whole.stmts[head:])
            whole.yields = [methods.method(b, e) for e in whole.yields]
        self.note("optimised", Function(title, params, whole))
        self.check("folding", Function(title, params, whole))
        return whole, head

    def boundary(self, body: Region, reverse: Region) -> int:
        """Where the reverse sweep begins."""
        late = {id(s) for s in reverse.stmts}
        for k, stmt in enumerate(body.stmts):
            if id(stmt) in late:
                return k
        return len(body.stmts)

    def clean(
        self, body: Region, reverse: Region, raising: Raising | None = None
    ) -> None:
        """Drop what nobody reads; of effects, those of the reverse sweep only."""
        removable = {
            id(s) for s in walk(reverse) if isinstance(s, (Store, Append, Effect))
        }
        for _ in range(2 if optimising() else 1):
            if optimising():
                propagate.run(body, frozenset())
            late = {id(s) for s in reverse.stmts}
            standing = dead.run(body, removable, raising or nothing)
            reverse.stmts += [s for old, s in standing.items() if old in late]

    def plain(self, name: str, fn: Function) -> None:
        """A trip of a checkpointed loop, as it runs where no adjoint follows."""
        map_region(fn.body, own_value)
        lower_calls(fn.body)
        self.clean(fn.body, Region())
        if optimising():
            inline_temps.run(fn.body)
        self.check("folding", fn)
        self.writer.plain(name, fn)


def derive(context: Context, primal: Primal) -> Builder:
    """A builder for derived code: it inlines rules and folds what it builds."""
    b = Builder(context)
    b.deriving = 1
    b.scope = Scope("adjoint", primal.source, set(), None)
    b.passive = True
    return b


def lower_calls(region: Region) -> None:
    """Calls of pairs become calls of their forward functions."""
    for k, stmt in enumerate(region.stmts):
        for inner in regions(stmt):
            lower_calls(inner)
        if isinstance(stmt, CallFn):
            region.stmts[k] = _forward_call(stmt)


def _forward_call(stmt: CallFn) -> Stmt:
    spec = stmt.callee
    targets = list(stmt.targets)
    if spec.plain is not None and len(targets) == len(spec.plain.body.yields):
        tree = call(Obj(("plain", spec), spec.name), *stmt.args)
        if len(targets) == 1:
            return Assign(targets[0], tree, where=stmt.where)
        if not targets:
            return Effect(tree, where=stmt.where)
        return Unpack(targets, tree, where=stmt.where)
    if len(targets) == len(spec.function.body.yields):
        targets.append(Value("_", UNKNOWN, False))
    tree = call(Obj(("forward", spec), f"{spec.name}_forward"), *stmt.args)
    return Unpack(targets, tree, where=stmt.where)


def merge_common(primal: Primal) -> None:
    """Drop what no one reads of joined names, and merge repeated computations, of a
    function and of those it calls."""
    trees = [primal.result, *primal.arguments.values()]
    keep = frozenset(v for tree in trees for e in leaves(tree) for v in refs(e))
    callees = [s.function for s in primal.context.specialisations.values()]
    for function in (primal.function, *callees):
        if function is None:
            continue
        own = keep if function is primal.function else frozenset()
        dead.phis(function.body, own)
        if optimising():
            common.run(function, own)
