"""Trips of checkpointed loops become functions of their own.

    for i in checkpoint(range(n), budget=k):        for i in range(n):
        h = h + dt * f(h, w)                 ->         h = f_step(i, h, w, dt)

Such a function can run again from a state that was kept, and has a forward and a
reverse function like any callee. It changes nothing: an array made outside that the
trip writes to is handed over and handed back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sourcegrad.adjoint.cotangents import library
from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import AliasError, Location, UnsupportedSyntaxError
from sourcegrad.frontend.context import Context, Specialisation
from sourcegrad.frontend.purity import effects_of
from sourcegrad.ir import (
    Assign,
    CallFn,
    Effect,
    Expr,
    Function,
    Lit,
    Loop,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Undef,
    Unpack,
    Value,
    call,
)
from sourcegrad.ir_clone import clone, clone_value
from sourcegrad.ir_walk import (
    map_region,
    region_defs,
    region_uses,
    regions,
    substitute,
    walk,
)
from sourcegrad.kinds import draws, is_array
from sourcegrad.names import fresh, identifier


def run(b: Any, context: Context, function: Function, fn: Any) -> None:
    """Outline the checkpointed loops of a function, in place.

    Args:
        b: a builder, which names what is called.
        context: the compilation, which gets the new functions.
        function: the function.
        fn: the user's function it is made from.

    Raises:
        UnsupportedSyntaxError: a trip has an effect that must not be repeated.
        AliasError: it writes to memory that it also knows by another name.
    """
    if any(isinstance(s, Loop) and _is_due(s) for s in walk(function.body)):
        _region(_Site(b, context, fn, function), function.body)


def _is_due(stmt: Loop) -> bool:
    """Whether a loop is checkpointed, and not yet outlined."""
    if stmt.budget is None:
        return False
    first = stmt.body.stmts[0] if stmt.body.stmts else None
    return not (isinstance(first, CallFn) and first.callee.plain is not None)


@dataclass
class _Site:
    """Where a loop stands."""

    b: Any
    context: Context
    fn: Any
    function: Function
    fx: Effects = field(init=False)

    def __post_init__(self) -> None:
        self.fx = effects.run(self.function)


def _region(site: _Site, region: Region) -> None:
    for stmt in list(region.stmts):
        for inner in regions(stmt):
            _region(site, inner)
        if isinstance(stmt, Loop) and _is_due(stmt):
            if any(v.varied for v in region_defs(stmt.body)):
                _outline(site, stmt, region)
            else:
                stmt.budget = None


def _outline(site: _Site, stmt: Loop, region: Region) -> None:
    body, used = stmt.body, set(region_uses(stmt.body))
    require_repeatable(stmt.body, stmt.where, "loop")
    inner = {*region_defs(body), *stmt.targets}
    captured = [v for v in dict.fromkeys(region_uses(body)) if v not in inner]
    state = [p for p in body.params if p in used]
    _bind_first(stmt, state)
    made = set(region_defs(Region(stmts=body.stmts)))
    ends = [*body.yields] if body.stop is None else [*body.yields, body.stop]
    outs = list(dict.fromkeys(
        e.value for e in ends if isinstance(e, Ref) and e.value in made))  # fmt: skip
    read = set(region_uses(Region(stmts=body.stmts)))
    params = [*(t for t in stmt.targets if t in read), *state, *captured]
    whole = Function(
        "step", params, Region(stmts=body.stmts, yields=list(map(Ref, outs)))
    )
    memory = _written(site, stmt, whole, state, captured)
    copies = _functional(site.b, whole, memory)
    spec = _specialisation(site, whole, stmt)
    starts = _begin(site.b, memory, stmt, region)
    targets = [clone_value(v) for v in [*outs, *copies]]
    new = dict(zip(outs, targets, strict=False))
    known = {v: Ref(t) for v, t in new.items()}
    handed = {
        v: _carry(stmt, v, start, t)
        for v, start, t in zip(memory, starts, targets[len(outs) :], strict=True)
    }
    args: list[Expr] = [Ref(handed.get(v, v)) for v in params]
    body.stmts = [CallFn(targets, spec, args, where=stmt.where)]
    body.yields = [substitute(e, known.get) for e in body.yields]
    if body.stop is not None:
        body.stop = substitute(body.stop, known.get)
    after = region.stmts.index(stmt) + 1
    region.stmts[after:after] = [
        Store(Ref(v), Lit(...), Ref(stmt.results[k - len(memory)]), where=stmt.where)
        for k, v in enumerate(memory)
    ]


def _begin(b: Any, memory: list[Value], stmt: Loop, region: Region) -> list[Value]:
    """The contents of arrays that the loop writes to, as they are before it."""
    starts = [clone_value(v) for v in memory]
    place = region.stmts.index(stmt)
    region.stmts[place:place] = [
        Assign(start, call(library(b, np.copy), Ref(v)), where=stmt.where)
        for v, start in zip(memory, starts, strict=True)
    ]
    return starts


def _carry(stmt: Loop, memory: Value, start: Value, end: Value) -> Value:
    """Carry the contents of an array from trip to trip."""
    param, result = clone_value(memory), clone_value(memory)
    stmt.inits.append(Ref(start))
    stmt.body.params.append(param)
    stmt.body.yields.append(Ref(end))
    stmt.results.append(result)
    return param


def _bind_first(stmt: Loop, state: list[Value]) -> None:
    """What may be unbound when the loop begins is None: it is handed to each trip."""
    for k, param in enumerate(stmt.body.params):
        if param in state and isinstance(stmt.inits[k], Undef):
            stmt.inits[k] = Lit(None)
            for value in (param, stmt.results[k]):
                value.maybe_undefined = value.varied


def _specialisation(site: _Site, whole: Function, stmt: Loop) -> Specialisation:
    """The function of one trip."""
    name = fresh(f"{identifier(site.fn.__name__)}_step", site.context.names)
    spec = Specialisation(name, site.fn, ("step", id(stmt), name), busy=False)
    spec.function, spec.plain = clone(whole), clone(whole)
    spec.function.name = spec.plain.name = name
    site.context.specialisations[spec.key] = spec
    return spec


# ------------------------------------------------------------------- what is written


def _written(
    site: _Site, stmt: Loop, whole: Function, state: list[Value], captured: list[Value]
) -> list[Value]:
    """The arrays from outside that a trip writes to."""
    fx = effects.run(whole)
    found = []
    for value in (*state, *captured):
        if not has_memory(value) or not fx.is_mutated(value):
            continue
        if draws(value.kind) and value in captured:
            continue  # its state is kept with that of the trip
        others = [v for v in (*state, *captured)
                  if v is not value and has_memory(v)
                  and site.fx.find(v) is site.fx.find(value)]  # fmt: skip
        if value in state or others or not is_array(value.kind):
            raise _ambiguous(stmt, value, bool(others))
        found.append(value)
    return found


def _ambiguous(stmt: Loop, value: Value, shared: bool) -> AliasError:
    name = value.name
    if not is_array(value.kind):
        return AliasError(
            f"a checkpointed loop changes {name!r}, which was made outside of it",
            stmt.where,
            "its trips run again, and would change it again",
            ("build it in a loop that is not checkpointed",),
        )
    why = "it is known by another name too" if shared else "it is rebound as well"
    return AliasError(
        f"a checkpointed loop writes to the memory of {name!r}",
        stmt.where,
        f"{why}, and its trips run again from states that were kept",
        (f"begin the trip with {name} = {name}.copy()",),
    )


def _functional(b: Any, whole: Function, memory: list[Value]) -> list[Value]:
    """Write to copies, which are handed back."""
    copies = []
    for value in memory:
        copy = clone_value(value)
        map_region(
            whole.body,
            lambda e, v=value, c=copy: substitute(e, {v: Ref(c)}.get),  # type: ignore[misc]
        )
        made = call(library(b, np.copy), Ref(value))
        whole.body.stmts.insert(0, Assign(copy, made))
        whole.body.yields.append(Ref(copy))
        copies.append(copy)
    return copies


# --------------------------------------------------------------------- what is refused


def require_repeatable(body: Region, where: Location | None, what: str) -> None:
    """Refuse effects that running a loop's trip or a function again would repeat.

    Raises:
        UnsupportedSyntaxError: there is one.
    """
    for stmt in walk(body):
        if isinstance(stmt, CallFn) and stmt.callee.function is not None:
            if stmt.callee.plain is None:
                require_repeatable(stmt.callee.function.body, where, what)
        elif not _repeatable(stmt):
            raise UnsupportedSyntaxError(
                f"this statement has an effect, and stands in a checkpointed {what}",
                stmt.where or where,
                "it runs again in the reverse sweep, which would repeat the effect",
                (
                    f"move it out of the {what}, or draw from a numpy Generator that "
                    "is an argument",
                ),
            )


def _repeatable(stmt: Stmt) -> bool:
    if isinstance(stmt, Scoped) and stmt.sort == "with":
        return all(_is_errstate(e) for e in stmt.header)
    if isinstance(stmt, (Assign, Unpack, Effect)):
        return all(
            _draws(part) or isinstance(part, Op) and part.op == "pop"
            for part in effects_of(stmt.expr)
        )
    return not (isinstance(stmt, Plain) and (stmt.puts or stmt.writes))


def _draws(e: Expr) -> bool:
    """Whether an expression draws from a Generator that is a value."""
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Op)):
        return False
    base = e.args[0].args[0] if e.args[0].op == "attr" else None
    return isinstance(base, Ref) and draws(base.value.kind)


def _is_errstate(e: Expr) -> bool:
    fn = e.args[0] if isinstance(e, Op) and e.op == "call" else None
    return isinstance(fn, Obj) and fn.obj is np.errstate
