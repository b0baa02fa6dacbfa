"""What the rule of a library function contributes to the cotangents of its operands."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from sourcegrad.adjoint.careful import divided_by_numpy, weighed
from sourcegrad.adjoint.cotangents import Bar, is_zero, view_root
from sourcegrad.adjoint.stretched import unbroadcast
from sourcegrad.errors import MissingRuleError, NonDifferentiableError
from sourcegrad.frontend.purity import pure
from sourcegrad.frontend.structs import Abstract, Poison, Struct
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Value,
    call,
    getitem,
)
from sourcegrad.kinds import Kind, ListKind, Num, TupleKind, is_array
from sourcegrad.kinds_operators import OPERATORS
from sourcegrad.rules import registry
from sourcegrad.rules.methods import ATTRIBUTES, METHODS, VARIADIC
from sourcegrad.runtime_project import zero_wins

if TYPE_CHECKING:
    from sourcegrad.adjoint.shadows import Shadows


_WHOLE = ("int", "bool", "number")


# --------------------------------------------------------------------- library


def callee(rev: Shadows, expr: Op) -> tuple[Any, list[Expr], dict[str, Expr]]:
    """The library function an operation stands for, and its operands."""
    if expr.op in BINARY or expr.op in UNARY:
        return OPERATORS[expr.op], list(expr.args), {}
    if expr.op == "attr":
        return ATTRIBUTES[expr.data], list(expr.args), {}
    if expr.op == "call":
        fn, *rest = expr.args
        names = expr.data or ()
        split = len(rest) - len(names)
        args, kwargs = rest[:split], dict(zip(names, rest[split:], strict=True))
        if isinstance(fn, Obj):
            return fn.obj, args, kwargs
        if isinstance(fn, Op) and fn.op == "attr":
            if fn.data in VARIADIC:
                packed = (
                    args
                    if len(args) == 1
                    else [Op("tuple", tuple(args))]
                    if args
                    else []
                )
                return VARIADIC[fn.data], [fn.args[0], *packed], kwargs
            return METHODS[fn.data], [fn.args[0], *args], kwargs
    raise rev.b.error(
        NonDifferentiableError, f"no derivative passes through this {expr.op}"
    )


def apply_rule(
    rev: Shadows,
    fn: Any,
    args: list[Expr],
    kwargs: dict[str, Expr],
    targets: list[Value],
    bars: list[Bar | None],
    unpacked: bool,
) -> None:
    """Contributions by the rule of a library function."""
    # Of a function that is defined by others, the value is there already.
    targets = [rev.twins.get(t, t) for t in targets]
    rule = registry.lookup(fn)
    if rule is not None and rule.kind == "constant":
        return
    if rule is None or rule.fn is None:
        raise rev.b.error(
            MissingRuleError,
            f"{getattr(fn, '__name__', fn)} has no derivative rule",
            "an active value passes through it",
            ("give it one with @sourcegrad.adjoint or @sourcegrad.elementwise",),
        )
    if rule.kind == "elementwise":
        options = rule.options_among(kwargs)
        _elementwise(rev, rule, fn, args, options, targets[0], bars[0])
    else:
        _adjoint(rev, rule, args, kwargs, targets, bars, unpacked)


def _elementwise(
    rev: Shadows,
    rule: Any,
    fn: Any,
    args: list[Expr],
    options: dict[str, Abstract],
    target: Value,
    bar: Bar | None,
) -> None:
    if bar is None:
        return
    b = rev.b
    given: list[Abstract] = [Ref(target), *args]
    if rev.careful:
        given = [as_numpy(rev, a, fn) for a in (Ref(target), *args)]
    found = b.inline_rule(rule.fn, given, options)
    partials = found.items if isinstance(found, Struct) else [found]
    from_math = getattr(math, getattr(fn, "__name__", ""), None) is fn
    kinds = [b.infer(a) for a in args]
    found_g: dict[Value, list[tuple[Expr, bool | None]]] = {}
    alone = sum(any(True for _ in rev.active_refs(a)) for a in args) == 1
    for k, (arg, partial) in enumerate(zip(args, partials, strict=False)):
        values = list(rev.active_refs(arg))
        if not values or is_zero(partial):
            continue
        assert isinstance(partial, Expr) and isinstance(arg, Ref)
        if rev.careful:
            partial = divided_by_numpy(b, partial)
        elif from_math:
            partial = with_math(b, partial)
        g = b.folded(Op("mul", (bar.expr, partial)))
        others = kinds[:k] + kinds[k + 1 :]
        whole = bar.owned and g is bar.expr and alone
        owned: bool | None = True if whole else None
        factor = bar.expr
        number = _uniform(b, bar.expr, target, args, partial)
        if number is not None and isinstance(g, Op) and g.args[0] is bar.expr:
            g, owned, factor = b.folded(Op("mul", (number, partial))), None, number
        if rev.careful and not isinstance(partial, Lit):
            g = call(rev.cot.library(zero_wins), factor, partial)
        if not rev.extents.same(arg, args):
            g = unbroadcast(rev, g, arg.value, others, target.kind)
        found_g.setdefault(arg.value, []).append((g, owned))
    for value, parts in found_g.items():
        if len(parts) == 2 and parts[0][0] == parts[1][0]:
            parts = [(b.folded(Op("mul", (Lit(2.0), parts[0][0]))), None)]
        for g, own in parts:
            rev.cot.add(value, g, own)


def _uniform(
    b: Any, bar: Expr, target: Value, args: list[Expr], partial: Expr
) -> Expr | None:
    """The number that a cotangent holds everywhere, where it does for the whole.

    For `z = x * y` with `z_bar` full of one number `s`, the part of `x` is the sum of
    `s * y` over the axes along which `x` was stretched, whether or not `y` was.
    """
    if not (isinstance(bar, Op) and bar.op == "call" and isinstance(bar.args[0], Obj)):
        return None
    if bar.args[0].obj is not np.full_like or partial not in args or len(args) != 2:
        return None
    kind, number = target.kind, b.infer(bar.args[2])
    if getattr(b.infer(partial), "ndim", None) != getattr(kind, "ndim", None):
        return None  # its sum must have an axis for each one of the operand
    if not (
        isinstance(number, Num) and isinstance(kind, Num) and is_array(b.infer(partial))
    ):
        return None
    return bar.args[2] if number.flavor == "py" or number.dtype == kind.dtype else None


def as_numpy(rev: Shadows, e: Expr, fn: Any) -> Expr:
    """A Python number as a NumPy one, whose division by zero is inf and no error; but
    where `fn` is a power that may be complex, which NumPy's is not."""
    if fn is operator.pow and rev.b.context.complex_powers:
        return e
    kind = rev.b.infer(e)
    if not (isinstance(kind, Num) and kind.flavor in ("py", "scalar")):
        return e
    number = {"float": np.float64, "complex": np.complex128}.get(kind.dtype or "")
    if number is None or isinstance(e, Lit):
        return e
    root = rev.b.binder.bind(np, "np")
    return call(Obj(number, f"{root.path}.{number.__name__}"), e)


