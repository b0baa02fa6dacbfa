"""Derivatives inside differentiated functions: `grad(f)(x)` and its kin, compiled
inside out.

The inner derivative is generated as if it stood alone, for the kinds it is called
with; what an inner function captures becomes parameters.  The generated function is
then built into the outer one like any function of the user's, so that no two
perturbations can be confused: the inner one is gone before the outer one begins.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.known import literal
from sourcegrad.frontend.lifting import Lifted, lifted, spec_for
from sourcegrad.frontend.reads import CellRead, Guard
from sourcegrad.frontend.special import SPECIAL
from sourcegrad.frontend.structs import Abstract, Bound, Object, Struct
from sourcegrad.ir import Expr, Lit, Obj
from sourcegrad.kinds import BOTTOM, NONE, differentiable, strip
from sourcegrad.markers_implicit import (
    ImplicitFixedPoint,
    ImplicitFunction,
    ImplicitRoot,
)
from sourcegrad.request import Request
from sourcegrad.source.written import spread


class Derivative:
    """Stands, while building, for a transform whose function is given first."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.__name__ = what

    def __call__(self, *args: Any) -> Any:
        raise AssertionError("it exists only while compiling")


# Transforms of a function, and what `f` and its argnums are followed by.
_OPTIONS = {"grad": "has_aux", "value_and_grad": "has_aux", "hvp": "", "hessian": "",
            "elementwise_grad": "", "jacobian": "mode"}  # fmt: skip
_ALWAYS = ("f", "argnums", "backend", "holomorphic")
_GRADIENTS = ("grad", "value_and_grad")
_HOLOMORPHIC = "holomorphic "
_WHAT = (*_OPTIONS, *(f"{_HOLOMORPHIC}{what}" for what in _GRADIENTS),
         "pullback", "inlined", "root", "fixed_point")  # fmt: skip
OF = {what: Derivative(what) for what in _WHAT}
CLASSES: dict[type, str] = {ImplicitRoot: "root", ImplicitFixedPoint: "fixed_point"}
# The public functions, by what they do.
PUBLIC: dict[str, Any] = {}
# What makes a derivative, with what it was given, a function to differentiate.
AS_FUNCTION: dict[str, Callable[..., Lifted]] = {}
# What makes data of the inner functions that its operands hold.
FINISH: list[Callable[..., Lifted]] = [lambda b, inner, node: inner]
# What generates and loads an inner function: the whole compiler, which stands above.
GENERATE: list[
    Callable[..., tuple[tuple[Any, ...], list[Guard], frozenset[str] | None]]
] = []


def transform(what: str) -> Callable[..., Any]:
    """The handler of `grad(f, argnums)`: a function with its first operands given."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        unknown = set(kw) - {*_ALWAYS, _OPTIONS[what]}
        if unknown:
            raise b.unsupported(node, f"{what} with the option {min(unknown)!r}")
        f = args[0] if args else kw["f"]
        argnums = kw.get("argnums", args[1] if len(args) > 1 else Lit(0))
        option = kw.get(_OPTIONS[what], args[2] if len(args) > 2 else Lit(None))
        own = as_holomorphic(what, literal(kw.get("holomorphic", Lit(False))))
        return Bound(Obj(OF[own], own), [f, argnums, option])

    return handler


def of_object(b: Any, fn: Any, node: Any) -> Bound | None:
    """A transform object of the user's module, as `transform` gives it."""
    what = CLASSES.get(type(fn.obj))
    if what is None:
        return None
    if isinstance(fn.obj, ImplicitFunction):
        f = b.binder.bind(fn.obj.f, getattr(fn.obj.f, "__name__", "f"))
        return Bound(Obj(OF[what], what), [fn, f])
    inner = b.binder.bind(fn.obj.f, getattr(fn.obj.f, "__name__", "f"))
    argnums = fn.obj.argnums
    given: Abstract = Lit(argnums)
    if isinstance(argnums, tuple):
        given = Struct(tuple, tuple(range(len(argnums))), [Lit(n) for n in argnums])
    option = Lit(getattr(fn.obj, _OPTIONS[what], None))
    own = as_holomorphic(what, getattr(fn.obj, "holomorphic", False))
    return Bound(Obj(OF[own], own), [inner, given, option])


