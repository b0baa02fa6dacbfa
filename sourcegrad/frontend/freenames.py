"""Free names of an expression or statement that is kept as written."""

from __future__ import annotations

from typing import Any

import gast


def free_names(node: Any) -> list[str]:
    """Names a tree reads from outside, in the order in which they are read.

    >>> free_names(gast.parse("[a * i for i in b if i < c]").body[0])
    ['b', 'c', 'a']
    """
    found: dict[str, None] = {}
    _visit(node, frozenset(), found)
    return list(found)


def _visit(node: Any, bound: frozenset[str], found: dict[str, None]) -> None:
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load) and node.id not in bound:
            found.setdefault(node.id)
    elif isinstance(
        node, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)
    ):
        for generator in node.generators:
            _visit(generator.iter, bound, found)
            bound = bound | _targets(generator.target)
            for test in generator.ifs:
                _visit(test, bound, found)
        for part in ("elt", "key", "value"):
            if getattr(node, part, None) is not None:
                _visit(getattr(node, part), bound, found)
    elif isinstance(node, gast.Lambda):
        names = {n.id for n in gast.walk(node.args) if isinstance(n, gast.Name)}
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                _visit(default, bound, found)
        _visit(node.body, bound | names, found)
    else:
        for child in gast.iter_child_nodes(node):
            _visit(child, bound, found)


def _targets(node: Any) -> frozenset[str]:
    return frozenset(n.id for n in gast.walk(node) if isinstance(n, gast.Name))
