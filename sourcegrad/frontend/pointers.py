"""Objects that live in arenas: what syntax does to them (see `arenas`)."""

from __future__ import annotations

import dataclasses
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
    keys_in,
    keys_key,
    move,
    move_all,
)
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.known_lists import KnownLists
from sourcegrad.frontend.structs import (
    Abstract,
    Listing,
    Mapping,
    Object,
    Pointer,
    Poison,
    Struct,
)
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, call
from sourcegrad.kinds import BOTTOM, Handle, join, strip
from sourcegrad.names import identifier


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

    def list_of(self, arena: Arena, name: Any) -> Expr:
        """The list that holds an attribute."""
        held = self.env[arena, name]
        assert isinstance(held, Expr)
        return held

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
        arena = arena_of(self.context, class_key(fn.obj))
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
        if kind is not dict or factory is not None or self.deriving:
            return super().dict_display(keys, items, site, kind, factory)
        held = dict(zip(keys, items, strict=True))
        arena = arena_of(self.context, keys_key(keys))
        filled = self.context.derived.get(("filled", site), ())
        if arena is None and set(keys) < set(filled):
            arena = arena_of(self.context, keys_key(filled))
            if arena is not None:
                if not arena.begun:
                    arena.begun = True
                    raise Restart
                held = {k: held.get(k, Lit(None)) for k in filled}
        if arena is None:
            return super().dict_display(keys, items, site, kind, factory)
        return self.settled_in(arena, held, None)

    def require_whole(self, tree: Pointer) -> None:
        """What looks at the keys of a dict must find all of them there."""
        if tree.arena.begun:
            raise self.unsupported(
                None,
                "the keys of dicts that get them one after the other, and whose number "
                "is known only at run time,",
                "give every dict all its keys where it is made",
            )

    def settled_in(self, arena: Arena, held: dict[Any, Abstract], node: Any) -> Pointer:
        """An object in its arena, with these attributes."""
        if arena.fields is None:
            arena.fields = tuple(held)
            raise Restart
        held = {n: held.get(n, Lit(None)) for n in arena.late} | held
        if set(arena.fields) != set(held) or not held:
            raise self.unsupported(
                node,
                f"objects of {arena.name} that begin with different attributes",
                "give every attribute a value in __init__",
            )
        items = {name: self.settle(item) for name, item in held.items()}
        with self.actively():
            first = self.list_of(arena, arena.fields[0])
            count = call(self.binder.bind(len, "len"), first)
            place = self.emit(count, identifier(arena.name.lower()))
            place.value.temp = True
            place.value.kind, place.value.varied = Handle(int, arena.key), False
            for name in arena.fields:
                self.require_kept(arena, name, items[name], node)
                self.append_item(self.list_of(arena, name), items[name], node)
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

    def follow_container(self, base: Expr) -> None:
        super().follow_container(base)
        tree = self.made.get(base.value) if isinstance(base, Ref) else base
        met = self.rows.get(base.value, ()) if isinstance(base, Ref) else ()
        held = tree.args[0] if isinstance(tree, Op) and tree.op == "getitem" else None
        lists = [*met, held.value] if isinstance(held, Ref) else met
        for value in lists:  # dicts that held constants so far
            move_all(self, self.context.derived.get(("put into", value.key), ()))

    def note_put(self, site: Any, items: list[Abstract]) -> None:
        """Remember what is put into a list; dicts with active values move."""
        if site is not None and not self.deriving:
            self.note_inside(site, items)
        if not self.passive:
            dicts = [d for i in items for d in _dicts(i)]
            move(self, *(d for d in dicts if self.active([d], {})))

    def note_inside(self, site: Any, items: list[Abstract]) -> None:
        """Remember which objects are put into a list or dict."""
        if not self.deriving:
            found = [k for i in items for k in keys_in(self, i)]
            before = self.context.derived.get(("put into", site), ())
            self.context.derived["put into", site] = (*before, *found)

    def items_of(self, tree: Listing, node: Any = None) -> Struct:
        try:
            return super().items_of(tree, node)
        except SourcegradError:
            move(self, tree)
            raise

    def to_table(self, tree: Mapping) -> Exception:
        inside = ("put into", ("held", tree.site))
        try:
            found = super().to_table(tree)
        except SourcegradError:
            move_all(self, self.context.derived.get(inside, ()))
            raise
        if isinstance(found, SourcegradError):
            move_all(self, self.context.derived.get(inside, ()))
        return found

    def held_now(self, found: Abstract, name: str, node: Any) -> Abstract:
        try:
            return super().held_now(found, name, node)
        except SourcegradError:
            move(self, found)
            raise

    def followed_on_paths(self, result: Poison) -> None:
        move(self, result)

    def records(self, tree: Abstract) -> Abstract:
        if isinstance(tree, Pointer) and not issubclass(tree.type, Record):
            if dataclasses.is_dataclass(tree.type):
                names = tuple(f.name for f in dataclasses.fields(tree.type) if f.init)
                if set(names) <= set(tree.arena.fields or ()):
                    held = [self.attribute(tree, n, None) for n in names]
                    tree = self.settle(Struct(tree.type, names, held))
        return super().records(tree)

    def as_places(self, tree: Abstract) -> Abstract:
        """A tree as it is put into a container: places in place of objects."""
        if isinstance(tree, Pointer):
            return tree.ref
        if isinstance(tree, Struct):
            items = [self.as_places(item) for item in tree.items]
            if any(a is not b for a, b in zip(items, tree.items, strict=True)):
                return Struct(tree.type, tree.keys, items, None, tree.site)
        return tree

    def materialise(self, tree: Abstract, node: Any = None) -> Expr:
        if isinstance(tree, Struct):
            tree = self.as_places(tree)
        return super().materialise(tree, node)

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


def _dicts(tree: Abstract) -> list[Struct]:
    """The dicts of known keys in a tree."""
    if not isinstance(tree, Struct):
        return []
    inside = [d for item in tree.items for d in _dicts(item)]
    return [tree, *inside] if tree.type is dict else inside