def as_holomorphic(what: str, wanted: Any) -> str:
    """A gradient of a holomorphic function, if that is what a call asks for."""
    return f"{_HOLOMORPHIC}{what}" if wanted and what in _GRADIENTS else what


# --------------------------------------------------------------------- calling


def gradient_call(what: str) -> Callable[..., Any]:
    """The handler of `grad(f, argnums)(args)`."""

    def handler(b: Any, args: Any, kw: Any, node: Any) -> Any:
        if b.context.by_slope:
            from sourcegrad.frontend import nested_slopes

            return nested_slopes.gradient(b, what, args[:3], args[3:], kw, node)
        made = derived(b, what, args[:3], args[3:], kw, node)
        return call_made(b, made, node)

    return handler


def call_made(b: Any, made: Lifted, node: Any) -> Abstract:
    """A call of a generated function, built in."""
    fn = b.binder.bind(made.fn, made.fn.__name__)
    return b.inline_function(fn, list(made.operands.values()), {}, node)


def function_of(b: Any, f: Abstract, args: Any, kw: Any, node: Any) -> Lifted:
    """The function to differentiate; an inner derivative is generated first."""
    if isinstance(f, Obj):
        f = of_object(b, f, node) or f
    if isinstance(f, Struct | Object):
        f = b.class_member(f.type, "__call__", f, node)
    if not isinstance(f, Bound):
        return FINISH[0](b, spread_out(b, lifted(b, f, args, kw, node)), node)
    what = derivative(f.fn)
    if what in ("pullback", "inlined"):  # generated: its residuals are given
        f, what = Bound(f.args[0], f.args[1:], f.keywords), ""
    given, kw = [*f.args, *args], {**f.keywords, **kw}
    if what:
        return AS_FUNCTION[what](b, what, given, kw, node)
    inner = function_of(b, f.fn, given, kw, node)
    return replace(inner, own=inner.own[len(f.args) :])


def spread_out(b: Any, inner: Lifted) -> Lifted:
    """A function with `*args` as one with a parameter for each that it is given."""
    star = inner.star
    held = inner.operands.get(star) if star is not None else None
    if star is None or not isinstance(held, Struct):
        return inner
    key = ("spread", inner.fn, star, len(held.items))
    found = b.context.derived.get(key)
    if found is None:
        made = spread(inner.fn, star, len(held.items))
        found = b.context.derived[key] = made
    fn, names = found
    operands: dict[str, Abstract] = {}
    for name, tree in inner.operands.items():
        one = (
            {name: tree} if name != star else dict(zip(names, held.items, strict=True))
        )
        operands |= one
    k = inner.own.index(star) if star in inner.own else len(inner.own)
    return Lifted(fn, operands, (*inner.own[:k], *names, *inner.own[k + 1 :]))


def derivative(fn: Abstract) -> str:
    """Which transform a callee stands for, its function given; or nothing."""
    known = isinstance(fn, Obj) and isinstance(fn.obj, Derivative)
    return fn.obj.what if known else ""  # type: ignore[union-attr]


def gradient_function(b: Any, what: str, given: Any, kw: Any, node: Any) -> Lifted:
    """A gradient as a function to differentiate."""
    return derived(b, what, given[:3], given[3:], kw, node)


def solver_function(b: Any, what: str, given: Any, kw: Any, node: Any) -> Lifted:
    """An implicit function as one: not as it is."""
    raise b.unsupported(
        node,
        "a derivative of an implicit function by its name alone",
        "write it as lambda x0, a: solve(x0, a), of a solve at module level",
    )


def derived(b: Any, what: str, given: Any, args: Any, kw: Any, node: Any) -> Lifted:
    """The generated gradient for the operands of a call."""
    f, argnums, has_aux = given
    inner = function_of(b, f, args, kw, node)
    return derived_of(b, what, inner, argnums, has_aux, node)


def derived_of(
    b: Any, what: str, inner: Lifted, argnums: Abstract, has_aux: Abstract, node: Any
) -> Lifted:
    """The generated gradient of a function with its operands."""
    wrt, several = chosen(b, argnums, inner, node)
    kind = what.removeprefix(_HOLOMORPHIC)
    aux, holomorphic = bool(literal(has_aux)), kind != what
    request = Request(kind, wrt, several, aux, holomorphic=holomorphic)
    (fn,) = generated(b, inner, request, node)
    return Lifted(fn, with_seeds(fn, inner.operands), inner.own)


