"""Objects the program builds, where Python's syntax calls their special methods."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import numpy as np

from sourcegrad.errors import KindError
from sourcegrad.frontend.classes import Classes
from sourcegrad.frontend.cursors import following
from sourcegrad.frontend.structs import (
    Abstract,
    LocalMember,
    Object,
    Struct,
    Variant,
    has_own,
    is_user_object,
)
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref
from sourcegrad.kinds import Foreign, TupleKind
from sourcegrad.rules.stand_ins import stand_in_of, stand_ins_known

_BINARY = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "truediv",
    "floordiv": "floordiv",
    "mod": "mod",
    "pow": "pow",
    "matmul": "matmul",
    "lshift": "lshift",
    "rshift": "rshift",
    "and_": "and",
    "or_": "or",
    "xor": "xor",
}
_UNARY = {"neg": "__neg__", "pos": "__pos__", "invert": "__invert__"}
_COMPARE = {
    "<": ("__lt__", "__gt__"), "<=": ("__le__", "__ge__"), ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"), "==": ("__eq__", "__eq__"), "!=": ("__ne__", "__ne__"),
}  # fmt: skip


_PLAIN = (int, float, complex, str, tuple, list, dict, np.ndarray)


class Dunders(Classes):
    """Builds operators, subscripts and comparisons of objects."""

    def method_of(self, tree: Abstract, name: str) -> Any:
        """A special method, looked up on the class as Python does; None if absent."""
        if not isinstance(tree, (Object, Struct)):
            return None
        found = getattr(tree.type, name, None)
        return found if isinstance(found, (types.FunctionType, LocalMember)) else None

    def call_special(
        self, tree: Abstract, name: str, args: list[Abstract], node: Any
    ) -> Any:
        """`tree.__name__(*args)`, or NotImplemented."""
        method = self.method_of(tree, name)
        if method is None:
            return NotImplemented
        local = isinstance(method, LocalMember)
        fn = method.tree if local else self.binder.bind(method, name.strip("_"))
        with self.actively():
            found = self.call_value(fn, [tree, *args], {}, node)
        declined = isinstance(found, Obj) and found.obj is NotImplemented
        return NotImplemented if declined else found

    def operator_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        """`left op right`, of which one is an object; None if neither is."""
        if stand_ins_known():
            left, right = self.beside(left, right, node), self.beside(right, left, node)
        name = _BINARY[op]
        self.require_plain(left, f"__{name}__", node)
        self.require_plain(right, f"__r{name}__", node)
        if not (has_own(left, f"__{name}__") or has_own(right, f"__r{name}__")):
            return None
        with self.actively():
            left, right = self.settle(left), self.settle(right)
        found = self.call_special(left, f"__{name}__", [right], node)
        if found is NotImplemented:
            found = self.call_special(right, f"__r{name}__", [left], node)
        if found is NotImplemented and not (
            is_user_object(left) or is_user_object(right)
        ):
            return None
        if found is NotImplemented:
            raise self.no_method(node, f"the operator {name}")
        return found

    def require_plain(self, tree: Abstract, name: str, node: Any) -> None:
        """Refuse a number, array or tuple of a class with operators of its own, where
        that is not known part by part."""
        kind = self.infer(tree) if isinstance(tree, (Ref, Op)) else None
        cls = kind.type if isinstance(kind, TupleKind) else tuple
        if isinstance(tree, Obj) and isinstance(tree.obj, _PLAIN):
            cls = type(tree.obj)
        if not self.deriving and isinstance(
            getattr(cls, name, None), types.FunctionType
        ):
            raise self.unsupported(
                node,
                f"{name} of a {cls.__name__} that is not built here",
                "call what the operator does by a name of its own",
            )

    def beside(self, tree: Abstract, other: Abstract, node: Any) -> Abstract:
        """A constant of a library's class beside an active operand, as the object that
        stands in for it."""
        if isinstance(tree, Obj):
            cls = type(tree.obj)
        elif isinstance(tree, (Ref, Op)):
            kind = self.infer(tree)
            if not isinstance(kind, Foreign) or self.active([tree], {}):
                return tree
            cls = kind.type
        else:
            return tree
        make = stand_in_of(cls)
        if make is None or not (is_user_object(other) or self.active([other], {})):
            return tree
        return self.call_value(self.binder.bind(make, make.__name__), [tree], {}, node)

    def augmented_call(
        self, op: str, held: Abstract, right: Abstract, node: Any
    ) -> Any:
        """`held op= right` of an object."""
        found = self.call_special(held, f"__i{_BINARY[op]}__", [right], node)
        return (
            self.operator_call(op, held, right, node)
            if found is NotImplemented
            else found
        )

    def unary_call(self, op: str, held: Abstract, node: Any) -> Any:
        """`-held`; None if it is no object."""
        if not has_own(held, _UNARY[op]):
            return None
        found = self.call_special(held, _UNARY[op], [], node)
        if found is NotImplemented:
            raise self.no_method(node, f"the operator {op}")
        return found

    def compare_call(
        self, op: str, left: Abstract, right: Abstract, node: Any
    ) -> Expr | None:
        """`left op right` of objects; None where no class defines it."""
        if op in ("is", "is not"):
            self.require_identity(left, right, node)
            return Lit((left is right) == (op == "is"))
        if op in ("in", "not in"):
            found = self.call_special(right, "__contains__", [left], node)
            if found is NotImplemented:
                return None
            held = self.materialise(found, node)
            return held if op == "in" else Op("not_", (held,))
        if self.compares_fields(op, left, right):
            names = [f.name for f in dataclasses.fields(left.type) if f.compare]  # type: ignore
            sides = [
                Op("tuple", tuple(self.materialise(self.attribute(t, n, node), node)
                                  for n in names))
                for t in (left, right)
            ]  # fmt: skip
            return Op("compare", tuple(sides), (op,))
        direct, turned = _COMPARE[op]
        for tree, name, other in ((left, direct, right), (right, turned, left)):
            found = self.call_special(tree, name, [other], node)
            if found is not NotImplemented:
                return self.materialise(found, node)
        if op == "!=" and self.method_of(left, "__eq__") is not None:
            found = self.call_special(left, "__eq__", [right], node)
            if found is not NotImplemented:  # what `object.__ne__` turns round
                return Op("not_", (self.materialise(found, node),))
        if op in ("==", "!=") and self.method_of(left, "__eq__") is None:
            self.require_identity(left, right, node)
            return Lit((left is right) == (op == "=="))
        return None

    def compares_fields(self, op: str, left: Abstract, right: Abstract) -> bool:
        """Whether both are objects of a dataclass, compared as `dataclass` makes it."""
        if not (isinstance(left, (Object, Struct)) and isinstance(right, type(left))):
            return False
        name = "__eq__" if op == "!=" else _COMPARE[op][0]
        method = getattr(left.type, name, None)
        made = isinstance(method, types.FunctionType) and dataclasses.is_dataclass(
            left.type
        )
        text = method.__code__.co_filename if made else ""  # type: ignore[union-attr]
        return made and left.type is right.type and text == "<string>"

    def require_identity(self, left: Abstract, right: Abstract, node: Any) -> None:
        """Arguments are known part by part, and not which of them are one object."""
        several = isinstance(left, Variant) or isinstance(right, Variant)
        if left is right and not several:
            return
        if not several and not (is_user_object(left) and is_user_object(right)):
            return
        vague = any(
            isinstance(t, Struct) or isinstance(t, Object) and t.joined
            for t in (left, right)
        )
        if several or vague and left.type is right.type:  # type: ignore[union-attr]
            raise self.unsupported(
                node,
                "whether two objects of one class are the same one",
                "compare something that tells them apart",
            )

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        """The truth of an object."""
        for name in ("__bool__", "__len__"):
            found = self.call_special(held, name, [], node)
            if found is not NotImplemented:
                return self.materialise(found, node)
        return Lit(True)

    def item_call(self, base: Abstract, index: Abstract, node: Any) -> Any:
        """`base[index]` of an object; None if it is none."""
        if not has_own(base, "__getitem__"):
            return None
        found = self.call_special(base, "__getitem__", [index], node)
        if found is NotImplemented:
            raise self.no_method(node, "a subscript")
        return found

    def store_call(
        self, base: Abstract, args: list[Abstract], name: str, node: Any
    ) -> bool:
        """`base[index] = value` or `del base[index]`; whether it is an object's."""
        if not is_user_object(base):
            return False
        if self.call_special(base, name, args, node) is NotImplemented:
            raise self.no_method(node, "a store of an item")
        return True

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        """What a loop over an object runs along."""
        if not has_own(tree, "__iter__"):
            return tree
        found = self.call_special(tree, "__iter__", [], node)
        if found is NotImplemented:
            raise self.unsupported(
                node,
                "a loop over this object",
                "give it an __iter__ that returns iter(a list)",
            )
        if isinstance(found, Object) and self.method_of(found, "__next__") is not None:
            return self.generator_of(Obj(following, "following"), [found], {}, node)
        return found

    def generator_of(self, fn: Obj, args: Any, kw: Any, node: Any) -> Any:
        """See `Generators`."""
        raise AssertionError("Generators provides it")

    def no_method(self, node: Any, what: str) -> KindError:
        """The error for an object whose class does not define what is asked."""
        return KindError(f"{what} is not defined for this object", self.locate(node))
