"""Statements in parts, each of which calls or stores once.

What raises in the middle of a statement leaves done what stood before it; so inside a
`try` such a statement is built as several, in the order in which Python evaluates it.
Conditional parts become branches, comprehensions loops.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import gast

from sourcegrad.frontend.midway import Held, quiet
from sourcegrad.names import fresh

Called = Callable[[str], Any]


def parts(stmt: Any, taken: set[str], called: Called) -> list[Any] | None:
    """A statement as several, each of which calls or stores once; None where it is not
    known when, or how often, a call is evaluated.

    Args:
        stmt: the statement.
        taken: names in use; those given are added.
        called: what a name stands for where the statement is.

    >>> from sourcegrad.printer.text import to_source
    >>> tree = gast.parse("y = g(x) + h(x)").body[0]
    >>> print("".join(map(to_source, parts(tree, set(), {}.get))))
    $held = g(x)
    $held_1 = h(x)
    y = $held + $held_1
    <BLANKLINE>
    """
    taker = _Taker(taken, called)
    new = copy.copy(stmt)
    try:
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple):
            return taker.unpacked(stmt)
        if isinstance(stmt, gast.AugAssign):
            return taker.augmented(stmt)
        if isinstance(stmt, (gast.Assign, gast.Return)):
            if any(map(_acts, getattr(stmt, "targets", ()))):
                new.value = taker.operand(stmt.value)
                new.targets = [taker.place(t) for t in stmt.targets]
            elif stmt.value is not None:
                own = _is_held(stmt)
                new.value = taker.root(stmt.value) if own else taker.take(stmt.value)
        elif isinstance(stmt, Held):
            new.node = taker.take(stmt.node)
        elif isinstance(stmt, gast.Expr):
            new.value = taker.root(stmt.value)
        else:
            return None
    except _Conditional:
        return None
    return [*taker.found, new] if taker.found else [stmt]


def _acts(node: Any) -> bool:
    """Whether an expression calls something, or binds a name."""
    if isinstance(node, gast.Lambda):
        return any(map(_acts, node.args.defaults + node.args.kw_defaults))
    own = isinstance(node, (gast.Call, gast.NamedExpr))
    return own or any(map(_acts, gast.iter_child_nodes(node)))


def is_single(stmt: Any) -> bool:
    """Whether a statement does one thing that may raise, with what is at hand."""
    compound = isinstance(stmt, (gast.With, gast.For, gast.While, gast.If, gast.Try))
    return compound or _operations(stmt) <= 1


def _operations(node: Any) -> int:
    """How many operations there are; a chain as `a.b[k].c(x)` of a name is one."""
    if isinstance(node, gast.expr) and not isinstance(node, gast.Attribute):
        if quiet(node):
            return 0
    own = isinstance(node, (gast.BinOp, gast.Compare, gast.UnaryOp, gast.AugAssign))
    links = (gast.Attribute, gast.Subscript, gast.Call)
    inner = list(gast.iter_child_nodes(node))
    if isinstance(node, links) and getattr(node, "attr", "") != "__class__":
        base = node.func if isinstance(node, gast.Call) else node.value
        own = not isinstance(base, links)
    return own + sum(map(_operations, inner))


def _with_context(node: Any, ctx: Any) -> Any:
    new = copy.copy(node)
    new.ctx = ctx
    return new


def _is_held(stmt: Any) -> bool:
    """Whether a statement only keeps a value for the next one."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else None
    return isinstance(target, gast.Name) and target.id[0] == "$"


class _Conditional(Exception):
    """A call stands where it is not known when, or how often, it is evaluated."""


