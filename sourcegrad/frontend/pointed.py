"""What syntax does to objects that live in arenas (see `arenas`)."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeGuard

from sourcegrad.errors import SourcegradError
from sourcegrad.frontend.arenas import Record, move
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.pointers import Pointers
from sourcegrad.frontend.structs import Abstract, Bound, Maybe, Object, Pointer, Struct
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref
from sourcegrad.kinds import Handle, ListKind, join


class Pointed(Pointers):
    """Builds attributes, items and comparisons of objects that live in arenas."""

    def call_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        if not self.deriving and self.not_known_yet(base):
            return base
        return super().call_method(base, name, args, kw, node)

    def store(
        self,
        base: Expr,
        index: Expr | None,
        value: Expr,
        op: str | None,
        node: Any,
        each: Expr | None = None,
    ) -> None:
        if self.deriving or not self.not_known_yet(base):
            super().store(base, index, value, op, node, each)

    def field(self, base: Pointer, name: Any, node: Any) -> Abstract:
        """An attribute, or an item of a dict."""
        held = self.list_of(base.arena, name)
        return self.met(self.subscript(held, base.ref, node))

    def require_field(self, base: Pointer, name: Any) -> None:
        """Let all objects of an arena have an attribute that one of them gets late."""
        arena = base.arena
        if name not in (arena.fields or ()):
            arena.fields = (*(arena.fields or ()), name)
            arena.late, arena.begun = (*arena.late, name), True
            raise Restart

    def put_field(self, base: Pointer, name: Any, tree: Abstract, node: Any) -> None:
        """Give an attribute, or an item of a dict, another value."""
        settled = self.settle(tree)
        self.require_kept(base.arena, name, settled, node)
        self.note_put(None, [settled])
        value = self.materialise(self.as_places(settled), node)
        with self.actively():
            self.store(self.list_of(base.arena, name), base.ref, value, None, node)

    def object_attribute(self, base: Object, name: str, node: Any) -> Abstract:
        if not isinstance(base, Pointer):
            return super().object_attribute(base, name, node)
        if issubclass(base.type, Record):
            return Bound(Obj(getattr(dict, name, None), f"dict.{name}"), [base])
        if name in (base.arena.fields or ()):
            return self.field(base, name, node)
        if name == "__dict__":
            raise self.unsupported(
                node,
                "the __dict__ of an object whose number is known only at run time",
                "write the attributes themselves",
            )
        return self.class_member(base.type, name, base, node)

    def set_attribute(self, base: Abstract, target: Any, tree: Abstract) -> None:
        if isinstance(base, Pointer) and not issubclass(base.type, Record):
            if self.set_property(base, target, tree):
                return
            self.require_field(base, target.attr)
            self.put_field(base, target.attr, tree, target)
            return
        if self.not_known_yet(base):
            return
        try:
            super().set_attribute(base, target, tree)
        except SourcegradError:
            move(self, base)
            raise

    def item_call(self, base: Abstract, index: Abstract, node: Any) -> Any:
        if not _is_record(base):
            return super().item_call(base, index, node)
        key = self.record_key(base, index, node)
        if key not in base.arena.fields:
            return self.missing_key(Lit(key))
        return self.field(base, key, node)

    def record_key(self, base: Pointer, index: Abstract, node: Any) -> Any:
        """The key of a dict, which must be known when compiling."""
        if isinstance(index, Expr) and known(index):
            return literal(index)
        raise self.unsupported(
            node,
            "a computed key into dicts whose number is known only at run time",
            "write the key itself",
        )

    def store_call(
        self, base: Abstract, args: list[Abstract], name: str, node: Any
    ) -> bool:
        if not _is_record(base):
            inside = self.env.get((base, "held"))  # of a dict of the run time
            if isinstance(inside, Ref) and name == "__setitem__":
                self.note_inside(inside.value.key, args[1:])
            return super().store_call(base, [args[0], *map(self.as_places, args[1:])],
                                      name, node)  # fmt: skip
        key = self.record_key(base, args[0], node)
        if name != "__setitem__":
            raise self.unsupported(
                node,
                "deleting a key of dicts whose number is known only at run time",
                "keep the key, with another value",
            )
        self.require_field(base, key)
        self.put_field(base, key, args[1], node)
        return True

    def structure(self, tree: Abstract) -> Abstract:
        if not _is_record(tree):
            return super().structure(tree)
        self.require_whole(tree)
        keys = tree.arena.fields or ()
        return Struct(dict, keys, [self.field(tree, k, None) for k in keys])

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        if _is_record(tree):
            return self.structure(tree)
        return super().elements(tree, node)

    def compare_call(
        self, op: str, left: Abstract, right: Abstract, node: Any
    ) -> Expr | None:
        if not (isinstance(left, Pointer) or isinstance(right, Pointer)):
            return super().compare_call(op, left, right, node)
        if op in ("in", "not in") and _is_record(right):
            key = self.record_key(right, left, node)
            self.require_whole(right)
            return Lit((key in (right.arena.fields or ())) == (op == "in"))
        places: list[Any] = [self.as_places(t) for t in (left, right)]
        if Lit(None) in places and op in _IDENTITY:
            return Op("compare", tuple(places), (_IDENTITY[op],))
        if op not in ("is", "is not") and not self.by_identity(op, left, right):
            return self.compare_contents(op, left, right, node)
        if op in ("in", "not in"):
            own = self.infer(places[0])
            whole = self.infer(right) if isinstance(right, Expr) else None
            found = isinstance(whole, ListKind) and isinstance(
                join(whole.item, own), Handle
            )
        else:
            found = len({getattr(t, "arena", None) for t in (left, right)}) == 1
        if not found:
            raise self.unsupported(node, f"the comparison {op} of these objects")
        plain = {"is": "==", "is not": "!="}.get(op, op)
        return Op("compare", tuple(places), (plain,))

    def compare_contents(
        self, op: str, left: Abstract, right: Abstract, node: Any
    ) -> Expr | None:
        """A comparison of what objects hold: by their own method, or field by field as
        the one that `dataclass` makes."""
        alike = isinstance(left, Pointer) and isinstance(right, Pointer)
        if alike and left.arena is right.arena and _compares_fields(left.type, op):  # type: ignore[union-attr]
            names = [f.name for f in dataclasses.fields(left.type) if f.compare]  # type: ignore
            sides = [
                Op("tuple", tuple(self.plain_field(t, n, node) for n in names))
                for t in (left, right)
            ]
            return Op("compare", tuple(sides), (op,))
        own = _METHOD.get(op, "__contains__")
        if not any(self.method_of(t, own) is not None for t in (left, right)):
            raise self.unsupported(
                node,
                f"the comparison {op} of objects whose number is known at run time",
                "compare their attributes",
            )
        return super().compare_call(op, left, right, node)

    def plain_field(self, base: Any, name: str, node: Any) -> Expr:
        """An attribute as one expression."""
        return self.materialise(self.field(base, name, node), node)

    def by_identity(self, op: str, left: Abstract, right: Abstract) -> bool:
        """Whether objects are compared by what they are, not by what they hold."""
        if op not in ("==", "!=", "in", "not in"):
            return False
        pointers = [t for t in (left, right) if isinstance(t, Pointer)]
        return all(
            not issubclass(t.type, Record) and t.type.__eq__ is object.__eq__
            for t in pointers
        )

    def there_test(self, tree: Abstract) -> Expr:
        """Whether an object that may be None is there."""
        if isinstance(tree, Maybe):
            there: Expr = tree.there
            return there
        assert isinstance(tree, Pointer)
        kind = self.infer(tree.ref)
        if isinstance(kind, Handle) and not kind.optional:
            return Lit(True)
        return Op("compare", (tree.ref, Lit(None)), ("is not",))

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        if not isinstance(held, Pointer):
            return super().truth_call(held, node)
        if any(hasattr(held.type, n) for n in ("__bool__", "__len__")):
            raise self.unsupported(
                node,
                "the truth of an object with __bool__ or __len__",
                "call the method, or compare with None",
            )
        return self.there_test(held)


_IDENTITY = {"is": "is", "is not": "is not", "==": "is", "!=": "is not"}
_METHOD = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__",
           ">": "__gt__", ">=": "__ge__"}  # fmt: skip


def _compares_fields(cls: type, op: str) -> bool:
    """Whether a class has the comparison that `dataclass` makes of its fields."""
    own = getattr(cls, "__eq__" if op == "!=" else _METHOD.get(op, ""), None)
    made = getattr(getattr(own, "__code__", None), "co_filename", "")
    return dataclasses.is_dataclass(cls) and made == "<string>"


def _is_record(tree: Any) -> TypeGuard[Pointer]:
    """Whether a tree is a dict of an arena."""
    return isinstance(tree, Pointer) and issubclass(tree.type, Record)
