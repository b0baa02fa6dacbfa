"""The generated text as numba must see it.

Numba freezes globals and cells, so data that is read from there becomes parameters;
it gets `a[1:] += a[:-1]` wrong, so such a statement is written out; and it gives one
type to a name, so targets nobody reads get names of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

ADD_IN_PLACE = "add_in_place"

Reader = Callable[[], Any]


@dataclass
class Rewritten:
    """One function: its tree, and the names of the data passed as first arguments."""

    node: ast.FunctionDef
    hidden: list[str] = field(default_factory=list)


def functions_of(text: str) -> dict[str, ast.FunctionDef]:
    """The functions of a text by name."""
    nodes = ast.parse(text).body
    return {n.name: n for n in nodes if isinstance(n, ast.FunctionDef)}


def rewrite(
    nodes: dict[str, ast.FunctionDef], data: Iterable[str], renamed: Mapping[str, str]
) -> dict[str, Rewritten]:
    """The functions of a text, with data as parameters.

    Args:
        nodes: the generated functions; changed in place.
        data: the names that data is read by, dotted ones included.
        renamed: other dotted names, and what stands for them.

    >>> nodes = functions_of("def f(x):\\n    return m.g(x * k) + m.c\\n")
    >>> made = rewrite(nodes, {"k", "m.c"}, {"m.g": "m_g"})
    >>> print(ast.unparse(made["f"].node))
    def f(k, m_c, x):
        return m_g(x * k) + m_c
    """
    found = {name: Rewritten(node) for name, node in nodes.items()}
    reads = {name: _reads(node, data) for name, node in nodes.items()}
    calls = {name: _calls(node, found) for name, node in nodes.items()}
    locals_ = {name: _stored(node) for name, node in nodes.items()}
    changed = True
    while changed:  # what a callee reads, its caller hands on
        changed = False
        for name in found:
            more = {r for callee in calls[name] for r in reads[callee]}
            more -= reads[name] | locals_[name]
            reads[name] |= more
            changed |= bool(more)
    for name, made in found.items():
        made.hidden = sorted(reads[name])
    for made in found.values():
        _Forms(found, made, renamed).run()
    return found


def parameter(path: str) -> str:
    """The parameter that stands for a dotted name."""
    return path.replace(".", "_")


def _dotted(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None


def dotted_names(text: str) -> list[str]:
    """All names and dotted names of a text, roots first.

    >>> dotted_names("y = np.linalg.det(a)")
    ['a', 'np', 'np.linalg', 'np.linalg.det', 'y']
    """
    return sorted(_paths(ast.parse(text)))


def _paths(tree: ast.AST) -> set[str]:
    nodes = (n for n in ast.walk(tree) if isinstance(n, (ast.Name, ast.Attribute)))
    return {path for n in nodes if (path := _dotted(n)) is not None}


def _reads(node: ast.AST, data: Iterable[str]) -> set[str]:
    own = _stored(node)
    return {p for p in _paths(node) & set(data) if p.split(".")[0] not in own}


def _stored(node: ast.AST) -> set[str]:
    """Names local to a function."""
    nodes = [n for n in ast.walk(node) if isinstance(n, (ast.Name, ast.arg))]
    names = {
        n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return names | {n.arg for n in nodes if isinstance(n, ast.arg)}


def _calls(node: ast.AST, found: dict[str, Rewritten]) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in found}


class _Forms(ast.NodeTransformer):
    """Rewrites the body of one function."""

    def __init__(
        self, found: dict[str, Rewritten], made: Rewritten, renamed: Mapping[str, str]
    ) -> None:
        self.found, self.made, self.renamed = found, made, renamed
        self.ignored = 0

    def run(self) -> None:
        node = self.made.node
        one_list(node)
        node.body = [self.visit(s) for s in node.body]
        args = [ast.arg(parameter(p)) for p in self.made.hidden]
        node.args.args[:0] = args
        node.args.defaults = []  # a type of its own in numba; given at each call
        ast.fix_missing_locations(node)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id == "_" and isinstance(node.ctx, ast.Store):
            self.ignored += 1
            return ast.copy_location(ast.Name(f"_{self.ignored}", node.ctx), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        path = _dotted(node) or ""
        if path in self.made.hidden:
            return ast.copy_location(ast.Name(parameter(path), node.ctx), node)
        if path in self.renamed:
            return ast.copy_location(ast.Name(self.renamed[path], node.ctx), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.found:
            names = self.found[node.func.id].hidden
            node.args[:0] = [ast.Name(parameter(p), ast.Load()) for p in names]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """`a[...]` as `a` where it is read, which numba cannot lower."""
        self.generic_visit(node)
        whole = isinstance(node.slice, ast.Constant) and node.slice.value is ...
        if whole and isinstance(node.ctx, ast.Load):
            return node.value
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """`a[s] += v` as `a[s] = a[s] + v` where `v` may be a view that overlaps."""
        self.generic_visit(node)
        target = node.target
        if _fresh(node.value):
            return node
        if isinstance(target, ast.Subscript) and _is_slice(target.slice):
            old = ast.Subscript(target.value, target.slice, ast.Load())
            value: ast.expr = ast.BinOp(old, node.op, node.value)
            return ast.copy_location(ast.Assign([target], value), node)
        if isinstance(target, ast.Name) and isinstance(node.op, ast.Add):
            args = [ast.Name(target.id, ast.Load()), node.value]
            value = ast.Call(ast.Name(ADD_IN_PLACE, ast.Load()), args, [])
            return ast.copy_location(ast.Assign([target], value), node)
        return node


def _fresh(node: ast.expr) -> bool:
    """Whether an expression gives a number, or an array in memory of its own."""
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.UAdd)
    return isinstance(node, (ast.BinOp, ast.Constant, ast.Compare))


def _is_slice(index: ast.expr) -> bool:
    """Whether an index gives a view, as far as its form tells."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(
        isinstance(p, ast.Slice) or (isinstance(p, ast.Constant) and p.value is ...)
        for p in parts
    )


def one_list(node: ast.FunctionDef) -> None:
    """Make a list once where a placeholder for it stands at the top.

    Numba gives each `[]` a type of its own, and that of a placeholder to which
    nothing is appended is unknown.

    >>> text = "def f(c):\\n    s = []\\n    if c:\\n        s = []\\n"
    >>> node = functions_of(text)["f"]
    >>> one_list(node)
    >>> print(ast.unparse(node))
    def f(c):
        s = []
        if c:
            pass
    """
    placeholders = set()
    for stmt in node.body:
        if not isinstance(stmt, ast.Assign) or not _is_nothing(stmt.value):
            break
        if isinstance(stmt.value, ast.List):
            placeholders |= {t.id for t in stmt.targets if isinstance(t, ast.Name)}
    for branch in node.body:
        _without(branch, placeholders)


def _without(branch: ast.stmt, placeholders: set[str]) -> None:
    """Drop assignments of a new list in the arms of a branch."""
    if isinstance(branch, ast.If):
        for arm in (branch.body, branch.orelse):
            arm[:] = [_made_once(stmt, placeholders) for stmt in arm]
            for stmt in arm:
                _without(stmt, placeholders)


def _is_nothing(value: ast.expr) -> bool:
    if isinstance(value, ast.List):
        return not value.elts
    return isinstance(value, ast.Constant)


def _made_once(stmt: ast.stmt, placeholders: set[str]) -> ast.stmt:
    if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.List):
        (target,) = stmt.targets
        if isinstance(target, ast.Name) and target.id in placeholders:
            return ast.copy_location(ast.Pass(), stmt)
    return stmt