def with_seeds(
    fn: types.FunctionType, operands: dict[str, Abstract]
) -> dict[str, Abstract]:
    """The operands of a generated function: its seeds, which come last, are 1."""
    names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    held = [*operands.values(), *[Lit(1.0)] * (len(names) - len(operands))]
    return dict(zip(names, held, strict=True))


def chosen(
    b: Any, argnums: Abstract, inner: Lifted, node: Any
) -> tuple[tuple[str, ...], bool]:
    """The parameters that `argnums` stands for, and whether it is a tuple."""
    value = (
        tuple(map(literal, argnums.items))
        if isinstance(argnums, Struct)
        else literal(argnums)
    )
    wanted = value if isinstance(value, tuple) else (value,)
    names = []
    for which in wanted:
        if isinstance(which, str) and which in inner.operands:
            names.append(which)
        elif type(which) is int and -len(inner.own) <= which < len(inner.own):
            names.append(inner.own[which])
        else:
            raise b.unsupported(
                node, "this argnums", "give a number or a name that it has"
            )
    return tuple(names), isinstance(value, tuple)


def generated(b: Any, inner: Lifted, request: Any, node: Any) -> tuple[Any, ...]:
    """The functions of a request, generated once per compilation."""
    return found_for(b, inner, request, node)[0]


def found_for(
    b: Any, inner: Lifted, request: Any, node: Any
) -> tuple[tuple[Any, ...], frozenset[str] | None]:
    """The same, and the operands that the function writes; None where it has other
    effects that someone could notice when it runs again."""
    wide = b.context.complex_powers
    request = replace(request, careful=b.context.careful, complex_powers=wide)
    specs = {n: spec_for(b, t, node) for n, t in inner.operands.items()}
    if b.context.dirty and any(_unsettled(b, t) for t in inner.operands.values()):
        raise Restart
    key = (inner.fn, tuple(specs.items()), request)
    found = b.context.derived.get(key)
    if found is None:
        found = b.context.derived[key] = GENERATE[0](inner.fn, specs, request)
    functions, guards, written = found
    for guard in guards:  # globals are fixed in the inner text: no live data
        kind = guard.kind if isinstance(guard.read, CellRead) else None
        b.binder.guards.append(Guard(guard.name, guard.read, guard.expected, kind))
    return functions, written


def _unsettled(b: Any, tree: Abstract) -> bool:
    if isinstance(tree, Struct):
        return any(_unsettled(b, item) for item in tree.items)
    return b.infer(tree) == BOTTOM if not isinstance(tree, (Bound,)) else False


# ----------------------------------------------------------------- forward mode


