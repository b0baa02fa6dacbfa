"""Run-time lists: displays that the program changes, their methods and stores."""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad.frontend import library
from sourcegrad.frontend.beside_arrays import without_lists
from sourcegrad.frontend.blocks import Blocks
from sourcegrad.frontend.calls import Calls
from sourcegrad.frontend.chosen import chosen, run_time_list
from sourcegrad.frontend.context import ListFact, LooseFact, Restart
from sourcegrad.frontend.loops import Loops
from sourcegrad.frontend.own_arguments import change, change_long
from sourcegrad.frontend.patterns import Patterns
from sourcegrad.frontend.sequences import list_call
from sourcegrad.frontend.slices import spelled
from sourcegrad.frontend.structs import Abstract, Struct, is_function, leaves
from sourcegrad.ir import Append, Expr, Lit, Op, Ref, Store, Value
from sourcegrad.kinds import (
    INT,
    UNKNOWN,
    Kind,
    ListKind,
    TupleKind,
    is_scalar,
    join,
    strip,
)


def _of_numbers(kind: Kind) -> bool:
    """Whether a list is one of numbers, or of tuples of these: of no memory."""
    item = strip(kind.item) if isinstance(kind, ListKind) else UNKNOWN
    parts = item.items if isinstance(item, TupleKind) else (item,)
    return all(is_scalar(strip(part)) for part in parts)


