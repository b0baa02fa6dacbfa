"""The writer: regions with results, as the text of Python functions."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from typing import Any

import gast
import numpy as np

from sourcegrad import syntax
from sourcegrad.analysis.views import has_memory
from sourcegrad.frontend.builder import Primal
from sourcegrad.frontend.context import Context, Specialisation
from sourcegrad.ir import (
    Assign,
    Expr,
    Function,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Value,
    call,
)
from sourcegrad.ir_walk import region_defs, walk, walk_expr
from sourcegrad.kinds import UNKNOWN, Kind, ListKind, is_array
from sourcegrad.loader.places import Places, places_of
from sourcegrad.passes import names_out, release
from sourcegrad.passes.emit import Emit, count_uses
from sourcegrad.printer.text import to_source
from sourcegrad.runtime_project import renewed
from sourcegrad.writer.heading import heading, pair_heading
from sourcegrad.writer.literals import is_plain, literal
from sourcegrad.writer.prelude import prelude
from sourcegrad.writer.records import lent


class Writer:
    """Collects the functions of one compilation and prints them."""

    def __init__(self, primal: Primal, context: Context) -> None:
        self.primal = primal
        self.context = context
        self.functions: list[Any] = []
        self.called: dict[Specialisation, None] = {}
        self.pulled: dict[Specialisation, None] = {}
        self.title = primal.function.name
        self.held: dict[Value, Expr] = {}
        self.lent: set[Value] = set()

    def reserve(self, what: str) -> None:
        """Choose names for the generated functions that nothing in them has."""
        taken = self.context.binder.taken
        pair = ("_forward", "_reverse", "_reverse_each")
        own = pair if what == "vjp" else ("_grad",)
        self.title = _unused(self.primal.function.name, own, taken)
        for spec in self.context.specialisations.values():
            endings = (*pair, "_grad", *(() if spec.plain is None else ("",)))
            spec.name = _unused(spec.name, endings, taken)

    # ------------------------------------------------------------------- joint

    def joint(self, name: str, params: list[Value], body: Region, head: int) -> str:
        """One function with both sweeps, for a number: its cotangent is one."""
        self.find_calls(body)
        taken = self.taken(params)
        seed = params[-1]
        seed.name = _free(seed.name, {p.name for p in params[:-1]} | taken)
        emit, stmts = self.sweeps(params, body, head, taken)
        names = emit.names
        stmts.append(self.returned(emit, body.yields))
        signature = self.with_defaults([names[p] for p in params[:-1]])
        signature.append((names[seed], syntax.constant(1.0)))
        self.functions.append(syntax.function(name, signature, stmts))
        return name

    def pull(
        self, spec: Specialisation, params: list[Value], body: Region, head: int
    ) -> None:
        """One function with both sweeps of a callee: of its parameters, and seeds."""
        self.find_calls(body)
        taken = self.taken(params)
        _avoid(params, taken)
        emit, stmts = self.sweeps(params, body, head, taken)
        ends = [emit.expr(e) for e in body.yields]
        value = ends[0] if len(ends) == 1 else syntax.sequence("tuple", ends)
        stmts.append(gast.Return(value=value))
        signature = [(emit.names[p], None) for p in params]
        made = syntax.function(f"{spec.name}_grad", signature, stmts)
        made.comments = [pair_heading(spec)]
        self.functions.append(made)

    def sweeps(
        self, params: list[Value], body: Region, head: int, taken: set[str]
    ) -> tuple[Emit, list[Any]]:
        """The statements of both sweeps under their headings, and what wrote them."""
        names = names_out.run(params, body, taken)
        emit = Emit(names, count_uses(body))
        forward = emit.region(Region(stmts=body.stmts[:head]))
        emit.commented = True
        back = emit.region(Region(stmts=body.stmts[head:]))
        unread = release.run(body.stmts[:head], body.stmts[head:], body.yields, names)
        if unread:
            forward.append(syntax.delete(unread))
        forward[:0] = _bound_first(emit, names, params)
        _heading(forward, "forward sweep")
        _heading(back, "reverse sweep")
        return emit, [*forward, *back]

    def returned(self, emit: Emit, ends: Sequence[Expr]) -> Any:
        """The return statement."""
        request = self.arranged(ends)
        nodes = [emit.expr(e) for e in request]
        value = nodes[0] if len(nodes) == 1 else syntax.sequence("tuple", nodes)
        return gast.Return(value=value)

    layout: tuple[int, int] | None = None
    renews = False
    compiled = False

    def arranged(self, ends: Sequence[Expr]) -> list[Expr]:
        """Several gradients are one tuple among the results."""
        if self.layout is None:
            return list(ends)
        start, stop = self.layout
        grads = Op("tuple", tuple(ends[start:stop]))
        return [*ends[:start], grads, *ends[stop:]]

    # ------------------------------------------------------------------- split

    def split(
        self,
        name: str,
        params: list[Value],
        forward: Region,
        back: Region,
        residuals: list[Value],
        seeds: list[Value],
        fx: Any,
        own: bool,
        flat: bool,
        held: dict[Value, Expr],
    ) -> tuple[str, str]:
        """`NAME_forward(params) -> results, residuals` and its reverse.

        `held` are residuals that are data of the user's world.
        """
        self.find_calls(forward)
        self.find_calls(back)
        self.held = held
        first = self.forward(f"{name}_forward", params, forward, residuals, fx, own)
        second = self.reverse(f"{name}_reverse", back, residuals, seeds, flat)
        for spec in self.called:
            if spec.name == name:
                first.comments = [pair_heading(spec)]
        self.functions += [first, second]
        return f"{name}_forward", f"{name}_reverse"

    def each(
        self, name: str, body: Region, seeds: list[Value], residuals: list[Value]
    ) -> None:
        """`NAME_reverse_each(residuals, seeds, count)` for a stack of seeds."""
        self.find_calls(body)
        title = f"{name}_reverse_each"
        self.functions.append(self.reverse(title, body, residuals, seeds, False))

    def forward(
        self,
        title: str,
        params: list[Value],
        body: Region,
        residuals: list[Value],
        fx: Any,
        own: bool,
    ) -> Any:
        """`NAME_forward`, which returns results and residuals."""
        read = [v for v in residuals if v not in self.held]
        ends = [*body.yields, *map(Ref, read), *self.held.values()]
        whole = Region(stmts=list(body.stmts), yields=ends)
        taken = self.taken(params)
        if not own:
            _avoid(params, taken)
        names = names_out.run(params, whole, taken)
        emit = Emit(names, count_uses(whole))
        bound = {names[p] for p in params}
        tried = {v for s in walk(whole) if isinstance(s, Scoped) and s.sort == "attempt"
                 for v in region_defs(s.body)}  # fmt: skip
        loose = [
            v
            for v in read
            if names[v] not in bound and (v.maybe_undefined or v in tried)
        ]
        stmts = emit.region(whole)
        held = {names[v] for v in loose}
        stmts[:0] = self.placeholders(names, loose) + [
            s for s in _bound_first(emit, names, params) if s.targets[0].id not in held
        ]
        copy = own and not self.renews
        written = {fx.find(p) for p in params if fx.is_mutated(p)} if not own else set()
        self.lent = lent(whole, partial(self.reachable, fx=fx), self.context)
        kept = [
            self.kept(emit, v, fx)
            if copy
            else self.copied(emit, v)
            if written & fx.reach(v)
            else emit.expr(self.held.get(v, Ref(v)))
            for v in residuals
        ]
        results = [emit.expr(e) for e in body.yields]
        pack = syntax.sequence("tuple", kept)
        if own and self.renews:
            pack = self.renewed(pack)
        value = syntax.sequence("tuple", [*results, pack])
        stmts.append(gast.Return(value=value))
        plain = [names[p] for p in params]
        signature = self.with_defaults(plain) if own else [(n, None) for n in plain]
        return syntax.function(title, signature, stmts)

    def plain(self, name: str, fn: Function) -> None:
        """A function that is called as it is."""
        self.find_calls(fn.body)
        taken = self.taken(fn.params)
        _avoid(fn.params, taken)
        names = names_out.run(fn.params, fn.body, taken)
        emit = Emit(names, count_uses(fn.body))
        stmts = emit.region(fn.body)
        stmts[:0] = _bound_first(emit, names, fn.params)
        ends = [emit.expr(e) for e in fn.body.yields]
        value = ends[0] if len(ends) == 1 else syntax.sequence("tuple", ends)
        stmts.append(gast.Return(value=value))
        params = [(names[p], None) for p in fn.params]
        self.functions.append(syntax.function(name, params, stmts))

    def with_defaults(self, names: list[str]) -> list[tuple[str, Any]]:
        """The primal's parameters, with its defaults where they are literals."""
        found: list[tuple[str, Any]] = [(n, None) for n in names]
        parameters = inspect.signature(self.primal.source.fn).parameters
        defaults = [p.default for p in parameters.values()]
        for k in range(len(found) - 1, -1, -1):
            if not is_plain(defaults[k]):
                break
            text = literal(defaults[k])
            found[k] = (names[k], gast.parse(text, mode="eval").body)
        return found

    def placeholders(
        self, names: dict[Value, str], residuals: list[Value]
    ) -> list[Any]:
        """Names that may stay unbound are handed on as None."""
        return [
            syntax.assign(syntax.name(names[v], True), _nothing(v)) for v in residuals
        ]

    def kept(self, emit: Emit, value: Value, fx: Any) -> Any:
        """A residual that shares no memory with what the caller can change."""
        mine = value not in self.held and (
            value.key == "record"
            or (value in fx.parent and not self.reachable(value, fx))
        )
        if value in self.lent:
            return self.copied(emit, value)
        if mine or not has_memory(value):
            return emit.expr(self.held.get(value, Ref(value)))
        return self.copied(emit, value)

    def copied(self, emit: Emit, value: Value) -> Any:
        """A residual in memory of its own."""
        expr = self.held.get(value, Ref(value))
        if is_array(value.kind):
            root = self.context.binder.bind(np, "np")
            return emit.expr(call(Obj(np.copy, f"{root.path}.copy"), expr))
        if (value.kind == UNKNOWN or value in self.lent) and not self.compiled:
            # The residuals of a callee share among each other.
            fn = self.context.binder.bind(renewed, "renewed")
            return emit.expr(call(fn, expr))
        from sourcegrad.runtime_project import kept_apart

        return emit.expr(call(self.context.binder.bind(kept_apart, "kept_apart"), expr))

    def reachable(self, value: Value, fx: Any) -> bool:
        """Whether an argument, the result or an object that got it as an attribute may
        share the value's memory."""
        roots = {fx.find(p) for p in (*self.primal.function.params, *fx.kept)}
        roots |= {fx.find(v) for v in names_in(self.primal.function.body.yields)}
        return fx.find(value) in roots

    def reverse(
        self,
        title: str,
        body: Region,
        residuals: list[Value],
        seeds: list[Value],
        flat: bool,
    ) -> Any:
        """`NAME_reverse`, which takes residuals and seeds."""
        copies, stmts = self.own_lists(residuals, body)
        whole = Region(stmts=[*stmts, *body.stmts], yields=body.yields)
        if copies:
            from sourcegrad.ir_walk import map_region, substitute

            rest = Region(stmts=body.stmts, yields=body.yields)
            map_region(rest, lambda e: substitute(e, copies.get))
            whole = Region(stmts=[*stmts, *rest.stmts], yields=rest.yields)
        taken = self.taken([])
        if not self.compiled:  # its data is hidden behind a local of that name
            taken -= {v.name for v, e in self.held.items() if isinstance(e, Obj)}
        params = [Value("residuals", Kind(), False), *seeds]
        _avoid(params, taken | {v.name for v in residuals})
        names = names_out.run(params, whole, taken, residuals)
        emit = Emit(names, count_uses(whole))
        emit.commented = True
        out: list[Any] = []
        if residuals:
            targets = [syntax.name(names[v], True) for v in residuals]
            left = syntax.sequence("tuple", targets, store=True)
            packed = syntax.name(names[params[0]])
            if self.renews:
                packed = self.renewed(packed)
            out.append(syntax.assign(left, packed))
        inner = emit.region(whole)
        out += [*_bound_first(emit, names, [*params, *residuals]), *inner]
        ends = [emit.expr(e) for e in whole.yields]
        single = flat and len(ends) == 1
        value = ends[0] if single else syntax.sequence("tuple", ends)
        out.append(gast.Return(value=value))
        return syntax.function(title, [(names[p], None) for p in params], out)

    def renewed(self, node: Any) -> Any:
        """Buffers that the forward sweep handed on, copied with what they share."""
        fn = self.context.binder.bind(renewed, "renewed")
        return gast.Call(func=syntax.dotted(fn.path), args=[node], keywords=[])

    def own_lists(
        self, residuals: list[Value], body: Region
    ) -> tuple[dict[Value, Expr], list[Assign]]:
        """Recorded lists are copied, so that a pullback can be called again."""
        copies: dict[Value, Expr] = {}
        stmts = []
        for v in residuals:
            if isinstance(v.kind, ListKind) and v.key == "record":
                new = Value(v.name, v.kind, False)
                stmts.append(
                    Assign(new, Op("call", (Op("attr", (Ref(v),), "copy"),), ()))
                )
                copies[v] = Ref(new)
        return copies, stmts

    # --------------------------------------------------------------------- text

    def taken(self, params: list[Value]) -> set[str]:
        """Names that no local of a generated function may have."""
        used = {p.split(".")[0] for p in self.context.binder.roots}
        titles = {f.name for f in self.functions}
        for spec in self.called:
            titles |= {f"{spec.name}_forward", f"{spec.name}_reverse"}
            titles |= set() if spec.plain is None else {spec.name}
        titles |= {f"{spec.name}_grad" for spec in self.pulled}
        return used | titles

    def find_calls(self, body: Region) -> None:
        """Note the pairs that a region calls."""
        from sourcegrad.ir_walk import stmt_exprs

        for stmt in walk(body):
            for expr in stmt_exprs(stmt):
                for e in walk_expr(expr):
                    if (
                        isinstance(e, Obj)
                        and isinstance(e.obj, tuple)
                        and len(e.obj) == 2
                    ):
                        if isinstance(e.obj[1], Specialisation):
                            pulled = e.obj[0] == "pull"
                            (self.pulled if pulled else self.called)[e.obj[1]] = None

    def places(self) -> Places:
        """The user's line behind each statement."""
        end = self.primal.source.end()
        for fn in self.functions:
            if fn.name.startswith(f"{self.title}_"):
                fn.body[-1].place = end
        return places_of(self.functions)

    def text(self) -> str:
        """The text of all functions, callees last, under one heading.

        What the functions name from elsewhere is imported or assigned first, so that
        the text runs by itself.
        """
        module = gast.Module(body=list(self.functions), type_ignores=[])
        head = heading(self.primal)
        blocks = prelude(self.functions, self.context.binder)
        if not blocks:
            return f"{head}{to_source(module)}"
        return head + "\n".join(blocks) + f"\n\n{to_source(module)}"


