"""From IR with names to the tree of a Python function."""

from __future__ import annotations

from typing import Any

import gast

from sourcegrad import syntax
from sourcegrad.errors import Location
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Effect,
    Expr,
    If,
    Lit,
    Loop,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Stmt,
    Store,
    Undef,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import region_uses
from sourcegrad.kinds import Num
from sourcegrad.names import fresh
from sourcegrad.printer.trees import BIN, Trees
from sourcegrad.syntax_rename import renamed


class Emit(Trees):
    """Prints the regions of one function with given names."""

    def __init__(self, names: dict[Value, str], uses: dict[Value, int]) -> None:
        self.names = names
        self.uses = uses
        self.commented = False
        self.loose: dict[str, None] = {}
        self.last: Location | None = None

    # --------------------------------------------------------------- statements

    def region(self, region: Region, ends: list[Any] | None = None) -> list[Any]:
        """The statements of a region, and `ends` behind them."""
        out: list[Any] = []
        for stmt in region.stmts:
            made = self.statement(stmt)
            if made:
                self.comment(stmt, made[0])
            for node in made if stmt.where is not None else ():
                node.place = stmt.where  # see `loader.places`
            out += made
        return out + (ends or [])

    def comment(self, stmt: Stmt, node: Any) -> None:
        """In the reverse sweep, name the primal line a group is the adjoint of."""
        where = stmt.where
        if not self.commented or where is None or isinstance(stmt, (If, Loop)):
            return
        if (
            self.last is not None
            and where.line == self.last.line
            and where.file == self.last.file
        ):
            return
        self.last = where
        text = where.text.strip()
        node.comments = [*getattr(node, "comments", []), f"line {where.line}: {text}"]

    def statement(self, stmt: Stmt) -> list[Any]:
        """The nodes of one statement."""
        match stmt:
            case Assign(target=target, expr=Op(op="raw", data=(gast.FunctionDef(), _))):
                return [self.definition(stmt.expr, self.names[target])]
            case Assign(target=target, expr=expr):
                return [
                    syntax.assign(
                        syntax.name(self.names[target], True), self.expr(expr)
                    )
                ]
            case Unpack(targets=targets, expr=expr):
                return [syntax.assign(self.targets(targets), self.expr(expr))]
            case Store():
                return [self.store(stmt)]
            case Append(base=base, value=value):
                append = syntax.attribute(self.expr(base), "append")
                call = gast.Call(func=append, args=[self.expr(value)], keywords=[])
                return [gast.Expr(value=call)]
            case Effect(expr=expr):
                return [gast.Expr(value=self.expr(expr))]
            case Plain(node=node, names=names, args=args):
                found = dict(zip(names, map(self.expr, args), strict=True))
                return [renamed(node, found)]
            case If():
                return self.branch(stmt)
            case Loop():
                return self.loop(stmt)
            case Scoped():
                return self.scoped(stmt)
            case CallFn():
                raise AssertionError("calls of pairs are lowered before")
        raise AssertionError(stmt)

    def targets(self, targets: list[Value]) -> Any:
        names = [self.names[t] if self.uses.get(t) else "_" for t in targets]
        nodes = [syntax.name(n, store=True) for n in names]
        return syntax.sequence("tuple", nodes, store=True)

    def store(self, stmt: Store) -> Any:
        value = self.expr(stmt.value)
        base = self.expr(stmt.base)
        if stmt.each is not None:
            assert stmt.index is not None
            fn = self.expr(stmt.each)
            args = [base, self.expr(stmt.index), value]
            return gast.Expr(value=gast.Call(func=fn, args=args, keywords=[]))
        if stmt.index is None:
            place = base
            place.ctx = gast.Store()
        else:
            place = syntax.subscript(base, self.index(stmt.index), store=True)
        scaled = _scaled(stmt)
        if scaled is not None:
            op, number = scaled
            target = syntax.name(self.names[stmt.base.value], True)  # type: ignore[attr-defined]
            return gast.AugAssign(target=target, op=BIN[op](), value=self.expr(number))
        if stmt.op is None:
            return syntax.assign(place, value)
        return gast.AugAssign(target=place, op=BIN[stmt.op](), value=value)

    # ------------------------------------------------------------------ control

    def scoped(self, stmt: Scoped) -> list[Any]:
        """A `with`, `try … except` or `try … finally` around statements."""
        body = self.region(stmt.body) or [gast.Pass()]
        if stmt.sort == "with":
            target, through = stmt.targets
            name = (
                syntax.name(self.names[target], True) if self.uses.get(target) else None
            )
            item = gast.withitem(
                context_expr=self.expr(stmt.header[0]), optional_vars=name
            )
            block = gast.With(items=[item], body=body, type_comment=None)
            if not self.uses.get(through):
                return [block]
            ran = self.names[through]
            body.append(syntax.assign(syntax.name(ran, True), syntax.constant(True)))
            return [
                syntax.assign(syntax.name(ran, True), syntax.constant(False)),
                block,
            ]
        if stmt.sort == "finally":
            assert stmt.final is not None
            final = self.region(stmt.final) or [gast.Pass()]
            return [gast.Try(body=body, handlers=[], orelse=[], finalbody=final)]
        return self.attempt(stmt, body)

    def attempt(self, stmt: Scoped, body: list[Any]) -> list[Any]:
        """A body that may raise, and the flag that tells whether it did."""
        flag, error = stmt.targets
        caught = syntax.assign(
            syntax.name(self.names[flag], True), syntax.constant(True)
        )
        inner, own = [caught], None
        if self.uses.get(error):
            # The handler takes its own name away at its end.
            own = syntax.name(fresh("error", set(self.names.values())), True)
            inner.insert(0, syntax.assign(syntax.name(self.names[error], True),
                                          syntax.name(own.id)))  # fmt: skip
        types = [self.expr(e) for e in stmt.header]
        kind = types[0] if len(types) == 1 else syntax.sequence("tuple", types)
        handler = gast.ExceptHandler(type=kind, name=own, body=inner)
        start = syntax.assign(
            syntax.name(self.names[flag], True), syntax.constant(False)
        )
        return [start, gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])]

    def branch(self, stmt: If) -> list[Any]:
        then = self.region(stmt.then, self.copies(stmt.results, stmt.then.yields))
        saved, self.last = self.last, None
        orelse = self.region(stmt.orelse, self.copies(stmt.results, stmt.orelse.yields))
        self.last = None if self.commented else saved
        return self.conditional(stmt.cond, then, orelse)

    def conditional(self, cond: Expr, then: list[Any], orelse: list[Any]) -> list[Any]:
        test = self.expr(cond)
        if not then and not orelse:
            return []
        if not then:
            return [gast.If(test=_negated(test), body=orelse, orelse=[])]
        return [gast.If(test=test, body=then, orelse=orelse)]

    def loop(self, stmt: Loop) -> list[Any]:
        body = stmt.body
        out = self.copies(body.params, stmt.inits)
        saved, self.last = self.last, None
        ends = self.copies(body.params, body.yields)
        inner = None
        if body.stop is not None and not ends:
            inner = self.with_breaks(body)
        if inner is None:
            if body.stop is not None:
                ends.append(
                    gast.If(test=self.expr(body.stop), body=[gast.Break()], orelse=[])
                )
            inner = self.region(body, ends)
        self.last = None if self.commented else saved
        inner = inner or [gast.Pass()]
        if stmt.sort == "while":
            assert stmt.cond is not None
            out.append(gast.While(test=self.expr(stmt.cond), body=inner, orelse=[]))
            return out
        assert stmt.iterable is not None
        target = self.pattern(stmt.nested_target, stmt.targets)
        out.append(gast.For(target=target, iter=self.expr(stmt.iterable), body=inner,
                            orelse=[], type_comment=None))  # fmt: skip
        return out

    def pattern(self, nested: Any, targets: list[Value]) -> Any:
        if nested is None or isinstance(nested, int):
            value = targets[nested or 0]
            return syntax.name(self.names.get(value, "_"), store=True)
        items = [self.pattern(n, targets) for n in nested]
        return syntax.sequence("tuple", items, store=True)

    def with_breaks(self, body: Region) -> list[Any] | None:
        """The body with `break` in the arms that set its stop flag, if it can be."""
        if not body.stmts or not isinstance(body.stmts[-1], If):
            return None
        if not _breakable(body.stmts[-1], body.stop, self.uses):
            return None
        head = Region(stmts=body.stmts[:-1])
        out = self.region(head)
        assert body.stop is not None
        return out + self.breaking(body.stmts[-1], body.stop)

    def breaking(self, stmt: If, stop: Expr) -> list[Any]:
        """A branch in tail position, breaking where its arm says so."""
        assert isinstance(stop, Ref)
        k = stmt.results.index(stop.value)
        arms: list[list[Any]] = []
        for arm in (stmt.then, stmt.orelse):
            results = [r for r in stmt.results if r is not stop.value]
            yields = [y for j, y in enumerate(arm.yields) if j != k]
            copies = self.copies(results, yields)
            flag = arm.yields[k] if arm.yields else Lit(False)
            self.last = None
            if isinstance(flag, Ref) and not copies:
                inner = arm.stmts[-1]
                assert isinstance(inner, If)
                out = self.region(Region(stmts=arm.stmts[:-1]))
                arms.append(out + self.breaking(inner, flag))
            else:
                leave = [gast.Break()] if flag == Lit(True) else []
                arms.append(self.region(arm, copies + leave))
        then, orelse = arms
        if then and isinstance(then[-1], gast.Break):
            return [*self.conditional(stmt.cond, then, []), *orelse]
        return self.conditional(stmt.cond, then, orelse)

    def copies(self, targets: list[Value], exprs: list[Expr]) -> list[Any]:
        """Parallel copies as assignments in an order that keeps their meaning."""
        pending: list[tuple[str, Expr]] = []
        for target, expr in zip(targets, exprs, strict=False):
            name = self.names.get(target)
            if name is None or isinstance(expr, Undef):
                continue
            if isinstance(expr, Ref) and self.names[expr.value] == name:
                continue
            if isinstance(expr, Ref) and expr.value.maybe_undefined:
                self.loose[self.names[expr.value]] = None
            pending.append((name, expr))
        out: list[Any] = []
        while pending:
            ready = next(
                (c for c in pending if not self.read_by_others(c, pending)), None
            )
            if ready is None:
                left = syntax.target([n for n, _ in pending])
                right = syntax.sequence("tuple", [self.expr(e) for _, e in pending])
                return [*out, syntax.assign(left, right)]
            pending.remove(ready)
            out.append(syntax.assign(syntax.name(ready[0], True), self.expr(ready[1])))
        return out

    def read_by_others(
        self, copy: tuple[str, Expr], pending: list[tuple[str, Expr]]
    ) -> bool:
        from sourcegrad.ir_walk import refs

        return any(
            self.names[v] == copy[0] for other in pending if other is not copy
            for v in refs(other[1])
        )  # fmt: skip


