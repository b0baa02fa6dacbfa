"""The tangent of one operation, from the rules that reverse mode uses too.

z = x * y    ->  z_dot = y * x_dot + x * y_dot      (partials)
y = sum(x)   ->  y_dot = sum(x_dot)                 (linear: the function itself)
y = det(a)   ->  the body of its tangent rule
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad import runtime
from sourcegrad.adjoint.careful import divided_by_numpy, weighed
from sourcegrad.adjoint.cotangents import is_zero, library
from sourcegrad.adjoint.rule_contributions import (
    as_numpy,
    callee,
    structured,
    with_math,
)
from sourcegrad.analysis.choices import arms, beside_each, is_choice
from sourcegrad.errors import MissingRuleError, NonDifferentiableError
from sourcegrad.forward.dots import Dots
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.inference import CONSTANT_ATTRIBUTES
from sourcegrad.frontend.structs import Abstract, Poison, Struct
from sourcegrad.ir import Assign, Expr, Lit, Obj, Op, Ref, Value, attr, call
from sourcegrad.ir_walk import refs
from sourcegrad.kinds import Num, is_array, is_scalar
from sourcegrad.rules import registry
from sourcegrad.rules.methods import VARIADIC
from sourcegrad.rules.rule import Rule
from sourcegrad.runtime_project import zero_wins


@dataclass
class _Site:
    """What `callee` reads of a pass: the builder."""

    b: Builder


def tangent(dots: Dots, expr: Expr, targets: list[Value]) -> Abstract | None:
    """The tangent of `targets = expr`; None if it is zero.

    Of several targets it is a `Struct` of theirs, or an expression to unpack.

    Raises:
        MissingRuleError: an active value passes through a function without a rule.
        NonDifferentiableError: the rule has no derivative in that operand.
    """
    if isinstance(expr, Ref) or isinstance(expr, Op) and expr.op in ("tuple", "list"):
        return dots.of(expr)
    if not isinstance(expr, Op):
        return None
    if expr.op == "as":
        if dots.order > 1 and expr.data == "order one":
            raise dots.b.error(
                NonDifferentiableError,
                "no power series passes through the solution of an equation",
                "its derivative stands for one order at a time",
            )
        return dots.of(expr.args[1])
    if expr.op == "hook":  # a hook belongs to the reverse sweep
        if dots.stands_in and not expr.data.looks_only:
            raise dots.b.error(
                NonDifferentiableError,
                "this hook changes the cotangent, and the adjoint it does that in "
                "is outside of the language",
                "a tangent cannot stand in for it",
            )
        found = [dots.of(held) for held in expr.args[: len(targets)]]
        return found[0] if len(targets) == 1 else _parts(found)
    if expr.op == "slope":
        return _slope(dots, expr)
    if is_choice(expr) and dots.order == 1 and is_array(targets[0].kind):
        return _of_choice(dots, expr, targets[0])
    if expr.op == "attr" and expr.data in CONSTANT_ATTRIBUTES:
        return None
    if expr.op == "getitem":
        base = dots.of(expr.args[0])
        return (
            None if base is None else dots.b.folded(Op("getitem", (base, expr.args[1])))
        )
    if expr.op == "pop":
        base = dots.of(expr.args[0])
        return None if base is None else Op("pop", (base,))
    fn = expr.args[0] if expr.op == "call" else None
    receiver = fn.args if isinstance(fn, Op) and fn.op == "attr" else ()
    operands = (*expr.args, *receiver)
    if dots.order > 1:
        return dots.series.coefficient(dots.order, expr, targets)
    if all(dots.of(a) is None for a in operands):
        return None
    return by_rule(dots, expr, targets)


def _of_choice(dots: Dots, expr: Op, target: Value) -> Expr | None:
    """The tangent of memory that is one thing or another; None where all is new."""
    found = {id(arm): tangent(dots, arm, [target]) for arm in arms(expr)}
    if all(dot is None for dot in found.values()):
        return None

    def beside(arm: Expr) -> Expr:
        dot = found[id(arm)]
        return dot if isinstance(dot, Expr) else dots.zero(Ref(target))

    return beside_each(expr, beside)


def _slope(dots: Dots, expr: Op) -> Struct | None:
    """A gradient whose Jacobian is symmetric: the region has what it does to tangents
    of the operands."""
    slope, operands = expr.data, expr.args[: expr.data.operands]
    if dots.order > 1:
        raise dots.b.error(
            NonDifferentiableError,
            "no power series passes through this gradient",
            "its own text is outside of the language",
        )
    if all(dots.of(e) is None for e in operands):
        return None
    for given, e in zip(slope.given, operands, strict=True):
        dots.b.append(Assign(given, dots.given(e)))
    for stmt in slope.body.stmts:
        dots.b.append(stmt)
    return _parts(slope.found)


def _parts(found: list[Expr | None]) -> Struct:
    items: list[Abstract] = [Lit(0.0) if dot is None else dot for dot in found]
    return Struct(tuple, tuple(range(len(items))), items)


def by_rule(dots: Dots, expr: Op, targets: list[Value]) -> Abstract | None:
    """The tangent by the rule of a library function."""
    b = dots.b
    fn, args, kwargs = callee(_Site(b), expr)  # type: ignore[arg-type]
    rule = registry.lookup(fn)
    name = getattr(fn, "__name__", fn)
    if rule is not None and rule.kind == "constant":
        return None
    if rule is None or rule.kind == "composite":
        raise b.error(
            MissingRuleError,
            f"{name} has no derivative rule",
            "an active value passes through it",
            ("give it one with @sourcegrad.forward or @sourcegrad.elementwise",),
        )
    if rule.kind == "elementwise":
        options = rule.options_among(kwargs)
        return _elementwise(dots, rule, fn, args, options, targets[0])
    if rule.tangent is not None:
        return _by_tangent(dots, rule, args, kwargs, targets)
    if rule.linear:
        return linear_of(b, rule, expr, args, kwargs, dots)
    raise b.error(
        MissingRuleError,
        f"{name} has no tangent rule, so forward mode cannot pass through it",
        "its rule is an adjoint alone",
        ("give it one with @sourcegrad.forward, or use reverse mode",),
    )


# ----------------------------------------------------------------- elementwise


def _elementwise(
    dots: Dots,
    rule: Rule,
    fn: Any,
    args: list[Expr],
    options: dict[str, Abstract],
    target: Value,
) -> Expr | None:
    b = dots.b
    given: list[Abstract] = [Ref(target), *args]
    if dots.careful:
        given = [as_numpy(_Site(b), e, fn) for e in (Ref(target), *args)]  # type: ignore[arg-type]
    found = b.inline_rule(rule.fn, given, options)
    partials = found.items if isinstance(found, Struct) else [found]
    from_math = getattr(math, getattr(fn, "__name__", ""), None) is fn
    terms: dict[Expr, list[Expr]] = {}
    for arg, partial in zip(args, partials, strict=False):
        dot = dots.of(arg)
        if dot is None or is_zero(partial):
            continue
        assert isinstance(partial, Expr)
        if dots.careful:
            partial = divided_by_numpy(b, partial)
        elif from_math:
            partial = with_math(b, partial)
        terms.setdefault(dot, []).append(partial)
    total: Expr = Lit(0.0)
    for dot, factors in terms.items():
        if len(factors) == 2 and factors[0] == factors[1]:
            factors = [b.folded(Op("mul", (Lit(2.0), factors[0])))]
        for factor in factors:
            part = product(b, factor, dot)
            if dots.careful and not isinstance(factor, Lit):
                part = call(library(b, zero_wins), dot, factor)
            total = b.folded(Op("add", (total, part)))
    return None if is_zero(total) else stretched(dots, total, args, target)


def product(b: Builder, partial: Expr, dot: Expr) -> Expr:
    """`partial * dot`, simplified."""
    if isinstance(partial, Op) and partial.op == "truediv":
        if partial.args[0] == Lit(1.0):
            return b.folded(Op("truediv", (dot, partial.args[1])))
        return b.folded(Op("mul", (dot, partial)))
    return b.folded(Op("mul", (partial, dot)))


def stretched(dots: Dots, g: Expr, args: list[Expr], target: Value) -> Expr:
    """The tangent in the shape of the result, where an inactive operand made it so."""
    b, kind = dots.b, target.kind
    if is_scalar(kind) or same_shape(b, g, kind):
        return g
    used = set(refs(g))
    by_dot = {
        a.value
        for a in args
        if isinstance(a, Ref) and set(refs(dots.of(a) or Lit(0))) & used
    }
    for arg in args:
        own = b.infer(arg)
        if is_scalar(own) or isinstance(arg, Lit) or target in used:
            continue
        mentioned = set(refs(arg))
        if not mentioned or not mentioned <= used | by_dot:
            return broadcast(b, g, target)
    return g


def same_shape(b: Builder, g: Expr, kind: Any) -> bool:
    """Whether an expression certainly has the shape of a kind."""
    found = b.infer(g)
    token = getattr(kind, "shape", None)
    return token is not None and isinstance(found, Num) and found.shape == token


def broadcast(b: Builder, g: Expr, target: Value) -> Expr:
    """A tangent spread to the shape of its value."""
    kind, found = target.kind, b.infer(g)
    if isinstance(kind, Num) and kind.flavor == "array":
        if is_scalar(found) and not isinstance(g, Lit):
            return b.folded(call(library(b, np.full_like), Ref(target), g))
        return call(
            library(b, np.broadcast_to), g, b.folded(attr(Ref(target), "shape"))
        )
    return call(library(b, runtime.unbroadcast), g, Ref(target))


# ---------------------------------------------------------------- tangent rules


def _by_tangent(
    dots: Dots,
    rule: Rule,
    args: list[Expr],
    kwargs: dict[str, Expr],
    targets: list[Value],
) -> Abstract | None:
    b = dots.b
    assert rule.tangent is not None
    own = list(inspect.signature(rule.tangent).parameters.values())
    names = [p.name for p in own[1:] if not p.name.endswith("_dot")]
    operands = dict(zip(names, args, strict=False)) | kwargs
    y: Abstract = Ref(targets[0])
    if len(targets) > 1:
        y = Struct(tuple, tuple(range(len(targets))), [Ref(t) for t in targets])
    bound: dict[str, Abstract] = {own[0].name: y}
    for param in own[1:]:
        base = param.name.removesuffix("_dot")
        if param.name in operands:
            bound[param.name] = structured(operands[param.name])
        elif base != param.name and base in operands:
            dot = dots.of(operands[base])
            bound[param.name] = Lit(0.0) if dot is None else structured(dot)
    taken = {p.name.removesuffix("_dot") for p in own if p.name.endswith("_dot")}
    for name, operand in operands.items():
        if name not in taken and dots.of(operand) is not None:
            refuse_option(b, rule, name)
    if all(is_zero(v) for k, v in bound.items() if k.endswith("_dot")):
        return None
    moved = [v for k, v in bound.items() if k.endswith("_dot")]
    positional = []
    for param in own:
        if param.name not in bound or param.kind is inspect.Parameter.KEYWORD_ONLY:
            break
        positional.append(bound.pop(param.name))
    found = b.inline_rule(rule.tangent, positional, bound)
    if isinstance(found, Poison):
        raise b.error(NonDifferentiableError, found.reason)
    if is_zero(found):
        return None
    if dots.careful:
        found = _weighed(b, found, moved)
    if len(targets) == 1 and isinstance(found, Expr) and _is_flatter(b, found, targets):
        return broadcast(b, found, targets[0])
    return found


def _weighed(b: Builder, found: Abstract, moved: list[Abstract]) -> Abstract:
    """A tangent in whose products with the tangents of the operands zero wins."""
    for dot in moved:
        found = weighed(found, dot, library(b, zero_wins))
    return found


def _is_flatter(b: Builder, found: Expr, targets: list[Value]) -> bool:
    """Whether a tangent has fewer axes than its value, or may have: a location moves
    all that is drawn around it alike."""
    own, kind = b.infer(found), targets[0].kind
    if not isinstance(own, Num) or not isinstance(kind, Num) or is_scalar(kind):
        return False
    if own.ndim is None or kind.ndim is None:
        return is_scalar(own)
    return own.ndim < kind.ndim


def refuse_option(b: Builder, rule: Rule, name: str) -> None:
    """Refuse an active operand that the rule says nothing about."""
    if name not in rule.constant_operands:
        raise b.error(
            NonDifferentiableError,
            f"{rule.name} has no derivative in its argument {name!r}",
        )


# ------------------------------------------------------------- linear functions


@functools.cache
def slots(rule: Rule) -> frozenset[str]:
    """The parameters of a linear function that it is linear in."""
    assert rule.fn is not None
    tree = ast.parse(textwrap.dedent(inspect.getsource(rule.fn)))
    names = [p.name for p in rule.parameters]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            found |= {
                n
                for n, e in zip(names, node.value.elts, strict=False)
                if not _is_none(e)
            }
        elif isinstance(node, ast.Return):
            found.add(names[0])
    return frozenset(found)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def linear_of(
    b: Builder,
    rule: Rule,
    expr: Op,
    args: list[Expr],
    kwargs: dict[str, Expr],
    dots: Any,
) -> Expr | None:
    """The function itself, applied to the tangents: what `dots` says they are."""
    own = slots(rule)
    names = [p.name for p in rule.parameters]
    operands = dict(zip(names, args, strict=False)) | kwargs
    active = [
        name for name, operand in operands.items() if dots.of(operand) is not None
    ]
    for name in active:
        if name not in own:
            refuse_option(b, rule, name)
    if not own & set(active):
        return None

    def moved(name: str, operand: Expr) -> Expr:
        if name not in own or operand == Lit(None):
            return operand
        return dots.given(operand)

    new = [moved(n, a) for n, a in zip(names, args, strict=False)]
    named = {k: moved(k, v) for k, v in kwargs.items()}
    return b.folded(_respelled(expr, new, named))


def _respelled(expr: Op, args: list[Expr], kwargs: dict[str, Expr]) -> Op:
    """The operation as it was written, with other operands."""
    if expr.op != "call":
        return Op(expr.op, tuple(args), expr.data)
    fn = expr.args[0]
    if isinstance(fn, Op) and fn.op == "attr":
        rest = list(args[1:])
        if fn.data in VARIADIC:
            rest = list(expr.args[1 : len(expr.args) - len(expr.data or ())])
        return Op(
            "call", (attr(args[0], fn.data), *rest, *kwargs.values()), tuple(kwargs)
        )
    assert isinstance(fn, Obj)
    return Op("call", (fn, *args, *kwargs.values()), tuple(kwargs))
