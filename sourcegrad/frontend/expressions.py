"""Expressions as one class: names, displays, conditions, operators, subscripts and
attributes are its bases; here are those kept as they are written, and functions."""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend import library
from sourcegrad.frontend.attributes import Attributes
from sourcegrad.frontend.kept_parts import apart
from sourcegrad.frontend.structs import Abstract, Closure
from sourcegrad.ir import Expr, Op
from sourcegrad.kinds import Atom


class Expressions(Attributes):
    """Builds expressions."""

    def expr_JoinedStr(self, node: Any) -> Abstract:
        with self.passively():
            return self.raw(node)

    def raw(self, node: Any) -> Expr:
        """An inactive expression kept as the user wrote it."""
        from sourcegrad.frontend.freenames import free_names

        node = self.calls_first(node)
        found = {n: self.lookup(n, node) for n in free_names(node)}
        node, held = apart(self, node, found)
        args = tuple(self.atom(self.materialise(h, node)) for h in held.values())
        return Op("raw", args, (node, tuple(held)))

    def calls_first(self, node: Any) -> Any:
        """What is kept as written, with calls that count made before it."""
        return node

    def expr_Set(self, node: Any) -> Abstract:
        """A set of active values is a list of them, each once, in the set's order."""
        mark = self.mark()
        tree = self.inactive_set(node)
        if self.passive or not any(map(self.is_varied, getattr(tree, "args", ()))):
            return tree
        self.back_to(mark)
        items = [self.settle(self.expr(e)) for e in node.elts]
        given = self.display(list, items, self.site(node))
        fn = self.binder.bind(library.set_of, "set_of")
        return self.call_value(fn, [given], {}, node)

    def expr_SetComp(self, node: Any) -> Abstract:
        return self.inactive_raw(node, "a set of active values")

    def inactive_set(self, node: Any) -> Expr:
        tree = self.raw(node)
        if isinstance(tree, Op):
            tree.kind = Atom(set)
        return tree

    def inactive_raw(self, node: Any, what: str) -> Expr:
        tree = self.inactive_set(node)
        if not self.passive and any(
            self.is_varied(a) for a in getattr(tree, "args", ())
        ):
            raise self.unsupported(node, what)
        return tree

    def expr_NamedExpr(self, node: Any) -> Abstract:
        outer, self.passive = self.passive, False
        found = self.settle(self.expr(node.value), node.target.id)
        self.passive = outer
        self.bind_name(node.target.id, found)
        return found

    def bind_name(self, name: str, tree: Abstract) -> None:
        """See `Bindings`."""
        raise AssertionError("Bindings provides it")

    def expr_Lambda(self, node: Any) -> Abstract:
        self.scope.has_closures = True
        defaults = [self.settle(self.expr(d)) for d in node.args.defaults]
        kw = [
            None if d is None else self.settle(self.expr(d))
            for d in node.args.kw_defaults
        ]
        return Closure(node, self.scope, defaults, kw, "lambda")
