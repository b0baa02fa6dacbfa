"""Out of SSA: every value gets a name, and values that can share one do.

Interference comes from liveness on the regions; values joined by a phi are given one
name unless they interfere, then versions of one of the user's names likewise.  The
copies that remain are emitted where regions end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sourcegrad.ir import (
    Append,
    Assign,
    Expr,
    If,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Stmt,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import defined, refs, region_uses, regions, stmt_exprs, walk
from sourcegrad.kinds import ListKind, is_scalar, strip
from sourcegrad.names import fresh
from sourcegrad.rules import registry


class _Graph:
    """Interference: which values are live while another is defined."""

    def __init__(self) -> None:
        self.index: dict[Value, int] = {}
        self.values: list[Value] = []
        self.conflicts: list[int] = []
        self.read = 0
        self.phis: list[tuple[Value, Value]] = []
        self.same: list[tuple[Value, Value]] = []

    def number(self, value: Value) -> int:
        found = self.index.get(value)
        if found is None:
            found = self.index[value] = len(self.values)
            self.values.append(value)
            self.conflicts.append(0)
        return found

    def mask(self, values: Iterable[Value]) -> int:
        found = 0
        for value in values:
            found |= 1 << self.number(value)
        return found

    def uses(self, exprs: Iterable[Expr]) -> int:
        found = self.mask(v for e in exprs for v in refs(e))
        self.read |= found
        return found

    def define(self, values: Iterable[Value], live: int) -> None:
        values = list(values)
        everything = live | self.mask(values)
        for value in values:
            k = self.number(value)
            self.conflicts[k] |= everything & ~(1 << k)

    def region(self, region: Region, live: int) -> int:
        """Liveness backwards through a region, from the set at its end."""
        for stmt in reversed(region.stmts):
            live = self.statement(stmt, live)
        return live

    def statement(self, stmt: Stmt, live: int) -> int:
        if isinstance(stmt, If):
            return self.branch(stmt, live)
        if isinstance(stmt, Loop):
            return self.loop(stmt, live)
        if isinstance(stmt, Scoped):
            return self.scoped(stmt, live)
        targets = defined(stmt)
        self.define(targets, live)
        return live & ~self.mask(targets) | self.uses(stmt_exprs(stmt))

    def scoped(self, stmt: Scoped, live: int) -> int:
        """Statements in a block that runs once: the flag is set before and after."""
        self.define(stmt.targets, live)
        held = live | self.mask(stmt.targets)
        for region in reversed(regions(stmt)):
            held = self.region(region, held)
        self.define(stmt.targets, held)
        return held & ~self.mask(stmt.targets) | self.uses(stmt.header)

    def branch(self, stmt: If, live: int) -> int:
        self.define(stmt.results, live)
        live &= ~self.mask(stmt.results)
        before = self.uses([stmt.cond])
        for arm in (stmt.then, stmt.orelse):
            self.link(stmt.results, arm.yields)
            before |= self.region(arm, 0 if arm.ends else live | self.uses(arm.yields))
        return before

    def loop(self, stmt: Loop, live: int) -> int:
        body = stmt.body
        self.define(stmt.results, live)
        after = live & ~self.mask(stmt.results)
        self.same += zip(stmt.results, body.params, strict=False)
        self.link(body.params, stmt.inits)
        self.link(body.params, body.yields)
        own = self.mask(body.params) | self.mask(stmt.targets)
        test = self.uses([stmt.cond] if stmt.cond is not None else [])
        leave = self.uses([body.stop] if body.stop is not None else [])
        around = (
            after
            | (self.mask(region_uses(body)) & ~own & ~self.inner(body))
            | (test & ~own)
        )
        start = self.region(body, around | self.uses(body.yields) | leave)
        held = start | around | test | leave
        self.define(body.params, held)
        for target in stmt.targets:
            self.define([target], start & ~self.mask(stmt.targets))
        outside = self.uses(stmt.inits)
        if stmt.iterable is not None:
            outside |= self.uses([stmt.iterable])
        return (start & ~own) | around | outside | (test & ~own)

    def inner(self, region: Region) -> int:
        from sourcegrad.ir_walk import region_defs

        return self.mask(region_defs(region))

    def link(self, targets: list[Value], exprs: list[Expr]) -> None:
        for target, expr in zip(targets, exprs, strict=False):
            if isinstance(expr, Ref):
                self.phis.append((target, expr.value))


class _Classes:
    """Values that will share a name."""

    def __init__(self, graph: _Graph, once: set[Value]) -> None:
        self.graph = graph
        count = len(graph.values)
        self.parent = list(range(count))
        self.members = [1 << k for k in range(count)]
        self.kinds = [{strip(v.kind)} for v in graph.values]
        self.repeats = [v not in once for v in graph.values]
        self.conflicts = list(graph.conflicts)
        for k in range(count):
            others = self.conflicts[k]
            while others:
                low = others & -others
                self.conflicts[low.bit_length() - 1] |= 1 << k
                others ^= low

    def find(self, k: int) -> int:
        while self.parent[k] != k:
            self.parent[k] = self.parent[self.parent[k]]
            k = self.parent[k]
        return k

    def alike(self, a: Value, b: Value) -> bool:
        """Whether one name may hold both: in a loop it has one kind."""
        i, j = self.find(self.graph.number(a)), self.find(self.graph.number(b))
        same = len(self.kinds[i] | self.kinds[j]) == 1
        return same or not (self.repeats[i] or self.repeats[j])

    def join(self, a: Value, b: Value, force: bool = False) -> bool:
        i, j = self.find(self.graph.number(a)), self.find(self.graph.number(b))
        if i == j:
            return True
        if not force and self.conflicts[i] & self.members[j]:
            return False
        self.parent[j] = i
        self.members[i] |= self.members[j]
        self.kinds[i] |= self.kinds[j]
        self.repeats[i] |= self.repeats[j]
        self.conflicts[i] |= self.conflicts[j]
        return True


def run(
    params: list[Value], body: Region, taken: set[str], given: list[Value] | None = None
) -> dict[Value, str]:
    """Names for all values of a function.

    Args:
        params: the parameters of the generated function; they keep their names.
        body: its region.
        taken: names in use; the names given are added.
        given: values bound at the start, all at once, under names chosen here.
    """
    graph = _Graph()
    live = graph.region(body, graph.uses(body.yields))
    graph.define([*params, *(given or [])], live)
    once = {
        v for stmt in body.stmts for v in defined(stmt) if not isinstance(stmt, Loop)
    }
    classes = _Classes(graph, once)
    for a, b in graph.same:
        classes.join(a, b, force=True)
    for target, source in graph.phis:
        if not (source in params and target.name != source.name):
            classes.join(target, source)
    for popped, pushed in _kept_on_stacks(body):
        if classes.alike(popped, pushed):
            classes.join(popped, pushed)
    lasting = [v for v in graph.values if not v.temp]
    _share_names([*params, *lasting], classes)
    _hand_on(body, classes, set(params))
    _share_names([v for v in graph.values if v.temp], classes)
    return _name(graph, classes, params, taken)


def _kept_on_stacks(body: Region) -> Iterator[tuple[Value, Value]]:
    """What the reverse sweep takes from a stack, and what was put there as it."""
    put: dict[Value, list[tuple[Expr, ...]]] = {}
    for stmt in walk(body):
        if isinstance(stmt, Append) and isinstance(stmt.base, Ref):
            put.setdefault(stmt.base.value, []).append(_items(stmt.value))
        taken = stmt.expr if isinstance(stmt, (Assign, Unpack)) else None
        if isinstance(taken, Op) and taken.op == "pop":
            stack, targets = taken.args[0], defined(stmt)
            for items in put.get(stack.value, []) if isinstance(stack, Ref) else []:
                if len(items) == len(targets):
                    for target, item in zip(targets, items, strict=True):
                        if isinstance(item, Ref):
                            yield target, item.value


def _items(expr: Expr) -> tuple[Expr, ...]:
    return expr.args if isinstance(expr, Op) and expr.op == "tuple" else (expr,)


def _hand_on(body: Region, classes: _Classes, params: set[Value]) -> None:
    """A temporary that ends where a value is made of it has that value's name.

    So `t = w @ x; y = t + b` becomes `y = w @ x; y = y + b`, and memory is freed.
    """
    for stmt in walk(body):
        if not isinstance(stmt, Assign) or stmt.target in params:
            continue
        target = stmt.target
        for value in _carried(stmt.expr):
            if not value.temp or value.key or is_scalar(value.kind):
                continue
            if any(
                value.name.endswith(e) != target.name.endswith(e)
                for e in ("_bar", "_dot")
            ):
                continue
            if value.varied != target.varied:  # of different sweeps
                continue
            same = strip(target.kind) == strip(value.kind)
            if not (same or isinstance(target.kind, ListKind)):
                continue
            if classes.alike(target, value) and classes.join(target, value):
                break


def _carried(expr: Expr) -> Iterator[Value]:
    """Values that an expression changes element by element, or rearranges."""
    if isinstance(expr, Ref):
        yield expr.value
    elif isinstance(expr, Op) and (expr.op in _ELEMENTWISE or _rearranges(expr)):
        for arg in expr.args:
            yield from _carried(arg)


def _rearranges(expr: Op) -> bool:
    fn = expr.args[0] if expr.op == "call" else None
    if isinstance(fn, Op):
        return fn.op == "attr" and fn.data in ("reshape", "copy", "transpose")
    if not isinstance(fn, Obj) or getattr(type(fn.obj), "__hash__", None) is None:
        return False
    rule = registry.lookup(fn.obj)
    return (
        fn.obj is list
        or fn.obj is np.where
        or rule is not None
        and (rule.result_may_view or rule.kind == "elementwise")
    )


_ELEMENTWISE = frozenset({"add", "sub", "mul", "truediv", "pow", "neg", "attr"})


def _share_names(values: list[Value], classes: _Classes) -> None:
    """Versions of one name share it where they are not alive at once.

    In code that runs once their kinds may differ; a name in a loop has one kind.
    """
    seen: dict[str, list[Value]] = {}
    for value in values:
        group = seen.setdefault(value.name, [])
        for other in group:
            if classes.alike(other, value) and classes.join(other, value):
                break
        else:
            group.append(value)


def _name(
    graph: _Graph, classes: _Classes, params: list[Value], taken: set[str]
) -> dict[Value, str]:
    chosen: dict[int, str] = {}
    for param in params:
        chosen[classes.find(graph.number(param))] = param.name
        taken.add(param.name)
    best: dict[int, Value] = {}
    for value in reversed(graph.values):
        root = classes.find(graph.index[value])
        known = best.get(root)
        if known is None or (known.temp and not value.temp) or known.name in ("t", "g"):
            best[root] = value
    for value in reversed(graph.values):
        root = classes.find(graph.index[value])
        if root not in chosen:
            name = best[root].name
            if name == "_" and classes.members[root] & graph.read:
                name = "t"  # a name that unread values share would be overwritten
            chosen[root] = "_" if name == "_" else fresh(name, taken)
    return {v: chosen[classes.find(k)] for v, k in graph.index.items()}