def with_math(b: Any, expr: Expr) -> Expr:
    """`np.cos` becomes `math.cos`: the library the primal called."""
    if not isinstance(expr, Op):
        return expr
    args = tuple(with_math(b, a) for a in expr.args)
    if expr.op == "call" and isinstance(args[0], Obj):
        name = registry.MATH_OF_NUMPY.get(getattr(args[0].obj, "__name__", ""))
        if name is not None and isinstance(args[0].obj, np.ufunc):
            root = b.binder.bind(math, "math")
            args = (Obj(getattr(math, name), f"{root.path}.{name}"), *args[1:])
    return Op(expr.op, args, expr.data)


def _adjoint(
    rev: Shadows,
    rule: Any,
    args: list[Expr],
    kwargs: dict[str, Expr],
    targets: list[Value],
    bars: list[Bar | None],
    unpacked: bool,
) -> None:
    b = rev.b
    if all(bar is None for bar in bars):
        return
    y, y_bar = _result_pair(rev, rule, targets, bars, unpacked)
    given = {k: structured(v) for k, v in kwargs.items()}
    operands_in = [as_numpy(rev, a, rule.fn) for a in args] if rev.careful else args
    found = b.inline_rule(rule.fn, [y, y_bar, *map(structured, operands_in)], given)
    cotangents = _per_operand(rev, found, len(rule.operands))
    if rev.careful:
        times = rev.cot.library(zero_wins)
        cotangents = [weighed(g, y_bar, times) for g in cotangents]
    names = [p.name for p in rule.parameters]
    operands = dict(zip(names, args, strict=False)) | kwargs
    found_g: list[tuple[Expr, Abstract]] = []
    for k, name in enumerate(names):
        operand = operands.get(name)
        if operand is None or not any(True for _ in rev.active_refs(operand)):
            continue
        if k >= len(cotangents):
            if not rev.chosen and _is_whole(rev, operand):
                continue
            raise b.error(
                NonDifferentiableError,
                f"{rule.name} has no derivative in its argument {name!r}",
            )
        if not is_zero(cotangents[k]):
            found_g.append((operand, cotangents[k]))
    if len(found_g) == 2 and found_g[0][0] == found_g[1][0]:
        g, other = (_definition(rev, g) for _, g in found_g)
        if isinstance(g, Op) and g == other and pure(g):
            found_g = [(found_g[0][0], b.folded(Op("mul", (Lit(2.0), g))))]
    for operand, g in found_g:
        sole = len(bars) == 1 and len(cotangents) == 1 and bars[0] is not None
        owned = sole and bars[0].owned and view_root(g) == bars[0].expr  # type: ignore[union-attr]
        _distribute(rev, operand, g, owned or None)


