"""Dicts that change: of known keys while they are, else tables of the run time."""

from __future__ import annotations

import builtins
import functools
import math
from typing import Any

from sourcegrad.frontend import namespaces, tables
from sourcegrad.frontend.chosen import chosen
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.cursors import in_step, is_cursor
from sourcegrad.frontend.indexers import Indexers
from sourcegrad.frontend.known import known, literal
from sourcegrad.frontend.lists import is_argument, is_plain
from sourcegrad.frontend.live import shows
from sourcegrad.frontend.own_arguments import change
from sourcegrad.frontend.structs import (
    Abstract,
    Bound,
    Listing,
    Mapping,
    Object,
    Poison,
    Struct,
    has_own,
)
from sourcegrad.ir import UNDEF, Expr, Lit, Obj, Op

KEYS = "$keys"
KNOWN, TABLE = "known", "table"


class Mappings(Indexers):
    """Builds dicts and deques that change."""

    # --------------------------------------------------------------- displays

    def dict_display(
        self,
        keys: Any,
        items: list[Abstract],
        site: Any,
        kind: type = dict,
        factory: Any = None,
    ) -> Abstract:
        mode = self.context.dicts.get(site)
        if self.deriving or (mode is None and factory is None):
            return Struct(kind, tuple(keys), items, None, site)
        if mode == TABLE:
            return self.table([Lit(k) for k in keys], items, site, factory)
        made = Mapping(kind, self.where, site=site, factory=factory)
        self.env[made, KEYS] = _key_tuple([])
        for key, item in zip(keys, items, strict=True):
            self.put_known(made, key, item)
        return made

    def unknown_dict(self, node: Any) -> Abstract:
        """A display with keys known only at run time: a table if it is active."""
        if self.passive or self.deriving or None in node.keys:
            return super().unknown_dict(node)
        keys, items = [], []
        for key, value in zip(node.keys, node.values, strict=True):
            keys.append(self.atom(self.passive_expr(key)))
            items.append(self.settle(self.expr(value)))
        followed = ("followed", node) in self.context.derived
        movable = all(map(self.can_materialise, items))
        if followed or not movable or self.active(items, {}):
            return self.table(keys, items, self.site(node))
        held = [self.materialise(i, node) for i in items]
        pairs = zip(keys, held, strict=True)
        return Op("dict", tuple(e for pair in pairs for e in pair), node)

    def table(
        self, keys: Any, items: Any, site: Any, factory: Any = None, kind: Any = None
    ) -> Object:
        """A dict of the run time."""
        plain = tables.Table if factory is None else tables.DefaultTable
        made = Object(kind or plain, self.where)
        literals = [k.value for k in keys if isinstance(k, Lit)]
        apart = len(set(literals)) == len(keys)  # no item takes the place of another
        places = [e for n, k in enumerate(keys) for e in (k, Lit(n))] if apart else []
        with self.passively():
            self.env[made, "slots"] = self.emit(Op("dict", tuple(places)), "slots")
        first = [self.settle(i) for i in items] if apart else []
        self.env[made, "held"] = self.own_list(first, ("held", site))
        if factory is not None:
            self.env[made, "factory"] = factory
        for key, item in () if apart else zip(keys, items, strict=True):
            self.store_call(made, [key, self.settle(item)], "__setitem__", None)
        return made

    def queue(self, items: list[Abstract], maxlen: Abstract, site: Any) -> Object:
        """A deque."""
        bounded = maxlen != Lit(None)
        made = Object(tables.BoundedQueue if bounded else tables.Queue, self.where)
        self.env[made, "inner"] = self.own_list([], ("inner", site))
        if bounded:
            self.env[made, "maxlen"] = self.settle(maxlen)
        for item in items:
            self.call_value(self.attribute(made, "append", None), [item], {}, None)
        return made

    def own_list(self, items: list[Abstract], site: Any) -> Expr:
        self.context.demoted.setdefault(site, ListFact())
        return self.runtime_list(items, site)

    def change_dict(self, tree: Struct, node: Any) -> Restart:
        """Let a dict be one that changes, and start again."""
        if change(self, tree, [tree.site], node):
            return Restart()
        if not tree.is_dict or tree.site is None:
            raise self.unsupported(node, f"changing this {tree.type.__name__}",
                                   "make a copy of it first: dict(…)")  # fmt: skip
        self.context.dicts.setdefault(tree.site, KNOWN)
        return Restart()

    def demote(self, tree: Struct, node: Any) -> Restart:
        return (
            self.change_dict(tree, node) if tree.is_dict else super().demote(tree, node)
        )

    # ------------------------------------------------------------- known keys

    def to_table(self, tree: Mapping) -> Exception:
        """Keys are known only at run time after all: start again with a table, unless
        it holds objects or functions."""
        if ("known dict", tree.site) in self.context.derived:
            found = self.env.get((tree, KEYS), UNDEF)
            if isinstance(found, Poison) and found.wanted is not None:
                if found.wanted not in self.context.derived:
                    self.held_now(found, "", None)
            return self.not_known(None, "dict")
        self.context.dicts[tree.site] = TABLE
        return Restart()

    def not_known(self, node: Any, what: str) -> Exception:
        """See `KnownLists`."""
        raise AssertionError("KnownLists provides it")

    def keys_of(self, tree: Mapping) -> list[Any]:
        found = self.env.get((tree, KEYS))
        if not isinstance(found, Struct) or not all(
            isinstance(i, Lit) for i in found.items
        ):
            raise self.to_table(tree)
        return [i.value for i in found.items]  # type: ignore[union-attr]

    def put_known(self, tree: Mapping, key: Any, item: Abstract) -> None:
        keys = self.keys_of(tree)
        if key not in keys:
            self.env[tree, KEYS] = _key_tuple([*keys, key])
        name = tree.name(key)
        self.env[tree, name] = self.settle(item, None)

    def drop_known(self, tree: Mapping, key: Any) -> None:
        keys = self.keys_of(tree)
        keys.remove(key)
        self.env[tree, KEYS] = _key_tuple(keys)
        self.env[tree, tree.name(key)] = UNDEF

    def known_key(self, tree: Mapping, index: Any) -> Any:
        """The key as a value; a table is made if it is not known."""
        if isinstance(index, Expr) and known(index):
            return literal(index)
        raise self.to_table(tree)

    def value_at(self, tree: Mapping, key: Any) -> Abstract:
        return self.env[tree, tree.name(key)]

    def structure(self, tree: Abstract) -> Abstract:
        """A dict of known keys as it is now."""
        if isinstance(tree, Object) and tree.type is namespaces.Namespace:
            return namespaces.contents(self, tree)
        if not isinstance(tree, Mapping):
            return tree
        keys = self.keys_of(tree)
        return Struct(tree.type, tuple(keys), [self.value_at(tree, k) for k in keys])

    def operator_call(self, op: str, left: Abstract, right: Abstract, node: Any) -> Any:
        if op != "or_" or not (_is_dict(left) or _is_dict(right)):
            return super().operator_call(op, left, right, node)
        first, second = self.structure(left), self.structure(right)
        if not (_is_dict(first) and _is_dict(second)):
            raise self.unsupported(
                node, "| of dicts of which one is not known", "give it its keys here"
            )
        assert isinstance(first, Struct) and isinstance(second, Struct)
        both = dict(zip(first.keys, first.items, strict=True))
        both |= dict(zip(second.keys, second.items, strict=True))
        return self.dict_display(tuple(both), list(both.values()), self.site(node))

    def augmented_call(self, op: str, held: Any, right: Abstract, node: Any) -> Any:
        if op != "or_" or not isinstance(held, Mapping):
            return super().augmented_call(op, held, right, node)
        self.call_value(self.attribute(held, "update", node), [right], {}, node)
        return held

    # ------------------------------------------------- what syntax does to them

    def runtime_item(self, base: Struct, index: Expr) -> Abstract:
        if base.is_dict:
            mine = base.site and not is_argument(base)
            found = None if mine and is_plain(base) else chosen(self, base, index)
            if found is not None:
                return found
            if not mine:
                raise self.unsupported(
                    None,
                    "a computed key into items of different forms",
                    "write the key itself, or loop over the dict",
                )
            self.context.dicts[base.site] = TABLE
            raise Restart
        return super().runtime_item(base, index)

    def lookup_key(self, tree: Abstract, index: Expr) -> Any:
        """The key of a read, where it is known; else the dict becomes a table."""
        if isinstance(tree, Mapping):
            return self.known_key(tree, index)
        if known(index):
            return literal(index)
        assert isinstance(tree, Struct)
        self.runtime_item(tree, index)
        raise self.unsupported(
            None,
            "a computed key into a dict from outside",
            "write the key itself, or loop over the dict",
        )

    def item_call(self, base: Abstract, index: Abstract, node: Any) -> Any:
        if not isinstance(base, Mapping):
            return super().item_call(base, index, node)
        key = self.known_key(base, index)
        if key in self.keys_of(base):
            return self.value_at(base, key)
        if base.factory is None:
            return self.missing_key(Lit(key))
        with self.actively():
            self.put_known(base, key, self.call_value(base.factory, [], {}, node))
        return self.value_at(base, key)

    def store_call(
        self, base: Abstract, args: list[Abstract], name: str, node: Any
    ) -> bool:
        if isinstance(base, Struct) and base.is_dict:
            raise self.change_dict(base, node)
        if not isinstance(base, Mapping):
            return super().store_call(base, args, name, node)
        key = self.known_key(base, args[0])
        if name == "__setitem__":
            self.put_known(base, key, args[1])
        elif key in self.keys_of(base):
            self.drop_known(base, key)
        else:
            self.missing_key(Lit(key))
        return True

    def compare_call(
        self, op: str, left: Abstract, right: Abstract, node: Any
    ) -> Expr | None:
        if isinstance(right, Mapping) and op in ("in", "not in"):
            key = self.known_key(right, left)
            return Lit((key in self.keys_of(right)) == (op == "in"))
        if op in ("==", "!=") and left is not right:
            found = self.equal_contents(left, right, node)
            found = (
                found if found is not None else self.equal_contents(right, left, node)
            )
            if found is not None:
                return found if op == "==" else Op("not_", (found,))
        return super().compare_call(op, left, right, node)

    def equal_contents(self, tree: Abstract, other: Abstract, node: Any) -> Expr | None:
        """Whether a dict or deque of the run time is equal to something else; None
        where it is none."""
        if not isinstance(tree, Object) or tree.type not in tables.CLASSES:
            return None
        if isinstance(other, Struct) and (_is_queue(tree) or not other.is_dict):
            return Lit(False)
        if isinstance(other, Struct) and other.is_dict and not other.items:
            return Op("not_", (self.truth_call(tree, node),))
        raise self.unsupported(
            node,
            "the comparison of a dict or deque whose contents are not known",
            "compare len(…), or what it holds",
        )

    def truth_call(self, held: Abstract, node: Any) -> Expr:
        if isinstance(held, Mapping):
            return Lit(bool(self.keys_of(held)))
        return super().truth_call(held, node)

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        held = self.structure(tree)
        if isinstance(tree, (Mapping, Listing)):
            grows = isinstance(tree, Listing)
            held = shows(held, lambda: self.structure(tree), grows)
        return super().elements(held, node)

    def object_attribute(self, base: Object, name: str, node: Any) -> Abstract:
        if not isinstance(base, Mapping):
            return super().object_attribute(base, name, node)
        found = getattr(dict, name, None) or getattr(base.type, name, None)
        return Bound(Obj(found, f"dict.{name}"), [base])

    def materialise(self, tree: Abstract, node: Any = None) -> Expr:
        if isinstance(tree, Mapping) and self.passive:
            return super().materialise(self.structure(tree), node)
        return super().materialise(tree, node)

    def records(self, tree: Abstract) -> Abstract:
        return super().records(self.structure(tree))

    def call_object(
        self, fn: Obj, args: list[Abstract], kw: dict[str, Abstract], node: Any
    ) -> Any:
        if any(map(is_cursor, args)) and len(args) > 1 and fn.obj in (zip, map):
            if fn.obj is zip:
                return in_step(self, args, kw, node)
            if len(args) > 2:
                raise self.unsupported(node, "map of iterators", "make lists of them")
        if any(has_own(a, "__iter__") for a in args) and self.looks_only(fn.obj):
            along = _along(fn.obj, len(args))
            args = [
                self.elements(a, node) if has_own(a, "__iter__") and k in along else a
                for k, a in enumerate(args)
            ]
            if fn.obj in (set, frozenset) and _is_dict(args[0]):
                args = [_key_tuple(list(self.structure(args[0]).keys))]  # type: ignore
        elif any(map(_is_queue, (*args, *kw.values()))) and self.is_library(fn.obj):
            items = {id(a): self.elements(a, node) for a in (*args, *kw.values())
                     if _is_queue(a)}  # fmt: skip
            args = [items.get(id(a), a) for a in args]
            kw = {k: items.get(id(a), a) for k, a in kw.items()}
        return super().call_object(fn, args, kw, node)

    def looks_only(self, obj: Any) -> bool:
        """Whether a builtin sees no more of its operands than their elements."""
        return getattr(type(obj), "__hash__", None) is not None and obj in _LOOKS


def _is_queue(tree: Abstract) -> bool:
    """Whether a tree is a deque, which NumPy reads as it reads a list."""
    return isinstance(tree, Object) and issubclass(tree.type, tables.Queue)


_LOOKS = frozenset(
    {
        builtins.list,
        builtins.tuple,
        builtins.sum,
        builtins.sorted,
        builtins.max,
        builtins.min,
        builtins.zip,
        builtins.enumerate,
        builtins.map,
        builtins.filter,
        builtins.any,
        builtins.all,
        builtins.reversed,
        builtins.set,
        builtins.frozenset,
        math.prod,
        math.fsum,
        functools.reduce,
    }
)


def _along(fn: Any, count: int) -> range:
    """Which operands of a builtin it reads the elements of."""
    if fn is functools.reduce:
        return range(1, 2)
    if fn is sum or count == 1:
        return range(1)
    return range(0) if fn is max or fn is min else range(count)


def _key_tuple(keys: list[Any]) -> Struct:
    return Struct(tuple, tuple(range(len(keys))), [Lit(k) for k in keys])


def _is_dict(tree: Abstract) -> bool:
    """Whether a tree is a dict of known keys."""
    return isinstance(tree, Mapping) or isinstance(tree, Struct) and tree.is_dict
