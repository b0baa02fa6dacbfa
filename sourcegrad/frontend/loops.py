"""Loops: the forms of what a loop runs along, and comprehensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from sourcegrad.analysis.views import has_memory
from sourcegrad.errors import SourcegradError
from sourcegrad.frontend import tables, walks
from sourcegrad.frontend.carried import Carrying
from sourcegrad.frontend.changing import changes_inside
from sourcegrad.frontend.checkpoint_loops import (
    checkpointed,
    is_counted,
    require_sequence,
)
from sourcegrad.frontend.live import now, shows
from sourcegrad.frontend.resized import require_fixed
from sourcegrad.frontend.scope import assigned_names
from sourcegrad.frontend.structs import Abstract, Attr, Object, Struct
from sourcegrad.ir import Expr, Lit, Loop, Obj, Op, Ref, Region, Value, attr, call
from sourcegrad.ir_walk import refs, walk_expr
from sourcegrad.kinds import INT, UNKNOWN, Kind, ListKind, TupleKind, strip
from sourcegrad.runtime_sequences import common_length


class Loops(Carrying):
    """Builds loops and comprehensions."""

    def stmt_While(self, stmt: Any) -> None:
        if self.is_unrolled(stmt):
            self.unroll_while(stmt)
            return
        names = assigned_names([stmt.test, *stmt.body])
        region, env = self.region, dict(self.env)
        with self.inside(Region()):
            if self.counted_truth(stmt.test):
                self.offer_unrolling(stmt)
        self.region, self.env = region, env

        def body(loop: Loop) -> None:
            test = Region()
            with self.inside(test):
                cond = self.condition(stmt.test)
            if not test.stmts:
                loop.cond = cond
                self.block(stmt.body)
                return
            loop.cond = Lit(True)
            self.region.stmts += test.stmts
            self.branch(
                cond, lambda: self.block(stmt.body), lambda: self.stmt_Break(stmt)
            )

        self.loop("while", None, [], names, body)

    def stmt_For(self, stmt: Any) -> None:
        self.iterate(stmt.target, stmt.iter, lambda: self.block(stmt.body),
                     assigned_names([stmt.target, *stmt.body]))  # fmt: skip

    # --------------------------------------------------------------- iteration

    def iterate(
        self, target: Any, node: Any, body: Callable[[], None], names: Any
    ) -> None:
        """`for target in node: body`, in the form that its iterable allows."""
        node, budget = checkpointed(self, node)
        self.iterate_tree(target, self.iterable(node), node, body, names, budget)

    def iterate_tree(
        self,
        target: Any,
        source: Abstract,
        node: Any,
        body: Any,
        names: Any,
        budget: Expr | None = None,
    ) -> None:
        """The same, of an iterable evaluated already."""
        source = self.elements(source, node)
        known = self.counted(source)
        if isinstance(known, Struct) and self.is_unrolled(node):
            source = known
        if isinstance(source, Struct):
            self.unroll(target, source, body)
            return
        if isinstance(known, Struct) or self.is_counted_call(source):
            self.offer_unrolling(node)
        iterable = self.looped(source, node)
        apart = budget is not None and not is_counted(iterable)
        if apart:
            require_sequence(self, iterable, node)
        self.budget = None if self.passive else budget
        if apart or not self.passive and walks.is_varied_iterable(self, iterable):
            self.by_index(target, iterable, body, names)
            return
        self.over(target, iterable, body, names)

    def mark_beside(self, node: Any) -> list[Any]:
        """Operands that are read late (see `Lazy`)."""
        raise AssertionError("Lazy provides it")

    def iterable(self, node: Any) -> Abstract:
        """The iterable of a loop; zip and enumerate are looked through."""
        if not isinstance(node, gast.Call):
            return tables.along(self, self.expr(node), node)
        each = tables.each(self, node)
        if each is not None:
            return each
        fn = self.expr(node.func)
        if not (isinstance(fn, Obj) and any(fn.obj is f for f in walks.STEPPED)):
            return self.expr(node)
        if any(isinstance(a, gast.Starred) for a in node.args):
            return self.expr(node)
        self.mark_beside(node)
        trees = [self.iterable(a) for a in node.args]
        kw = {k.arg: self.expr(k.value) for k in node.keywords}
        if any(isinstance(t, Object) for t in trees):
            found = self.lockstep(fn.obj, trees, kw, node)
            if found is not None:
                return found
        trees = [self.elements(t, a) for t, a in zip(trees, node.args, strict=True)]
        if self.is_unrolled(node):
            trees = [self.counted(t) for t in trees]
        known = any(isinstance(t, Struct) for t in trees)
        late = (walks.has_iterators, walks.is_endless)
        if any(is_late(self, t) for t in trees for is_late in late):
            known = not all(map(self.can_materialise, trees))
        found = self.special[fn.obj](self, trees, kw, node) if known else NotImplemented
        if found is not NotImplemented:
            if any(t is not now(t) for t in trees):
                make = self.special[fn.obj]
                return shows(found, lambda: make(self, [*map(now, trees)], kw, node))
            return found
        if fn.obj is enumerate and "start" in kw:
            trees.append(kw.pop("start"))
        parts = [self.looped(t, node) for t in trees]
        named = [self.materialise(v, node) for v in kw.values()]
        return Op("call", (fn, *parts, *named), tuple(kw))

    def is_counted_call(self, source: Abstract) -> bool:
        """Whether a tree is `zip`, `enumerate`… of ranges with literal bounds."""
        fn = walks.called(source) if isinstance(source, Op) else None
        if fn is None or not any(fn is f for f in walks.STEPPED):
            return False
        args, _ = walks.operands(source)  # type: ignore[arg-type]
        return any(isinstance(self.counted(a), Struct) for a in args)

    special: dict[Any, Any]

    can_materialise: Callable[[Abstract], bool]

    rows: dict[Value, list[Value]]

    def looped(self, source: Abstract, node: Any) -> Expr:
        """What a loop runs along, as one expression."""
        if isinstance(source, Attr):
            return attr(source.base, source.name)
        return self.materialise(source, node)

    def flat_place(self, base: Expr, position: Expr) -> tuple[Expr, Expr]:
        """An array, and the index of its element at a row-major position."""
        whole, index = self.unflattened(Attr(base, "flat"), position)
        assert isinstance(whole, Expr)
        return whole, index

    def lockstep(self, fn: Any, trees: list[Abstract], kw: Any, node: Any) -> Any:
        """`zip` or `enumerate` of generators (see `Generators`)."""
        return None

    def elements(self, tree: Abstract, node: Any) -> Abstract:
        """What a loop over an object runs along (see `Dunders`)."""
        return tree

    def by_index(
        self, target: Any, iterable: Expr, body: Callable[[], None], names: Any
    ) -> None:
        """A loop over active elements: by index, so that each has a cotangent."""
        parts, shape = walks.components(self, iterable)
        if not parts:
            raise self.unsupported(target, "a loop along an iterator without end",
                                   "write while True, with a break")  # fmt: skip
        value = self.value(self.fresh_index(target), INT, False)
        region, mark = self.region, len(self.region.stmts)
        if all(walks.is_sequence(self, p) for p in parts):

            def run(loop: Loop) -> None:
                position = Ref(loop.targets[0])
                self.bind(target, walks.element(self, shape, position, target))
                body()

            trips = self.trips(iterable, [self.count(p) for p in parts])
            along: Expr = call(self.binder.bind(range, "range"), trips)
            self.loop("for", along, [value], names, run)
        else:
            self.along_both(target, iterable, (parts, shape, value), body, names)
        require_fixed(self, target, parts, region.stmts[mark:])

    def along_both(
        self, target: Any, iterable: Expr, walk: Any, body: Any, names: Any
    ) -> None:
        """A loop along sequences with active elements and iterators without."""
        parts, shape, index = walk
        strict = any(map(walks.is_strict, walk_expr(iterable)))
        along, gives = walks.header(self, parts, strict)
        targets: list[Value] = []
        given: dict[Expr, Expr] = {}
        for k in gives:
            if k is None:
                first = index not in targets
                targets.append(index if first else self.value("_", INT, False))
            else:
                kind = walks.element_kind(self, parts[k])
                targets.append(self.value("item", kind, False, temp=True))
                given[parts[k]] = Ref(targets[-1])

        def run(loop: Loop) -> None:
            made = walks.element(self, shape, Ref(index), target, given)
            self.bind(target, made)
            body()

        self.loop("for", along, targets, names, run, list(range(len(targets))))

    def trips(self, iterable: Expr, counts: list[Expr]) -> Expr:
        """How often a loop along sequences of these lengths runs."""
        if len(counts) == 1:
            return counts[0]
        if any(map(walks.is_strict, walk_expr(iterable))):
            return call(self.binder.bind(common_length, "common_length"), *counts)
        return call(Obj(min, "min"), *counts)

    def count(self, e: Expr) -> Expr:
        """How many elements a sequence has."""
        if walks.called(e) is range and isinstance(e, Op) and len(e.args) == 2:
            if isinstance(e.args[1], Lit):
                return Lit(max(e.args[1].value, 0))
        return call(self.binder.bind(len, "len"), e)

    def fresh_index(self, target: Any) -> str:
        """A name for the position in a sequence."""
        taken = {n.id for n in gast.walk(target) if isinstance(n, gast.Name)}
        return next(n for n in ("i", "j", "k", "index") if n not in taken)

    def over(
        self, target: Any, iterable: Expr, body: Callable[[], None], names: Any
    ) -> None:
        """A loop over inactive elements, as the user wrote it."""
        kind = self.element_kind(iterable)
        targets: list[Value] = []
        pattern = self.pattern(target, kind, targets)
        held = [v for v in refs(iterable) if has_memory(v)]
        self.rows |= {v: held for v in targets if has_memory(v)}
        if not isinstance(pattern, int):
            for value in targets:
                value.temp = False

        def run(loop: Loop) -> None:
            self.bind_pattern(target, pattern, targets)
            body()

        self.loop("for", iterable, targets, names, run, pattern)

    def pattern(self, target: Any, kind: Kind, found: list[Value]) -> Any:
        """The target of a loop as a nested list of positions in its values."""
        if isinstance(target, (gast.Tuple, gast.List)):
            if any(isinstance(t, gast.Starred) for t in target.elts):
                raise self.unsupported(target, "a starred target of a loop")
            kinds = kind.items if isinstance(kind, TupleKind) else ()
            if len(kinds) != len(target.elts):
                kinds = (UNKNOWN,) * len(target.elts)
            return [
                self.pattern(t, k, found)
                for t, k in zip(target.elts, kinds, strict=True)
            ]
        name = target.id if isinstance(target, gast.Name) else "item"
        found.append(self.value(name, kind, False))
        return len(found) - 1

    def bind_pattern(self, target: Any, pattern: Any, values: list[Value]) -> None:
        if isinstance(pattern, int):
            self.bind(target, Ref(values[pattern]))
            return
        for inner, part in zip(target.elts, pattern, strict=True):
            self.bind_pattern(inner, part, values)

    def element_kind(self, e: Expr) -> Kind:
        """The kind of an element of an inactive iterable."""
        return walks.element_kind(self, e)

    # ---------------------------------------------------------- comprehensions

    def expr_ListComp(self, node: Any) -> Abstract:
        inactive = self.inactive_comprehension(node)
        if inactive is not None:
            return inactive
        return self.comprehension(node, "list")

    def expr_GeneratorExp(self, node: Any) -> Abstract:
        """Consumed in place, so built as a list is."""
        return self.expr_ListComp(node)

    context: Any

    def inactive_comprehension(self, node: Any) -> Expr | None:
        """A comprehension in which nothing is active is kept as written."""
        if ("followed", node) in self.context.derived:
            return None
        from sourcegrad.frontend.freenames import free_names

        # It binds a name outside, or makes functions that may meet active values.
        followed = (gast.NamedExpr,) if self.passive else (gast.NamedExpr, gast.Lambda)
        if any(isinstance(n, followed) for n in gast.walk(node)):
            return None
        if changes_inside(node):
            return None
        for name in free_names(node):
            held = self.lookup(name, node)
            if not isinstance(held, Expr) or self.holds_objects(held):
                return None
            if not self.passive and isinstance(held, Ref) and held.value.varied:
                return None
            if (
                isinstance(held, Obj)
                and callable(held.obj)
                and not self.is_library(held.obj)
            ):
                return None
        with self.passively():
            tree = self.raw(node)
        if isinstance(tree, Op) and isinstance(
            node, (gast.ListComp, gast.GeneratorExp)
        ):
            tree.kind = self.comprehension_kind(node)
        return tree

    def comprehension_kind(self, node: Any) -> Kind:
        """The kind of an inactive comprehension, found by building it aside."""
        try:
            with self.aside(), self.passively(), self.tentatively():
                self.scope = self.comprehension_scope(node)
                for generator in node.generators:
                    kind = self.element_kind(self.plain(generator.iter))
                    values: list[Value] = []
                    pattern = self.pattern(generator.target, kind, values)
                    self.bind_pattern(generator.target, pattern, values)
                return ListKind(strip(self.infer(self.plain(node.elt))))
        except SourcegradError:
            return UNKNOWN

    def comprehension_scope(self, node: Any) -> Any:
        """See `Stores`."""
        raise AssertionError

    def holds_objects(self, tree: Expr) -> bool:
        """Whether a value holds places in arenas (see `Pointers`)."""
        raise AssertionError("Pointers provides it")

    def is_library(self, obj: Any) -> bool:
        """Whether a callable is a builtin or has a rule."""
        from sourcegrad.frontend.purity import pure_function

        return pure_function(obj)

    def comprehension(self, node: Any, sort: str) -> Abstract:
        """A comprehension as the loop it stands for; its names are its own."""
        raise self.unsupported(node, "this comprehension")

    def expr_DictComp(self, node: Any) -> Abstract:
        return self.expr_ListComp(node)
