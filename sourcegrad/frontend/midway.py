"""Statements that may raise, and those that may do so after they have written."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

from sourcegrad.analysis.views import view_bases
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Expr,
    If,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Store,
)
from sourcegrad.ir_walk import refs, regions, stmt_exprs, walk, walk_expr
from sourcegrad.kinds import Kind, differentiable, is_scalar


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
        return adds and _at_hand(node.left) and _at_hand(node.right)
    if isinstance(node, gast.Attribute):
        return quiet(node.value)
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
    """Whether a node is a literal or a name."""
    return isinstance(node, (gast.Constant, gast.Name))


def harmless(region: Region, infer: Callable[[Expr], Kind]) -> bool:
    """Whether nothing in a region can raise: sums and products of numbers, displays."""
    return all(isinstance(s, Assign) and _is_sum(s.expr, infer) for s in region.stmts)


def _is_sum(e: Expr, infer: Callable[[Expr], Kind]) -> bool:
    if not isinstance(e, Op):
        return not (isinstance(e, Ref) and e.value.maybe_undefined)
    if e.op in ("list", "tuple"):
        return all(_is_sum(a, infer) for a in e.args)
    if e.op not in ("add", "sub", "mul", "neg", "pos", "not_", "compare"):
        return False
    return all(is_scalar(infer(a)) and _is_sum(a, infer) for a in e.args)


# --------------------------------------------------------------- writes midway


def writes_midway(region: Region, callee_writes: Callable[[CallFn], bool]) -> bool:
    """Whether something in a region may raise after memory from outside was written.

    Args:
        region: the statements.
        callee_writes: whether the function of a call writes into what it is given.
    """
    made = {
        s.target
        for s in walk(region)
        if isinstance(s, Assign) and not view_bases(s.expr)
    }
    return _scan(region, made, callee_writes, False)[1]


def _scan(
    region: Region, made: Any, callee_writes: Callable[[CallFn], bool], written: bool
) -> tuple[bool, bool]:
    """Whether the region has written when it ends, and whether it wrote midway."""
    for stmt in region.stmts:
        inner = regions(stmt)
        if written and not inner and _may_raise(stmt):
            return True, True
        if isinstance(stmt, If):
            found = [_scan(arm, made, callee_writes, written) for arm in inner]
        else:
            again = inner * 2  # what a loop writes, its next trip may raise behind
            found = []
            for body in again:
                found.append(_scan(body, made, callee_writes, written))
                written = written or found[-1][0]
        if any(midway for _, midway in found):
            return True, True
        by_callee = isinstance(stmt, CallFn) and callee_writes(stmt)
        written = written or any(w for w, _ in found) or _writes(stmt, made)
        written = written or by_callee
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


class Held(gast.stmt):
    """A condition evaluated ahead of the statement that tests it."""

    _fields = ("name", "node")

    def __init__(self, name: str = "", node: Any = None) -> None:
        super().__init__()
        self.name, self.node = name, node
