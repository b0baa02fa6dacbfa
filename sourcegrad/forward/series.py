"""Power series: the coefficients of an operation from those of its operands.

With x(t) = x_0 + x_1 t + x_2 t^2 + … and y = f(x), what the rules of forward mode say,
y' = p(x, y) x', says about coefficients

    k y_k = sum over m = 1…k of  m x_m p_(k-m)

where p_j is a coefficient of the partial, which is an expression like any other and so
has its coefficients from the rules in turn, one order less each time.  Each is computed
once, so the work grows with a power of the order: for `sin` and `cos`, which need each
other, with its square.  Source: Griewank and Walther, "Evaluating Derivatives", 2008,
chapter 13 (its table of recurrences is what comes out here).
"""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from sourcegrad import runtime
from sourcegrad.adjoint.cotangents import is_zero, library
from sourcegrad.adjoint.rule_contributions import callee, with_math
from sourcegrad.analysis.effects import Effects
from sourcegrad.errors import MissingRuleError, NonDifferentiableError, SourcegradError
from sourcegrad.forward.dots import Dots
from sourcegrad.frontend.builder import Builder
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.naming import temporary
from sourcegrad.frontend.structs import Abstract, Struct, map_leaves
from sourcegrad.ir import Assign, Expr, Lit, Obj, Op, Ref, Region, Value, attr, call
from sourcegrad.ir_walk import refs, substitute
from sourcegrad.kinds import Num, differentiable, is_scalar
from sourcegrad.rules import registry
from sourcegrad.rules.methods import ATTRIBUTES, CONSTANT_ATTRIBUTES
from sourcegrad.rules.rule import Rule


def coefficients(b: Builder, effects: Effects, order: int) -> list[Dots]:
    """The tangents of one function: one for each coefficient above the value."""
    made = [Dots(b, effects) for _ in range(order)]
    if order > 1:
        series = Series(b, made)
        for k, dots in enumerate(made, start=1):
            dots.order, dots.suffix, dots.series = k, f"_c{k}", series
    return made