class _Taker:
    def __init__(self, taken: set[str], called: Called) -> None:
        self.taken, self.called = taken, called
        self.found: list[Any] = []

    def inside(self) -> _Taker:
        """What takes out the statements of a branch or a loop."""
        return _Taker(self.taken, self.called)

    def held(self, node: Any) -> Any:
        """A name for what an expression gives at this point."""
        own = "$" + fresh("held", self.taken)
        target = _name(own, node, gast.Store())
        stmt = gast.Assign(targets=[target], value=node, type_comment=None)
        self.found.append(gast.copy_location(stmt, node))
        return _name(own, node, gast.Load())

    def root(self, node: Any) -> Any:
        """A call with its operands taken out, or anything else as a value."""
        if not isinstance(node, gast.Call):
            return self.take(node)
        new = copy.copy(node)
        new.func = self.function(node.func)
        if self.consumes(node):
            new.args = [self.looped(node.args[0])]
            return new
        keywords = [copy.copy(k) for k in node.keywords]
        given = [*node.args, *(k.value for k in keywords)]
        held = [
            self.argument(a, any(map(_acts, given[k + 1 :])))
            for k, a in enumerate(given)
        ]
        new.args, new.keywords = held[: len(node.args)], keywords
        for keyword, value in zip(keywords, held[len(node.args) :], strict=True):
            keyword.value = value
        return new

    def function(self, node: Any) -> Any:
        """What is called, which is evaluated before the operands."""
        if not _acts(node):
            return node
        if not isinstance(node, gast.Attribute):
            return self.operand(node)
        new = copy.copy(node)
        new.value = self.operand(node.value)
        return new

    def consumes(self, node: Any) -> bool:
        """Whether a call reads all of a generator expression, and does nothing that
        could be noticed before it has."""
        one = len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp)
        if not one or node.keywords or not _is_name(node.func):
            return False
        return any(self.called(node.func.id) is fn for fn in _CONSUMERS)

    def argument(self, node: Any, before: bool) -> Any:
        """An operand of a call that is gone into: it must not raise by itself, and is
        read now if it stands before a call, which may change it."""
        if before or isinstance(node, gast.Starred) and _acts(node):
            return self.operand(node)
        if isinstance(node, gast.Starred) or quiet(node):
            return node
        return self.held(self.take(node))

    def take(self, node: Any) -> Any:
        """An expression with every call, and what is read before it, taken out."""
        if not _acts(node):
            return node
        if isinstance(node, gast.NamedExpr):
            return self.bound(node)
        if isinstance(node, gast.Call):
            return self.held(self.root(node))
        new = copy.copy(node)
        if isinstance(node, gast.BinOp):
            new.left = self.operand(node.left)
            new.right = self.take(node.right)
        elif isinstance(node, (gast.Tuple, gast.List, gast.Set)):
            new.elts = [self.operand(e) for e in node.elts]
        elif isinstance(node, gast.JoinedStr):
            new.values = [self.take(v) for v in node.values]
        elif isinstance(node, gast.FormattedValue):
            new.value = self.operand(node.value)
        elif isinstance(node, gast.Dict):
            return self.table(node)
        elif isinstance(node, gast.Compare) and len(node.comparators) == 1:
            new.left = self.operand(node.left)
            new.comparators = [self.take(node.comparators[0])]
        elif isinstance(node, gast.Compare):
            return self.chained(node)
        elif isinstance(node, gast.BoolOp):
            return self.short_circuit(node)
        elif isinstance(node, gast.IfExp):
            return self.chosen(node)
        elif isinstance(node, gast.ListComp):
            return self.looped(node)
        elif isinstance(node, gast.UnaryOp):
            new.operand = self.take(node.operand)
        elif isinstance(node, gast.Subscript):
            if _acts(node.slice) and isinstance(node.slice, (gast.Slice, gast.Tuple)):
                raise _Conditional
            held = _acts(node.slice)
            new.value = self.operand(node.value) if held else self.take(node.value)
            new.slice = self.take(node.slice)
        elif isinstance(node, gast.Attribute):
            new.value = self.take(node.value)
        else:
            raise _Conditional
        return new

    def operand(self, node: Any) -> Any:
        """An operand before a call: read now, since the call may change memory."""
        if isinstance(node, gast.Starred):
            new = copy.copy(node)  # of a list, what is in it now
            spread = gast.Starred(self.take(node.value), gast.Load())
            whole = gast.Tuple([gast.copy_location(spread, node)], gast.Load())
            new.value = self.held(gast.copy_location(whole, node))
            return new
        taken = self.take(node)
        own = isinstance(taken, gast.Name) and taken.id[0] == "$"
        return taken if own or isinstance(taken, gast.Constant) else self.held(taken)

    def table(self, node: Any) -> Any:
        """A dict display: each key is evaluated before its value."""
        new = copy.copy(node)
        pairs = [
            (key and self.operand(key), self.operand(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        new.keys, new.values = [k for k, _ in pairs], [v for _, v in pairs]
        return new

    def short_circuit(self, node: Any) -> Any:
        """`a and g(x)` as `held = a`, `if held: held = g(x)`."""
        own = self.held(self.take(node.values[0]))
        self.narrowed(own, node, node.values[1:])
        return own

    def narrowed(self, own: Any, node: Any, values: list[Any]) -> None:
        if values:
            goes_on = isinstance(node.op, gast.And)
            inner = self.inside()
            inner.again(own, inner.take(values[0]))
            inner.narrowed(own, node, values[1:])
            arms = (inner.found, []) if goes_on else ([], inner.found)
            self.when(own, *arms)

    def chained(self, node: Any) -> Any:
        """`a < g(x) < h(x)` as `held = a < held_1`, `if held: held = held_1 < h(x)`."""
        left, taker, own = self.operand(node.left), self, None
        for op, right in zip(node.ops, node.comparators, strict=True):
            inner = taker if own is None else self.inside()
            held = inner.operand(right)
            test = gast.Compare(left=left, ops=[op], comparators=[held])
            gast.copy_location(test, node)
            if own is None:
                own = self.held(test)
            else:
                inner.again(own, test)
                taker.when(own, inner.found, [])
            left, taker = held, inner
        return own

    def chosen(self, node: Any) -> Any:
        """`g(x) if c else h(x)` as a branch."""
        test = self.operand(node.test)
        own = "$" + fresh("held", self.taken)
        arms = [self.inside(), self.inside()]
        for arm, value in zip(arms, (node.body, node.orelse), strict=True):
            arm.again(_name(own, value, gast.Load()), arm.take(value))
        self.when(test, arms[0].found, arms[1].found)
        return _name(own, node, gast.Load())

    def looped(self, node: Any) -> Any:
        """`[g(v) for v in x if h(v)]` as a list that a loop fills."""
        bound = {
            n.id for c in node.generators for n in gast.walk(c.target) if _is_name(n)
        }
        own = {name: "$" + fresh(name.strip("$"), self.taken) for name in bound}
        first = self.take(node.generators[0].iter)
        filled = self.held(gast.copy_location(gast.List([], gast.Load()), node))
        append = gast.Attribute(value=filled, attr="append", ctx=gast.Load())
        inner = self.inside()
        value = inner.take(_renamed(node.elt, own))
        call = gast.Call(func=append, args=[value], keywords=[])
        body = [*inner.found, gast.Expr(value=call)]
        for k, part in reversed(list(enumerate(node.generators))):
            for test in reversed(part.ifs):
                inner = self.inside()
                inner.when(inner.take(_renamed(test, own)), body, [])
                body = inner.found
            along = _renamed(part.iter, own) if k else first
            target = _renamed(part.target, own)
            body = [gast.For(target, along, body, [], None)]
        for stmt in body:
            _locate(stmt, node)
        self.found += body
        return filled

    def again(self, own: Any, value: Any) -> None:
        """Bind a name that holds an earlier part of the same expression."""
        target = _with_context(own, gast.Store())
        stmt = gast.Assign(targets=[target], value=value, type_comment=None)
        self.found.append(gast.copy_location(stmt, value))

    def when(self, test: Any, then: list[Any], otherwise: list[Any]) -> None:
        """What runs in one case only."""
        stmt = gast.If(test=test, body=then or [gast.Pass()], orelse=otherwise)
        self.found.append(gast.copy_location(stmt, test))

    def bound(self, node: Any) -> Any:
        """`(name := value)` as an assignment before."""
        target = _name(node.target.id, node, gast.Store())
        value = self.take(node.value)
        stmt = gast.Assign(targets=[target], value=value, type_comment=None)
        self.found.append(gast.copy_location(stmt, node))
        return _name(node.target.id, node, gast.Load())

    def augmented(self, stmt: Any) -> list[Any]:
        """`a[i] += g(x)`: what is changed is read before the call, as Python does.

        $held = a[i]; $held_1 = g(x); $held += $held_1; a[i] = $held
        """
        if not (_acts(stmt.value) or _acts(stmt.target)):
            return [stmt]
        target = self.place(stmt.target)
        old = self.held(_with_context(target, gast.Load()))
        new = copy.copy(stmt)
        new.target, new.value = _with_context(old, gast.Store()), self.take(stmt.value)
        value = _with_context(old, gast.Load())
        back = gast.Assign(targets=[target], value=value, type_comment=None)
        return [*self.found, new, gast.copy_location(back, stmt)]

    def place(self, target: Any) -> Any:
        """Where something is stored, with what tells the place read now."""
        new = copy.copy(target)
        if isinstance(target, (gast.Attribute, gast.Subscript)):
            new.value = self.operand(target.value)
        if isinstance(target, gast.Subscript):
            new.slice = self.index(target.slice)
        return new

    def index(self, node: Any) -> Any:
        new = copy.copy(node)
        if isinstance(node, gast.Tuple):
            new.elts = [self.index(e) for e in node.elts]
        elif isinstance(node, gast.Slice):
            for name in ("lower", "upper", "step"):
                part = getattr(node, name)
                setattr(new, name, None if part is None else self.operand(part))
        else:
            return self.operand(node)
        return new

    def unpacked(self, stmt: Any) -> list[Any] | None:
        """`a[i], b = u, v` as one store after the other."""
        targets, value = stmt.targets[0].elts, stmt.value
        if len(stmt.targets) > 1 or not isinstance(value, gast.Tuple):
            return None
        if len(value.elts) != len(targets):
            return None
        values = [self.held(self.take(e)) for e in value.elts]
        for target, held in zip(targets, values, strict=True):
            one = gast.Assign(targets=[target], value=held, type_comment=None)
            self.found.append(gast.copy_location(one, stmt))
        return self.found


def _name(text: str, like: Any, ctx: Any) -> Any:
    node = gast.Name(id=text, ctx=ctx, annotation=None, type_comment=None)
    return gast.copy_location(node, like)


def _is_name(node: Any) -> bool:
    return isinstance(node, gast.Name)


def _locate(made: Any, node: Any) -> None:
    """Give what has no place in the source the place of another node."""
    for part in gast.walk(made):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, node)


_CONSUMERS = (sum, list, tuple, sorted, min, max)


def _renamed(node: Any, own: dict[str, str]) -> Any:
    """A copy of an expression with other names."""
    new = copy.deepcopy(node)
    for part in gast.walk(new):
        if _is_name(part) and part.id in own:
            part.id = own[part.id]
    return new