class Lists(Calls, Loops, Blocks, Patterns):
    """Builds lists that change."""

    made_lists: set[Any]
    put_lists: set[Value]  # those that were put into another
    made: dict[Value, Expr]
    combined: Any

    def display(self, kind: type, items: list[Abstract], site: Any) -> Abstract:
        """A display; a list that is mutated somewhere becomes a run-time list."""
        if kind is list and site in self.context.demoted and not self.deriving:
            return self.runtime_list(items, site)
        return super().display(kind, items, site)

    def expr_BinOp(self, node: Any) -> Abstract:
        """Also `[0.0] * n`, which may be changed as any other list."""
        found = super().expr_BinOp(node)
        if not isinstance(found, Op) or found.op not in ("mul", "add") or self.deriving:
            return found
        if not isinstance(self.infer(found), ListKind):
            return found
        site = self.site(node)
        fact = None if self.passive else self.context.demoted.get(site)
        if fact is None:
            self.context.kept[id(found)] = (found, site)
            return found
        self.learn(fact, self.infer(found).item, False)  # type: ignore[attr-defined]
        ref = self.emit(found)
        ref.value.kind, ref.value.key = ListKind(fact.item), site
        ref.value.varied = fact.varied
        return ref

    def runtime_list(self, items: list[Abstract], site: Any) -> Ref:
        """A list object of the generated program."""
        fact = self.context.demoted[site]
        if fact.deep:
            self.require_objects(items)
        parts = tuple(self.materialise(i) for i in items)
        ref = self.emit(Op("list", parts))
        self.put_lists.update(p.value for p in parts if isinstance(p, Ref))
        for part, tree in zip(parts, items, strict=True):
            self.learn(fact, self.infer(part), self.any_varied(tree))
        ref.value.kind = ListKind(fact.item)
        ref.value.varied = fact.varied and not self.passive
        ref.value.key = site
        return ref

    def any_varied(self, tree: Abstract) -> bool:
        return any(isinstance(e, Ref) and e.value.varied for e in leaves(tree))

    def learn(self, fact: ListFact, kind: Any, varied: bool) -> None:
        """Widen what is known of a list; what was built before is built again."""
        if isinstance(fact, LooseFact):
            fact.value.varied = fact.value.varied or varied
            return
        merged = join(fact.item, strip(kind))
        if self.context.dirty and _vague(merged) and not _vague(fact.item):
            return  # not every fact was known yet; the next build will tell
        if merged != fact.item or (varied and not fact.varied):
            fact.item, fact.varied = merged, fact.varied or varied
            self.context.dirty = True

    def demote(self, tree: Struct, node: Any) -> Restart:
        """Make the list a run-time list, and start again."""
        if change(self, tree, sites(tree.site), node):
            return Restart()
        if tree.type is not list or tree.site is None:
            raise self.unsupported(node, f"changing this {tree.type.__name__}")
        for site in sites(tree.site):
            self.context.demoted.setdefault(site, ListFact())
        return Restart()

    def require_one_list(self, tree: Struct, node: Any) -> None:
        """Let a list that an object from outside holds be one of the run time: it is
        the same list under every name, whoever changes it.

        Raises:
            Restart: it is from now on.
        """
        if tree.type is list and tree.site is not None and not is_argument(tree):
            if self.can_materialise(tree):
                raise self.demote(tree, node)

    def follows(self, value: Value) -> bool:
        """See `Stores`."""
        raise AssertionError

    def same_lists(self, a: Abstract, b: Abstract) -> None:
        """Two lists that one name holds by turns, of different length: they become
        run-time lists, and the build starts again."""
        if not (self.is_list(a) and self.is_list(b)):
            return
        if not (self.can_materialise(a) and self.can_materialise(b)):
            return  # functions and objects must stay where they are known
        for tree in (a, b):
            if isinstance(tree, Struct) and tree.site and not is_argument(tree):
                if tree.site not in self.context.demoted:
                    raise self.demote(tree, None)

    def list_fact(self, base: Expr, node: Any) -> ListFact:
        if isinstance(base, Ref) and base.value.key in self.context.demoted:
            return self.context.demoted[base.value.key]
        if isinstance(base, Ref) and base.value.key in self.made_lists:
            kind = base.value.kind
            assert isinstance(kind, ListKind)
            fact = ListFact(strip(kind.item), base.value.varied)
            self.context.demoted[base.value.key] = fact
            self.context.dirty = True
            return fact
        self.build_kept(base)
        if isinstance(base, Ref) and len(self.stack) == 1:
            change_long(self, base.value)
        if isinstance(base, Ref) and self.follows(base.value):
            return self.loose(base.value, node)
        raise self.unsupported(node, "changing a list that comes from elsewhere",
                               "build the list in this function")  # fmt: skip

    def loose(self, value: Value, node: Any) -> LooseFact:
        """What is known of a list that may be one of several."""
        made = self.made.get(value)
        if isinstance(made, Op) and isinstance(made.args[0], Op):
            raise self.unsupported(node, "changing a list of several, by the path,",
                                   "write the change into each branch")  # fmt: skip
        assert isinstance(value.kind, ListKind)
        return LooseFact(strip(value.kind.item), value.varied, value=value)

    def build_kept(self, base: Expr) -> None:
        """A list comprehension kept as written is one that changes: build it.

        Raises:
            Restart: it was one.
        """
        made = self.made.get(base.value) if isinstance(base, Ref) else None
        site = self.context.kept.get(id(made), (None, None))[1]
        if site is not None and site not in self.context.demoted:
            self.context.demoted[site] = ListFact()
            raise Restart
        if isinstance(made, Op) and made.op == "raw":  # a comprehension kept as written
            site = self.context.derived.get(("kept", made.data[0]))
            if site is not None and site not in self.context.demoted:
                self.context.demoted[site] = ListFact()
                raise Restart

    def list_method(
        self, base: Expr, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        if isinstance(base, Op) and base.op == "getitem" and not self.passive:
            base = self.atom(base)  # a list in a list, which may be changed
        outside = not isinstance(base, Ref) and not self.is_varied(base)
        if outside and not self.active(args, kw):
            return self.call_tree(Op("attr", (base,), name), args, kw, node)
        if name == "append" and len(args) == 1:
            self.append_item(base, args[0], node)
            return Lit(None)
        if name == "pop" and not args:
            return self.pop_item(base, node)
        if name in ("index", "count"):
            with self.passively():
                return self.emit(
                    self.call_tree(Op("attr", (base,), name), args, kw, node)
                )
        base = self.atom(base)
        if self.is_own_list(base):
            found = list_call(self, base, name, args, kw, node)
            if found is not NotImplemented:
                return found
        self.build_kept(base)
        if name == "copy" and not self.is_varied(base):
            return self.call_tree(Op("attr", (base,), name), args, kw, node)
        if name == "copy" and not args and not kw and _of_numbers(self.infer(base)):
            return self.inline_library(library.listed, [base], node)
        raise self.unsupported(node, f"the list method {name!r} on active values")

    def is_own_list(self, base: Expr) -> bool:
        """Whether a list was made by the program, so that it may be changed."""
        key = base.value.key if isinstance(base, Ref) else None
        if self.pointed(base) is not None:
            return True
        if isinstance(base, Ref) and self.follows(base.value):
            return True
        return key is not None and (
            key in self.context.demoted or key in self.made_lists
        )

    def append_item(self, base: Expr, item: Abstract, node: Any) -> None:
        settled = self.settle(item)
        value = self.materialise(settled, node)
        self.learn_of(base, value, settled, node)
        if isinstance(value, Ref):
            self.put_lists.add(value.value)
        self.append(Append(base, value))

    def learn_of(self, base: Expr, value: Expr, tree: Abstract, node: Any) -> None:
        """Widen what is known of a list by an item that it gets."""
        outer = self.pointed(base)
        if outer is None:
            fact = self.list_fact(base, node)
            if fact.deep:
                self.require_objects([tree])
            self.learn(fact, self.infer(value), self.any_varied(tree))
            return
        self.learn_inside(
            outer, ListKind(strip(self.infer(value))), self.any_varied(tree), node
        )

    def learn_inside(self, outer: Expr, kind: Any, varied: bool, node: Any) -> None:
        """The same for a list that was found in another."""
        above = self.pointed(outer)
        if above is not None:
            self.learn_inside(above, ListKind(kind), varied, node)
            return
        shown = self.made.get(outer.value) if isinstance(outer, Ref) else None
        own = isinstance(outer, Ref) and outer.value.key in self.context.demoted
        if isinstance(shown, Op) and shown.op == "list" and not own:
            for part in shown.args:  # those of which a computed index chooses one
                self.learn(self.list_fact(part, node), kind.item, varied)
            return
        fact = self.list_fact(outer, node)
        if not fact.deep:
            fact.deep = self.context.dirty = True
        self.learn(fact, kind, varied)

    def pointed(self, base: Expr) -> Expr | None:
        """The list of lists in which a list was found by an index."""
        made = self.made.get(base.value) if isinstance(base, Ref) else None
        if not (isinstance(made, Op) and made.op == "getitem"):
            return None
        outer = made.args[0]
        held = isinstance(outer, Ref) and isinstance(self.infer(outer), ListKind)
        return outer if held and isinstance(self.infer(base), ListKind) else None

    def require_objects(self, items: list[Abstract]) -> None:
        """Lists put into a list whose items change must be lists of the run time."""
        for item in items:
            if isinstance(item, Struct) and item.type is list:
                raise self.demote(item, None)
            if isinstance(item, Struct):
                self.require_objects(item.items)

    def pop_item(self, base: Expr, node: Any) -> Abstract:
        tree = Op("pop", (base,))
        kind = self.infer(tree)
        if isinstance(kind, TupleKind):
            return self.unpacked(
                tree, [gast.Constant(value=None, kind=None) for _ in kind.items]
            )
        return self.emit(tree)

    def struct_method(
        self, base: Struct, name: str, args: Any, kw: Any, node: Any
    ) -> Abstract:
        """A mutating method of a list of known structure."""
        raise self.demote(base, node)

    def extend(self, base: Abstract, items: Abstract, node: Any) -> None:
        if isinstance(base, Struct):
            raise self.demote(base, node)
        assert isinstance(base, Expr)
        if not isinstance(items, Struct):
            self.list_method(base, "extend", [items], {}, node)
            return
        settled = self.settle(items)
        assert isinstance(settled, Struct)
        for item in settled.items:
            self.append_item(base, item, node)

    def demote_items(self, base: Struct) -> None:
        """Make the lists that a computed index chooses from lists of the run time,
        where they are of different lengths.

        Raises:
            Restart: there was one of a known structure.
        """
        of_numbers = [
            is_plain(i) if isinstance(i, Struct) and i.type is list
            else isinstance(i, Expr) and isinstance(self.infer(i), ListKind)
            for i in base.items
        ]  # fmt: skip
        for item in base.items if all(of_numbers) else ():
            if isinstance(item, Struct) and item.site and not is_argument(item):
                raise self.demote(item, None)

    def runtime_item(self, base: Struct, index: Expr) -> Abstract:
        if base.type is list and base.site is not None and is_plain(base):
            if not is_argument(base):
                raise self.demote(base, None)
        if isinstance(index, Op) and index.op == "slice":
            return self.sliced_items(base, index)
        found = chosen(self, base, index)
        if found is None:
            self.demote_items(base)
            self.unroll_around()
            raise self.unsupported(
                None,
                "a computed index into items of different forms",
                "index it by a literal, or loop over it",
            )
        return found

    def sliced_items(self, base: Struct, index: Op) -> Abstract:
        """A list of the run time of the items between computed bounds."""
        items = [i for i in base.items if isinstance(i, Expr)]
        made_here = base.type is list and base.site and not is_argument(base)
        if made_here and self.can_materialise(base):
            raise self.demote(base, None)
        if base.type is not list or len(items) < len(base.items):
            what = base.type.__name__ if base.type is not list else "list of containers"
            raise self.unsupported(
                None,
                f"a slice of a {what} between bounds known only at run time",
                "make a list of the items first: list(items)[a:b]",
            )
        held = run_time_list(self, items)
        return self.inline_library(library.sliced, [held, *index.args], None)

    def store_list(
        self, base: Expr, index: Any, value: Expr, op: Any, node: Any
    ) -> None:
        if op is not None:
            value = self.combined(base, index, value, op)
        self.learn_of(base, value, value, node)
        self.append(Store(base, index, value, None))

    # ------------------------------------------------------------------ slices

    def is_active_list(self, tree: Abstract) -> bool:
        """Whether a tree is a run-time list with active elements."""
        if self.passive or self.deriving or not isinstance(tree, Expr):
            return False
        return isinstance(self.infer(tree), ListKind) and self.is_varied(tree)

    def subscript(self, base: Expr, index: Expr, node: Any) -> Abstract:
        if isinstance(index, Op) and index.op == "slice" and self.is_active_list(base):
            return self.inline_library(library.sliced, [base, *index.args], node)
        if self.is_active_list(base):
            index = self.fixed_index(index)
        return super().subscript(base, index, node)

    def store_slice(
        self, base: Abstract, index: Expr, tree: Abstract, node: Any
    ) -> bool:
        """`base[a:b] = tree` of a run-time list; whether it is one."""
        if not isinstance(base, Expr) or not isinstance(self.infer(base), ListKind):
            return False
        if not (isinstance(index, Op) and index.op == "slice"):
            return False
        if index.args[2] != Lit(None):
            raise self.unsupported(node, "a store into every n-th element of a list")
        self.inline_library(library.store_slice, [base, *index.args[:2], tree], node)
        return True

    def delete_item(self, target: Any) -> None:
        base = self.expr(target.value)
        index = self.fixed_index(spelled(self, base, self.index(target.slice)))
        if self.store_call(base, [index], "__delitem__", target):
            return
        if isinstance(base, Struct):
            raise self.demote(base, target)
        base = self.atom(self.materialise(base, target))
        if not self.is_own_list(base):
            self.build_kept(base)
            raise self.unsupported(target, "del of an item of this object")
        if isinstance(index, Op) and index.op == "slice":
            self.inline_library(library.delete_slice, [base, *index.args], target)
        else:
            self.inline_library(library.pop_at, [base, index], target)

    def finish(self, expr: Op) -> Expr:
        if not self.deriving and not self.passive:
            expr = without_lists(self, expr)
        if expr.op == "mul" and not self.deriving:
            expr = self.whole_times(expr)
        if expr.op in ("add", "mul") and any(map(self.is_active_list, expr.args)):
            return self.list_operator(expr)
        return super().finish(expr)

    def whole_times(self, expr: Op) -> Op:
        """A list times a number: that is a count, also where derivatives by it are
        asked for."""
        kinds = [isinstance(self.infer(a), ListKind) for a in expr.args]
        if kinds not in ([True, False], [False, True]):
            return expr
        args = list(expr.args)
        k = kinds.index(False)
        if self.is_varied(args[k]):
            with self.passively():
                times = self.emit(args[k], "times")
            times.value.kind, times.value.temp = INT, True
            args[k] = times
        return Op("mul", tuple(args))

    def list_operator(self, expr: Op) -> Expr:
        """`a + b` and `a * n` of run-time lists."""
        first, second = expr.args
        fn: Any = library.joined
        if expr.op == "mul":
            fn = library.repeated
            if isinstance(self.infer(second), ListKind):
                first, second = second, first
        found = self.inline_library(fn, [first, second], None)
        return self.materialise(found)

    def store_call(
        self, base: Abstract, args: list[Abstract], name: str, node: Any
    ) -> bool:
        """A store into an object (see `Dunders`)."""
        return False

    def fixed_index(self, index: Expr) -> Expr:
        """See `Stores`."""
        raise AssertionError


def sites(site: Any) -> list[Any]:
    """The places a list may come from."""
    if isinstance(site, tuple) and site[:1] == ("several",):
        return [s for inner in site[1:] for s in sites(inner)]
    return [site]


def is_plain(base: Struct) -> bool:
    """Whether the items are numbers and arrays."""
    return all(isinstance(i, Expr) and not is_function(i) for i in base.items)


def is_argument(base: Struct) -> bool:
    """Whether a structure is, or is part of, what the function was given."""
    places = sites(base.site)
    return any(isinstance(s, tuple) and s[:1] == ("param",) for s in places)


def _vague(kind: Any) -> bool:
    """Whether nothing is known of a kind, or of a part of it."""
    if isinstance(kind, TupleKind):
        return any(map(_vague, kind.items))
    return kind == UNKNOWN or isinstance(kind, ListKind) and _vague(kind.item)
