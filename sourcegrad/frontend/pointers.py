"""Objects that live in arenas: what syntax does to them (see `arenas`)."""

from __future__ import annotations

from typing import Any

from sourcegrad.errors import SourcegradError
from sourcegrad.frontend.arenas import (
    Arena,
    Record,
    arena_of,
    arenas,
    class_key,
    holds_places,
    keeps_places,
    keys_key,
    move,
)
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.folding import known, literal
from sourcegrad.frontend.known_lists import KnownLists
from sourcegrad.frontend.snapshots import placed
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Listing,
    Mapping,
    Object,
    Pointer,
    Poison,
    Struct,
    map_leaves,
)
from sourcegrad.ir import Append, Expr, Lit, Obj, Op, Ref, call
from sourcegrad.names import identifier
from sourcegrad.kinds import BOTTOM, Handle, ListKind, join, strip


class Pointers(KnownLists):
    """Builds what is done with objects that live in arenas."""

    # ------------------------------------------------------- where they are made

    def open_arenas(self) -> None:
        """Make the lists of all arenas, which are empty at first."""
        for arena in arenas(self.context):
            for name in arena.fields or ():
                held = self.own_list([], ("arena", arena.key, name))
                assert isinstance(held, Ref)
                held.value.name, held.value.temp = arena.list_name(name), False
                self.env[arena, name] = held

    def arena_lists(self) -> dict[str, Abstract]:
        """The lists of all arenas, as operands of a callee that is built apart."""
        return {
            f"${arena.list_name(name)}": self.env[arena, name]
            for arena in arenas(self.context)
            for name in arena.fields or ()
        }

    def enter_arenas(self, scope: Any) -> None:
        """Use the lists that the caller handed on."""
        for arena in arenas(self.context):
            for name in arena.fields or ():
                self.env[arena, name] = self.env[scope, f"${arena.list_name(name)}"]

    def construct(self, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        made = super().construct(fn, args, kw, node)
        arena = arena_of(self.context, class_key(fn.obj))  # type: ignore[arg-type]
        if arena is None or self.deriving or type(made) is not Object:
            return made
        held = {k[1]: v for k, v in self.env.items()
                if isinstance(k, tuple) and k[0] is made}  # fmt: skip
        return self.settled_in(arena, held, node)

    def dict_display(
        self,
        keys: Any,
        items: list[Abstract],
        site: Any,
        kind: type = dict,
        factory: Any = None,
    ) -> Abstract:
        arena = arena_of(self.context, keys_key(keys)) if kind is dict else None
        if arena is None or factory is not None or self.deriving:
            return super().dict_display(keys, items, site, kind, factory)
        return self.settled_in(arena, dict(zip(keys, items, strict=True)), None)

    def settled_in(self, arena: Arena, held: dict[Any, Abstract], node: Any) -> Pointer:
        """An object in its arena, with these attributes."""
        if arena.fields is None:
            arena.fields = tuple(held)
            raise Restart
        if set(arena.fields) != set(held) or not held:
            raise self.unsupported(
                node,
                f"objects of {arena.name} that begin with different attributes",
                "give every attribute a value in __init__",
            )
        items = {name: self.settle(item) for name, item in held.items()}
        with self.actively():
            first = self.env[arena, arena.fields[0]]
            count = call(self.binder.bind(len, "len"), first)
            place = self.emit(count, identifier(arena.name.lower()))
            place.value.temp = True
            place.value.kind, place.value.varied = Handle(int, arena.key), False
            for name in arena.fields:
                self.require_kept(arena, name, items[name], node)
                self.append_item(self.env[arena, name], items[name], node)
        return Pointer(arena.type, self.where, ref=place, arena=arena)

    def require_kept(self, arena: Arena, name: Any, tree: Abstract, node: Any) -> None:
        """What an object of an arena holds must be a value of the run time.

        Raises:
            UnsupportedSyntaxError: it is a function, or an object that must be known.
        """
        if not self.is_movable(tree):
            move(self, tree)
            raise self.unsupported(
                node,
                f"{name!r} of objects whose number is known only at run time",
                "keep numbers, arrays, lists and other such objects in them",
            )

    # ------------------------------------------- where they turn out to be needed

    def runtime_list(self, items: list[Abstract], site: Any) -> Any:
        self.note_put(site, items)
        moved = [self.as_places(i) for i in items]
        try:
            return super().runtime_list(moved, site)
        except SourcegradError:
            move(self, *items)
            raise

    def append_item(self, base: Expr, item: Abstract, node: Any) -> None:
        self.note_put(base.value.key if isinstance(base, Ref) else None, [item])
        try:
            super().append_item(base, self.as_places(item), node)
        except SourcegradError:
            move(self, item)
            raise

    def store_item(self, target: Any, tree: Abstract) -> None:
        settled = self.settle(tree)
        self.note_put(None, [settled])
        try:
            super().store_item(target, self.as_places(settled))
        except SourcegradError:
            move(self, settled)
            raise

    def note_put(self, site: Any, items: list[Abstract]) -> None:
        """Remember what is put into a list; dicts with active values move."""
        if site is not None and not self.deriving:
            self.context.derived["put into", site] = tuple(items)
        if not self.passive:
            dicts = [d for i in items for d in _dicts(i)]
            move(self, *(d for d in dicts if self.active([d], {})))

    def items_of(self, tree: Listing, node: Any = None) -> Struct:
        try:
            return super().items_of(tree, node)
        except SourcegradError:
            move(self, tree)
            raise

    def held_now(self, found: Abstract, name: str, node: Any) -> Abstract:
        try:
            return super().held_now(found, name, node)
        except SourcegradError:
            move(self, found)
            raise

    def as_places(self, tree: Abstract) -> Abstract:
        """A tree as it is put into a container: places in place of objects."""
        if isinstance(tree, Pointer):
            return tree.ref
        if isinstance(tree, Struct):
            items = [self.as_places(item) for item in tree.items]
            if any(a is not b for a, b in zip(items, tree.items, strict=True)):
                return Struct(tree.type, tree.keys, items, None, tree.site)
        return tree

    def is_movable(self, tree: Abstract) -> bool:
        if isinstance(tree, (Op, Ref)) and self.holds_objects(tree):
            return True
        return isinstance(tree, Pointer) or super().is_movable(tree)

    def can_materialise(self, tree: Abstract) -> bool:
        if isinstance(tree, (Op, Ref)) and self.holds_objects(tree):
            return False
        return super().can_materialise(tree)

    def holds_objects(self, tree: Expr) -> bool:
        return holds_places(self.infer(tree))

    def learn(self, fact: ListFact, kind: Any, varied: bool) -> None:
        merged = join(fact.item, strip(kind))
        if not (keeps_places(fact.item, merged) and keeps_places(kind, merged)):
            raise self.unsupported(
                None,
                "a list of objects beside other values",
                "keep objects of each class in a list of their own",
            )
        super().learn(fact, kind, varied)

    # --------------------------------------------------- where they are met again

    def expr(self, node: Any) -> Abstract:
        return self.met(super().expr(node))

    def bind_name(self, name: str, tree: Abstract) -> None:
        super().bind_name(name, self.met(tree))

    def met(self, tree: Abstract) -> Abstract:
        """What stands for a place that was read from a container: the object."""
        if self.deriving or not isinstance(tree, (Op, Ref)):
            return tree
        kind = self.infer(tree)
        if not isinstance(kind, Handle):
            return tree
        arena = arena_of(self.context, kind.arena)
        assert arena is not None
        if isinstance(tree, Op):
            with self.passively():
                tree = self.emit(tree)
        return Pointer(arena.type, self.where, ref=tree, arena=arena)

    def not_known_yet(self, tree: Abstract) -> bool:
        """Whether a tree is an item of a list that, so far, nothing was put into."""
        return isinstance(tree, (Op, Ref)) and self.infer(tree) == BOTTOM

    # ------------------------------------------------- what syntax does to them

    def call_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        movable = all(map(self.can_materialise, [*args, *kw.values()]))
        if not movable and self.not_known_yet(base):
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
        held = self.env[base.arena, name]
        return self.met(self.subscript(held, base.ref, node))

    def put_field(self, base: Pointer, name: Any, tree: Abstract, node: Any) -> None:
        """Give an attribute, or an item of a dict, another value."""
        settled = self.settle(tree)
        self.require_kept(base.arena, name, settled, node)
        self.note_put(None, [settled])
        value = self.materialise(self.as_places(settled), node)
        with self.actively():
            self.store(self.env[base.arena, name], base.ref, value, None, node)

    def object_attribute(self, base: Object, name: str, node: Any) -> Abstract:
        if not isinstance(base, Pointer):
            return super().object_attribute(base, name, node)
        if issubclass(base.type, Record):
            return Bound(Obj(getattr(dict, name, None), f"dict.{name}"), [base])
        if name in (base.arena.fields or ()):
            return self.field(base, name, node)
        return self.class_member(base.type, name, base, node)

    def set_attribute(self, base: Abstract, target: Any, tree: Abstract) -> None:
        if isinstance(base, Pointer) and not issubclass(base.type, Record):
            if self.set_property(base, target, tree):
                return
            if target.attr not in (base.arena.fields or ()):
                raise self.unsupported(
                    target,
                    f"a new attribute {target.attr!r} of objects whose number is known "
                    "only at run time",
                    "give it a value in __init__",
                )
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
            return super().store_call(base, [args[0], *map(self.as_places, args[1:])],
                                      name, node)  # fmt: skip
        key = self.record_key(base, args[0], node)
        if name != "__setitem__" or key not in base.arena.fields:
            raise self.unsupported(
                node,
                "adding or deleting a key of dicts whose number is known only at run "
                "time",
                "give every dict all its keys where it is made",
            )
        self.put_field(base, key, args[1], node)
        return True

    def structure(self, tree: Abstract) -> Abstract:
        if not _is_record(tree):
            return super().structure(tree)
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
            return Lit((key in (right.arena.fields or ())) == (op == "in"))
        if op not in ("is", "is not") and not self.by_identity(op, left, right):
            return super().compare_call(op, left, right, node)
        places = [t.ref if isinstance(t, Pointer) else t for t in (left, right)]
        if Lit(None) in places:
            return Op("compare", tuple(places), (op if op[:2] == "is" else f"is{op}",))
        if op in ("in", "not in"):
            found = isinstance(right, Expr) and self.infer(right) == ListKind(
                self.infer(places[0])  # type: ignore[arg-type]
            )
        else:
            found = len({getattr(t, "arena", None) for t in (left, right)}) == 1
        if not found:
            raise self.unsupported(node, f"the comparison {op} of these objects")
        plain = {"is": "==", "is not": "!="}.get(op, op)
        return Op("compare", tuple(places), (plain,))  # type: ignore[arg-type]

    def by_identity(self, op: str, left: Abstract, right: Abstract) -> bool:
        """Whether objects are compared by what they are, not by what they hold."""
        if op not in ("==", "!=", "in", "not in"):
            return False
        pointers = [t for t in (left, right) if isinstance(t, Pointer)]
        return all(
            not issubclass(t.type, Record) and t.type.__eq__ is object.__eq__
            for t in pointers
        )

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        if not isinstance(held, Pointer):
            return super().truth_call(held, node)
        if any(hasattr(held.type, n) for n in ("__bool__", "__len__")):
            raise self.unsupported(
                node,
                "the truth of an object with __bool__ or __len__",
                "call the method, or compare with None",
            )
        return Op("compare", (held.ref, Lit(None)), ("is not",))


def _is_record(tree: Any) -> bool:
    """Whether a tree is a dict of an arena."""
    return isinstance(tree, Pointer) and issubclass(tree.type, Record)


def _dicts(tree: Abstract) -> list[Struct]:
    """The dicts of known keys in a tree."""
    if not isinstance(tree, Struct):
        return []
    inside = [d for item in tree.items for d in _dicts(item)]
    return [tree, *inside] if tree.type is dict else inside


__all__ = ["Pointers"]
