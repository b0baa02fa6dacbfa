"""Solutions of equations: the solver's value, with the derivative of the equation.

    x = root(f, x0)      is     x_own = root(f, x0), as in the program
                                x = x_own - solve(slope, f(x_own, args))

The second line counts for the derivative only.

A step of Newton's method leaves a root where it is, and its derivative with the slope
and `x_own` held fixed is the one of the implicit function theorem.  The generated text
calls the solver as the program does, so its own derivative sees the same equation
again: any order, in any mode, from the one step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad import markers_implicit, runtime_implicit
from sourcegrad.errors import KindError, NonDifferentiableError
from sourcegrad.frontend import library_solvers as library
from sourcegrad.frontend.function_values import as_value
from sourcegrad.frontend.lifting import Lifted
from sourcegrad.frontend.nested import OF, forward_of, function_of, generated
from sourcegrad.frontend.special import SPECIAL
from sourcegrad.frontend.structs import Abstract, Bound, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref
from sourcegrad.kinds import Kind, Num, is_array, is_scalar, strip
from sourcegrad.markers_implicit import ImplicitFunction
from sourcegrad.request import Request

SCALAR = Num("scalar", 0, "float64")
VECTOR = Num("array", 1, "float64")


def dimensions(kind: Kind) -> int | None:
    """How many dimensions the unknown has."""
    return getattr(kind, "ndim", None)


# ------------------------------------------------------------- the solver's value


def own_call(b: Any, fn: Abstract, args: Any, kw: Any, node: Any) -> Expr:
    """The program's own call, with the functions in it as values."""
    with b.passively():
        held = [b.materialise(as_value(b, a, node), node) for a in args]
        named = {k: b.materialise(as_value(b, v, node), node) for k, v in kw.items()}
        callee = b.materialise(as_value(b, fn, node), node)
        return Op("call", (callee, *held, *named.values()), tuple(named))


def solution(b: Any, own: Expr, kind: Any, name: str = "x") -> Any:
    """A part of the solver's result, as a constant of a kind."""
    with b.passively():
        ref = b.emit(own, name)
    ref.value.kind = kind
    return ref


def differentiated(b: Any, x: Ref, define: Callable[[], Abstract]) -> Ref:
    """`x` with the derivative of its definition."""
    mark = b.mark()
    held = define()
    if not isinstance(held, Expr) or not b.is_varied(held):
        b.back_to(mark)
        return x
    tree = Op("as", (x, b.atom(held)), "order one")
    tree.kind = x.value.kind
    return b.emit(tree, x.value.name)


# ------------------------------------------------------------------ the equation


def slope_at(b: Any, inner: Lifted, x: Ref, node: Any, each: bool = False) -> Expr:
    """The derivative of an equation by its unknown: a number, or a matrix.

    Args:
        b: the builder.
        inner: the equation with its operands; the first is `x`.
        x: the solution.
        node: the call.
        each: the unknowns have an equation each; then it has the shape of `x`.
    """
    with b.passively():
        rest = [Lit(None)] * (len(inner.own) - 1)
        if dimensions(x.value.kind) == 0:
            unit: Expr = Lit(1.0)
            return b.settle(forward_of(b, "tangent", inner, [unit, *rest], node))
        if each:
            unit = b.emit(Op("call", (b.numpy("ones_like"), x), ()), "unit")
            return b.settle(forward_of(b, "tangent", inner, [unit, *rest], node))
        push, operands = pushforward(b, inner, node)
        vector = dimensions(x.value.kind) == 1
        fn = library.slope_matrix if vector else library.slope_blocks
        return b.settle(b.inline_library(fn, [push, operands, x], node), "slope")


def pushforward(b: Any, inner: Lifted, node: Any) -> tuple[Bound, Struct]:
    """The generated tangent by the first operand, and all operands but the tangent."""
    (fn,) = generated(b, inner, Request("tangent", inner.own[:1], True), node)
    made = Obj(fn, b.binder.bind(fn, fn.__name__).path)
    operands = list(inner.operands.values())
    given = Struct(tuple, tuple(range(len(operands))), operands)
    return Bound(Obj(OF["inlined"], "inlined"), [made]), given


@dataclass
class Equation:
    """An equation for `x`: its left side is 0, or `x` where it is a fixed point.

    `found` builds the left side, `inner` is the same as a function with operands of
    which `x` is the first; `each`: the unknowns have an equation each.
    """

    x: Ref
    found: Callable[[], Abstract]
    inner: Callable[[], Lifted]
    fixed: bool = False
    each: bool = False
    free: Expr | None = None

    def step(self, b: Any, node: Any) -> Abstract:
        """A step of Newton's method from the root."""
        found = self.found()
        if not any(map(b.is_varied, b.deep_leaves(found))):
            return self.x
        residual = as_array(b, found, node) if dimensions(self.x.value.kind) else found
        residual = b.materialise(residual, node)
        slope = slope_at(b, self.inner(), self.x, node, self.each)
        if self.fixed:
            residual = b.finish(Op("sub", (self.x, residual)))
            slope = complement(b, slope, self.x)
        if self.free is not None:
            residual, slope = kept_within(b, residual, slope, self.free)
        return newton(b, self.x, slope, residual, self.each)


def equation(b: Any, f: Abstract, x: Ref, args: list[Abstract], node: Any) -> Equation:
    """`f(x, *args) = 0`."""
    return Equation(
        x,
        lambda: b.call_value(f, [x, *args], {}, node),
        lambda: function_of(b, f, [x, *args], {}, node),
    )