class Series:
    """The coefficients of expressions, found when they are asked for."""

    def __init__(self, b: Builder, orders: list[Dots]) -> None:
        self.b = b
        self.orders = orders
        self.begin(None, [])

    def begin(self, expr: Op | None, targets: list[Value]) -> None:
        """Another statement: what was found for the last one is forgotten."""
        self.expr, self.targets = expr, targets
        self.known: dict[tuple[Value, int], Abstract | None] = {}
        self.definitions: dict[Value, Op] = {}
        self.symbols: dict[Op, Ref] = {}
        self.speeds: dict[Value, Expr] = {}
        self.derivatives: dict[Expr, Any] = {}
        self.active: dict[Value, bool] = {}
        if expr is not None and len(targets) == 1:
            self.symbols[expr] = Ref(targets[0])

    def coefficient(self, k: int, expr: Op, targets: list[Value]) -> Abstract | None:
        """The k-th coefficient of `targets = expr`; None if it is zero."""
        if expr is not self.expr or targets != self.targets:
            self.begin(expr, targets)
        return self.operation(expr, k) if self.is_active(expr) else None

    # ------------------------------------------------------------------ symbols

    def interned(self, tree: Any) -> Any:
        """The tree with a symbol for each active operation in it, the same one for
        the same operation: what a rule says of `sin` leads back to it."""
        if isinstance(tree, Struct):
            items = [self.interned(item) for item in tree.items]
            return Struct(tree.type, tree.keys, items)
        if not isinstance(tree, Op) or not any(True for _ in refs(tree)):
            return tree
        if tree in self.symbols:
            return self.symbols[tree]
        new = Op(tree.op, tuple(map(self.interned, tree.args)), tree.data)
        if tree.op in ("tuple", "list", "star", "slice") or self.is_method(new):
            return new
        if new not in self.symbols:
            value = Value(temporary(new, self.b.infer(new)), self.b.infer(new), False)
            self.symbols[new] = Ref(value)
            self.definitions[value] = new
        return self.symbols[new]

    def is_method(self, expr: Op) -> bool:
        """Whether an attribute is what a call calls, not a value."""
        values = (*ATTRIBUTES, *CONSTANT_ATTRIBUTES)
        return expr.op == "attr" and expr.data not in values

    def is_active(self, expr: Expr) -> bool:
        """Whether an expression has a coefficient above the zeroth."""
        return any(self.moves(v) for v in refs(expr))

    def moves(self, value: Value) -> bool:
        if value in self.definitions:
            if value not in self.active:
                expr = self.definitions[value]
                self.active[value] = self.carries(expr) and self.is_active(expr)
            return self.active[value]
        if value in self.targets:
            return True
        above, base = 0, value
        while base in self.speeds and isinstance(self.speeds[base], Ref):
            above, base = above + 1, self.speeds[base].value  # type: ignore[attr-defined]
        if base in self.speeds or base in self.definitions or base in self.targets:
            return True
        return any(base in dots.known for dots in self.orders[above:])

    def carries(self, expr: Op) -> bool:
        """Whether a derivative passes through an operation."""
        fn = expr.args[0] if expr.op == "call" else None
        rule = registry.lookup(fn.obj) if isinstance(fn, Obj) else None
        constant = rule is not None and rule.kind == "constant"
        return differentiable(self.b.infer(expr)) and not constant

    # ------------------------------------------------------------- coefficients

    def at(self, expr: Expr, k: int) -> Expr | None:
        """The k-th coefficient of an expression, as an atom; None if it is zero."""
        if isinstance(expr, Ref):
            return self.of_value(expr, k)
        if k > 0 and not self.is_active(expr):
            return None
        if k > 0:
            return self.operation(expr, k)  # type: ignore[arg-type, return-value]
        return self.zeroth(expr)

    def of_value(self, ref: Ref, k: int) -> Expr | None:
        value = ref.value
        if value in self.speeds:
            speed = self.at(self.speeds[value], k + 1)
            return None if speed is None else self.times(Lit(float(k + 1)), speed)
        if value not in self.definitions:
            return ref if k == 0 else self.orders[k - 1].of(ref)
        if k > 0 and not self.moves(value):
            return None
        key = (value, k)
        if key not in self.known:
            expr = self.definitions[value]
            found: Any = self.zeroth(expr) if k == 0 else self.operation(expr, k)
            if isinstance(found, Op) and found.op not in ("tuple", "list"):
                found = self.b.emit(found)
            self.known[key] = found
        return self.known[key]  # type: ignore[return-value]

    def zeroth(self, expr: Expr) -> Expr:
        """The value of an expression that a rule made."""
        if not isinstance(expr, Op):
            return expr
        args = tuple(self.given_value(a) for a in expr.args)
        if args == expr.args:
            return expr
        return self.b.folded(Op(expr.op, args, expr.data))

    def given_value(self, expr: Expr) -> Expr:
        found = self.at(expr, 0)
        if found is None and isinstance(expr, Ref):  # it only begins to move later
            return self.orders[0].zero(self.given_value(self.speeds[expr.value]))
        return Lit(0.0) if found is None else found

    def given(self, expr: Expr, k: int) -> Expr:
        """A coefficient, zeros of its form where there is none."""
        if isinstance(expr, Op) and expr.op in ("tuple", "list"):
            return Op(expr.op, tuple(self.given(a, k) for a in expr.args), expr.data)
        found = self.at(expr, k)
        return self.orders[0].zero(self.given_value(expr)) if found is None else found

    # --------------------------------------------------------------- arithmetic

    def times(self, a: Expr, c: Expr) -> Expr:
        """A product, simplified."""
        if a == Lit(1.0):
            return c
        return self.b.folded(Op("mul", (a, c)))

    def plus(self, a: Expr | None, c: Expr | None, op: str = "add") -> Expr | None:
        """A sum or a difference of terms of which either may be zero."""
        if c is None:
            return a
        if a is None:
            return c if op == "add" else self.b.folded(Op("neg", (c,)))
        return self.b.folded(Op(op, (a, c)))

    # -------------------------------------------------------------- operations

    def operation(self, expr: Op, k: int) -> Abstract | None:
        """The k-th coefficient of an operation, k > 0."""
        if not differentiable(self.b.infer(expr)):
            return None
        method = getattr(self, f"of_{expr.op}", None)
        if method is not None:
            return method(expr, k)
        fn, args, kwargs = callee(_Site(self.b), expr)  # type: ignore[arg-type]
        rule = registry.lookup(fn)
        name = getattr(fn, "__name__", fn)
        if rule is not None and rule.kind == "constant":
            return None
        if rule is not None and rule.kind == "composite":
            return self.composite(rule, args, kwargs, k)
        if rule is not None and rule.kind == "elementwise":
            return self.full(expr, args, self.elementwise(rule, fn, expr, args, k))
        if rule is not None and rule.tangent is not None:
            return self.by_tangent(rule, expr, args, kwargs, k)
        if rule is not None and rule.linear:
            return self.linear(rule, expr, args, kwargs, k)
        raise self.b.error(
            MissingRuleError,
            f"{name} has no tangent rule, so no power series passes through it",
            "an active value passes through it",
            ("give it one with @sourcegrad.tangent or @sourcegrad.elementwise",),
        )

    def of_add(self, expr: Op, k: int) -> Expr | None:
        return self.sum(expr, k, "add")

    def of_sub(self, expr: Op, k: int) -> Expr | None:
        return self.sum(expr, k, "sub")

    def sum(self, expr: Op, k: int, op: str) -> Expr | None:
        """An operand whose coefficient is zero stretches the sum all the same."""
        parts = [self.at(x, k) for x in expr.args]
        still = [x for x, part in zip(expr.args, parts, strict=True) if part is None]
        return self.stretched(expr, still, self.plus(parts[0], parts[1], op))

    def of_neg(self, expr: Op, k: int) -> Expr | None:
        return self.plus(None, self.at(expr.args[0], k), "sub")

    def of_mul(self, expr: Op, k: int) -> Expr | None:
        return self.full(expr, list(expr.args), self.product(expr, k))

    def of_matmul(self, expr: Op, k: int) -> Expr | None:
        return self.product(expr, k)

    def product(self, expr: Op, k: int) -> Expr | None:
        """Cauchy's product: sum over j of a_j c_(k-j)."""
        left, right = expr.args
        total: Expr | None = None
        for j in range(k + 1):
            a, c = self.at(left, j), self.at(right, k - j)
            if a is not None and c is not None:
                total = self.plus(total, self.b.folded(Op(expr.op, (a, c))))
        return total

    def of_truediv(self, expr: Op, k: int) -> Expr | None:
        """y = a / c: y_k = (a_k - sum over j = 1…k of c_j y_(k-j)) / c_0."""
        left, right = expr.args
        total = self.at(left, k)
        for j in range(1, k + 1):
            c, y = self.at(right, j), self.at(self.symbols[expr], k - j)
            if c is not None and y is not None:
                total = self.plus(total, self.b.folded(Op("mul", (c, y))), "sub")
        if total is None:
            return None
        found = self.b.folded(Op("truediv", (total, self.given_value(right))))
        return self.full(expr, list(expr.args), found)

    def of_getitem(self, expr: Op, k: int) -> Expr | None:
        base, index = expr.args
        found: Any = self.at(base, k)
        if isinstance(found, Struct) and isinstance(index, Lit):
            return found.items[index.value]
        if isinstance(found, Op) and found.op in ("tuple", "list"):
            if isinstance(index, Lit) and isinstance(index.value, int):
                return found.args[index.value]
        return None if found is None else self.b.folded(Op("getitem", (found, index)))

    def of_ifexp(self, expr: Op, k: int) -> Expr | None:
        cond, then, other = expr.args
        if self.at(then, k) is None and self.at(other, k) is None:
            return None
        cond = self.given_value(cond)
        return Op("ifexp", (cond, self.given(then, k), self.given(other, k)))

    def of_tuple(self, expr: Op, k: int) -> Expr | None:
        parts = [self.given(a, k) for a in expr.args]
        return Op(expr.op, tuple(parts), expr.data)

    of_list = of_tuple

    # -------------------------------------------------------------------- rules

    def elementwise(
        self, rule: Rule, fn: Any, expr: Op, args: list[Expr], k: int
    ) -> Expr | None:
        """From the partials of a rule."""
        if expr not in self.derivatives:
            self.derivatives[expr] = self.partials(rule, fn, expr, args)
        total: Expr | None = None
        for arg, partial in zip(args, self.derivatives[expr], strict=False):
            if not is_zero(partial) and self.is_active(arg):
                total = self.plus(total, self.chained(arg, partial, k))
        return total

    def chained(self, arg: Expr, partial: Expr, k: int) -> Expr | None:
        """The k-th coefficient of the integral of `partial` times `arg'`."""
        if not self.is_active(partial):
            found = self.at(arg, k)
            return (
                None if found is None else self.times(self.given_value(partial), found)
            )
        total: Expr | None = None
        for m in range(1, k + 1):
            x, p = self.at(arg, m), self.at(partial, k - m)
            if x is not None and p is not None:
                share = self.times(Lit(m / k), p)
                total = self.plus(total, self.b.folded(Op("mul", (share, x))))
        return total

    def partials(self, rule: Rule, fn: Any, expr: Op, args: list[Expr]) -> list[Any]:
        """The partials as expressions in the operands and the result."""
        found = self.inlined(rule.fn, [self.symbols[expr], *args], {})
        items = found.items if isinstance(found, Struct) else [found]
        own: list[Any] = [Lit(0.0) if i is None else i for i in items]
        from_math = getattr(math, getattr(fn, "__name__", ""), None) is fn
        return [self.interned(with_math(self.b, p) if from_math else p) for p in own]

    def composite(
        self, rule: Rule, args: list[Expr], kwargs: dict[str, Expr], k: int
    ) -> Abstract | None:
        """From the definition."""
        return self.part(self.interned(self.inlined(rule.fn, args, kwargs)), k)

    def part(self, tree: Abstract, k: int) -> Abstract | None:
        """The coefficients of what a rule returned."""
        if isinstance(tree, Struct):
            items: list[Abstract] = [
                Lit(0.0) if found is None else found
                for found in (self.part(item, k) for item in tree.items)
            ]
            return Struct(tree.type, tree.keys, items)
        assert isinstance(tree, Expr)
        return self.at(tree, k)

    def by_tangent(
        self, rule: Rule, expr: Op, args: list[Expr], kwargs: dict[str, Expr], k: int
    ) -> Abstract | None:
        """From a tangent rule: k y_k is the coefficient k - 1 of what it returns."""
        if expr not in self.derivatives:
            self.derivatives[expr] = self.tangent(rule, expr, args, kwargs)
        found = self.derivatives[expr]
        if is_zero(found):
            return None

        def scaled(tree: Abstract | None) -> Abstract | None:
            if isinstance(tree, Struct):
                items = [scaled(item) for item in tree.items]
                return Struct(tree.type, tree.keys, items)  # type: ignore[arg-type]
            if tree is None or k == 1 or is_zero(tree):
                return tree
            assert isinstance(tree, Expr)
            return self.times(Lit(1.0 / k), tree)

        return scaled(self.part(found, k - 1))

    def tangent(
        self, rule: Rule, expr: Op, args: list[Expr], kwargs: dict[str, Expr]
    ) -> Abstract:
        """What a tangent rule returns, for symbols that stand for the tangents."""
        assert rule.tangent is not None
        own = list(inspect.signature(rule.tangent).parameters.values())
        names = [p.name for p in own[1:] if not p.name.endswith("_dot")]
        operands = dict(zip(names, args, strict=False)) | kwargs
        y: Abstract
        if expr is self.expr and len(self.targets) > 1:
            keys = tuple(range(len(self.targets)))
            y = Struct(tuple, keys, [Ref(t) for t in self.targets])
        else:
            y = self.symbols[expr]
        bound: dict[str, Abstract] = {own[0].name: y}
        for param in own[1:]:
            base = param.name.removesuffix("_dot")
            if param.name in operands:
                bound[param.name] = operands[param.name]
            elif base != param.name and base in operands:
                bound[param.name] = self.speed(operands[base], param.name)
        taken = {p.name.removesuffix("_dot") for p in own if p.name.endswith("_dot")}
        for name, operand in operands.items():
            if name not in taken and self.is_active(operand):
                raise self.b.error(
                    NonDifferentiableError,
                    f"{rule.name} has no derivative in its argument {name!r}",
                )
        positional = []
        for param in own:
            keyword_only = param.kind is inspect.Parameter.KEYWORD_ONLY
            if param.name not in bound or keyword_only:
                break
            positional.append(bound.pop(param.name))
        return self.interned(self.inlined(rule.tangent, positional, bound))

    def speed(self, operand: Expr, name: str) -> Abstract:
        """A symbol for the derivative of an operand by t."""
        if isinstance(operand, Op) and operand.op in ("tuple", "list"):
            items = [self.speed(a, name) for a in operand.args]
            kind = tuple if operand.op == "tuple" else list
            return Struct(kind, tuple(range(len(items))), items)
        if not self.is_active(operand):
            return Lit(0.0)
        value = Value(name, self.b.infer(operand), False)
        self.speeds[value] = operand
        return Ref(value)

    def inlined(self, fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Abstract:
        """What the body of a rule returns, as an expression of its operands."""
        scratch = Region()
        try:
            with self.b.inside(scratch):
                found = self.b.inline_rule(fn, args, kwargs)
        except Restart:  # a list grows in a loop of it
            raise self.loops(fn) from None
        named: dict[Value, Expr] = {}
        for stmt in scratch.stmts:
            if not isinstance(stmt, Assign):
                raise self.loops(fn)
            named[stmt.target] = substitute(stmt.expr, named.get)
        return map_leaves(found, lambda e: substitute(e, named.get))

    def loops(self, fn: Any) -> SourcegradError:
        """The refusal of a rule that is no expression."""
        return self.b.error(
            NonDifferentiableError,
            f"no power series passes through {getattr(fn, '__name__', fn)}",
            "its rule branches or loops",
        )

    def linear(
        self, rule: Rule, expr: Op, args: list[Expr], kwargs: dict[str, Expr], k: int
    ) -> Expr | None:
        """The function itself, applied to the coefficients."""
        from sourcegrad.forward.operations import linear_of

        args = [a if self.is_active(a) else self.given_value(a) for a in args]
        named = {n: a if self.is_active(a) else self.given_value(a)
                 for n, a in kwargs.items()}  # fmt: skip
        return linear_of(self.b, rule, expr, args, named, _Order(self, k))

    # ------------------------------------------------------------------- shapes

    def full(self, expr: Op, args: list[Expr], g: Expr | None) -> Expr | None:
        """A coefficient in the shape of its value, where an operand without one has
        stretched that."""
        return self.stretched(expr, [a for a in args if not self.is_active(a)], g)

    def stretched(self, expr: Op, still: list[Expr], g: Expr | None) -> Expr | None:
        """The same, of the operands that have none."""
        kind = self.b.infer(expr)
        if g is None or is_scalar(kind) or self.has_shape(g, kind):
            return g
        if all(is_scalar(self.b.infer(a)) for a in still):
            return g
        whole = self.given_value(self.symbols.get(expr, expr))
        if isinstance(kind, Num) and kind.flavor == "array":
            shape = self.b.folded(attr(whole, "shape"))
            return call(library(self.b, np.broadcast_to), g, shape)
        return call(library(self.b, runtime.unbroadcast), g, whole)

    def has_shape(self, g: Expr, kind: Any) -> bool:
        found, token = self.b.infer(g), getattr(kind, "shape", None)
        return token is not None and isinstance(found, Num) and found.shape == token


class _Order:
    """The coefficients of one order, as a linear rule asks for tangents."""

    def __init__(self, series: Series, k: int) -> None:
        self.series, self.k = series, k

    def of(self, expr: Expr) -> Expr | None:
        return self.series.at(expr, self.k)

    def given(self, expr: Expr) -> Expr:
        return self.series.given(expr, self.k)


class _Site:
    """What `callee` reads of a pass: the builder."""

    def __init__(self, b: Builder) -> None:
        self.b = b
