"""Statements that may raise, and those that may do so after they have written."""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

import gast

from sourcegrad.analysis.views import view_bases
from sourcegrad.ir import (
    Append,
    Assign,
    Expr,
    If,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
    refs,
    regions,
    stmt_exprs,
    walk,
    walk_expr,
)
from sourcegrad.kinds import Kind, differentiable, is_scalar
from sourcegrad.names import fresh


def quiet(node: Any) -> bool:
    """Whether an expression certainly does not raise."""
    if isinstance(node, gast.Compare):
        return all(map(quiet, [node.left, *node.comparators]))
    if isinstance(node, gast.BoolOp):
        return all(map(quiet, node.values))
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, (gast.Not, gast.USub)) and quiet(node.operand)
    if isinstance(node, gast.Call):
        plain = isinstance(node.func, gast.Name) and node.func.id in ("range", "len")
        return plain and not node.keywords and all(map(quiet, node.args))
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(map(quiet, node.elts))
    if isinstance(node, gast.BinOp):
        adds = isinstance(node.op, (gast.Add, gast.Sub, gast.Mult))
        return adds and _is_number(node.left) and _is_number(node.right)
    if isinstance(node, gast.Attribute):
        return quiet(node.value)
    return isinstance(node, (gast.Constant, gast.Name))


def _is_number(node: Any) -> bool:
    """Whether a node is a literal number, or arithmetic on a name and those."""
    return isinstance(node, (gast.Constant, gast.Name))


def cannot_raise(stmt: Any) -> bool:
    """Whether a statement only binds what is at hand."""
    if isinstance(stmt, (gast.Pass, gast.Break, gast.Continue, gast.FunctionDef)):
        return True
    if isinstance(stmt, (gast.Nonlocal, gast.Import, gast.ImportFrom)):
        return True
    if isinstance(stmt, gast.Return):
        return stmt.value is None or _at_hand(stmt.value)
    if isinstance(stmt, gast.Expr):
        return isinstance(stmt.value, gast.Constant)
    names = isinstance(stmt, gast.Assign) and all(
        isinstance(t, gast.Name) for t in stmt.targets
    )
    return names and _at_hand(stmt.value)


def _at_hand(node: Any) -> bool:
    return isinstance(node, (gast.Constant, gast.Name))


def harmless(region: Region, infer: Callable[[Expr], Kind]) -> bool:
    """Whether nothing in a region can raise: sums and products of numbers."""
    return all(isinstance(s, Assign) and _is_sum(s.expr, infer) for s in region.stmts)


def _is_sum(e: Expr, infer: Callable[[Expr], Kind]) -> bool:
    if not isinstance(e, Op):
        return not (isinstance(e, Ref) and e.value.maybe_undefined)
    if e.op not in ("add", "sub", "mul", "neg", "pos", "not_", "compare"):
        return False
    return all(is_scalar(infer(a)) and _is_sum(a, infer) for a in e.args)


# --------------------------------------------------------------- writes midway


def writes_midway(region: Region) -> bool:
    """Whether something in a region may raise after memory from outside was written."""
    made = {
        s.target
        for s in walk(region)
        if isinstance(s, Assign) and not view_bases(s.expr)
    }
    return _scan(region, made, False)[1]


def _scan(region: Region, made: Any, written: bool) -> tuple[bool, bool]:
    """Whether the region has written when it ends, and whether it wrote midway."""
    for stmt in region.stmts:
        inner = regions(stmt)
        if written and not inner and _may_raise(stmt):
            return True, True
        if isinstance(stmt, If):
            found = [_scan(arm, made, written) for arm in inner]
        else:
            again = inner * 2  # what a loop writes, its next trip may raise behind
            found = []
            for body in again:
                found.append(_scan(body, made, written))
                written = written or found[-1][0]
        if any(midway for _, midway in found):
            return True, True
        written = written or any(w for w, _ in found) or _writes(stmt, made)
    return written, False


def _writes(stmt: Stmt, made: Any) -> bool:
    if isinstance(stmt, (Store, Append)):
        base = stmt.base
        return not (isinstance(base, Ref) and base.value in made)
    return any(
        isinstance(e, Op) and e.op == "pop"
        for expr in stmt_exprs(stmt)
        for e in walk_expr(expr)
    )


def _may_raise(stmt: Stmt) -> bool:
    if isinstance(stmt, Append):
        return False
    if isinstance(stmt, Assign):
        return not _is_read(stmt.expr)
    return True


def _is_read(expr: Expr) -> bool:
    return isinstance(expr, (Ref, Lit))


def calls_unseen(region: Region, is_library: Callable[[Any], bool]) -> bool:
    """Whether a region hands numbers to functions of the user's that are not gone
    into: what such a function raises may carry them."""
    return any(
        isinstance(e, Op)
        and e.op == "call"
        and isinstance(e.args[0], Obj)
        and isinstance(e.args[0].obj, types.FunctionType)
        and not is_library(e.args[0].obj)
        and any(differentiable(v.kind) for v in refs(e))
        for stmt in walk(region)
        for expr in stmt_exprs(stmt)
        for e in walk_expr(expr)
    )


# ------------------------------------------------------------------ in parts


class Held(gast.stmt):
    """A condition evaluated ahead of the statement that tests it."""

    _fields = ("name", "node")

    def __init__(self, name: str = "", node: Any = None) -> None:
        super().__init__()
        self.name, self.node = name, node


def parts(stmt: Any, taken: set[str]) -> list[Any] | None:
    """A statement as several, each of which calls or stores once; None where a call
    stands at a place that is not always reached.

    >>> from sourcegrad.printer import to_source
    >>> tree = gast.parse("y = g(x) + h(x)").body[0]
    >>> print("".join(map(to_source, parts(tree, set()))))
    $held = g(x)
    $held_1 = h(x)
    y = $held + $held_1
    <BLANKLINE>
    """
    taker = _Taker(taken)
    new = copy.copy(stmt)
    try:
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple):
            return taker.unpacked(stmt)
        if isinstance(stmt, gast.AugAssign):
            return taker.augmented(stmt)
        if isinstance(stmt, (gast.Assign, gast.Return)):
            if stmt.value is not None:
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
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in gast.walk(node))


def _with_context(node: Any, ctx: Any) -> Any:
    new = copy.copy(node)
    new.ctx = ctx
    return new


def _is_held(stmt: Any) -> bool:
    """Whether a statement only keeps a value for the next one."""
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else None
    return isinstance(target, gast.Name) and target.id[0] == "$"


class _Conditional(Exception):
    """A call stands where it is not always, or not once, evaluated."""


class _Taker:
    def __init__(self, taken: set[str]) -> None:
        self.taken = taken
        self.found: list[Any] = []

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
        new.args = [self.argument(a) for a in node.args]
        new.keywords = [copy.copy(k) for k in node.keywords]
        for keyword in new.keywords:
            keyword.value = self.argument(keyword.value)
        return new

    def argument(self, node: Any) -> Any:
        """An operand of a call that is gone into: it must not raise by itself."""
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
        elif isinstance(node, (gast.Tuple, gast.List)):
            new.elts = [self.operand(e) for e in node.elts]
        elif isinstance(node, gast.Compare) and len(node.comparators) == 1:
            new.left = self.operand(node.left)
            new.comparators = [self.take(node.comparators[0])]
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
        taken = self.take(node)
        own = isinstance(taken, gast.Name) and taken.id[0] == "$"
        return taken if own or isinstance(taken, gast.Constant) else self.held(taken)

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
        if not _acts(stmt.value):
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