def _breakable(stmt: If, stop: Expr | None, uses: dict[Value, int]) -> bool:
    """Whether the stop flag is set in the arms of a branch by literals only."""
    if not isinstance(stop, Ref) or stop.value not in stmt.results:
        return False
    if uses.get(stop.value, 0) != 1:
        return False
    k = stmt.results.index(stop.value)
    for arm in (stmt.then, stmt.orelse):
        if arm.ends:
            continue
        flag = arm.yields[k]
        if isinstance(flag, Lit):
            continue
        if len(arm.yields) > 1 or not (arm.stmts and isinstance(arm.stmts[-1], If)):
            return False
        if not _breakable(arm.stmts[-1], flag, uses):
            return False
    return True


def _negated(test: Any) -> Any:
    flipped = {
        gast.Lt: gast.GtE, gast.Gt: gast.LtE, gast.LtE: gast.Gt, gast.GtE: gast.Lt,
    }  # fmt: skip
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1:
        exact = {gast.Is: gast.IsNot, gast.IsNot: gast.Is}
        new = exact.get(type(test.ops[0]))
        if new is not None:
            return gast.Compare(
                left=test.left, ops=[new()], comparators=test.comparators
            )
    del flipped
    return gast.UnaryOp(op=gast.Not(), operand=test)


def count_uses(body: Region) -> dict[Value, int]:
    """How often each value is used."""
    counts: dict[Value, int] = {}
    for value in region_uses(body):
        counts[value] = counts.get(value, 0) + 1
    return counts


def _scaled(stmt: Store) -> tuple[str, Expr] | None:
    """Operation and number of `a[...] = a * 2.0`, which is `a *= 2.0`."""
    base, value = stmt.base, stmt.value
    if stmt.op is not None or stmt.index != Lit(Ellipsis) or not isinstance(base, Ref):
        return None
    kind = base.value.kind
    exact = isinstance(kind, Num) and str(kind.dtype).startswith(("float", "complex"))
    if not exact or not isinstance(value, Op) or value.op not in ("mul", "truediv"):
        return None
    x, y = value.args
    if value.op == "mul" and y == base:
        x, y = y, x
    if x != base or not isinstance(y, Lit) or type(y.value) not in (int, float):
        return None
    return value.op, y
