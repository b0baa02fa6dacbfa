"""The pipeline: from a user's function and a signature to generated functions."""

from __future__ import annotations

import copy
import types
import warnings
from dataclasses import dataclass, field
from typing import Any

from sourcegrad.adjoint.calls import lent_to
from sourcegrad.adjoint.early import make_early
from sourcegrad.analysis import activity, effects
from sourcegrad.errors import SourcegradError, UnreachedInputWarning
from sourcegrad.floating import may_warn
from sourcegrad.frontend.builder import Builder, Primal, build
from sourcegrad.frontend.context import Context, Specialisation
from sourcegrad.frontend.scope import Guard, Scope
from sourcegrad.frontend.signature import Spec, Static
from sourcegrad.frontend.structs import Abstract, Struct, leaves, values
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    Function,
    Lit,
    Obj,
    Ref,
    Region,
    Stmt,
    Store,
    Unpack,
    Value,
    call,
    own_value,
)
from sourcegrad.ir_text import function_text
from sourcegrad.ir_walk import map_region, refs, region_defs, region_uses, regions, walk
from sourcegrad.kinds import INT, UNKNOWN
from sourcegrad.loader_places import Places
from sourcegrad.passes import (
    batch,
    branches,
    buffers,
    captured,
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
from sourcegrad.passes.outputs import (
    gradient,
    reached,
    require_real,
    seed_name,
    seed_scalar,
    seed_tree,
    single,
)
from sourcegrad.passes.record import Record
from sourcegrad.passes.reverse import Reverse
from sourcegrad.request import Request, optimising, verifying
from sourcegrad.verify import verify
from sourcegrad.writer import Writer


@dataclass
class Generated:
    """Generated functions as text, and what is needed to run them."""

    text: str
    entries: tuple[str, ...]
    context: Context
    guards: list[Guard]
    stages: dict[str, str] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    quiet: bool = False
    warns: bool = False
    places: Places = field(default_factory=dict)

    @property
    def repeatable(self) -> bool:
        """Whether running the primal again has no effect that anyone could see."""
        return self.quiet and not self.written


def generate(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    request: Request,
    stage: str | None = None,
) -> Generated:
    """Generate the functions of a request for one signature.

    Args:
        fn: the user's function, unwrapped.
        specs: the signature of each parameter.
        request: what to generate.
        stage: a stage whose text is wanted as well.

    Raises:
        SourcegradError: the function cannot be differentiated.
    """
    context = Context()
    try:
        return _generate(fn, specs, request, stage, context)
    except SourcegradError as first:
        if not _has_derivatives(context):
            raise
        mode = "forward" if request.what in _FORWARD else "reverse"
        try:
            return _generate(fn, specs, request, stage, Context(by_slope=mode))
        except SourcegradError as second:
            if _is_in_generated(first) and not _is_in_generated(second):
                raise second from None  # which is about the user's own text
        raise


def _is_in_generated(error: SourcegradError) -> bool:
    """Whether an error points into text that was generated."""
    return error.where is not None and error.where.file.startswith("<sourcegrad")


def _has_derivatives(context: Context) -> bool:
    """Whether derivatives were generated inside of a compilation."""
    keys = [key for key in context.derived if isinstance(key, tuple)]
    return any(isinstance(part, Request) for key in keys for part in key)


_FORWARD = ("jvp", "tangent", "taylor")


def _generate(
    fn: types.FunctionType,
    specs: dict[str, Spec],
    request: Request,
    stage: str | None,
    context: Context,
) -> Generated:
    context.names.add(fn.__name__)
    context.careful = request.careful
    context.complex_powers = request.complex_powers
    for name, spec in specs.items():
        context.binder.reserve(name, spec.obj if isinstance(spec, Static) else None)
    wrt = tuple(dict.fromkeys(name.partition("[")[0] for name in request.wrt))
    primal = build(fn, specs, wrt, context)
    if request.what in _FORWARD:
        from sourcegrad.pipeline_forward import Tangents

        made: Generated = Tangents(primal, request, stage).run()
    else:
        made = _Compilation(primal, request, stage).run()
    made.warns = may_warn(specs.values(), made.guards, made.text)
    return made


class _Compilation:
    def __init__(self, primal: Primal, request: Request, stage: str | None) -> None:
        self.primal = primal
        self.request = request
        self.stage = stage
        self.context = primal.context
        self.context.binder.taken |= {p.name for p in primal.function.params}
        self.outline()
        self.writer = Writer(primal, self.context)
        self.writer.reserve(request.what)
        self.writer.compiled = request.compiled
        self.stages: dict[str, str] = {}
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

    def run(self) -> Generated:
        self.note("ssa", self.primal.function)
        self.check("ssa", self.primal.function)
        for spec in self.context.specialisations.values():
            self.note("ssa", spec.function)
            self.check("ssa", spec.function)
        self.settle_lent()
        merge_common(self.primal)
        self.check("common", self.primal.function)
        if self.request.what == "vjp":
            entries: tuple[str, ...] = self.split_primal()
            entries += () if self.each is None else (self.each,)
        else:
            entries = (self.joint(),)
        self.pairs()
        return Generated(
            self.writer.text(),
            entries,
            self.context,
            self.context.binder.guards,
            self.stages,
            self.written,
            self.quiet(),
            places=self.writer.places(),
        )

    def settle_lent(self) -> None:
        """What helpers may hand back as it is, where that changes, becomes copies."""
        b = derive(self.context, self.primal)
        lent.run(b, self.primal.function, called=False)
        for spec in self.context.specialisations.values():
            if spec.function is not None:
                lent.run(b, spec.function, called=True)

    def note(self, stage: str, function: Any) -> None:
        if self.stage == stage and function is not None:
            known = self.stages.get(stage)
            text = function_text(function)
            self.stages[stage] = text if known is None else f"{known}\n\n{text}"

    def check(self, after: str, function: Function | None, **how: bool) -> None:
        """Check the invariants of the IR where tests ask for it."""
        if function is not None and verifying():
            verify(function, after, **how)

    # ------------------------------------------------------------------- joint

    def joint(self) -> str:
        """Both sweeps in one function: for `grad` and `value_and_grad`."""
        primal, request = self.primal, self.request
        fn = primal.function
        result, aux = self.parts()
        b = derive(self.context, primal)
        reverse = Region()
        with b.inside(reverse):
            out = single(result, b)
            require_real(b, out, request.holomorphic)
            rev, fx = self.reverser(b, fn.body, [v for v in values(result) if v.varied])
            self.prepare(rev, fn.body)
            seed_value = seed_scalar(
                b, rev.cot, out, self.user_names(), request.holomorphic
            )
            self.sweep(rev, fn.body)
            grads = self.gradients(b, rev)
        ends: list[Expr] = list(grads)
        if request.what == "value_and_grad":
            ends.insert(0, b.materialise(result))
        if request.has_aux:
            ends.append(b.materialise(aux))
        params = [*fn.params, seed_value]
        name = f"{self.writer.title}_grad"
        alive = frozenset(params) | rev.inputs
        body, head = self.linked(b, fn.body, reverse, fx, ends, params, name,
                                 alive=alive, joint=True)  # fmt: skip
        if request.several:
            start = 1 if request.what == "value_and_grad" else 0
            self.writer.layout = (start, start + len(grads))
        return self.writer.joint(name, params, body, head)

    def user_names(self) -> set[str]:
        """Names of the function's parameters."""
        return {p.name for p in self.primal.function.params}

    def parts(self) -> tuple[Abstract, Abstract]:
        result = self.primal.result
        if not self.request.has_aux:
            return result, Lit(None)
        if not (isinstance(result, Struct) and len(result.items) == 2):
            from sourcegrad.errors import NonDifferentiableError

            raise NonDifferentiableError(
                "with has_aux=True the function must return (value, aux)",
                self.primal.source.location(self.primal.source.tree),
            )
        return result.items[0], result.items[1]

    def gradients(self, b: Builder, rev: Reverse) -> list[Expr]:
        found = []
        unreached = []
        for name in self.request.wrt:
            tree = self.primal.argument(name)
            if not reached(rev.cot, tree) and any(v.varied for v in values(tree)):
                unreached.append(name)
            found.append(gradient(b, rev.cot, tree))
        if unreached:
            warnings.warn(
                f"the result of {self.primal.function.name} does not depend on "
                f"{', '.join(map(repr, unreached))}: the gradient is zero",
                UnreachedInputWarning, stacklevel=2)  # fmt: skip
        return found

    # ----------------------------------------------------------------- reverse

    def reverser(
        self, b: Builder, body: Region, outputs: list[Value]
    ) -> tuple[Reverse, Any]:
        fx = effects.run(self.function_like(body))
        params = self.primal.function.params
        self.written = frozenset(p.name for p in params if fx.is_mutated(p))
        useful = activity.run(body, outputs, fx)
        rev = Reverse(b, fx, useful, body)
        rev.careful = self.request.careful
        rev.chosen = self.request.what != "vjp"
        return rev, fx

    def repeatable(self) -> bool:
        """Whether running the primal again has no effect that anyone could see."""
        return not self.written and self.quiet()

    def quiet(self) -> bool:
        """Whether the primal has no effect but on the arguments it writes."""
        specs = [s.function for s in self.context.specialisations.values()]
        bodies = [self.primal.function.body, *(f.body for f in specs if f is not None)]
        return all(map(self.context.quiet.is_quiet, bodies))

    def function_like(self, body: Region) -> Any:
        return Function("f", self.primal.function.params, body)

    def prepare(self, rev: Reverse, body: Region) -> None:
        """What must exist before the first cotangent: inputs known, shadows made."""
        arguments = self.primal.arguments
        rev.outside += self.primal.function.params
        rev.inputs = frozenset(v for t in arguments.values() for v in values(t))
        make_early(rev, self.function_like(body))
        for param in self.primal.function.params:
            rev.parameter_shadow(param)
        rev.make_shadows(body)

    def sweep(self, rev: Reverse, body: Region) -> None:
        rev.region(body)

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
        if optimising():
            merge.run(body)
        self.clean(body, reverse)
        if joint and optimising() and self.repeatable():
            pulls.run(body, self.boundary(body, reverse), fx)
            self.clean(body, reverse)
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
        late = {id(s) for s in reverse.stmts}
        for k, stmt in enumerate(body.stmts):
            if id(stmt) in late:
                return k
        return len(body.stmts)

    def clean(self, body: Region, reverse: Region) -> None:
        removable = {
            id(s) for s in walk(reverse) if isinstance(s, (Store, Append, Effect))
        }
        for _ in range(2 if optimising() else 1):
            if optimising():
                propagate.run(body, frozenset())
            late = {id(s) for s in reverse.stmts}
            standing = dead.run(body, removable)
            reverse.stmts += [s for old, s in standing.items() if old in late]

    # ------------------------------------------------------------------- split

    def split_primal(self) -> tuple[str, str]:
        """A forward and a reverse function: for `vjp`."""
        primal = self.primal
        fn = primal.function
        b = derive(self.context, primal)
        outputs = [v for v in values(primal.result) if v.varied]
        reverse = Region()
        seed = Value(seed_name(primal.result, self.user_names()), UNKNOWN, False)
        if isinstance(primal.result, Ref):
            seed.kind = primal.result.value.kind
        with b.inside(reverse):
            rev, fx = self.reverser(b, fn.body, outputs)
            self.prepare(rev, fn.body)
            seed_tree(b, rev.cot, primal.result, Ref(seed))
            self.sweep(rev, fn.body)
            grads = self.gradients(b, rev)
            result = b.materialise(primal.result)
        return self.split(
            b,
            self.writer.title,
            fn.params,
            fn.body,
            reverse,
            fx,
            [result],
            grads,
            [seed],
            own=True,
            flat=False,
            moving=bool(rev.early),
        )

    def split(
        self,
        b: Builder,
        name: str,
        params: list[Value],
        forward: Region,
        reverse: Region,
        fx: Any,
        results: list[Expr],
        grads: list[Expr],
        seeds: list[Value],
        own: bool,
        flat: bool,
        moving: bool = False,
    ) -> tuple[str, str]:
        """Write `NAME_forward` and `NAME_reverse`."""
        shared = (
            (lambda v: self.writer.reachable(v, fx)) if own and not moving else None
        )
        body, head = self.linked(b, forward, reverse, fx, [*results, *grads],
                                 [*params, *seeds], name, shared,
                                 alive=frozenset(seeds))  # fmt: skip
        fwd = Region(stmts=body.stmts[:head], yields=body.yields[: len(results)])
        back = Region(stmts=body.stmts[head:], yields=body.yields[len(results) :])
        held = captured.run(b, back) if self.request.what == "vjp" else {}
        made = set(region_defs(back)) | set(seeds)
        self.writer.renews = moving
        read = {v for v in region_uses(back) if v not in made}
        # In the order of the forward sweep, whatever the reverse sweep reads first
        order = dict.fromkeys([*params, *region_defs(fwd), *held])
        residuals = [v for v in order if v in read]
        assert len(residuals) == len(read), "a residual that is not defined"
        each = self.for_a_stack(b, back, seeds) if own else None
        names = self.writer.split(
            name, params, fwd, back, residuals, seeds, fx, own, flat, held
        )
        if each is not None:
            self.writer.each(name, *each, residuals)
            self.each = f"{name}_reverse_each"
        return names

    each: str | None = None

    def for_a_stack(
        self, b: Builder, back: Region, seeds: list[Value]
    ) -> tuple[Region, list[Value]] | None:
        """The reverse sweep for a stack of seeds, if it is wanted and can be."""
        if not self.request.batched:
            return None
        count = Value("count", INT, False)
        try:
            body, new = batch.run(b, back, seeds, count)
        except batch.Unbatchable:
            return None
        return body, [*new, count]

    def pairs(self) -> None:
        """Pairs for every user function that is called as one."""
        work = {self.pair: self.writer.called, self.pull: self.writer.pulled}
        done: set[Any] = set()
        while todo := [
            (write, spec)
            for write, specs in work.items()
            for spec in specs
            if (write, spec) not in done
        ]:
            for write, spec in todo:
                done.add((write, spec))
                write(spec)

    def pair(self, spec: Specialisation) -> None:
        """A forward and a reverse function."""
        if spec.plain is not None:
            self.plain(spec.name, spec.plain)
        fn, b, reverse, fx, grads, seeds, rev = self.adjoint_of(spec)
        results = list(fn.body.yields)
        self.split(b, spec.name, fn.params, fn.body, reverse, fx, results, grads, seeds,
                   own=False, flat=True, moving=bool(rev.early))  # fmt: skip

    def pull(self, spec: Specialisation) -> None:
        """One function with both sweeps, for a call whose value is not wanted."""
        fn, b, reverse, fx, grads, seeds, _ = self.adjoint_of(spec)
        params = [*fn.params, *seeds]
        name = f"{spec.name}_grad"
        body, head = self.linked(b, fn.body, reverse, fx, grads, params, name,
                                 alive=frozenset(params), joint=True)  # fmt: skip
        self.writer.pull(spec, params, body, head)

    def adjoint_of(self, spec: Specialisation) -> tuple[Any, ...]:
        """A copy of a callee, and its adjoint."""
        assert spec.function is not None
        fn = copy.deepcopy(spec.function)
        b = derive(self.context, self.primal)
        outputs = [e for e in fn.body.yields if isinstance(e, Ref) and e.value.varied]
        shared = [fn.params[k] for k in lent_to(spec)]
        reverse = Region()
        seeds = [Value(f"{e.value.name}_bar", e.value.kind, False) for e in outputs]
        lent = [Value(f"{p.name}_bar", p.kind, False) for p in shared]
        fx = effects.run(fn)
        useful = activity.run(fn.body, [*(e.value for e in outputs), *shared], fx)
        with b.inside(reverse):
            rev = Reverse(b, fx, useful, fn.body)
            rev.careful = self.request.careful
            rev.chosen = self.request.what != "vjp"
            rev.outside += fn.params
            rev.cot.shadows |= {p: Ref(v) for p, v in zip(shared, lent, strict=True)}
            make_early(rev, fn)
            for param in fn.params:
                if param not in rev.cot.shadows:
                    rev.parameter_shadow(param)
            rev.make_shadows(fn.body)
            for e, seed in zip(outputs, seeds, strict=True):
                rev.cot.add(e.value, Ref(seed), False)
            rev.region(fn.body)
            grads: list[Expr] = []
            for param in fn.params:
                if param.varied:
                    bar = rev.cot.take(param)
                    grads.append(rev.cot.zero(param) if bar is None else bar.expr)
        return fn, b, reverse, fx, grads, [*seeds, *lent], rev

    def plain(self, name: str, fn: Function) -> None:
        """A trip of a checkpointed loop, as it runs where no adjoint follows."""
        map_region(fn.body, own_value)
        lower_calls(fn.body)
        self.clean(fn.body, Region())
        if optimising():
            inline_temps.run(fn.body)
        self.check("folding", fn)
        self.writer.plain(name, fn)


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
