"""Walks over the intermediate representation: what is read, defined, replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Unpack,
    Value,
)


def refs(expr: Expr) -> Iterator[Value]:
    """Every value used in an expression, left to right, with repeats."""
    if isinstance(expr, Ref):
        yield expr.value
    elif isinstance(expr, Op):
        for arg in expr.args:
            yield from refs(arg)


def walk_expr(expr: Expr) -> Iterator[Expr]:
    """The expression and every sub-expression, parents first."""
    yield expr
    if isinstance(expr, Op):
        for arg in expr.args:
            yield from walk_expr(arg)


def substitute(expr: Expr, find: Callable[[Value], Expr | None]) -> Expr:
    """The expression with values replaced where `find` gives something."""
    if isinstance(expr, Ref):
        new = find(expr.value)
        return expr if new is None else new
    if isinstance(expr, Op):
        args = tuple(substitute(a, find) for a in expr.args)
        if all(a is b for a, b in zip(args, expr.args, strict=True)):
            return expr
        new_op = Op(expr.op, args, expr.data)
        new_op.kind = expr.kind
        return new_op
    return expr


def stmt_exprs(stmt: Stmt) -> Iterator[Expr]:
    """The expressions a statement evaluates itself (not those of its regions)."""
    match stmt:
        case Assign(expr=e) | Unpack(expr=e) | Effect(expr=e):
            yield e
        case Store():
            yield stmt.base
            if stmt.index is not None:
                yield stmt.index
            yield stmt.value
        case Append():
            yield stmt.base
            yield stmt.value
        case Plain():
            yield from stmt.args
        case CallFn():
            yield from stmt.args
        case If():
            yield stmt.cond
        case Loop():
            if stmt.iterable is not None:
                yield stmt.iterable
            if stmt.budget is not None:
                yield stmt.budget
            yield from stmt.inits
        case Scoped():
            yield from stmt.header


def map_stmt(stmt: Stmt, fn: Callable[[Expr], Expr]) -> None:
    """Replace, in place, every expression a statement evaluates itself."""
    match stmt:
        case Assign() | Unpack() | Effect():
            stmt.expr = fn(stmt.expr)
        case Store():
            stmt.base = fn(stmt.base)
            stmt.index = None if stmt.index is None else fn(stmt.index)
            stmt.value = fn(stmt.value)
        case Append():
            stmt.base, stmt.value = fn(stmt.base), fn(stmt.value)
        case Plain():
            stmt.args = tuple(map(fn, stmt.args))
        case CallFn():
            stmt.args = [fn(a) for a in stmt.args]
        case If():
            stmt.cond = fn(stmt.cond)
        case Loop():
            stmt.iterable = None if stmt.iterable is None else fn(stmt.iterable)
            stmt.budget = None if stmt.budget is None else fn(stmt.budget)
            stmt.inits = [fn(e) for e in stmt.inits]
            stmt.cond = None if stmt.cond is None else fn(stmt.cond)
        case Scoped():
            stmt.header = [fn(e) for e in stmt.header]


def map_region(region: Region, fn: Callable[[Expr], Expr]) -> None:
    """Replace every expression in a region, nested ones too, in place."""
    for stmt in region.stmts:
        map_stmt(stmt, fn)
        for inner in regions(stmt):
            map_region(inner, fn)
    region.yields = [fn(e) for e in region.yields]
    if region.stop is not None:
        region.stop = fn(region.stop)


def regions(stmt: Stmt) -> tuple[Region, ...]:
    """The regions a statement owns."""
    if isinstance(stmt, If):
        return (stmt.then, stmt.orelse)
    if isinstance(stmt, Loop):
        return (stmt.body,)
    if isinstance(stmt, Scoped):
        return (stmt.body,) if stmt.final is None else (stmt.body, stmt.final)
    return ()


def defined(stmt: Stmt) -> list[Value]:
    """The values a statement defines in its own region."""
    match stmt:
        case Assign():
            return [stmt.target]
        case Unpack() | CallFn() | Scoped():
            return stmt.targets
        case If() | Loop():
            return stmt.results
    return []


def walk(region: Region) -> Iterator[Stmt]:
    """Every statement of a region, nested ones too, in order."""
    for stmt in region.stmts:
        yield stmt
        for inner in regions(stmt):
            yield from walk(inner)


def region_uses(region: Region) -> Iterator[Value]:
    """Every use of a value in a region, nested regions too."""
    for stmt in region.stmts:
        for expr in stmt_exprs(stmt):
            yield from refs(expr)
        if isinstance(stmt, Loop) and stmt.cond is not None:
            yield from refs(stmt.cond)
        for inner in regions(stmt):
            yield from region_uses(inner)
    for expr in region.yields:
        yield from refs(expr)
    if region.stop is not None:
        yield from refs(region.stop)


def region_defs(region: Region) -> Iterator[Value]:
    """Every value defined in a region, nested regions too."""
    yield from region.params
    for stmt in region.stmts:
        yield from defined(stmt)
        if isinstance(stmt, Loop):
            yield from stmt.targets
        for inner in regions(stmt):
            yield from region_defs(inner)