def _is_whole(rev: Shadows, operand: Expr) -> bool:
    """Whether an operand is made of Python ints or bools: an axis, a count, a shape.

    An int among the arguments is known as a number only, and so is what its sums and
    products with ints are.
    """
    return _is_whole_kind(rev.b.infer(operand))


def _is_whole_kind(kind: Kind) -> bool:
    if isinstance(kind, TupleKind):
        return all(map(_is_whole_kind, kind.items))
    if isinstance(kind, ListKind):
        return _is_whole_kind(kind.item)
    return isinstance(kind, Num) and kind.flavor == "py" and kind.dtype in _WHOLE


def _definition(rev: Shadows, g: Abstract) -> Abstract:
    """What a rule computed, where it gave that a name."""
    for stmt in rev.b.region.stmts:
        if isinstance(stmt, Assign) and g == Ref(stmt.target):
            return stmt.expr
    return g


def _per_operand(rev: Shadows, found: Abstract, count: int) -> list[Abstract]:
    if isinstance(found, Poison):
        raise rev.b.error(NonDifferentiableError, found.reason)
    if count > 1 and isinstance(found, Struct) and found.type is tuple:
        return list(found.items)
    return [found]


def structured(operand: Expr) -> Abstract:
    """A display of operands as a structure, so that a rule can take it apart."""
    if isinstance(operand, Op) and operand.op in ("tuple", "list"):
        kind = tuple if operand.op == "tuple" else list
        items: list[Abstract] = [structured(a) for a in operand.args]
        return Struct(kind, tuple(range(len(items))), items)
    return operand


def _result_pair(
    rev: Shadows,
    rule: Any,
    targets: list[Value],
    bars: list[Bar | None],
    unpacked: bool,
) -> tuple[Abstract, Abstract]:
    """Result and cotangent as a rule takes them.

    A part that nothing used has the cotangent 0.0; a linear function, which moves
    the parts about, takes zeros in its shape.
    """
    if not unpacked:
        assert bars[0] is not None
        return Ref(targets[0]), bars[0].expr
    keys = tuple(range(len(targets)))
    ys: list[Abstract] = [Ref(t) for t in targets]
    unused = [rev.cot.zero(t) if rule.linear else Lit(0.0) for t in targets]
    gs: list[Abstract] = [
        rev.b.atom(zero) if bar is None else bar.expr
        for zero, bar in zip(unused, bars, strict=True)
    ]
    return Struct(tuple, keys, ys), Struct(tuple, keys, gs)


def _distribute(
    rev: Shadows, operand: Expr, g: Abstract, owned: bool | None = None
) -> None:
    """Hand a cotangent to an operand, or to the items of a display of operands."""
    if isinstance(operand, Ref):
        if isinstance(g, Struct):
            g = rev.b.materialise(g)
        if isinstance(g, Expr) and not is_zero(g):
            rev.cot.add(operand.value, g, owned)
        return
    if not isinstance(operand, Op) or operand.op not in ("tuple", "list"):
        raise rev.b.error(
            NonDifferentiableError, "an active operand of an unknown form"
        )
    if isinstance(g, Poison):
        raise rev.b.error(
            NonDifferentiableError, f"the cotangent of these operands {g.reason}"
        )
    if isinstance(g, Op):
        g = structured(g)
    if isinstance(g, Op) and len(operand.args) > 1:
        if not (
            g.op == "call" and isinstance(g.args[0], Obj) and g.args[0].obj is tuple
        ):
            g = rev.b.emit(g, "parts")
    for k, arg in enumerate(operand.args):
        if not any(True for _ in rev.active_refs(arg)):
            continue
        part = g.items[k] if isinstance(g, Struct) else rev.b.folded(getitem(g, Lit(k)))  # type: ignore[arg-type]
        _distribute(rev, arg, part)
