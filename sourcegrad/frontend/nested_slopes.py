"""Gradients inside differentiated functions, without their text: by slopes.

    g = grad(f)(x)        ->     x_bar += grad(lambda x: jvp(f, x, g_bar))(x)

The Jacobian of a gradient is symmetric, so what it does to a cotangent is what it does
to a tangent: the cotangent of `x` is the gradient of the slope of `f` along `g_bar`
(Pearlmutter 1994, "Fast exact multiplication by the Hessian").  For inner functions
whose own gradient is outside of the language, as where residuals of a recursion have a
type without end; the generated slope is inside of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sourcegrad.frontend.context import WritesUnseen
from sourcegrad.frontend.folding import literal
from sourcegrad.frontend.hooks import Hook
from sourcegrad.frontend.lifting import Lifted
from sourcegrad.frontend.nested import (
    call_made,
    chosen,
    derived_of,
    function_of,
    generated,
    with_seeds,
)
from sourcegrad.frontend.structs import Abstract, Struct, leaves, map_leaves
from sourcegrad.ir import Expr, Lit, Op, Ref, Region, Unpack, Value, region_uses
from sourcegrad.kinds import strip
from sourcegrad.request import Request


def gradient(b: Any, what: str, given: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`grad(f, argnums)(args)` with the derivative that symmetry gives it."""
    f, argnums, has_aux = given
    if literal(has_aux):
        raise b.unsupported(node, "has_aux in a derivative of this gradient")
    args = [b.settle(a) for a in args]
    kw = {k: b.settle(v) for k, v in kw.items()}
    inner = function_of(b, f, args, kw, node)
    try:
        with b.passively():
            made = derived_of(b, "grad", inner, argnums, has_aux, node)
            own = b.settle(call_made(b, made, node))
    except WritesUnseen:
        raise b.unsupported(
            node, "a second derivative of this function, which writes to its arguments"
        ) from None
    moved = own if b.passive else differentiated(b, own, inner, argnums, node)
    if what == "grad":
        return moved
    value = b.settle(b.call_value(f, args, kw, node))
    return Struct(tuple, (0, 1), [value, moved])


def differentiated(
    b: Any, own: Abstract, inner: Lifted, argnums: Abstract, node: Any
) -> Abstract:
    """The gradient `own` with its derivative by all operands that vary."""
    operands = {
        name: [e for e in leaves(tree) if b.is_varied(e)]
        for name, tree in inner.operands.items()
    }
    active = {name: held for name, held in operands.items() if held}
    outputs = [e for e in leaves(own) if not isinstance(e, Lit)]
    if not active or not outputs:
        return own
    slope = Slope(b, inner, argnums, own, node)
    moved = slope.emitted(active, outputs)
    new = dict(zip(outputs, moved, strict=True))
    return map_leaves(own, lambda e: new.get(e, e))


class Slope:
    """The derivative of one gradient."""

    def __init__(
        self, b: Any, inner: Lifted, argnums: Abstract, own: Abstract, node: Any
    ) -> None:
        self.b, self.inner, self.own, self.node = b, inner, own, node
        self.wrt, self.several = chosen(b, argnums, inner, node)

    def emitted(self, active: dict[str, list[Expr]], outputs: list[Expr]) -> list[Expr]:
        """The values of a gradient, as results of an operation on what varies."""
        b = self.b
        body, given, found = Region(), {}, []
        outer = dict(b.env)
        for e in outputs:
            kind = strip(b.infer(e))
            given[e] = Value(f"{_title(e)}_bar", kind, False, b.where, temp=True)
        with b.inside(body), b.passively():
            for name, tree in zip(active, self.cotangents(given, active), strict=True):
                found += list(self.matched(name, tree))
        b.env = outer
        held = [e for es in active.values() for e in es]
        used = dict.fromkeys(region_uses(body))
        captured = [*dict.fromkeys([*outputs, *map(Ref, used)])]
        data = Hook(list(given.values()), body, found)
        tree = Op("slope", (*held, *captured), data)
        parts = [b.value(f"${_title(e)}_moved", b.infer(e), True) for e in outputs]
        b.append(Unpack(parts, tree))
        return [self.moved(e, part) for e, part in zip(outputs, parts, strict=True)]

    def moved(self, value: Expr, part: Value) -> Expr:
        tree = Op("as", (value, Ref(part)))
        tree.kind = self.b.infer(value)
        return self.b.emit(tree, _title(value))

    def cotangents(
        self, given: dict[Expr, Value], active: dict[str, list[Expr]]
    ) -> list[Abstract]:
        """The gradient of the slope along cotangents, by each operand that varies."""
        b, node = self.b, self.node
        whole = map_leaves(self.own, lambda e: Ref(given[e]) if e in given else e)
        parts = whole.items if self.several and isinstance(whole, Struct) else [whole]
        dots = dict(zip(self.wrt, parts, strict=True))
        request = Request("tangent", self.wrt, True, stands_in=True)
        (fn,) = generated(b, self.inner, request, node)
        names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
        operands = [*self.inner.operands.values(), *(dots[n] for n in self.wrt)]
        along = Lifted(fn, dict(zip(names, operands, strict=True)), self.inner.own)
        own = dict(zip(self.inner.operands, names, strict=False))
        wrt = tuple(own[name] for name in active)
        (back,) = generated(b, along, Request("grad", wrt, True), node)
        made = Lifted(back, with_seeds(back, along.operands), along.own)
        found = b.settle(call_made(b, made, node))
        return list(found.items)

    def matched(self, name: str, found: Abstract) -> Iterator[Expr]:
        """The cotangents of the leaves of an operand that vary."""
        given = self.inner.operands[name]
        for e, g in zip(leaves(given), leaves(found), strict=True):
            if self.b.is_varied(e):
                yield g


def _title(e: Expr) -> str:
    return e.value.name if isinstance(e, Ref) else "g"
