"""Putting expressions in place of the names that a piece of program reads."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import gast

from sourcegrad.names import fresh


def renamed(tree: Any, nodes: dict[str, Any], title: str | None = None) -> Any:
    """A copy of a tree in which nodes stand for the names that it reads from outside.

    What the tree binds itself (parameters, targets of comprehensions, names of an
    inner function) is renamed where a node reads a name spelled alike.

    Args:
        tree: an expression or statement.
        nodes: what to put in place of each name.
        title: the new name of a function definition.

    >>> function = gast.parse("lambda x: x + a").body[0].value
    >>> x = gast.parse("x").body[0].value
    >>> print(gast.unparse(renamed(function, {"a": x})))
    lambda x_1: x_1 + x
    """
    made = _Rename(nodes, _names(tree))
    copied = copy.deepcopy(tree)
    if title is not None:
        made.bound[copied.name] = copied.name = title
    return made.visit(copied)


def _names(tree: Any) -> set[str]:
    return {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)}


class _Rename(gast.NodeTransformer):
    """Replaces free names; binders hide names, and keep clear of what is put in."""

    def __init__(self, nodes: dict[str, Any], own: set[str]) -> None:
        self.nodes = nodes
        self.read = set().union(*map(_names, nodes.values()))
        self.taken = own | self.read
        self.bound: dict[str, str] = {}

    @contextlib.contextmanager
    def binding(self, names: set[str]) -> Iterator[None]:
        outer = self.bound
        clear = {n: fresh(n, self.taken) if n in self.read else n for n in names}
        self.bound = outer | clear
        try:
            yield
        finally:
            self.bound = outer

    def visit_Name(self, node: Any) -> Any:
        if node.id in self.bound:
            node.id = self.bound[node.id]
        elif isinstance(node.ctx, gast.Load) and node.id in self.nodes:
            return copy.deepcopy(self.nodes[node.id])
        return node

    def visit_Lambda(self, node: Any) -> Any:
        self.defaults(node.args)
        with self.binding(parameters(node.args)):
            self.parameters(node.args)
            node.body = self.visit(node.body)
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        self.defaults(node.args)
        with self.binding(parameters(node.args) | _stored(node.body)):
            self.parameters(node.args)
            node.body = [self.visit(stmt) for stmt in node.body]
        if isinstance(node.name, str):
            node.name = self.bound.get(node.name, node.name)
        return node

    def defaults(self, args: Any) -> None:
        args.defaults = [self.visit(d) for d in args.defaults]
        args.kw_defaults = [d if d is None else self.visit(d) for d in args.kw_defaults]

    def parameters(self, args: Any) -> None:
        for name in parameters(args):
            for node in gast.walk(args):
                if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param):
                    if node.id == name:
                        node.id = self.bound[name]

    def comprehension(self, node: Any) -> Any:
        first, *rest = node.generators
        first.iter = self.visit(first.iter)
        targets = set().union(*(_names(g.target) for g in node.generators))
        with self.binding(targets):
            for generator in node.generators:
                generator.target = self.visit(generator.target)
                generator.ifs = [self.visit(test) for test in generator.ifs]
            for generator in rest:
                generator.iter = self.visit(generator.iter)
            for part in ("elt", "key", "value"):
                if getattr(node, part, None) is not None:
                    setattr(node, part, self.visit(getattr(node, part)))
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = comprehension


def parameters(args: Any) -> set[str]:
    """The names of all parameters."""
    found = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return {a.id for a in found if a is not None}


def _stored(body: list[Any]) -> set[str]:
    """The names that statements bind, those of comprehensions in them included."""
    found: set[str] = set()
    for stmt in body:
        for node in gast.walk(stmt):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                found.add(node.id)
            elif isinstance(node, gast.FunctionDef):
                found.add(node.name)
    return found
