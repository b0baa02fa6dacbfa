"""Gradients inside differentiated functions, without their text: by slopes.

    g = grad(f)(x)        ->     x_bar += grad(lambda x: jvp(f, x, g_bar))(x)
                                 g_dot = grad(lambda x: jvp(f, x, x_dot))(x)

The Jacobian of a gradient is symmetric, so what it does to a cotangent is what it does
to a tangent: the gradient of the slope of `f` along it (Pearlmutter 1994, "Fast exact
multiplication by the Hessian").  For inner functions
whose own gradient is outside of the language, as where residuals of a recursion have a
type without end; the generated slope is inside of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sourcegrad.frontend.known import literal
from sourcegrad.frontend.lifting import Lifted
from sourcegrad.frontend.nested import (
    OF,
    call_made,
    chosen,
    derived_of,
    found_for,
    function_of,
    generated,
    of_object,
    with_seeds,
)
from sourcegrad.frontend.structs import Abstract, Bound, Struct, leaves, map_leaves
from sourcegrad.ir import (
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Unpack,
    Value,
    attr,
    call,
    getitem,
)
from sourcegrad.ir_walk import region_defs, region_uses
from sourcegrad.kinds import (
    FLOAT,
    UNKNOWN,
    Kind,
    differentiable,
    is_array,
    is_scalar,
    strip,
)
from sourcegrad.request import Request
from sourcegrad.runtime_project import kept_apart


def gradient(b: Any, what: str, given: Any, args: Any, kw: Any, node: Any) -> Abstract:
    """`grad(f, argnums)(args)` with the derivative that symmetry gives it."""
    f, argnums, has_aux = given
    if what not in ("grad", "value_and_grad"):
        raise b.unsupported(node, "a derivative of this gradient of a complex number")
    if literal(has_aux):
        raise b.unsupported(node, "has_aux in a derivative of this gradient")
    args = [b.settle(a) for a in args]
    kw = {k: b.settle(v) for k, v in kw.items()}
    inner = sloped(b, f, args, kw, node)
    wrt, several = chosen(b, argnums, inner, node)
    (fn,), written = found_for(b, inner, Request("grad", wrt, several), node)
    if written is None:
        raise b.unsupported(
            node,
            "a second derivative of this function, which changes what others see",
            "let it work on copies of its arguments",
        )
    inner = replace(inner, operands=apart(b, inner.operands, written))
    with b.passively():
        operands = apart(b, inner.operands, written)
        made = Lifted(fn, with_seeds(fn, operands), inner.own)
        own = gradients(b, made, [inner.operands[name] for name in wrt], several, node)
    slope = Slope(b, inner, written, argnums, node)
    moved = own if b.passive else differentiated(b, own, slope)
    if what == "grad" and not written:
        return moved
    value = b.settle(b.call_value(f, args, kw, node))
    return moved if what == "grad" else Struct(tuple, (0, 1), [value, moved])


def apart(
    b: Any, operands: dict[str, Abstract], written: frozenset[str]
) -> dict[str, Abstract]:
    """Operands for one run of a function: what it writes is a copy."""
    return {
        name: map_leaves(tree, lambda e: copied(b, e)) if name in written else tree
        for name, tree in operands.items()
    }


def copied(b: Any, e: Expr) -> Expr:
    """A copy of an array or a container."""
    kind = strip(b.infer(e))
    if is_scalar(kind):
        return e
    if is_array(kind):
        root = b.binder.bind(np, "np")
        tree = call(Obj(np.copy, f"{root.path}.copy"), e)
    else:
        tree = call(b.binder.bind(kept_apart, "kept_apart"), e)
    copy = b.emit(tree)
    copy.value.kind = kind
    return copy


def sloped(b: Any, f: Abstract, args: Any, kw: Any, node: Any) -> Lifted:
    """The function to take the gradient of: where it is itself a gradient by one
    number, the slope along 1 in its place."""
    if isinstance(f, Obj):
        f = of_object(b, f, node) or f
    if not (isinstance(f, Bound) and f.fn == Obj(OF["grad"], "grad")):
        return function_of(b, f, args, kw, node)
    of, argnums, has_aux, *given = f.args
    inner = sloped(b, of, [*given, *args], {**f.keywords, **kw}, node)
    wrt, several = chosen(b, argnums, inner, node)
    operand = inner.operands[wrt[0]]
    number = isinstance(operand, Expr) and strip(b.infer(operand)) == FLOAT
    if several or literal(has_aux) or not number:
        return derived_of(b, "grad", inner, argnums, has_aux, node)
    (fn,) = generated(b, inner, Request("tangent", wrt, True, stands_in=True), node)
    return Lifted(fn, with_seeds(fn, inner.operands), inner.own)


def gradients(
    b: Any, made: Lifted, forms: list[Abstract], several: bool, node: Any
) -> Abstract:
    """A call of a generated gradient: built in where that can be, and the kinds of all
    that is in it are known; else as a call, whose results have the kinds of the
    operands `forms`."""
    region, env = Region(), dict(b.env)
    fn = b.binder.bind(made.fn, made.fn.__name__)
    with b.inside(region):
        operands = list(made.operands.values())
        found: Abstract | None = b.followed_call(fn, operands, {}, node)
        found = None if found is None else b.settle(found)
    loose = found is None or any(v.kind == UNKNOWN for v in region_defs(region))
    kinds = [strip(b.infer(e)) for form in forms for e in leaves(form)]
    if UNKNOWN in kinds and found is None:
        return b.settle(call_made(b, made, node))  # refused, and for the cause
    if found is not None and (not loose or UNKNOWN in kinds):
        b.region.stmts += region.stmts
        return found
    b.env = env
    tree = call(fn, *(b.materialise(e) for e in made.operands.values()))
    targets = [b.value("$gradient", kind_of_form(b, form), False) for form in forms]
    b.append(Unpack(targets, tree) if several else Assign(targets[0], tree))
    held = [opened(b, Ref(t), form) for t, form in zip(targets, forms, strict=True)]
    return Struct(tuple, tuple(range(len(held))), held) if several else held[0]


def kind_of_form(b: Any, form: Abstract) -> Kind:
    """The kind of the gradient by an operand."""
    return strip(b.infer(form)) if isinstance(form, Expr) else UNKNOWN


def opened(b: Any, found: Expr, form: Abstract) -> Abstract:
    """The gradient by an operand, taken apart as the operand is."""
    if not isinstance(form, Struct):
        kind = kind_of_form(b, form)
        if not differentiable(kind):
            return Lit(None)
        tree = b.atom(found)
        tree.value.kind = kind
        return tree
    plain = issubclass(form.type, (tuple, list, dict))
    items: list[Abstract] = []
    for key, part in zip(form.keys, form.items, strict=True):
        item = getitem(found, Lit(key)) if plain else attr(found, key)
        held = b.emit(item, f"${key}_bar") if isinstance(part, Struct) else item
        items.append(opened(b, held, part))
    return Struct(form.type, form.keys, items)


def differentiated(b: Any, own: Abstract, slope: Slope) -> Abstract:
    """The gradient `own` with its derivative by all operands that vary."""
    operands = {
        name: [e for e in leaves(tree) if b.is_varied(e)]
        for name, tree in slope.inner.operands.items()
    }
    active = {name: held for name, held in operands.items() if held}
    outputs = [e for e in leaves(own) if not isinstance(e, Lit)]
    if not active or not outputs:
        return own
    moved = slope.emitted(own, active, outputs)
    new = dict(zip(outputs, moved, strict=True))
    return map_leaves(own, lambda e: new.get(e, e))


@dataclass(eq=False)
class Moved:
    """What one mode makes of a gradient's operation: statements that read `given` and
    leave what is `found`.

    In reverse mode cotangents of the outputs give those of the operands; in forward
    mode tangents of the operands give those of the outputs.
    """

    operands: int
    outputs: int
    given: list[Value]
    body: Region
    found: list[Expr]


class Slope:
    """The derivative of one gradient.

    `active` are the leaves of the operands that vary, `outputs` those of the gradient.
    The function gets copies of the operands that it writes.
    """

    def __init__(
        self, b: Any, inner: Lifted, written: frozenset[str], argnums: Any, node: Any
    ) -> None:
        self.b, self.inner, self.written, self.node = b, inner, written, node
        self.wrt, self.several = chosen(b, argnums, inner, node)

    def emitted(
        self, own: Abstract, active: dict[str, list[Expr]], outputs: list[Expr]
    ) -> list[Expr]:
        """The values of the gradient, as results of an operation on what varies."""
        b = self.b
        held = [e for es in active.values() for e in es]
        outer, body = dict(b.env), Region()
        with b.inside(body), b.passively():
            if b.context.by_slope == "forward":
                given = self.given(held, "dot")
                found = list(self.pushed(given, tuple(active), own))
            else:
                given = self.given(outputs, "bar")
                found = list(self.pulled(given, tuple(active), own))
        b.env = outer
        inside = {*region_defs(body), *given.values()}
        used = [Ref(v) for v in dict.fromkeys(region_uses(body)) if v not in inside]
        data = Moved(len(held), len(outputs), list(given.values()), body, found)
        tree = Op("slope", (*held, *outputs, *used), data)
        parts = [b.value(f"${_title(e)}_moved", b.infer(e), True) for e in outputs]
        b.append(Unpack(parts, tree))
        return [self.moved(e, part) for e, part in zip(outputs, parts, strict=True)]

    def given(self, leaves: list[Expr], ending: str) -> dict[Expr, Value]:
        """The cotangents or tangents of some leaves, which a sweep will provide."""
        b = self.b
        return {
            e: Value(f"{_title(e)}_{ending}", strip(b.infer(e)), False, b.where, True)
            for e in leaves
        }

    def moved(self, value: Expr, part: Value) -> Expr:
        """A value of the gradient with the derivative of a part of the operation."""
        tree = Op("as", (value, Ref(part)))
        tree.kind = self.b.infer(value)
        return self.b.emit(tree, _title(value))

    def pulled(
        self, given: dict[Expr, Value], active: tuple[str, ...], own: Abstract
    ) -> Iterator[Expr]:
        """The cotangents of the operands' leaves, from those of the gradient's."""
        whole = map_leaves(own, lambda e: Ref(given[e]) if e in given else e)
        parts = whole.items if self.several and isinstance(whole, Struct) else [whole]
        dots = dict(zip(self.wrt, parts, strict=True))
        for name, tree in zip(active, self.gradient(dots, active), strict=True):
            operand = self.inner.operands[name]
            for e, g in zip(leaves(operand), leaves(tree), strict=True):
                if self.b.is_varied(e):
                    yield g

    def pushed(
        self, given: dict[Expr, Value], active: tuple[str, ...], own: Abstract
    ) -> Iterator[Expr]:
        """The tangents of the gradient's leaves, from those of the operands'."""

        def dot(e: Expr) -> Expr:
            return Ref(given[e]) if e in given else Lit(0.0)

        dots = {n: map_leaves(self.inner.operands[n], dot) for n in active}
        parts = self.gradient(dots, self.wrt)
        whole = Struct(tuple, tuple(range(len(parts))), parts)
        found = whole if self.several else parts[0]
        for e, g in zip(leaves(own), leaves(found), strict=True):
            if not isinstance(e, Lit):
                yield g

    def gradient(
        self, dots: dict[str, Abstract], wrt: tuple[str, ...]
    ) -> list[Abstract]:
        """The gradient, by some parameters, of the slope along some tangents."""
        b, node = self.b, self.node
        request = Request("tangent", tuple(dots), True, stands_in=True)
        (fn,) = generated(b, self.inner, request, node)
        names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
        held = apart(b, self.inner.operands, self.written)
        operands = [*held.values(), *dots.values()]
        along = Lifted(fn, dict(zip(names, operands, strict=True)), self.inner.own)
        own = dict(zip(self.inner.operands, names, strict=False))
        request = Request("grad", tuple(own[name] for name in wrt), True)
        (back,) = generated(b, along, request, node)
        made = Lifted(back, with_seeds(back, along.operands), along.own)
        forms = [self.inner.operands[name] for name in wrt]
        found = gradients(b, made, forms, True, node)
        assert isinstance(found, Struct)
        return list(found.items)


def _title(e: Expr) -> str:
    return e.value.name if isinstance(e, Ref) else "g"
