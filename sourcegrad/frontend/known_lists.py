"""Lists that change and hold objects or functions: their items are known one by one.

A list of numbers or arrays that the program changes is a list of the run time.  Objects
and functions must stay where they are known, so a list of them is known item by item:
its items live in the environment, where branches and loops notice that it changes, as
they do with the attributes of an object.
"""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.known import known, literal, literal_slice
from sourcegrad.frontend.mappings import Mappings
from sourcegrad.frontend.object_order import are_objects, in_order, place_of
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Listing,
    Object,
    Poison,
    Struct,
    is_function,
)
from sourcegrad.ir import Expr, Lit, Obj, Ref

ITEMS = "$items"
_CHANGES = ("append", "extend", "insert", "pop", "clear", "reverse")


class KnownLists(Mappings):
    """Builds lists of objects and functions that change."""

    def display(self, kind: type, items: list[Abstract], site: Any) -> Abstract:
        if kind is not list or self.deriving or not self.is_listing(site):
            return super().display(kind, items, site)
        made = Listing(list, self.where, site=site)
        self.put_items(made, [self.settle(i) for i in items])
        return made

    def is_listing(self, site: Any) -> bool:
        """Whether the list made at a place turned out to hold objects."""
        return ("known list", site) in self.context.derived

    def put_items(self, tree: Listing, items: list[Abstract]) -> None:
        self.env[tree, ITEMS] = Struct(list, tuple(range(len(items))), items)

    def items_of(self, tree: Listing, node: Any = None) -> Struct:
        """The list as it is now.

        Raises:
            Restart: a loop that changes it is built trip by trip, so that it is known.
            UnsupportedSyntaxError: it is not known.
        """
        found = self.env[tree, ITEMS]
        if isinstance(found, Poison) and found.wanted in (None, *self.context.derived):
            raise self.not_known(node, "list")
        held = self.held_now(found, "", node)
        assert isinstance(held, Struct)
        return held

    # --------------------------------------- lists that turn out to hold objects

    def runtime_list(self, items: list[Abstract], site: Any) -> Any:
        if not all(map(self.is_movable, items)):
            self.keep_known(site)
        return super().runtime_list(items, site)

    def append_item(self, base: Expr, item: Abstract, node: Any) -> None:
        self.require_movable(base, item)
        super().append_item(base, item, node)

    def require_movable(self, base: Abstract, tree: Abstract) -> None:
        """What is put into a list of the run time must be a value of the run time."""
        if isinstance(base, Ref) and not self.is_movable(tree):
            self.keep_known(base.value.key)

    def is_movable(self, tree: Abstract) -> bool:
        """Whether a tree can be an item of a list of the run time."""
        if isinstance(tree, Struct):
            return all(map(self.is_movable, tree.items))
        moves = self.can_materialise(tree) or isinstance(tree, (Poison, Listing))
        return moves and (self.passive or not is_function(tree))

    def keep_known(self, site: Any) -> None:
        """Let the list made at a place be known item by item, and start again."""
        if site is None or site not in self.context.demoted:
            return
        inner = isinstance(site, tuple) and site[0] == "held"
        key = ("known dict", site[1]) if inner else ("known list", site)
        if key in self.context.derived:
            return
        self.context.derived[key] = True
        self.context.demoted.pop(site)
        if inner:
            self.context.dicts.pop(site[1], None)
        raise Restart

    # ------------------------------------------------ what syntax does to them

    def structure(self, tree: Abstract) -> Abstract:
        if isinstance(tree, Listing):
            return self.items_of(tree)
        return super().structure(tree)

    def object_attribute(self, base: Any, name: str, node: Any) -> Abstract:
        if not isinstance(base, Listing):
            return super().object_attribute(base, name, node)
        return Bound(Obj(getattr(list, name, None), f"list.{name}"), [base])

    def struct_method(
        self, base: Any, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        if not isinstance(base, Listing):
            return super().struct_method(base, name, args, kw, node)
        if name == "sort" and not args:
            return self.sort_objects(base, kw, node)
        if name == "remove" and len(args) == 1:
            return self.remove_object(base, args[0], node)
        if name not in _CHANGES or kw:
            raise self.unsupported(
                node, f"{name} of a list of objects or functions",
                "find the place with a loop, and make a new list",
            )  # fmt: skip
        items = list(self.items_of(base, node).items)
        given: list[Any] = [self.settle(a) for a in args]
        if name in ("insert", "pop") and args:
            given[0] = self.place(args[0], node)
        if name == "extend":
            given = [self.items_along(args[0], node)]
        try:
            found = getattr(items, name)(*given)
        except IndexError as e:
            return self.missing_item(IndexError, Lit(str(e)))
        self.put_items(base, items)
        return Lit(None) if found is None else found

    def sort_objects(self, base: Listing, kw: Any, node: Any) -> Abstract:
        """`objects.sort(key=…)`."""
        key, backwards = kw.get("key", Lit(None)), kw.get("reverse", Lit(False))
        items = self.items_of(base, node).items
        if not are_objects(items):
            raise self.unsupported(node, "sort of a list of functions or other values")
        found = in_order(self, items, key, self.materialise(backwards), node)
        self.put_items(base, found)
        return Lit(None)

    def remove_object(self, base: Listing, wanted: Abstract, node: Any) -> Abstract:
        """`objects.remove(one)`, by which it is."""
        items = list(self.items_of(base, node).items)
        found = place_of(self, items, wanted, node)
        if not found:
            return self.missing_item(ValueError, Lit("list.remove(x): x not in list"))
        del items[found[0]]
        self.put_items(base, items)
        return Lit(None)

    def place(self, index: Abstract, node: Any) -> Any:
        """An index that is known when compiling, as a number or slice."""
        if isinstance(index, Expr):
            if known(index):
                return literal(index)
            if (bounds := literal_slice(index)) is not None:
                return bounds
        self.unroll_around()
        raise self.unsupported(
            node, "a change of a list of objects or functions at a computed place",
            "write the place as a literal, or build a new list",
        )  # fmt: skip

    def items_along(self, tree: Abstract, node: Any) -> list[Abstract]:
        """The items of an iterable whose length is known."""
        held = self.elements(tree, node)
        if not isinstance(held, Struct):
            raise self.not_known(node, "list")
        return [Lit(k) for k in held.keys] if held.is_dict else list(held.items)

    def not_known(self, node: Any, what: str) -> Any:
        """The refusal of a container of objects whose length is not known."""
        self.unroll_around()
        error = self.unsupported(
            node, f"a {what} of objects or functions whose length is known only at run "
            "time", "keep the numbers in lists or arrays, one per attribute",
        )  # fmt: skip
        counts = (
            "let the number of trips come from a literal, a captured or global name"
        )
        error.hints = (*error.hints, counts)
        error.why = (
            "objects and functions must be known one by one when compiling, so a loop "
            "that adds them must run a number of times that is known then"
        )
        return error

    def item_call(self, base: Abstract, index: Abstract, node: Any) -> Any:
        if not isinstance(base, Listing):
            return super().item_call(base, index, node)
        place = self.materialise(index, node)
        return self.item(self.items_of(base, node), place, node, len(self.region.stmts))

    def store_call(
        self, base: Abstract, args: list[Abstract], name: str, node: Any
    ) -> bool:
        if not isinstance(base, Listing):
            return super().store_call(base, args, name, node)
        items: Any = list(self.items_of(base, node).items)
        place = self.place(args[0], node)
        try:
            if name == "__delitem__":
                del items[place]
            elif isinstance(place, slice):
                items[place] = self.items_along(args[1], node)
            else:
                items[place] = self.settle(args[1])
        except IndexError as e:
            self.missing_item(IndexError, Lit(str(e)))
        self.put_items(base, items)
        return True

    def augmented_call(self, op: str, held: Any, right: Abstract, node: Any) -> Any:
        if not isinstance(held, Listing) or op != "add":
            return super().augmented_call(op, held, right, node)
        items = [*self.items_of(held, node).items, *self.items_along(right, node)]
        self.put_items(held, items)
        return held

    def operator_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        known = isinstance(left, Listing) or isinstance(right, Listing)
        if op != "add" or not known:
            return super().operator_call(op, left, right, node)
        both = [self.structure(left), self.structure(right)]
        if not all(isinstance(t, Struct) and t.type is list for t in both):
            return super().operator_call(op, left, right, node)
        items = [i for t in both for i in t.items]  # type: ignore[union-attr]
        return self.display(list, items, self.site(node))

    def compare_call(
        self, op: str, left: Abstract, right: Abstract, node: Any
    ) -> Expr | None:
        if op not in ("in", "not in"):
            return super().compare_call(op, left, right, node)
        among = self.structure(right)
        by_identity = isinstance(left, Object) and isinstance(among, Struct)
        if not by_identity or self.method_of(left, "__eq__") is not None:
            return super().compare_call(op, left, right, node)
        assert isinstance(among, Struct)
        for item in among.items:
            self.require_identity(left, item, node)
        held = any(i is left for i in among.items)
        return Lit(held == (op == "in"))

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        if isinstance(held, Listing):
            return Lit(bool(self.items_of(held, node).items))
        return super().truth_call(held, node)

    def materialise(self, tree: Abstract, node: Any = None) -> Expr:
        if isinstance(tree, Listing):
            return super().materialise(self.items_of(tree, node), node)
        return super().materialise(tree, node)
