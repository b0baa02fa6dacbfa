"""Which constructs of the language a program holds."""

from __future__ import annotations

import ast
import collections
from collections.abc import Iterator

_NODES: dict[type, str] = {
    ast.If: "if",
    ast.For: "for",
    ast.While: "while",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.IfExp: "ternary",
    ast.BoolOp: "boolean operator",
    ast.Lambda: "lambda",
    ast.ListComp: "list comprehension",
    ast.GeneratorExp: "generator expression",
    ast.DictComp: "dict comprehension",
    ast.Dict: "dict display",
    ast.List: "list display",
    ast.Tuple: "tuple display",
    ast.Try: "try",
    ast.Raise: "raise",
    ast.Match: "match",
    ast.NamedExpr: "walrus",
    ast.Nonlocal: "nonlocal",
    ast.Starred: "star",
    ast.JoinedStr: "f-string",
    ast.ClassDef: "class",
    ast.With: "with",
    ast.Assert: "assert",
    ast.Delete: "del",
    ast.SetComp: "set",
    ast.Set: "set",
}
# What is counted together, and the names of functions and methods that count as it.
_GROUPS = {
    "append": "append",
    "pop": "pop popleft",
    "list method that changes": "extend insert reverse",
    "dict method": "update setdefault get items values",
    "set method": "add discard",
    "deque": "deque appendleft rotate",
    "defaultdict": "defaultdict",
    "copy": "copy",
    "reshape or ravel": "reshape ravel",
    "fill or copyto": "fill copyto",
    "put, place or putmask": "put place putmask fill_diagonal",
    "ufunc.at": "at",
    "sort": "sort",
    "sorted or reversed": "sorted reversed",
    "min, max or sum": "min max sum",
    "zip": "zip",
    "map, filter or reduce": "map filter reduce",
    "partial": "partial",
    "enumerate": "enumerate",
    "any or all": "any all",
    "context manager": "suppress errstate nullcontext Guard",
    "named tuple": "Point Span _replace",
    "dataclass": "Pair Frozen",
    "object built": "Base Derived Cell made",
    "next": "next",
    "generator function": "halves above joined running",
    "object with __getitem__ and kin": "Shelf",
    "property with a setter, default of the class": "Tank SmallTank",
    "dataclass with factories and __post_init__": "Tray",
    "method that stores": "push step swap fill moved",
    "object in a growing list": "Mass",
    "object that holds another": "Link",
    "part that changes what another part reads": "turned Gauge",
    "callee that writes": "doubled_in_place shifted put_all collect first_half",
}
_CALLED = {name: group for group, names in _GROUPS.items() for name in names.split()}
_PATTERNS: dict[type, str] = {
    ast.MatchValue: "literal pattern",
    ast.MatchSingleton: "literal pattern",
    ast.MatchSequence: "sequence pattern",
    ast.MatchMapping: "mapping pattern",
    ast.MatchClass: "class pattern",
    ast.MatchStar: "star pattern",
    ast.MatchOr: "alternative pattern",
    ast.MatchAs: "capture pattern",
}
_INPLACE = {ast.Pow: "**=", ast.Div: "/=", ast.Mult: "*=", ast.Sub: "-=", ast.Add: "+="}
# Fewer programs than this with a construct say little about it.
FLOOR = 300


def constructs(text: str) -> set[str]:
    """The names of the constructs in a module's text.

    >>> sorted(constructs("for i in r:\\n    a[1:] += 2.0"))
    ['+=', 'for', 'slice store', 'slice update']
    """
    tree = ast.parse(text)
    return {name for node in ast.walk(tree) for name in _of(node)} | _functions(tree)


def _of(node: ast.AST) -> Iterator[str]:
    for table in (_NODES, _PATTERNS):
        if type(node) in table:
            yield table[type(node)]
    if isinstance(node, ast.For | ast.While):
        if node.orelse:
            yield "loop else"
        yield from _nested(node)
    elif isinstance(node, ast.Compare) and len(node.ops) > 1:
        yield "chained comparison"
    elif isinstance(node, ast.Subscript):
        yield from _subscript(node)
    elif isinstance(node, ast.AugAssign):
        yield from _augmented(node)
    elif isinstance(node, ast.Assign):
        yield from _assign(node)
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "flat"):
        yield {"T": "transpose", "flat": ".flat"}[node.attr]
    elif isinstance(node, ast.Try):
        yield from _try(node)
    elif isinstance(node, ast.FunctionDef):
        if any(isinstance(n, ast.Yield) for n in ast.walk(node)):
            yield "generator function"
    elif isinstance(node, ast.match_case) and node.guard:
        yield "guard of a pattern"
    yield from _holding(node)
    yield from _changing(node)


def _nested(node: ast.For | ast.While) -> Iterator[str]:
    inner = [n for part in node.body for n in ast.walk(part)]
    if any(isinstance(n, ast.For | ast.While) for n in inner):
        yield "nested loops"
    if any(isinstance(n, ast.Return) for n in inner):
        yield "return in a loop"


def _index_kind(index: ast.expr) -> str:
    if isinstance(index, ast.Slice):
        return "slice"
    if isinstance(index, ast.List) or (
        isinstance(index, ast.Call) and getattr(index.func, "attr", "") == "array"
    ):
        return "fancy"
    if isinstance(index, ast.Compare):
        return "boolean"
    if isinstance(index, ast.Tuple):
        return "several axes"
    if isinstance(index, ast.UnaryOp):
        return "negative"
    return "literal" if isinstance(index, ast.Constant) else "computed"