def jvp_call(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`jvp(f, primals, tangents)`."""
    f, primals, tangents = args
    if not (isinstance(primals, Struct) and isinstance(tangents, Struct)):
        raise b.unsupported(node, "jvp with primals or tangents that are not displays")
    return forward(b, "jvp", f, primals.items, tangents.items, node)


def forward(
    b: Any, what: str, f: Abstract, primals: Any, tangents: Any, node: Any
) -> Any:
    """Value and tangent of a call; a tangent None is that of a constant."""
    inner = function_of(b, f, primals, {}, node)
    return forward_of(b, what, inner, tangents, node)


def forward_of(
    b: Any, what: str, inner: Lifted, tangents: Any, node: Any, order: int = 1
) -> Any:
    """Value and tangent, or the tangent alone, of a function with its operands."""
    dots = along(b, inner, list(tangents), node)
    request = Request(what, tuple(dots), True, order=order)
    (fn,) = generated(b, inner, request, node)
    names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    held = [*inner.operands.values(), *dots.values()]
    return call_made(b, Lifted(fn, dict(zip(names, held, strict=True)), ()), node)


def taylor_call(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`taylor(f, x, v, order)`, of an order that is known when compiling."""
    given = dict(zip(("f", "x", "v", "order"), args, strict=False)) | kw
    order = given["order"]
    if not (isinstance(order, Lit) and type(order.value) is int and order.value > 0):
        raise b.unsupported(node, "taylor of an order that is no positive literal")
    x = b.settle(given["x"])
    inner = function_of(b, given["f"], [x], {}, node)
    found = forward_of(b, "taylor", inner, [given["v"]], node, order.value)
    return Struct(list, found.keys, list(found.items), None, b.site(node))


def along(
    b: Any, inner: Lifted, tangents: list[Abstract], node: Any
) -> dict[str, Abstract]:
    """The tangent of each parameter that has one."""
    pairs = zip(inner.own, tangents, strict=False)
    dots = {n: t for n, t in pairs if t != Lit(None)}
    for name, dot in dots.items():
        if any(lost(b, inner.operands[name], dot)):
            raise b.unsupported(
                node,
                f"a tangent of an int in the container {name!r}",
                "give a float for it, or None as its tangent",
            )
    return dots


def lost(b: Any, operand: Abstract, dot: Abstract) -> Iterator[bool]:
    """For each part of a container, whether it carries no derivative and gets one."""
    if isinstance(operand, Struct) and isinstance(dot, Struct):
        for part, own in zip(operand.items, dot.items, strict=False):
            if isinstance(part, Expr) and not differentiable(strip(b.infer(part))):
                nothing = isinstance(own, Lit) and not own.value
                nothing = nothing or isinstance(own, Expr) and b.infer(own) == NONE
                yield isinstance(own, Expr) and not nothing
            else:
                yield from lost(b, part, own)


def hvp_call(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`hvp(f, argnums)(*args, v)`."""
    f, argnums, _, *primals, v = args
    gradient = Bound(Obj(OF["grad"], "grad"), [f, argnums, Lit(False)])
    inner = function_of(b, f, primals, kw, node)
    wrt, several = chosen(b, argnums, inner, node)
    parts = dict(
        zip(wrt, v.items if several and isinstance(v, Struct) else [v], strict=True)
    )
    tangents = [parts.get(n, Lit(None)) for n in inner.own]
    return forward(b, "tangent", gradient, primals, tangents, node)


def vjp_call(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`vjp(f, *primals)`: the value, and the pullback with the residuals given."""
    f, *primals = args
    inner = function_of(b, f, primals, {}, node)
    wrt = inner.own[: len(primals)]
    first, second = generated(b, inner, Request("vjp", wrt, True), node)
    made = Lifted(first, inner.operands, inner.own)
    result = b.settle(call_made(b, made, node))
    y, residuals = result.items
    reverse = b.binder.bind(second, second.__name__)
    pullback = Bound(Obj(OF["pullback"], "pullback"), [reverse, residuals])
    return Struct(tuple, (0, 1), [y, pullback])


def pullback_call(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """`pullback(y_bar)`."""
    reverse, residuals, y_bar = args
    return b.inline_function(reverse, [residuals, y_bar], {}, node)


def inlined(b: Any, args: Any, kw: Any, node: Any) -> Any:
    """A generated function, built in whatever its operands are."""
    fn, *operands = args
    return b.inline_function(fn, operands, kw, node)


SPECIAL[OF["inlined"]] = inlined


def register(
    generate: Callable[..., Any], classes: dict[type, str], **handlers: Any
) -> None:
    """Tell the compiler which public call is which transform.

    Args:
        generate: gives the functions of a request, and their guards.
        classes: the classes of transform objects, and what they do.
        handlers: the public functions, by what they do.
    """
    GENERATE[:] = [generate]
    PUBLIC.update(handlers)
    CLASSES.update(classes)
    for what in _OPTIONS:
        SPECIAL[handlers[what]] = transform(what)
    SPECIAL[handlers["jvp"]] = jvp_call
    SPECIAL[handlers["vjp"]] = vjp_call


_CALLED = [own for own in OF if own.removeprefix(_HOLOMORPHIC) in _GRADIENTS]
SPECIAL |= {OF[own]: gradient_call(own) for own in _CALLED}
SPECIAL[OF["hvp"]] = hvp_call
SPECIAL[OF["pullback"]] = pullback_call
AS_FUNCTION |= dict.fromkeys(_CALLED, gradient_function)
AS_FUNCTION |= dict.fromkeys(("root", "fixed_point"), solver_function)
