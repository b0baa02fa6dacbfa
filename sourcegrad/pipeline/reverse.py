"""The adjoint of a function and of those it calls, as one function or as a pair."""

from __future__ import annotations

import copy
import warnings
from typing import Any

from sourcegrad.adjoint.calls import lent_to
from sourcegrad.adjoint.early import make_early
from sourcegrad.analysis import activity, effects
from sourcegrad.analysis.raising import Raising
from sourcegrad.errors import UnreachedInputWarning
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.context import Specialisation
from sourcegrad.frontend.structs import Abstract, Struct, values
from sourcegrad.ir import Expr, Lit, Ref, Region, Value
from sourcegrad.ir_walk import region_defs, region_uses
from sourcegrad.kinds import INT, UNKNOWN
from sourcegrad.passes import batch, captured
from sourcegrad.passes.outputs import (
    gradient,
    reached,
    require_real,
    seed_name,
    seed_scalar,
    seed_tree,
    single,
)
from sourcegrad.passes.reverse import Reverse
from sourcegrad.pipeline.sweeps import Sweeps, derive


class Adjoints(Sweeps):
    """Writes reverse mode: joint, split, and the pairs of callees."""

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
        """What is differentiated, and the auxiliary part of the result."""
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
        """The cotangents of what is asked for, at the end of the reverse sweep."""
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
        """The reverse pass over a body, and the effects of that body."""
        fx = effects.run(self.function_like(body))
        params = self.primal.function.params
        self.written = frozenset(p.name for p in params if fx.is_mutated(p))
        useful = activity.run(body, outputs, fx)
        self.raising = Raising(body, useful, fx, b.infer)
        rev = Reverse(b, fx, useful, body)
        rev.careful = self.request.careful
        rev.chosen = self.request.what != "vjp"
        return rev, fx

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
        """The reverse sweep."""
        rev.region(body)

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
        self.raising = Raising(fn.body, useful, fx, b.infer)
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