def names_in(exprs: Sequence[Expr]) -> list[Value]:
    """The values at the leaves of results."""
    from sourcegrad.ir_walk import refs

    return [v for e in exprs for v in refs(e)]


def _nothing(value: Value) -> Any:
    """What a residual holds on a path that does not make it: no record, or None."""
    if isinstance(value.kind, ListKind) and value.key == "record":
        return syntax.sequence("list", [])
    return syntax.constant(None)


def _avoid(params: list[Value], taken: set[str]) -> None:
    """Rename parameters of a function of ours that would hide what it refers to."""
    taken = set(taken)
    for param in params:
        param.name = _free(param.name, taken)
        taken.add(param.name)


def _unused(name: str, endings: tuple[str, ...], taken: set[str]) -> str:
    """A name like `name` that is free, and stays so, with every one of the endings."""
    k, found = 0, name
    while any(found + end in taken for end in endings):
        k += 1
        found = f"{name}_{k}"
    taken |= {found + end for end in endings}
    return found


def _free(name: str, taken: set[str]) -> str:
    k, found = 0, name
    while found in taken:
        k += 1
        found = f"{name}_{k}"
    return found


def _heading(stmts: list[Any], text: str) -> None:
    if stmts:
        stmts[0].comments = [text, *getattr(stmts[0], "comments", [])]


def _bound_first(emit: Emit, names: dict[Value, str], given: list[Value]) -> list[Any]:
    """Names that are copied where they may stay unbound are None at first."""
    known = {names[v] for v in given}
    return [
        syntax.assign(syntax.name(name, True), syntax.constant(None))
        for name in emit.loose if name not in known
    ]  # fmt: skip
