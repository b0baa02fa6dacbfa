"""Conditions, and the expressions that depend on one: `and`, `or` and `a if c else b`,
whose arms run only where the program takes them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.errors import KindError
from sourcegrad.frontend.displays import Displays
from sourcegrad.frontend.held import PINNED
from sourcegrad.frontend.known import is_member
from sourcegrad.frontend.structs import (
    Abstract,
    Object,
    Struct,
    has_own,
    is_function,
    leaves,
)
from sourcegrad.ir import Expr, Lit, Op, Ref, Region
from sourcegrad.kinds import NONE

Read = Callable[[Any], Abstract]


class Conditions(Displays):
    """Builds conditions and lazy expressions."""

    def condition(self, node: Any) -> Expr:
        """A condition: the truth of what an expression stands for."""
        with self.passively():
            if isinstance(node, gast.BoolOp) and not self.deriving:
                held = self.lazily(node.values, isinstance(node.op, gast.And), node,
                                   self.condition)  # fmt: skip
            else:
                held = self.expr(node)
            return self.truth_value(held, node)

    def truth_value(self, held: Abstract, node: Any) -> Expr:
        """The truth of what an expression stands for."""
        if isinstance(held, Object) or has_own(held, "__bool__", "__len__"):
            return self.truth_call(held, node)
        if isinstance(held, Struct) and (held.is_dict or held.is_sequence):
            return Lit(bool(held.items))
        return self.materialise(held, node)

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        """The truth of an object (see `Dunders`)."""
        raise AssertionError("Dunders provides it")

    def expr_BoolOp(self, node: Any) -> Abstract:
        """`a and b`, lazily: an arm that needs statements becomes an `if`."""
        is_and = isinstance(node.op, gast.And)
        return self.lazily(node.values, is_and, node)

    def lazily(
        self, nodes: list[Any], is_and: bool, node: Any, read: Read | None = None
    ) -> Abstract:
        """The operands from the first on, as values or, by `read`, as conditions."""
        first = (read or self.expr)(nodes[0])
        if len(nodes) == 1:
            return first
        if self.deriving:
            return self.lazily_folded(first, nodes, is_and, node)
        whole = isinstance(first, Object | Struct)
        with self.passively() if whole else nullcontext():
            cond = self.truth_value(first, nodes[0])
        known = self.static_truth(cond)
        if known is not None:
            if known is not is_and:
                return first
            return self.lazily(nodes[1:], is_and, node, read)
        taken = lambda: self.lazily(nodes[1:], is_and, node, read)  # noqa: E731
        if whole:
            arms = (taken, lambda: first) if is_and else (lambda: first, taken)
            return self.choose(cond, *arms)
        first = cond
        region = Region()
        env = dict(self.env)
        with self.inside(region):
            rest = self.lazily(nodes[1:], is_and, node, read)
        name = "and" if is_and else "or"
        active = self.is_varied(first) or any(map(self.is_varied, leaves(rest)))
        if not region.stmts and isinstance(rest, Expr) and (self.passive or not active):
            if isinstance(rest, Op) and rest.op == name:
                return Op(name, (first, *rest.args))
            return Op(name, (first, rest))
        self.env = env  # built again, in the arm of an `if`
        held = self.atom(first, "left")
        arms = (taken, lambda: held) if is_and else (lambda: held, taken)
        return self.choose(held, *arms)

    def lazily_folded(
        self, first: Abstract, nodes: list[Any], is_and: bool, node: Any
    ) -> Abstract:
        from sourcegrad.frontend.known import truth

        known = truth(self, self.materialise(first))
        if known is not None:
            return self.lazily(nodes[1:], is_and, node) if known is is_and else first
        rest = self.materialise(self.lazily(nodes[1:], is_and, node))
        return Op("and" if is_and else "or", (self.materialise(first), rest))

    def expr_Compare(self, node: Any) -> Abstract:
        if len(node.ops) > 1 and not self.deriving:
            # What was found once is not tried again: trials of nested ones multiply.
            if ("pairwise", node) in self.context.derived or self.must_wait(node):
                return self.expr(self.pairwise(node))
        return self.compare(node)

    def compare(self, node: Any) -> Abstract:
        """A comparison that may be written as it stands (see `Operators`)."""
        raise AssertionError("Operators provides it")

    def must_wait(self, node: Any) -> bool:
        """Whether what a chained comparison may not come to needs statements of its
        own, or an operand is an object with an order of its own."""
        with self.passively(), self.aside():
            sides = [self.expr(e) for e in (node.left, node.comparators[0])]
            with self.inside(Region()) as region:
                sides += map(self.expr, node.comparators[1:])
        return bool(region.stmts) or any(isinstance(s, Object) for s in sides)

    def pairwise(self, node: Any) -> Any:
        """`a < b < c` as `a < (middle := b) and middle < c`."""
        key = ("pairwise", node)
        if key not in self.context.derived:
            tests, left = [], node.left
            for k, (op, right) in enumerate(
                zip(node.ops, node.comparators, strict=True)
            ):
                middle, last = f"$middle_{k}", k == len(node.ops) - 1
                if not last:
                    target = syntax.name(middle, store=True)
                    right = gast.NamedExpr(target=target, value=right)
                tests.append(gast.Compare(left=left, ops=[op], comparators=[right]))
                left = syntax.name(middle)
            made = gast.BoolOp(op=gast.And(), values=tests)
            for new in gast.walk(made):
                if not hasattr(new, "lineno"):
                    gast.copy_location(new, node)
            self.context.derived[key] = made
        return self.context.derived[key]

    def expr_IfExp(self, node: Any) -> Abstract:
        cond = self.condition(node.test)
        known = self.static_truth(cond)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        first, second = self.arm(node.body), self.arm(node.orelse)
        if first is None or second is None:
            return self.expr(node.body if second is None else node.orelse)
        (r1, a), (r2, b) = first, second
        whole = (
            isinstance(a, Expr) and isinstance(b, Expr) and not (r1.stmts or r2.stmts)
        )
        active = self.active_choice(a, b) or is_function(a) and is_function(b)
        if whole and (self.passive or self.deriving or not active):
            return Op("ifexp", (cond, a, b))  # type: ignore[arg-type]
        return self.choose(
            cond, lambda: self.expr(node.body), lambda: self.expr(node.orelse)
        )

    def arm(self, node: Any) -> tuple[Region, Abstract] | None:
        """An arm of a conditional expression, built aside; None where a kind in it is
        not known yet, as of items of a list that only the other arm makes: the whole
        is built again, once more kinds are known."""
        key = ("tried", self.site(node))
        try:
            with self.aside() as region:
                return region, self.expr(node)
        except KindError:
            if key in self.context.derived:
                raise
            self.context.derived[key] = self.context.dirty = True
            return None

    def static_truth(self, cond: Expr) -> bool | None:
        """The truth of a condition where it is known when compiling."""
        from sourcegrad.frontend.known import literal_truth, only_literals, truth

        scope = self.scope
        if self.deriving or scope.is_rule or scope.decides or only_literals(cond):
            return truth(self, cond)
        if (none := self.is_none_test(cond)) is not None:
            return none
        if isinstance(cond, Ref) and self.infer(cond) == NONE:
            return False
        if _of_members(cond):
            return truth(self, cond)
        if self.scope.folds or PINNED in self.context.derived:
            return literal_truth(cond)
        return None

    def is_none_test(self, cond: Expr) -> bool | None:
        """The truth of `x is None` for an `x` that certainly is it, or a literal."""
        if isinstance(cond, Op) and cond.op == "not_":
            inner = self.is_none_test(cond.args[0])
            return None if inner is None else not inner
        if not isinstance(cond, Op) or cond.op != "compare":
            return None
        if cond.data not in (("is",), ("is not",)) or cond.args[1] != Lit(None):
            return None
        held = cond.args[0]
        if isinstance(held, Lit) and held.value is not None:
            return cond.data == ("is not",)
        if isinstance(held, Ref) and self.infer(held) == NONE or held == Lit(None):
            return cond.data == ("is",)
        return None

    def choose(self, cond: Expr, taken: Any, other: Any) -> Abstract:
        """A value that depends on a condition (see `Merging`)."""
        raise AssertionError("Merging provides it")


def _of_members(cond: Expr) -> bool:
    """Whether a condition compares members of enumerations: which is which is known."""
    compares = isinstance(cond, Op) and cond.op == "compare"
    return compares and all(map(is_member, cond.args))  # type: ignore[attr-defined]