def kept_within(b: Any, residual: Expr, slope: Expr, free: Expr) -> tuple[Expr, Expr]:
    """The equation of the variables that are free to move."""
    with b.passively():
        kept = b.binder.bind(runtime_implicit.kept_free, "kept_free")
        slope = b.emit(Op("call", (kept, slope, free), ()), "slope")
    residual = b.finish(Op("call", (b.numpy("where"), free, residual, Lit(0.0)), ()))
    return residual, slope


def newton(b: Any, x: Ref, slope: Expr, residual: Abstract, each: bool = False) -> Expr:
    """The step, as an operation of its own."""
    fn = runtime_implicit.newton_array
    if dimensions(x.value.kind) == 0 or each:
        fn = runtime_implicit.newton_number
    elif dimensions(x.value.kind) == 1:
        fn = runtime_implicit.newton_vector
    callee = b.binder.bind(fn, fn.__name__)
    held = b.atom(b.materialise(residual))
    tree = Op("call", (callee, x, slope, held), ())
    tree.kind = x.value.kind
    return b.emit(tree)


def complement(b: Any, slope: Expr, x: Ref) -> Expr:
    """1 - slope, where 1 may be the identity matrix."""
    with b.passively():
        one: Expr = Lit(1.0)
        if dimensions(x.value.kind):
            size = Op("attr", (x,), "size")
            one = Op("call", (b.numpy("eye"), size), ())
        return b.emit(Op("sub", (one, slope)), "slope")


def as_array(b: Any, found: Abstract, node: Any) -> Abstract:
    """What an equation returns, which may be a list of numbers."""
    if isinstance(found, Expr) and isinstance(b.infer(found), Num):
        return found
    return b.call_value(Obj(np.asarray, "np.asarray"), [found], {}, node)


# --------------------------------------------------- implicit_root and fixed points


def implicit(what: str) -> Callable[..., Any]:
    """The handler of `implicit_root(f, solver)`: a function with `f` known."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        f = args[0] if args else kw["f"]
        solver = args[1] if len(args) > 1 else kw["solver"]
        made = Bound(Obj(_MAKERS[what], f"implicit_{what}"), [f, solver])
        return Bound(Obj(OF[what], what), [made, f])

    return handler


def solve(what: str) -> Callable[..., Any]:
    """The handler of a call of what `implicit_root` gives."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        made, f, x0, *rest = args
        rest = [b.settle(a) for a in rest]
        own = _own(b, made, [x0, *rest], node)
        x = solution(b, own, unknown_kind(b, x0, node))
        if b.passive:
            return x
        given = equation(b, f, x, rest, node)
        given.fixed = what == "fixed_point"
        return differentiated(b, x, lambda: given.step(b, node))

    return handler


def _own(b: Any, made: Abstract, args: list[Abstract], node: Any) -> Expr:
    """`implicit_root(f, solver)(x0, *args)` as the program says it."""
    if isinstance(made, Bound):
        maker = b.binder.bind(made.fn.obj, made.fn.obj.__name__)  # type: ignore
        with b.passively():
            held = [b.materialise(as_value(b, a, node), node) for a in made.args]
        made = Op("call", (maker, *held), ())
    return own_call(b, made, args, {}, node)


def unknown_kind(b: Any, x0: Abstract, node: Any) -> Kind:
    """The kind of a solution, from where the solver starts.

    Raises:
        KindError: it is not known to be a number or an array of floats.
    """
    with b.passively():
        kind = strip(b.infer(b.materialise(x0, node)))
    if isinstance(kind, Num) and kind.dtype and kind.dtype.startswith("complex"):
        raise b.error(
            NonDifferentiableError,
            "a complex unknown of an equation",
            "its derivative is taken as that of a real one",
            ("solve for real and imaginary parts in one vector",),
        )
    if is_scalar(kind):
        return SCALAR
    ndim = dimensions(kind)
    if is_array(kind) and ndim is not None:
        return Num("array", ndim, "float64")
    raise b.error(
        KindError,
        "the start of this solver is not known to be a number or an array",
        "the unknown has its kind",
        ("give it as np.array(…)",),
        b.locate(node),
    )


def solve_method(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """What such a function does when called: itself the operand of a transform."""
    implicit, *rest = args
    obj = implicit.obj if isinstance(implicit, Obj) else None
    if isinstance(implicit, Struct) and issubclass(implicit.type, ImplicitFunction):
        parts = dict(zip(implicit.keys, implicit.items, strict=True))
        maker = _MAKERS[implicit.type.what]
        made = Bound(Obj(maker, maker.__name__), [parts["f"], parts["solver"]])
        held = [made, parts["f"]]
        return b.call_value(
            Bound(Obj(OF[implicit.type.what], ""), held), rest, kw, node
        )
    if not isinstance(obj, ImplicitFunction):
        raise b.unsupported(node, "an implicit function known only at run time")
    return b.call_object(implicit, rest, kw, node)


_MAKERS: dict[str, Any] = {
    "root": markers_implicit.implicit_root,
    "fixed_point": markers_implicit.implicit_fixed_point,
}
SPECIAL[markers_implicit.solve] = solve_method
for _what, _maker in _MAKERS.items():
    SPECIAL[_maker] = implicit(_what)
    SPECIAL[OF[_what]] = solve(_what)
