"""What was computed before is not computed again.

    a = x[i]                a = x[i]
    b = x[i]         ->     y = a * a
    y = a * b

On the primal, before it is differentiated: the cotangent of the one value is that of
both.  Only temporaries go.  A value that reads memory does for another one as long as
nothing writes in between; an array does if nobody could tell the two apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from sourcegrad.analysis import effects
from sourcegrad.analysis.effects import Effects
from sourcegrad.analysis.views import has_memory, view_bases
from sourcegrad.analysis.writes import writes
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import (
    BINARY,
    UNARY,
    Assign,
    Expr,
    Function,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Scoped,
    Value,
)
from sourcegrad.ir_walk import (
    map_region,
    refs,
    region_defs,
    regions,
    stmt_exprs,
    substitute,
    walk,
)
from sourcegrad.kinds import Num
from sourcegrad.rules import registry

_COMPUTED = frozenset({*BINARY, *UNARY, "compare", "getitem", "attr", "call"})
_ARITHMETIC = frozenset({*BINARY, *UNARY, "compare"})
# What a decision computed, or what a derivative was stopped at, carries none: it does
# not do for the same expression where one passes through it.
_Known = dict[tuple[Expr, bool], Value]


def run(function: Function, keep: frozenset[Value] = frozenset()) -> None:
    """Merge repeated computations, in place.

    Args:
        function: a primal.
        keep: values that something outside of the body refers to.
    """
    candidates = [s for s in walk(function.body) if _may_go(s, keep)]
    exprs = [s.expr for s in candidates if isinstance(s, Assign)]
    if len(set(exprs)) == len(exprs):
        return
    merger = _Merger(effects.run(function), keep, set(_exposed(function.body)))
    merger.region(function.body, {})
    if merger.found:
        map_region(function.body, lambda e: substitute(e, merger.find))
        for value in region_defs(function.body):
            if value.like is not None:
                value.like = merger.found.get(value.like, value.like)


def _may_go(stmt: object, keep: frozenset[Value]) -> bool:
    if not isinstance(stmt, Assign) or not stmt.target.temp or stmt.target in keep:
        return False
    known = isinstance(stmt.target.kind, Num) and not stmt.target.maybe_undefined
    computed = isinstance(stmt.expr, Op) and stmt.expr.op in _COMPUTED
    return known and computed and pure(stmt.expr)


class _Merger:
    def __init__(
        self, fx: Effects, keep: frozenset[Value], exposed: set[Value]
    ) -> None:
        self.fx = fx
        self.keep = keep
        self.exposed = exposed
        self.found: dict[Value, Value] = {}

    def find(self, value: Value) -> Expr | None:
        return Ref(self.found[value]) if value in self.found else None

    def region(self, region: Region, known: _Known) -> None:
        kept = []
        for stmt in region.stmts:
            if isinstance(stmt, Assign) and _may_go(stmt, self.keep):
                expr = substitute(stmt.expr, self.find)
                key = expr, stmt.target.varied
                first = known.get(key)
                if first is not None and self.alike(stmt.target, first, expr):
                    self.found[stmt.target] = first
                    continue
                known.setdefault(key, stmt.target)
            wrote = writes(stmt)
            if wrote and isinstance(stmt, Loop):
                self.forget(known)
            for inner in regions(stmt):
                if wrote and isinstance(stmt, Scoped) and inner is stmt.final:
                    self.forget(known)  # it runs behind the body
                self.region(inner, dict(known))
            if wrote:
                self.forget(known)
            kept.append(stmt)
        region.stmts = kept

    def alike(self, value: Value, first: Value, expr: Expr) -> bool:
        """Whether nobody could tell the value from the first one of the expression."""
        if not has_memory(value) or view_bases(expr):
            return True
        written = self.fx.is_mutated(value) or self.fx.is_mutated(first)
        return not written and value not in self.exposed

    def forget(self, known: _Known) -> None:
        """Drop what was read from memory that a statement may have written."""
        for key in [k for k in known if self.reads_written(k[0])]:
            del known[key]

    def reads_written(self, expr: Expr) -> bool:
        return any(has_memory(v) and self.fx.is_mutated(v) for v in refs(expr))


def _exposed(region: Region) -> Iterator[Value]:
    """Values that are used as objects, not only for what they hold."""
    for stmt in walk(region):
        for expr in stmt_exprs(stmt):
            yield from _objects(expr)
        for inner in regions(stmt):
            yield from (v for e in inner.yields for v in refs(e))
    yield from (v for e in region.yields for v in refs(e))


def _objects(expr: Expr) -> Iterator[Value]:
    if isinstance(expr, Ref):
        yield expr.value
    elif isinstance(expr, Op):
        inert = expr.op in _ARITHMETIC or expr.op == "call" and _only_reads(expr)
        for arg in expr.args:
            if not (inert and isinstance(arg, Ref)):
                yield from _objects(arg)


def _only_reads(expr: Op) -> bool:
    """Whether a call hands on nothing of the arrays that it is given."""
    fn = expr.args[0]
    if not isinstance(fn, Obj) or getattr(type(fn.obj), "__hash__", None) is None:
        return False
    rule = registry.lookup(fn.obj)
    return rule is not None and rule.pure and not rule.result_may_view
