"""Ends of a generated function: seeds going in, gradients coming out."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from sourcegrad.adjoint.cotangents import Cotangents, library
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.structs import Abstract, Struct, leaves
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, Value, attr, call, getitem
from sourcegrad.kinds import (
    FLOAT,
    NUMBER,
    UNKNOWN,
    ListKind,
    Num,
    is_array,
    is_complex,
    is_scalar,
    strip,
)
from sourcegrad.runtime_project import project, seed_like


def seed_scalar(
    b: Builder, cot: Cotangents, result: Expr, used: set[str], holomorphic: bool
) -> Value:
    """The seed of a gradient: one number for a result of one element."""
    seed = Value(seed_name(result, used), FLOAT, False)
    if isinstance(result, Ref) and result.value.varied:
        value = result.value
        if is_scalar(value.kind) and getattr(value.kind, "dtype", None) is not None:
            cot.add(value, Ref(seed), False)
        else:
            one: Expr = Op("add", (Ref(seed), Lit(0j))) if holomorphic else Ref(seed)
            made = call(b.binder.bind(seed_like, "seed_like"), result, one)
            ref = b.emit(made, f"{value.name}_bar")
            ref.value.kind = strip(value.kind)
            cot.add(value, ref, True)
    return seed


def seed_name(result: Abstract, used: set[str]) -> str:
    """What the seed is called: after the result, unless that name is taken."""
    name = (
        result.value.name if isinstance(result, Ref) and not result.value.temp else "y"
    )
    return f"{name}_bar" if name not in used else "out_bar"


def seed_tree(b: Builder, cot: Cotangents, result: Abstract, whole: Expr) -> None:
    """Cotangents of every leaf of the result, read from a seed of its structure."""
    if isinstance(result, Struct):
        for key, item in zip(result.keys, result.items, strict=True):
            by_name = not issubclass(result.type, (tuple, list, dict))
            part = attr(whole, key) if by_name else getitem(whole, Lit(key))
            seed_tree(b, cot, item, part)
    elif isinstance(result, Ref) and result.value.varied:
        if isinstance(whole, Op):
            whole.kind = strip(result.value.kind)
        g = (
            whole
            if isinstance(whole, Ref)
            else b.emit(whole, f"{result.value.name}_bar")
        )
        if isinstance(g, Ref) and g.value.kind == UNKNOWN:
            g.value.kind = strip(result.value.kind)
        cot.add(result.value, g, False)


def gradient(b: Builder, cot: Cotangents, tree: Abstract) -> Expr:
    """The gradient with the structure of an argument."""
    if isinstance(tree, Struct):
        parts = [gradient(b, cot, item) for item in tree.items]
        return _rebuilt(b, tree, parts)
    if isinstance(tree, Ref):
        return leaf_gradient(b, cot, tree.value)
    return Lit(None)


def leaf_gradient(b: Builder, cot: Cotangents, value: Value) -> Expr:
    """The gradient of one number or array, in memory of its own."""
    if not value.varied:
        return Lit(None)
    b.where = None
    if isinstance(value.kind, ListKind):
        return cot.buffer(value)
    bar = cot.take(value)
    kind = strip(value.kind)
    kind = FLOAT if kind == NUMBER else kind
    if bar is None:
        zero = cot.zero(value)
        if isinstance(zero, Lit) and kind != FLOAT:
            return call(library(b, project), zero, Ref(value))
        return zero
    found = strip(b.infer(bar.expr))
    if found == kind and (not is_array(kind) or bar.owned) and _settled(kind):
        return bar.expr
    if kind == FLOAT and isinstance(found, Num) and is_scalar(found):
        return call(b.binder.bind(float, "float"), bar.expr)
    if found == kind and _settled(kind) and is_array(kind):
        return call(library(b, np.copy), bar.expr)
    return call(b.binder.bind(project, "project"), bar.expr, Ref(value))


def _settled(kind: Any) -> bool:
    if is_array(kind) and kind.ndim == 0:
        return False  # operations on arrays without dimensions give scalars
    return isinstance(kind, Num) and kind.dtype is not None and kind.flavor != "any"


def _rebuilt(b: Builder, tree: Struct, parts: list[Expr]) -> Expr:
    if tree.type in (tuple, list):
        return Op("tuple" if tree.type is tuple else "list", tuple(parts))
    if tree.type is dict:
        return Op("dict", tuple(e for k, p in zip(tree.keys, parts, strict=True)
                                for e in (Lit(k), p)))  # fmt: skip
    if issubclass(tree.type, tuple):
        return call(b.binder.bind(tree.type, tree.type.__name__), *parts)
    if issubclass(tree.type, dict):
        pairs = [e for k, p in zip(tree.keys, parts, strict=True) for e in (Lit(k), p)]
        cls = b.binder.bind(tree.type, tree.type.__name__)
        return call(cls, Op("dict", tuple(pairs)))
    cls = _maker(b, tree)
    return Op("call", (cls, *parts), tree.keys)


def _maker(b: Builder, tree: Struct) -> Obj:
    """The class a gradient of an object has: its own dataclass, or a namespace."""
    import dataclasses

    if dataclasses.is_dataclass(tree.type):
        init = {f.name for f in dataclasses.fields(tree.type) if f.init}
        if init == set(tree.keys):
            return b.binder.bind(tree.type, tree.type.__name__)
    return b.binder.bind(types.SimpleNamespace, "SimpleNamespace")


def reached(cot: Cotangents, tree: Abstract) -> bool:
    """Whether any leaf of an argument has a cotangent."""
    return any(
        isinstance(e, Ref) and (e.value in cot.bars or e.value in cot.shadows)
        for e in leaves(tree)
    )


def require_real(b: Builder, result: Expr, holomorphic: bool) -> None:
    """Refuse the gradient of a complex result, unless the function is holomorphic.

    Raises:
        NonDifferentiableError: no one number is the derivative.
    """
    kind = strip(b.infer(result))
    known = isinstance(kind, Num) and kind.dtype not in (None, "number")
    if not known or is_complex(kind) == holomorphic:
        return
    if holomorphic:
        raise b.error(
            NonDifferentiableError,
            "holomorphic=True, but the result is real",
            hints=("leave holomorphic out",),
        )
    raise b.error(
        NonDifferentiableError,
        "the result is complex; a gradient needs a real number",
        "a function that is not holomorphic has no one derivative there",
        (
            "for a holomorphic function: grad(f, holomorphic=True)",
            "return a real number, as .real, .imag or abs(…)",
            "use sourcegrad.vjp, which takes the cotangent of the result",
        ),
    )


def single(result: Abstract, b: Builder) -> Expr:
    """The one leaf of the result of a function to take the gradient of."""
    found = list(leaves(result))
    if isinstance(result, Expr) and not (
        isinstance(result, Lit) and isinstance(result.value, str | bytes | None)
    ):
        return result
    if len(found) == 1 and not isinstance(result, Expr):
        return found[0]
    if isinstance(result, Lit):
        what = "None" if result.value is None else repr(result.value)
    else:
        what = "several values" if found else "None"
    assert b.scope is not None and b.scope.source is not None
    raise b.error(
        NonDifferentiableError,
        f"the function returns {what}; a gradient needs one number",
        hints=(
            "use sourcegrad.vjp or sourcegrad.jacobian",
            "with (value, aux): has_aux=True",
        ),
        where=b.scope.source.end(),
    )
