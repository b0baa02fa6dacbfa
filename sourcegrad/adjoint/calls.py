"""Adjoints of calls of user functions: `x_bar = g_reverse(residuals, y_bar)`.

The residuals of a callee hold what it read.  Where the caller writes that memory
later, the callee is handed a copy; where it writes a result, the result is copied.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from sourcegrad.adjoint.cotangents import Bar
from sourcegrad.analysis.effects import returned
from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import AliasError
from sourcegrad.ir import Assign, CallFn, Expr, Obj, Ref, Region, Unpack, Value, call
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import UNKNOWN, draws, is_scalar, strip

if TYPE_CHECKING:
    from sourcegrad.passes.reverse import Reverse


def is_fresh(stmt: CallFn, value: Value) -> bool:
    """Whether a result is memory that the callee made and nothing else holds."""
    k = stmt.targets.index(value)
    count = len(stmt.args)
    pairs = returned(stmt.callee)
    return not any(k in (a, b - count if b >= count else None) for a, b in pairs)


def contribute(rev: Reverse, stmt: CallFn, region: Region) -> None:
    """Emit the adjoint of `y = g(x)`."""
    bars = [rev.cot.take(t) if rev.active(t) else None for t in stmt.targets]
    args = list(stmt.args)  # those of the call may become copies
    written = lent_to(stmt.callee)
    needed = any(bar is not None for bar in bars)
    if not needed and not any(rev.active(v) for k in written for v in refs(args[k])):
        return
    lent = [lend(rev, args[k]) for k in written]
    seeds = [
        seed(rev, t, bar) for t, bar in zip(stmt.targets, bars, strict=True) if t.varied
    ]
    seeds += lent
    pull(rev, stmt.callee, args, _residuals(rev, stmt, region), seeds)


def lent_to(callee: Any) -> list[int]:
    """The arguments that a callee writes to and has cotangents of: it works on the
    caller's own cotangents of that memory, which it is handed."""
    returned(callee)  # finds what is written
    params = callee.function.params
    return [k for k in sorted(callee.written) if params[k].varied]


def lend(rev: Reverse, arg: Expr) -> Expr:
    """The cotangent of memory that a callee writes to.

    Raises:
        AliasError: it could not be kept apart.
    """
    if not isinstance(arg, Ref):
        raise rev.b.error(AliasError, "a callee writes into this argument",
                          hints=("give it a name first",))  # fmt: skip
    if arg.value not in rev.cot.shadows:
        raise rev.ambiguous(arg.value)
    if rev.holds_memory(arg.value):  # its cotangents are parts of others, not its own
        raise rev.b.error(
            AliasError,
            f"a recursion changes the list {arg.value.name!r}, and arrays in it are "
            "written elsewhere",
            hints=("put copies of the arrays into the list",),
        )
    return rev.cot.shadows[arg.value]


def pull(
    rev: Reverse, spec: Any, args: list[Expr], residuals: Value, seeds: list[Expr]
) -> None:
    """The call of the reverse function, and what its cotangents go to."""
    params = spec.function.params
    active = [v for v, p in zip(args, params, strict=True) if p.varied]
    results = [
        Value(f"{_name_of(a)}_bar", strip(p.kind), False, rev.b.where, temp=True)
        for a, p in zip(active, (p for p in params if p.varied), strict=True)
    ]
    fn = Obj(("reverse", spec), f"{spec.name}_reverse")
    tree = call(fn, Ref(residuals), *seeds)
    if len(results) == 1:
        rev.b.append(Assign(results[0], tree))
    elif results:
        rev.b.append(Unpack(results, tree))
    given = [k for k, p in enumerate(params) if p.varied]
    own = set(lent_to(spec))
    for k, arg, result in zip(given, active, results, strict=True):
        if k in own:
            continue  # the callee has worked on the cotangent itself
        if isinstance(arg, Ref) and rev.active(arg.value):
            # A callee may hand back its seed, or one array for two operands.
            rev.cot.add(arg.value, Ref(result), False)


def _residuals(rev: Reverse, stmt: CallFn, region: Region) -> Value:
    """The callee's residuals: a further result of the call, or made again."""
    spec = stmt.callee
    residuals = Value(f"{spec.name}_residuals", UNKNOWN, False, stmt.where)
    if getattr(spec.fn, "__sourcegrad_checkpoint__", False):
        again = [Value("_", t.kind, False) for t in stmt.targets]
        forward = Obj(("forward", spec), f"{spec.name}_forward")
        with rev.snapshots.reading(stmt, region):
            args = [_as_it_was(rev, a, stmt, region) for a in stmt.args]
            rev.b.append(Unpack([*again, residuals], call(forward, *args)))
    else:
        _keep_apart(rev, stmt, region)
        stmt.targets.append(residuals)
    return residuals


def _as_it_was(rev: Reverse, arg: Expr, stmt: CallFn, region: Region) -> Expr:
    """An argument of a call that is made again: a Generator draws the same again."""
    if not (isinstance(arg, Ref) and draws(arg.value.kind)):
        return arg
    fn = rev.b.binder.bind(copy.deepcopy, "deepcopy")
    kept = rev.snapshots.before(arg.value, call(fn, arg), stmt, region)
    return call(fn, kept)


def _keep_apart(rev: Reverse, stmt: CallFn, region: Region) -> None:
    """Copies of what the caller writes after the call: operands and results."""
    count = len(stmt.args)
    handed_back = {
        other
        for k, other in returned(stmt.callee)
        if other < count and stmt.targets[k] in rev.used
    }
    for k, arg in enumerate(stmt.args):
        held = [v for v in refs(arg) if rev.snapshots.at_risk(v, stmt)]
        if not held or is_scalar(rev.b.infer(arg)):
            continue
        if k in stmt.callee.written:
            continue  # the callee copies what it keeps of memory that it writes
        if k in handed_back:
            raise rev.ambiguous(held[0])
        stmt.args[k] = rev.snapshots.copied(arg, held[0])
    at = region.stmts.index(stmt)
    for k, target in enumerate(stmt.targets):
        if has_memory(target) and rev.snapshots.at_risk(target, stmt):
            made = Value(target.name, target.kind, False, stmt.where, temp=True)
            stmt.targets[k] = made
            copy = rev.snapshots.copied(Ref(made), target)
            at += 1
            region.stmts.insert(at, Assign(target, copy, where=stmt.where))


def seed(rev: Reverse, target: Value, bar: Bar | None) -> Expr:
    """The cotangent that a callee is handed for a result: zeros if it has none."""
    return rev.cot.zero(target) if bar is None else bar.expr


def _name_of(expr: Expr) -> str:
    return expr.value.name if isinstance(expr, Ref) else "unused"