def _subscript(node: ast.Subscript) -> Iterator[str]:
    role = "store" if isinstance(node.ctx, ast.Store) else "read"
    yield f"{_index_kind(node.slice)} {role}"


def _parts(statements: list[ast.stmt]) -> list[ast.AST]:
    return [n for part in statements for n in ast.walk(part)]


def _try(node: ast.Try) -> Iterator[str]:
    if node.handlers:
        yield "except"
    if node.orelse:
        yield "else of a try"
    inner = _parts([s for handler in node.handlers for s in handler.body])
    if any(isinstance(n, ast.Raise) for n in inner):
        yield "raise in a handler"
    if any(isinstance(n, ast.Try) for n in inner + _parts(node.finalbody)):
        yield "try in a handler or finally"
    if node.finalbody:
        yield "finally"
        if any(_is_place(n) for n in _parts(node.finalbody)):
            yield "store in a finally"
        left = ast.Break | ast.Continue | ast.Return
        if any(isinstance(n, left) for n in _parts(node.body)):
            yield "exit through a finally"


def _is_place(node: ast.AST) -> bool:
    places = ast.Subscript | ast.Attribute
    return isinstance(node, places) and isinstance(node.ctx, ast.Store)


# What may be read later under the name that it is given.
_READERS = frozenset("iter enumerate zip map filter halves".split())
_VIEWS = frozenset("keys values items".split())
_CHANGES = frozenset("append pop remove insert update".split())


def _holding(node: ast.AST) -> Iterator[str]:
    """Containers in containers, and names for iterators and views."""
    if isinstance(node, ast.Dict | ast.List | ast.Tuple):
        parts = node.values if isinstance(node, ast.Dict) else node.elts
        if any(isinstance(p, ast.List | ast.ListComp) for p in parts):
            kind = type(node).__name__.lower()
            yield f"{kind} of lists"
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        role = "store" if isinstance(node.ctx, ast.Store) else "read"
        if _index_kind(node.value.slice) in ("computed", "literal"):
            yield f"{_index_kind(node.value.slice)} row {role}"
    elif isinstance(node, ast.ListComp) and isinstance(node.elt, ast.Dict):
        yield "dicts in a comprehension"
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "append":
        if any(isinstance(a, ast.Dict) for a in node.args):
            yield "dicts in a growing list"
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot):
        yield "comparison with None"
    elif isinstance(node, ast.Assign):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        name = getattr(called, "attr", getattr(called, "id", ""))
        if name in _READERS or isinstance(node.value, ast.GeneratorExp):
            yield "named iterator"
        elif name in _VIEWS:
            yield "named view"


def _changing(node: ast.AST) -> Iterator[str]:
    """A loop whose body changes the container that the loop reads."""
    if not isinstance(node, ast.For):
        return
    read = {n.id for n in ast.walk(node.iter) if isinstance(n, ast.Name)}
    for part in _parts(node.body):
        changed = _is_place(part) or getattr(part, "attr", "") in _CHANGES
        if changed and getattr(getattr(part, "value", None), "id", "") in read:
            yield "container changed while it is read"


def _augmented(node: ast.AugAssign) -> Iterator[str]:
    if type(node.op) in _INPLACE:
        yield _INPLACE[type(node.op)]
    if isinstance(node.target, ast.Subscript):
        yield f"{_index_kind(node.target.slice)} update"
    elif isinstance(node.target, ast.Attribute):
        yield "attribute update"
    else:
        yield "name update"


def _assign(node: ast.Assign) -> Iterator[str]:
    target, value = node.targets[0], node.value
    if len(node.targets) > 1:
        yield "chained assignment"
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        left = {n.id for n in target.elts if isinstance(n, ast.Name)}
        right = {n.id for n in value.elts if isinstance(n, ast.Name)}
        yield "swap" if left & right else "unpacking"
    if isinstance(target, ast.Name) and isinstance(value, ast.Name):
        yield "copy of a name"
    if isinstance(target, ast.Name) and isinstance(value, ast.Subscript):
        if _index_kind(value.slice) == "slice":
            yield "view"
    if isinstance(target, ast.Attribute):
        yield "attribute store"


def _call(node: ast.Call) -> Iterator[str]:
    if isinstance(node.func, ast.Name) and node.func.id[-1:].isdigit():
        yield "call of a helper"
        if node.keywords:
            yield "keyword argument"
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in _CALLED:
        yield _CALLED[name]
    if any(k.arg == "out" for k in node.keywords):
        yield "out="


def _functions(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            inner = [n for part in node.body for n in ast.walk(part)]
            if any(isinstance(n, ast.FunctionDef) for n in inner):
                found.add("inner function")
            if sum(isinstance(n, ast.Return) for n in inner) > 1:
                found.add("early return")
            if any(isinstance(n, ast.Name) and n.id == node.name for n in inner):
                found.add("recursion")
            if node.args.defaults:
                found.add("default argument")
    return found


class Counts(collections.Counter[str]):
    """Programs per construct."""

    def add(self, text: str) -> None:
        """Counts the constructs of one program."""
        self.update(constructs(text))

    def under_floor(self, floor: int = FLOOR) -> list[str]:
        """The constructs that too few programs hold."""
        return sorted(name for name, count in self.items() if count < floor)
