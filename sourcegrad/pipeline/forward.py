"""From the primal to the functions of forward mode, as text."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gast
import numpy as np

from sourcegrad import runtime, syntax
from sourcegrad.adjoint.cotangents import library, zero
from sourcegrad.analysis import activity, effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.raising import Raising
from sourcegrad.forward.dots import Dots
from sourcegrad.forward.private import private_lists, private_stores
from sourcegrad.frontend.builder import Builder, Primal
from sourcegrad.frontend.context import Specialisation
from sourcegrad.frontend.structs import Abstract, Struct, values
from sourcegrad.ir import (
    Expr,
    Function,
    Lit,
    Op,
    Ref,
    Region,
    Undef,
    Value,
    attr,
    call,
    getitem,
    own_value,
)
from sourcegrad.ir_walk import map_region, region_uses
from sourcegrad.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Kind,
    Num,
    is_array,
    is_float,
    is_scalar,
    strip,
)
from sourcegrad.passes import (
    batch,
    dead,
    inline_temps,
    names_out,
    products,
    propagate,
    shapes,
    signs,
)
from sourcegrad.passes.emit import Emit, count_uses
from sourcegrad.passes.forward import Forward
from sourcegrad.pipeline.generated import Generated, Staged
from sourcegrad.pipeline.sweeps import derive, merge_common
from sourcegrad.request import Request, optimising, verifying
from sourcegrad.runtime_project import kept_apart, project
from sourcegrad.verify import verify
from sourcegrad.writer.functions import Writer, _avoid, _bound_first, _unused
from sourcegrad.writer.heading import pair_heading


def _other_dtype(kind: Kind, dot: Kind) -> bool:
    """Whether a tangent may have another dtype than its value, of a known form."""
    if not isinstance(kind, Num) or kind.flavor == "any" or not is_float(kind.dtype):
        return False
    if not isinstance(dot, Num) or dot.dtype is None:
        return True
    wide = {"float": "float64", "number": "float64", "complex": "complex128"}
    return wide.get(dot.dtype, dot.dtype) != wide.get(kind.dtype or "", kind.dtype)


class TangentWriter(Writer):
    """Prints functions that return values and tangents."""

    def reserve(self, what: str) -> None:
        """Names for the functions to come."""
        self.what = what
        taken = self.context.binder.taken
        self.title = _unused(self.primal.function.name, (f"_{what}",), taken)
        for spec in self.context.specialisations.values():
            spec.name = _unused(spec.name, ("_tangent",), taken)

    def text(self) -> str:
        """The text of all functions, under a heading that says what they are."""
        what = "power series" if self.what == "taylor" else "tangent"
        return super().text().replace(": adjoint of ", f": {what} of ", 1)

    def taken(self, params: list[Value]) -> set[str]:
        """Names that the text must not bind anew."""
        titles = {f"{spec.name}_tangent" for spec in self.called}
        return super().taken(params) | titles

    def add(self, name: str, params: list[Value], body: Region, own: int) -> None:
        """One function; the first `own` parameters are the user's."""
        self.find_calls(body)
        taken = self.taken(params)
        _avoid(params[own:], taken | {p.name for p in params[:own]})
        names = names_out.run(params, body, taken)
        emit = Emit(names, count_uses(body))
        stmts = emit.region(body)
        stmts[:0] = _bound_first(emit, names, params)
        ends = [emit.expr(e) for e in body.yields]
        value = ends[0] if len(ends) == 1 else syntax.sequence("tuple", ends)
        stmts.append(gast.Return(value=value))
        plain = [names[p] for p in params]
        made = syntax.function(name, [(n, None) for n in plain], stmts)
        made.comments = [
            pair_heading(s) for s in self.called if f"{s.name}_tangent" == name
        ]
        self.functions.append(made)


