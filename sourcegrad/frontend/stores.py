"""Stores into arrays, run-time lists, and comprehensions."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.frontend.blocks import Blocks
from sourcegrad.frontend.calls import Calls
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.folding import known, literal
from sourcegrad.frontend.loops import UNROLL, Loops
from sourcegrad.frontend.patterns import Patterns
from sourcegrad.frontend.scope import Scope
from sourcegrad.frontend.structs import Abstract, Struct, leaves
from sourcegrad.ir import (
    Append,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Store,
    Value,
    walk_expr,
)
from sourcegrad.kinds import UNKNOWN, ListKind, Num, TupleKind, is_array, is_float, join, strip


class Stores(Calls, Loops, Blocks, Patterns):
    """Builds what mutates."""

    made_lists: set[Any]
    made: dict[Value, Expr]
    makers: dict[Value, Op]

    # ------------------------------------------------------------------- lists

    def display(self, kind: type, items: list[Abstract], site: Any) -> Abstract:
        """A display; a list that is mutated somewhere becomes a run-time list."""
        if kind is list and site in self.context.demoted and not self.deriving:
            return self.runtime_list(items, site)
        return super().display(kind, items, site)

    def runtime_list(self, items: list[Abstract], site: Any) -> Ref:
        """A list object of the generated program."""
        fact = self.context.demoted[site]
        parts = tuple(self.materialise(i) for i in items)
        ref = self.emit(Op("list", parts))
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
        merged = join(fact.item, strip(kind))
        if self.context.dirty and _vague(merged) and not _vague(fact.item):
            return  # not every fact was known yet; the next build will tell
        if merged != fact.item or (varied and not fact.varied):
            fact.item, fact.varied = merged, fact.varied or varied
            self.context.dirty = True

    def demote(self, tree: Struct, node: Any) -> Restart:
        """Make the list a run-time list, and start again."""
        if tree.type is not list or tree.site is None:
            raise self.unsupported(node, f"changing this {tree.type.__name__}")
        self.context.demoted.setdefault(tree.site, ListFact())
        return Restart()

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
        raise self.unsupported(node, "changing a list that comes from elsewhere",
                               "build the list in this function")  # fmt: skip

    def list_method(self, base: Expr, name: str, args: Any, kw: Any, node: Any) -> Abstract:
        if name == "append" and len(args) == 1:
            self.append_item(base, args[0], node)
            return Lit(None)
        if name == "pop" and not args:
            return self.pop_item(base, node)
        if name == "copy" and not args:
            return self.call_value(self.binder.bind(list, "list"), [base], {}, node)
        tree = self.call_tree(Op("attr", (base,), name), args, kw, node)
        if self.passive or not self.is_varied(base):
            if name in ("index", "count", "copy"):
                return tree
        raise self.unsupported(node, f"the list method {name!r} on active values")

    def append_item(self, base: Expr, item: Abstract, node: Any) -> None:
        settled = self.settle(item)
        value = self.materialise(settled, node)
        fact = self.list_fact(base, node)
        self.learn(fact, self.infer(value), self.any_varied(settled))
        self.append(Append(base, value))

    def pop_item(self, base: Expr, node: Any) -> Abstract:
        tree = Op("pop", (base,))
        kind = self.infer(tree)
        if isinstance(kind, TupleKind):
            return self.unpacked(tree, [gast.Constant(value=None, kind=None) for _ in kind.items])
        return self.emit(tree)

    def call_method(self, base: Expr, name: str, args: Any, kw: Any, node: Any) -> Abstract:
        return super().call_method(base, name, args, kw, node)

    def struct_method(self, base: Struct, name: str, args: Any, kw: Any, node: Any) -> Abstract:
        """A mutating method of a list of known structure."""
        raise self.demote(base, node)

    def extend(self, base: Abstract, items: Abstract, node: Any) -> None:
        if isinstance(base, Struct):
            raise self.demote(base, node)
        if not isinstance(items, Struct):
            raise self.unsupported(node, "extending a list by a sequence of unknown length")
        for item in items.items:
            assert isinstance(base, Expr)
            self.append_item(base, item, node)

    def runtime_item(self, base: Struct, index: Expr) -> Abstract:
        if base.type is list and base.site is not None:
            raise self.demote(base, None)
        tree = self.emit(Op("list", tuple(self.materialise(i) for i in base.items)))
        kinds = [self.infer(e) for e in leaves(base)]
        merged = kinds[0]
        for kind in kinds[1:]:
            merged = join(strip(merged), strip(kind))
        tree.value.kind = ListKind(merged)
        return self.subscript(tree, index, None)

    # ------------------------------------------------------------------ arrays

    def store_item(self, target: Any, tree: Abstract) -> None:
        tree = self.settle(tree)
        base = self.expr(target.value)
        index = self.fixed_index(self.index(target.slice))
        if isinstance(base, Struct):
            raise self.demote(base, target)
        self.store(self.materialise(base, target), index, self.materialise(tree, target),
                   None, target)  # fmt: skip

    def augment_item(self, stmt: Any, op: str) -> None:
        target = stmt.target
        base = self.expr(target.value)
        if isinstance(base, Struct):
            self.augment_structure(base, stmt, op)
            return
        base = self.atom(self.materialise(base, target))
        index = self.fixed_index(self.index(target.slice))
        kind = self.infer(base)
        if isinstance(kind, ListKind):
            old = self.materialise(self.subscript(base, index, target), target)
            new = self.augmented(old, op, stmt)
            if new is not None:
                self.store_list(base, index, self.atom(new), None, stmt)
            return
        value = self.materialise(self.expr(stmt.value), stmt.value)
        self.store(base, index, value, op, stmt)

    def augment_structure(self, base: Struct, stmt: Any, op: str) -> None:
        """`base[k] op= value` of a known structure: in place only for an array."""
        item = self.struct_item(base, self.index(stmt.target.slice))
        if not isinstance(item, Expr) or not is_array(self.infer(item)):
            raise self.demote(base, stmt)
        self.augmented(item, op, stmt)

    def fixed_index(self, index: Expr) -> Expr:
        """An index that means the same later on: nothing in it reads memory."""
        if isinstance(index, Op) and index.op in ("tuple", "slice", "list"):
            return Op(index.op, tuple(map(self.fixed_index, index.args)), index.data)
        if isinstance(index, Op) and index.op == "neg":
            return Op("neg", (self.fixed_index(index.args[0]),))
        reads = any(isinstance(e, Op) and e.op in ("getitem", "call", "compare", "attr", "raw")
                    for e in walk_expr(index))  # fmt: skip
        if not reads:
            return index
        with self.passively():
            return self.atom(index)

    def store(
        self,
        base: Expr,
        index: Expr | None,
        value: Expr,
        op: str | None,
        node: Any,
        each: bool = False,
    ) -> None:
        base = self.atom(base)
        kind = self.infer(base)
        value = value if isinstance(value, (Ref, Lit)) else self.settle_value(value)
        varied = not self.passive and self.is_varied(value)
        if isinstance(kind, ListKind):
            self.store_list(base, index, value, op, node)
            return
        if not isinstance(kind, Num) and varied:
            raise self.unsupported(node, "a store of an active value into this object")
        if varied and isinstance(kind, Num) and not is_float(kind.dtype):
            raise self.error(
                NonDifferentiableError,
                f"an active value is stored into an array of dtype {kind.dtype}",
                "the derivative would be cut off with the fraction",
                ("make the array with a float dtype",),
            )
        if varied and not self.is_varied(base):
            self.mark_varied(base, node)
        if op not in (None, "add", "sub") and (varied or self.is_varied(base)):
            value = self.combined(base, index, value, op)
            op = None
            index = Lit(Ellipsis) if index is None else index
        self.append(Store(base, index, value, op, each))

    def settle_value(self, value: Expr) -> Expr:
        return value if self.is_pure(value) and not self.is_varied(value) else self.atom(value)

    def combined(self, base: Expr, index: Expr | None, value: Expr, op: str | None) -> Expr:
        """The new contents for `base[index] op= value`."""
        old = base if index is None else self.finish(Op("getitem", (base, index)))
        assert op is not None
        return self.finish(Op(op, (old, value)))

    def store_list(self, base: Expr, index: Any, value: Expr, op: Any, node: Any) -> None:
        if op is not None:
            value = self.combined(base, index, value, op)
        fact = self.list_fact(base, node)
        self.learn(fact, self.infer(value), self.is_varied(value))
        self.append(Store(base, index, value, None))

    def mark_varied(self, base: Expr, node: Any) -> None:
        """An array turns out to receive active values: build again, knowing it."""
        value = base.value if isinstance(base, Ref) else None
        for whole in view_bases(self.made.get(value, Lit(None))) if value is not None else ():
            if not whole.varied:  # a view: the array it is of receives the value too
                self.mark_varied(Ref(whole), node)
        if value is None or value.key is None:
            raise self.unsupported(node, "a store of an active value into this array")
        if value.key in self.context.varied:
            value.varied = True
            return
        self.context.varied.add(value.key)
        self.context.dirty = True
        value.varied = True

    def emit(self, expr: Expr, name: str | None = None) -> Ref:
        ref = super().emit(expr, name)
        if not self.deriving:
            self.made[ref.value] = expr
            if isinstance(expr, Op) and expr.op == "call":
                self.makers[ref.value] = expr
            if name is not None:
                self.named(ref.value, name)
        return ref

    def named(self, value: Value, name: str) -> None:
        """A value got a name: what is known of memory made under it applies."""
        if value.key is None:
            value.key = (self.where, name)
        if value.key in self.context.varied:
            value.varied = True
        made = self.makers.get(value)
        if isinstance(value.kind, ListKind) and made is not None:
            self.made_list(value, made)

    def made_list(self, value: Value, expr: Op) -> None:
        """A list that a call made: it may be changed as one that was displayed."""
        if any(has_memory(v) for v in view_bases(expr)):
            return
        self.made_lists.add(value.key)
        fact = self.context.demoted.get(value.key)
        if fact is not None:
            self.learn(fact, value.kind.item, value.varied)  # type: ignore[attr-defined]
            value.kind = ListKind(fact.item)
            value.varied = fact.varied

    def header_value(self, name: str, kind: Any, varied: bool) -> Value:
        value = super().header_value(name, kind, varied)
        value.key = ("header", self.where, name)
        if value.key in self.context.varied:
            value.varied = True
        return value

    def numpy(self, name: str) -> Obj:
        """A NumPy function as the generated code names it."""
        root = self.binder.bind(np, "np")
        return Obj(getattr(np, name), f"{root.path}.{name}")

    def write_into(self, out: Abstract, fn: Obj, args: Any, kw: Any, node: Any) -> Abstract:
        """`fn(…, out=buffer)`: the result is stored into the buffer."""
        if isinstance(out, Struct) and out.type is tuple and len(out.items) == 1:
            out = out.items[0]
        buffer = self.atom(self.materialise(out, node))
        result = self.call_value(fn, args, kw, node)
        self.store(buffer, Lit(Ellipsis), self.materialise(result, node), None, node)
        return buffer

    def add_at(self, op: str, args: Any, node: Any) -> Abstract:
        """`np.add.at(a, index, value)`: every repeat of an index writes."""
        base = self.atom(self.materialise(args[0], node))
        with self.passively():
            index = self.fixed_index(self.materialise(args[1], node))
        self.store(base, index, self.materialise(args[2], node), op, node, each=True)
        return Lit(None)

    def mutating_method(self, base: Expr, name: str, args: Any, kw: Any, node: Any) -> Abstract:
        if name == "fill" and len(args) == 1:
            self.store(base, Lit(Ellipsis), self.materialise(args[0], node), None, node)
            return Lit(None)
        if name == "sort":
            base = self.atom(base)
            fn = self.numpy("sort")
            kw = {k: v for k, v in kw.items() if k == "axis"}
            ordered = self.call_value(fn, [base, *args[:1]], kw, node)
            self.store(base, Lit(Ellipsis), self.materialise(ordered, node), None, node)
            return Lit(None)
        tree = self.call_tree(Op("attr", (base,), name), args, kw, node)
        if self.passive or (name in ("resize", "setflags", "put", "partition", "itemset")) or (
            self.is_varied(base) or self.active(args, kw)):
            raise self.unsupported(node, f"the method {name!r}, which changes the array,")
        return tree

    # ---------------------------------------------------------- comprehensions

    def comprehension(self, node: Any, sort: str) -> Abstract:
        site = self.site(node)
        scope = self.comprehension_scope(node)
        if isinstance(node, gast.DictComp):
            return self.dict_comprehension(node, scope, site)
        static = self.static_comprehension(node, scope, site)
        if static is not None:
            return static
        self.context.demoted.setdefault(site, ListFact())
        result = self.runtime_list([], site)
        outer, self.scope = self.scope, scope
        self.generators(node, 0, lambda: self.append_item(result, self.expr(node.elt), node))
        self.scope = outer
        return result

    def comprehension_scope(self, node: Any) -> Scope:
        names: set[str] = set()
        for generator in node.generators:
            names |= {n.id for n in gast.walk(generator.target) if isinstance(n, gast.Name)}
        home = self.scope
        outer = dict(home.outer) | dict.fromkeys(home.locals, home)
        for name in names:
            outer.pop(name, None)
        return Scope(home.name, home.source, names, home.fn, home, outer, home.is_rule)

    def static_comprehension(self, node: Any, scope: Scope, site: Any) -> Abstract | None:
        """One generator over a known structure: item by item."""
        generator = node.generators[0]
        if len(node.generators) != 1 or generator.ifs:
            return None
        source = self.iterable(generator.iter)
        if isinstance(node.elt, gast.Lambda):
            source = self.counted(source)
        if not isinstance(source, Struct):
            return None
        found: list[Abstract] = []
        outer, self.scope = self.scope, scope
        items = [Lit(k) for k in source.keys] if source.is_dict else source.items
        for item in items:
            self.bind(generator.target, item)
            found.append(self.settle(self.expr(node.elt)))
        self.scope = outer
        return self.display(list, found, site)

    def counted(self, source: Abstract) -> Abstract:
        """A short range with literal bounds as a known structure."""
        if isinstance(source, Op) and source.op == "call" and isinstance(source.args[0], Obj):
            bounds = [literal(a) for a in source.args[1:]]
            if source.args[0].obj is range and all(type(n) is int for n in bounds):
                numbers: list[Abstract] = [Lit(n) for n in range(*bounds)[: UNROLL + 1]]
                return Struct(tuple, tuple(range(len(numbers))), numbers)
        return source

    def dict_comprehension(self, node: Any, scope: Scope, site: Any) -> Abstract:
        """A dict of known keys, from one generator over a known structure."""
        generator = node.generators[0]
        source = self.counted(self.iterable(generator.iter))
        if len(node.generators) != 1 or generator.ifs or not isinstance(source, Struct):
            raise self.unsupported(node, "a dict comprehension of active values over this")
        found: dict[Any, Abstract] = {}
        outer, self.scope = self.scope, scope
        for item in [Lit(k) for k in source.keys] if source.is_dict else source.items:
            self.bind(generator.target, item)
            key = self.passive_expr(node.key)
            if not known(key):
                raise self.unsupported(node.key, "a computed key in a dict of active values")
            found[literal(key)] = self.settle(self.expr(node.value))
        self.scope = outer
        return Struct(dict, tuple(found), list(found.values()), None, site)

    def generators(self, node: Any, k: int, innermost: Any) -> None:
        if k == len(node.generators):
            innermost()
            return
        generator = node.generators[k]

        def body() -> None:
            self.filtered(generator.ifs, lambda: self.generators(node, k + 1, innermost))

        names = {n.id: None for n in gast.walk(generator.target) if isinstance(n, gast.Name)}
        if k == 0:  # the first iterable is evaluated in the scope outside
            inner, self.scope = self.scope, self.scope.parent or self.scope
            source = self.iterable(generator.iter)
            self.scope = inner
            self.iterate_over(generator.target, source, generator.iter, body, names)
        else:
            self.iterate(generator.target, generator.iter, body, names)

    def iterate_over(self, target: Any, source: Abstract, node: Any, body: Any, names: Any) -> None:
        """As `iterate`, of an iterable evaluated already."""
        iterable, self.iterable = self.iterable, lambda _: source  # type: ignore[method-assign]
        try:
            restored = iterable
            outer_body = body

            def run() -> None:
                self.iterable = restored  # type: ignore[method-assign]
                outer_body()

            self.iterate(target, node, run, names)
        finally:
            self.iterable = iterable  # type: ignore[method-assign]

    def filtered(self, tests: list[Any], body: Any) -> None:
        if not tests:
            body()
            return
        cond = self.passive_expr(tests[0])
        self.branch(cond, lambda: self.filtered(tests[1:], body), lambda: None)


def _vague(kind: Any) -> bool:
    """Whether nothing is known of a kind, or of a part of it."""
    if isinstance(kind, TupleKind):
        return any(map(_vague, kind.items))
    return kind == UNKNOWN or isinstance(kind, ListKind) and _vague(kind.item)
