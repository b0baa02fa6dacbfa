"""Comprehensions, as the loops they stand for."""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad.frontend.constants import constant
from sourcegrad.frontend.context import ListFact, Restart
from sourcegrad.frontend.hoisting import has_calls
from sourcegrad.frontend.known import UNSETTLED, truth
from sourcegrad.frontend.scope import Scope
from sourcegrad.frontend.stores import Stores
from sourcegrad.frontend.structs import Abstract, Object, Struct
from sourcegrad.ir import Lit, Ref


class Comprehensions(Stores):
    """Builds comprehensions and generator expressions."""

    def expr_ListComp(self, node: Any) -> Abstract:
        site = self.site(node)
        if site in self.context.demoted and not self.passive:
            return self.comprehension(node, "list")
        self.context.derived["kept", node] = site
        return super().expr_ListComp(node)

    def stmt_Assign(self, stmt: Any) -> None:
        if _is_iterator(stmt.value) and not self.deriving:
            self.require_read_once(stmt)
        super().stmt_Assign(stmt)

    def require_read_once(self, stmt: Any) -> None:
        """An iterator is built as a list, which must not be read a second time.

        Raises:
            UnsupportedSyntaxError: its name stands in the function more than once.
        """
        source = self.scope.source
        names = {t.id for t in stmt.targets if isinstance(t, gast.Name)}
        if source is None or not names:
            return
        loads = [n for n in gast.walk(source.tree) if isinstance(n, gast.Name)
                 and n.id in names and isinstance(n.ctx, gast.Load)]  # fmt: skip
        if len(loads) > 1:
            raise self.unsupported(
                stmt,
                "an iterator that is read in more than one place",
                "make a list of it: list(…)",
            )

    def comprehension(self, node: Any, sort: str) -> Abstract:
        if self.passive and has_calls(self, node):  # of values that may be kept
            with self.actively():
                return self.comprehension(node, sort)
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
        self.generators(node, 0, lambda: self.append_element(result, node, site))
        self.scope = outer
        return result

    def try_unrolled(self, tree: Abstract) -> None:
        """Build a comprehension again as a known structure, if it has not been tried.

        Raises:
            Restart: the build starts again.
        """
        key = tree.value.key if isinstance(tree, Ref) else None
        if key not in self.context.demoted or ("unrolled", key) in self.context.derived:
            return
        self.context.derived["unrolled", key] = True
        self.context.demoted.pop(key)
        raise Restart

    def append_element(self, result: Any, node: Any, site: Any) -> None:
        """One element; objects and functions need known positions."""
        tree = self.expr(node.elt)
        if (
            not (self.can_materialise(tree) or self.is_movable(tree))
            and ("unrolled", site) not in self.context.derived
        ):
            self.context.derived["unrolled", site] = True
            self.context.demoted.pop(site, None)
            raise Restart
        self.append_item(result, tree, node)

    def is_movable(self, tree: Abstract) -> bool:
        """Whether a tree can be an item of a list of the run time (see
        `KnownLists`)."""
        raise AssertionError("KnownLists provides it")

    def comprehension_scope(self, node: Any) -> Scope:
        names: set[str] = set()
        for generator in node.generators:
            names |= {
                n.id for n in gast.walk(generator.target) if isinstance(n, gast.Name)
            }
        home = self.scope
        outer = dict(home.outer) | dict.fromkeys(home.locals, home)
        for name in names:
            outer.pop(name, None)
        return Scope(home.name, home.source, names, home.fn, home, outer, home.is_rule,
                     place=home.place)  # fmt: skip

    def static_comprehension(
        self, node: Any, scope: Scope, site: Any
    ) -> Abstract | None:
        """One generator over a known structure: item by item."""
        generator = node.generators[0]
        if len(node.generators) != 1 or generator.ifs:
            return None
        mark = self.mark()
        source = self.iterable(generator.iter)
        if (
            isinstance(node.elt, gast.Lambda)
            or ("unrolled", site) in self.context.derived
        ):
            source = self.counted(source)
        if not isinstance(source, Struct):
            self.back_to(mark)
            return None
        found: list[Abstract] = []
        outer, self.scope = self.scope, scope
        items = [Lit(k) for k in source.keys] if source.is_dict else source.items
        for item in items:
            self.bind(generator.target, item)
            found.append(self.settle(self.expr(node.elt)))
        self.scope = outer
        return self.display(list, found, site)

    def dict_comprehension(self, node: Any, scope: Scope, site: Any) -> Abstract:
        """A dict of known keys, from one generator over a known structure; else a
        table of the run time."""
        generator = node.generators[0]
        at_run_time = ("keys at run time", site)
        if len(node.generators) != 1 or at_run_time in self.context.derived:
            return self.filled_table(node, scope, site)
        mark = self.mark()
        source = self.counted(self.iterable(generator.iter))
        if not isinstance(source, Struct):
            self.back_to(mark)
            return self.filled_table(node, scope, site)
        found: dict[Any, Abstract] = {}
        outer, self.scope = self.scope, scope
        for item in [Lit(k) for k in source.keys] if source.is_dict else source.items:
            self.bind(generator.target, item)
            kept = self.passes(generator.ifs)
            key = constant(self.passive_expr(node.key)) if kept else None
            if kept is None or key is UNSETTLED:
                self.context.derived[at_run_time] = True
                raise Restart
            if kept:
                found[key] = self.settle(self.expr(node.value))
        self.scope = outer
        return self.dict_display(tuple(found), list(found.values()), site)

    def passes(self, tests: list[Any]) -> bool | None:
        """Whether an item passes the conditions of a comprehension; None where that is
        known only at run time."""
        for test in tests:
            if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And):
                found = self.passes(test.values)
            else:
                cond = self.condition(test)
                value = constant(cond)
                found = truth(self, cond) if value is UNSETTLED else bool(value)
            if not found:
                return found
        return True

    def filled_table(self, node: Any, scope: Scope, site: Any) -> Abstract:
        """A dict comprehension as the loops that fill a table."""
        made = self.table([], [], site)

        def put() -> None:
            key = self.passive_expr(node.key)
            with self.passively():
                key = self.atom(key)
            item = self.settle(self.expr(node.value))
            self.store_call(made, [key, item], "__setitem__", node)

        outer, self.scope = self.scope, scope
        self.generators(node, 0, put)
        self.scope = outer
        return made

    def table(
        self, keys: Any, items: Any, site: Any, factory: Any = None, kind: Any = None
    ) -> Object:
        """A dict of the run time (see `Mappings`)."""
        raise AssertionError("Mappings provides it")

    def generators(self, node: Any, k: int, innermost: Any) -> None:
        if k == len(node.generators):
            innermost()
            return
        generator = node.generators[k]

        def body() -> None:
            self.filtered(
                generator.ifs, lambda: self.generators(node, k + 1, innermost)
            )

        names = {
            n.id: None for n in gast.walk(generator.target) if isinstance(n, gast.Name)
        }
        if k == 0:  # the first iterable is evaluated in the scope outside
            inner, self.scope = self.scope, self.scope.parent or self.scope
            source = self.iterable(generator.iter)
            self.scope = inner
            self.iterate_tree(generator.target, source, generator.iter, body, names)
        else:
            self.iterate(generator.target, generator.iter, body, names)

    def filtered(self, tests: list[Any], body: Any) -> None:
        if not tests:
            body()
            return
        cond = self.condition(tests[0])
        known = self.static_truth(cond)
        if known is not None:  # as what a class decides
            if known:
                self.filtered(tests[1:], body)
            return
        self.branch(cond, lambda: self.filtered(tests[1:], body), lambda: None)


_ITERATORS = ("map", "filter", "zip", "enumerate", "reversed")


def _is_iterator(node: Any) -> bool:
    """Whether an expression makes something that can be read only once."""
    if isinstance(node, gast.Call):
        return isinstance(node.func, gast.Name) and node.func.id in _ITERATORS
    return isinstance(node, gast.GeneratorExp)