class Tangents(Staged):
    """Generates `NAME_jvp(args, dots) -> value, tangent` and what it calls."""

    def __init__(self, primal: Primal, request: Request, stage: str | None) -> None:
        self.primal = primal
        self.request = request
        super().__init__(stage)
        self.context = primal.context
        self.context.binder.taken |= {p.name for p in primal.function.params}
        self.writer = TangentWriter(primal, self.context)
        self.writer.reserve(request.what)
        self.removable: set[int] = set()

    def run(self) -> Generated:
        """The generated functions."""
        self.note("ssa", self.primal.function)
        for spec in self.context.specialisations.values():
            self.note("ssa", spec.function)
        merge_common(self.primal)
        entries: tuple[str, ...] = (self.entry(),)
        if self.each is not None:
            entries += (self.each,)
        self.callees()
        guards = self.context.binder.guards
        return Generated(
            self.writer.text(),
            entries,
            self.context,
            guards,
            self.stages,
            self.written,
            self.quiet,
            places=self.writer.places(),
        )

    # ------------------------------------------------------------- the function

    def entry(self) -> str:
        """The function asked for: tangents in and out have the form of the values."""
        primal, fn = self.primal, self.primal.function
        fx = effects.run(fn)
        self.removable = private_stores(fn.body, fx)
        if self.request.what == "tangent":
            self.removable |= private_lists(fn.body)
        params = self.primal.function.params
        self.written = frozenset(p.name for p in params if fx.is_mutated(p))
        self.quiet = self.is_quiet()
        forward = self.forward(fx, fn, [v for v in values(primal.result) if v.varied])
        seeds, head = self.seeds(forward.b, forward.dots)
        head += self.buffers(forward)
        forward.region(fn.body)
        b = forward.b
        with b.inside(fn.body):
            b.where = None
            ends = [b.materialise(self.result(b, dots, primal.result, fx))
                    for dots in forward.orders]  # fmt: skip
            if self.request.what != "tangent":
                ends.insert(0, b.materialise(primal.result))
            fn.body.yields = [Op("tuple", tuple(ends)) if len(ends) > 1 else ends[0]]
        fn.body.stmts[:0] = head
        name = f"{self.writer.title}_{self.request.what}"
        self.finish(name, [*fn.params, *seeds], fn.body, len(fn.params), forward)
        return name

    written: frozenset[str] = frozenset()
    quiet = False

    def is_quiet(self) -> bool:
        """Whether the primal has no effect but on the arguments it writes."""
        specs = [s.function for s in self.context.specialisations.values()]
        functions = [self.primal.function, *(f for f in specs if f is not None)]
        return all(self.context.quiet.is_quiet(f.body) for f in functions)

    def forward(self, fx: Effects, fn: Function, outputs: list[Value]) -> Forward:
        """The pass, for one function."""
        b = derive(self.context, self.primal)
        useful = activity.run(fn.body, outputs, fx)
        request = self.request
        self.raising = Raising(fn.body, useful, fx, b.infer)
        made = Forward(b, fx, useful, request.stands_in, request.order)
        for dots in made.orders:
            dots.careful = request.careful
            dots.find_reshaped(fn.body)
        return made

    def seeds(self, b: Builder, dots: Dots) -> tuple[list[Value], list[Any]]:
        """The parameters for tangents, and what takes them apart."""
        seeds, head = [], Region()
        with b.inside(head):
            for name in self.request.wrt:
                tree = self.primal.argument(name)
                kind = tree.value.kind if isinstance(tree, Ref) else UNKNOWN
                title = name.replace("[", "_").rstrip("]")
                seed = Value(f"{title}_dot", strip(kind), False)
                seeds.append(seed)
                self.seed(b, dots, tree, Ref(seed))
        return seeds, head.stmts

    def buffers(self, forward: Forward) -> list[Any]:
        """Shadows of arguments without tangent that the function writes to."""
        head = Region()
        with forward.b.inside(head):
            for dots in forward.orders:
                for value in self.primal.function.params:
                    needed = dots.order == 1 or dots.is_written(value)
                    if value not in dots.known and forward.active(value) and needed:
                        dots.define(value, dots.zero(Ref(value)))
        return head.stmts

    def seed(self, b: Builder, dots: Dots, tree: Abstract, whole: Expr) -> None:
        """The tangents of the leaves of an argument, read once."""
        if isinstance(tree, Struct):
            for key, item in zip(tree.keys, tree.items, strict=True):
                by_name = not issubclass(tree.type, (tuple, list, dict))
                part = attr(whole, key) if by_name else getitem(whole, Lit(key))
                self.seed(b, dots, item, part)
        elif isinstance(tree, Ref) and tree.value.varied:
            value = tree.value
            if dots.is_written(value):
                whole = call(
                    library(b, np.copy if is_array(value.kind) else kept_apart), whole
                )
                whole = dots.in_layout(value, whole, None)
            if isinstance(whole, Op):
                whole.kind = strip(value.kind)
                ref = b.emit(whole, f"{value.name}_dot")
                ref.value.kind, ref.value.temp = strip(value.kind), True
                whole = ref
                if dots.is_written(value):
                    dots.written.add(ref.value)
            dots.known[value] = whole

    def result(self, b: Builder, dots: Dots, tree: Abstract, fx: Effects) -> Abstract:
        """The tangent of the result, in memory of its own."""
        handed: set[Value] = set()

        def leaf(expr: Expr) -> Expr:
            dot = dots.of(expr)
            if dot is not None:
                return self.apart(b, dots, expr, dot, handed)
            dot = self.no_tangent(b, dots, expr)
            number = isinstance(dot, Lit) and not isinstance(expr, (Lit, Undef))
            if number and _other_dtype(b.infer(expr), FLOAT):
                return call(library(b, project), dot, expr)
            return dot

        if isinstance(tree, Struct):
            items = [self.result(b, dots, item, fx) for item in tree.items]
            return Struct(tree.type, tree.keys, items)
        return leaf(tree) if isinstance(tree, Expr) else tree

    def no_tangent(self, b: Builder, dots: Dots, expr: Expr) -> Expr:
        """The tangent of what does not move: zeros, None where there cannot be any."""
        if isinstance(expr, Undef):
            return Lit(None)
        if isinstance(expr, Ref) and expr.value.varied:
            return zero(b, expr.value)
        if isinstance(expr, Lit) or is_scalar(b.infer(expr)):
            return dots.zero(expr)
        return call(library(b, runtime.zeros_like), expr)

    def apart(
        self, b: Builder, dots: Dots, expr: Expr, dot: Expr, handed: set[Value]
    ) -> Expr:
        """A tangent that the caller may keep and change, of the dtype of its value."""
        kind = b.infer(expr)
        if _other_dtype(kind, b.infer(dot)):
            return call(library(b, project), dot, expr)
        if isinstance(dot, Ref):
            own = dot.value in dots.owned and dot.value not in handed
            handed.add(dot.value)
            if own or is_scalar(kind):
                return dot
        if is_array(kind):
            return call(library(b, np.copy), dot)
        return call(library(b, kept_apart), dot)

    # ------------------------------------------------------------------ callees

    def callees(self) -> None:
        """A function for every user function that is called as one."""
        done: set[Specialisation] = set()
        while True:
            todo = [s for s in self.writer.called if s not in done]
            if not todo:
                return
            for spec in todo:
                done.add(spec)
                self.callee(spec)

    def callee(self, spec: Specialisation) -> None:
        """`NAME_tangent(args, dots) -> results, dots`."""
        fn = spec.function
        assert fn is not None
        fx = effects.run(fn)
        self.removable = private_stores(fn.body, fx)
        outputs = [e for e in fn.body.yields if isinstance(e, Ref) and e.value.varied]
        written = [p for p in fn.params if p.varied and fx.is_mutated(p)]
        forward = self.forward(fx, fn, [*(e.value for e in outputs), *written])
        params = list(fn.params)
        for dots in forward.orders:
            for param in fn.params:
                if param.varied:
                    dot = dots.parameter(param)
                    params.append(dot)
                    dots.known[param] = Ref(dot)
        forward.region(fn.body)
        with forward.b.inside(fn.body):
            fn.body.yields += [
                forward.end(dots, e, e.value)
                for dots in forward.orders
                for e in outputs
            ]
        self.finish(f"{spec.name}_tangent", params, fn.body, 0, forward)

    # ------------------------------------------------------------------- ending

    def finish(
        self, name: str, params: list[Value], body: Region, own: int, forward: Forward
    ) -> None:
        """Simplify and print one function."""
        map_region(body, own_value)
        self.note("forward", Function(name, params, body))
        if verifying():
            verify(Function(name, params, body), "forward")
        for _ in range(2 if optimising() else 1):
            if optimising():
                propagate.run(body)
            dead.run(body, self.removable, self.raising)
        if optimising():
            for dots in forward.orders:
                dots.keep_names(Counter(region_uses(body)))
            inline_temps.run(body)
            added = {v for dots in forward.orders for v in dots.tangents()}
            signs.run(forward.b, body.stmts, added.__contains__)
            products.run(forward.b, body.stmts, added.__contains__)
        self.note("optimised", Function(name, params, body))
        if verifying():
            verify(Function(name, params, body), "folding")
        stack = self.for_a_stack(params, body, own, forward.b) if own else None
        if optimising():
            # Along a stack a tangent has another shape than its value
            for dots in forward.orders:
                shapes.tangents_instead(body, dots.beside)
            dead.run(body, self.removable)
            inline_temps.run(body)
        self.writer.add(name, params, body, own)
        if stack is not None:
            self.each = f"{name}_each"
            self.writer.add(self.each, *stack, own)

    each: str | None = None

    def for_a_stack(
        self, params: list[Value], body: Region, own: int, b: Builder
    ) -> tuple[list[Value], Region] | None:
        """The function for stacks of tangents, if it is wanted and can be."""
        if not self.request.batched:
            return None
        count = Value("count", INT, False)
        try:
            made, seeds = batch.run(b, body, params[own:], count)
        except batch.Unbatchable:
            return None
        return [*params[:own], *seeds, count], made
