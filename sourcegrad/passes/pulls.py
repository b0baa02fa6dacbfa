"""Calls of which only the cotangents are wanted: both sweeps of the callee in one.

    _, residuals = g_forward(x)
    x_bar = g_reverse(residuals, y_bar)      ->      x_bar = g_grad(x, y_bar)

The value of the call is not used, as where `return g(x)` is all there is to
differentiate.  The callee runs where its reverse sweep stood, so this is for programs
in which nobody can tell when a function ran, and where the pair of sweeps is not needed
beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.ir import (
    Assign,
    CallFn,
    Expr,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Stmt,
    Unpack,
    Value,
    call,
)
from sourcegrad.ir_walk import refs, region_uses, regions, stmt_exprs, walk


def run(body: Region, head: int, fx: Effects) -> None:
    """Join the sweeps of such calls, in place.

    Args:
        body: both sweeps, before anything is recorded.
        head: where the reverse sweep begins.
        fx: the effects of the primal.
    """
    counts = Counter(region_uses(body))
    forward = Region(stmts=body.stmts[:head])
    calls = {stmt: region for region, stmt in _calls(forward)}
    pulls = {_pulled(stmt): stmt for stmt in walk(Region(stmts=body.stmts[head:]))}
    called = [stmt for stmt in walk(forward) if isinstance(stmt, CallFn)]
    pairs = {
        stmt.callee
        for stmt in called
        if stmt not in calls
        or not (_unused(stmt, counts) and stmt.targets[-1] in pulls)
        or any(_at_risk(e, fx) for e in stmt.args)
    }
    for stmt, region in calls.items():
        spec = stmt.callee
        if spec in pairs or not _ends_in_itself(spec):
            continue
        pull = pulls[stmt.targets[-1]]
        _, _, *seeds = pull.expr.args  # type: ignore[attr-defined]
        joint = Obj(("pull", spec), f"{spec.name}_grad")
        pull.expr = call(joint, *stmt.args, *seeds)  # type: ignore[attr-defined]
        owner = body if stmt in body.stmts else region
        owner.stmts.remove(stmt)


def _unused(stmt: CallFn, counts: Counter[Value]) -> bool:
    """Whether nothing but one reverse sweep reads what a call gives."""
    uses = [counts[target] for target in stmt.targets]
    return uses[-1:] == [1] and not any(uses[:-1])


def _ends_in_itself(spec: Any) -> bool:
    """Whether a function calls itself, if at all, only for what it returns."""
    body = spec.function.body
    inner = [s for s in walk(body) if isinstance(s, CallFn)]
    read = {v for s in walk(body) for e in stmt_exprs(s) for v in refs(e)}
    own = [s for s in inner if s.callee is spec]
    return len(own) == len(inner) and not any(t in read for s in own for t in s.targets)


def _at_risk(e: Expr, fx: Effects) -> bool:
    return any(has_memory(v) and fx.is_mutated(v) for v in refs(e))


def _calls(region: Region) -> Iterator[tuple[Region, CallFn]]:
    """The calls of pairs, but for those in blocks that catch or clean up."""
    for stmt in region.stmts:
        if isinstance(stmt, CallFn):
            yield region, stmt
        elif not isinstance(stmt, Scoped):
            for inner in regions(stmt):
                yield from _calls(inner)


def _pulled(stmt: Stmt) -> Value | None:
    """The residuals of which a statement makes cotangents."""
    e = stmt.expr if isinstance(stmt, (Assign, Unpack)) else None
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj)):
        return None
    called = e.args[0].obj
    known = isinstance(called, tuple) and called[:1] == ("reverse",)
    return e.args[1].value if known and isinstance(e.args[1], Ref) else None
