"""Operators: arithmetic, signs and comparisons, of expressions and of objects."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from sourcegrad.frontend import spreads
from sourcegrad.frontend.conditions import Conditions
from sourcegrad.frontend.structs import (
    Abstract,
    Maybe,
    Object,
    Pointer,
    Struct,
    has_own,
)
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, Value
from sourcegrad.kinds import BOOL, UNKNOWN, ListKind, TupleKind

_BINOPS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv",
    "Mod": "mod", "Pow": "pow", "MatMult": "matmul", "LShift": "lshift",
    "RShift": "rshift", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor",
}  # fmt: skip

_UNOPS = {"USub": "neg", "UAdd": "pos", "Not": "not_", "Invert": "invert"}

_COMPARES = {
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Eq": "==",
    "NotEq": "!=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}


class Operators(Conditions):
    """Builds unary and binary operators and comparisons."""

    can_materialise: Callable[[Abstract], bool]  # see `CallOperands`
    made: dict[Value, Expr]

    def expr_BinOp(self, node: Any) -> Abstract:
        left, right = self.expr(node.left), None
        own = has_own(left, "__add__", "__mul__")
        if isinstance(left, Struct) and left.is_sequence and not own:
            right = self.expr(node.right)
            joined = self.joined(node, left, right)
            if joined is not None and not has_own(right, "__radd__"):
                return joined
        op = _BINOPS[type(node.op).__name__]
        if not isinstance(left, Expr):
            right = self.expr(node.right) if right is None else right
            found = self.operator_call(op, left, right, node)
            if found is not None:
                return found
        first = self.materialise(left, node.left)
        mark = len(self.region.stmts)
        right = self.expr(node.right) if right is None else right
        if not isinstance(right, Expr):
            found = self.operator_call(op, first, right, node)
            if found is not None:
                return found
        operands = [first, self.materialise(right, node.right)]
        self.keep_order(operands, [mark, len(self.region.stmts)])
        found = self.operator_call(op, operands[0], operands[1], node)
        if found is not None:
            return found
        return self.finish(Op(op, tuple(operands)))

    def operator_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        """An operator of an object (see `Dunders`)."""
        return None

    def joined(self, node: Any, left: Struct, right: Abstract) -> Abstract | None:
        """`a + b` of sequences and `a * 3`, of known structure."""
        op = type(node.op).__name__
        kind = list if issubclass(left.type, list) else tuple
        same = isinstance(right, Struct) and issubclass(right.type, kind)
        if op == "Add" and isinstance(right, Struct) and same:
            items = [*left.items, *right.items]
        elif op == "Mult" and isinstance(right, Lit) and isinstance(right.value, int):
            items = [self.settle(i) for i in left.items] * right.value
        else:
            return None
        site = (node, "joined") if kind is list else None
        return self.display(kind, items, site)

    def expr_UnaryOp(self, node: Any) -> Abstract:
        op = _UNOPS[type(node.op).__name__]
        if op == "not_":
            tree = Op(op, (self.condition(node.operand),))
            settled = self.deriving or isinstance(tree.args[0], Lit)
            return self.folded(tree) if settled else tree
        held = self.expr(node.operand)
        if not isinstance(held, Expr):
            found = self.unary_call(op, held, node)
            if found is not None:
                return found
        operand = self.materialise(held, node.operand)
        if (
            op == "neg"
            and isinstance(operand, Lit)
            and type(operand.value) in (int, float)
        ):
            if self.deriving:
                return Lit(-operand.value)
        return self.finish(Op(op, (operand,)))

    def unary_call(self, op: str, held: Abstract, node: Any) -> Any:
        """An operator of an object (see `Dunders`)."""
        return None

    def compare_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        """A comparison of objects (see `Dunders`)."""
        raise AssertionError("Dunders provides it")

    def compare_objects(self, node: Any) -> Expr | None:
        """A comparison of which an operand is an object the program built."""
        if len(node.ops) != 1:
            return None
        mark, sides = self.mark(), [node.left, node.comparators[0]]
        with self.passively():
            trees = spreads.evaluated(self, sides)
        beside = any(isinstance(t, Object) for t in trees)
        if (beside or not self.passive) and any(map(self.is_built, trees)):
            self.back_to(mark)
            with self.actively():
                trees = spreads.evaluated(self, sides)
        op = _COMPARES[type(node.ops[0]).__name__]
        if op in ("is", "is not") and Lit(None) in trees:
            if not all(isinstance(t, (Expr, Pointer, Maybe)) for t in trees):
                return Lit(op == "is not")
        if op in ("is", "is not"):
            same = self.is_same(trees[0], trees[1], node)
            if same is not None:
                return Lit(same == (op == "is"))
        if op in ("in", "not in") and not self.can_materialise(trees[1]):
            held = self.structure(trees[1])
            if isinstance(held, Struct) and held.is_dict:  # of functions, say
                keys: list[Abstract] = [Lit(k) for k in held.keys]
                trees[1] = Struct(tuple, tuple(range(len(keys))), keys)
        if not any(isinstance(t, Object) for t in trees):
            return self.compared(node, [self.as_met(t, op, node) for t in trees])
        with self.passively():
            found = self.compare_call(op, trees[0], trees[1], node)
        if found is not None and not self.passive and self.infer(found) != BOOL:
            self.back_to(mark)  # a method that gives more than an answer
            trees = spreads.evaluated(self, sides)
            found = self.compare_call(op, trees[0], trees[1], node)
        if found is None:
            raise self.unsupported(node, f"the comparison {op} of this object")
        return found

    def is_built(self, tree: Abstract) -> bool:
        """Whether a tree is an object that a class of the user's makes, as written:
        what its methods give may be active."""
        made = self.made.get(tree.value) if isinstance(tree, Ref) else tree
        if not isinstance(made, Op) or made.op != "call":
            return False
        cls = made.args[0].obj if isinstance(made.args[0], Obj) else None
        own = isinstance(getattr(cls, "__init__", None), types.FunctionType)
        return isinstance(cls, type) and own

    def is_same(self, left: Abstract, right: Abstract, node: Any) -> bool | None:
        """Whether two containers known part by part are one; None where they become
        such that the program itself tells, or are none.

        Raises:
            Restart: a list or dict is one of the run time from now on.
        """
        known = [t for t in (left, right) if _is_container(t)]
        if left is right and known:
            return True
        for tree, other in ((left, right), (right, left)):
            if not _is_container(tree) or not self.may_be_one(tree, other):
                continue
            assert isinstance(tree, Struct)
            if issubclass(tree.type, tuple):
                raise self.unsupported(
                    node, "whether two tuples are the same one", "compare them by =="
                )
            raise self.demote(tree, node)
        return None

    def may_be_one(self, tree: Any, other: Abstract) -> bool:
        """Whether a container may be the same as another operand."""
        if isinstance(other, Struct):
            return bool(other.type is tree.type)
        if isinstance(other, Expr):
            kind = self.infer(other)
            kinds = {list: ListKind, tuple: TupleKind}
            return kind == UNKNOWN or isinstance(kind, kinds.get(tree.type, ()))
        return isinstance(other, Object) and other.type is tree.type

    def demote(self, tree: Struct, node: Any) -> Exception:
        """Let a known container be one of the run time (see `Lists`)."""
        raise AssertionError("Lists provides it")

    def as_met(self, tree: Abstract, op: str, node: Any) -> Expr:
        """An operand of a comparison, which is the very object that the program met."""
        own = isinstance(tree, Struct) and not (tree.is_dict or tree.is_sequence)
        if own and tree.origin is None and self.asks_which(tree, op):  # type: ignore
            raise self.unsupported(
                node,
                "whether an object that is one of several, by the path, is another",
                "compare something that tells them apart",
            )
        with self.passively():
            return self.materialise(tree, node)

    def asks_which(self, tree: Struct, op: str) -> bool:
        """Whether a comparison asks which object one is."""
        own = isinstance(getattr(tree.type, "__eq__", None), types.FunctionType)
        return op in ("is", "is not") or not own

    def compared(self, node: Any, operands: list[Expr]) -> Expr:
        """A comparison of expressions."""
        ops = tuple(_COMPARES[type(o).__name__] for o in node.ops)
        tree = Op("compare", tuple(operands), ops)
        return self.folded(tree) if self.deriving or self.static else tree

    def compare(self, node: Any) -> Abstract:
        found = self.compare_objects(node)
        if found is not None:
            return found
        with self.passively():
            operands = self.in_order([node.left, *node.comparators])
        return self.compared(node, operands)


def _is_container(tree: Abstract) -> bool:
    """Whether a tree is a list, tuple or dict known part by part."""
    return isinstance(tree, Struct) and (tree.is_dict or tree.is_sequence)
