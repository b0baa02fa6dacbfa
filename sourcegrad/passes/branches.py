"""Branches of the forward sweep that only the same branch of the reverse sweep reads.

if not test:                          if test:
    n = n - 1                             x_bar = y_bar
if test:                       ->     else:
    x_bar = y_bar                         n = n - 1
else:                                     x_bar = g_grad(x, n, y_bar)
    x_bar = g_grad(x, n, y_bar)
"""

from __future__ import annotations

from collections import Counter

from sourcegrad.analysis import effects
from sourcegrad.analysis.views import has_memory
from sourcegrad.frontend.purity import pure
from sourcegrad.ir import UNDEF, Assign, Function, If, Ref, Region, Value
from sourcegrad.ir_walk import map_region, refs, region_uses, substitute


def run(whole: Region, head: int) -> None:
    """Move such branches to where they are read, in place.

    Args:
        whole: both sweeps.
        head: where the reverse sweep begins.
    """
    fx = effects.run(Function("branches", [], Region(stmts=whole.stmts)))
    counts = Counter(region_uses(whole))
    later = [s for s in whole.stmts[head:] if isinstance(s, If)]
    for stmt in [s for s in whole.stmts[:head] if isinstance(s, If)]:
        same = [s for s in later if s.cond == stmt.cond and isinstance(s.cond, Ref)]
        if same and _only_computes(stmt, fx) and _sole_reader(stmt, same[0], counts):
            _move(stmt.then, same[0].then, stmt.results)
            _move(stmt.orelse, same[0].orelse, stmt.results)
            whole.stmts.remove(stmt)


def _only_computes(stmt: If, fx: effects.Effects) -> bool:
    """Whether both arms are assignments that may as well be made later."""
    return all(
        isinstance(s, Assign)
        and pure(s.expr)
        and not any(has_memory(v) and fx.is_mutated(v) for v in refs(s.expr))
        for arm in (stmt.then, stmt.orelse)
        for s in arm.stmts
    )


def _sole_reader(stmt: If, reader: If, counts: Counter[Value]) -> bool:
    """Whether what the arms make is used in the same arms of the reader only."""
    for made, arm in ((stmt.then, reader.then), (stmt.orelse, reader.orelse)):
        own, used = Counter(region_uses(made)), Counter(region_uses(arm))
        targets = [s.target for s in made.stmts if isinstance(s, Assign)]
        if any(own[v] + used[v] != counts[v] for v in targets):
            return False
        for result, end in zip(stmt.results, made.yields, strict=True):
            if used[result] and end == UNDEF:
                return False
    everywhere = Counter(region_uses(reader.then)) + Counter(region_uses(reader.orelse))
    return all(everywhere[v] == counts[v] for v in stmt.results)


def _move(made: Region, arm: Region, results: list[Value]) -> None:
    """The statements of an arm go to the front of another, which reads its yields."""
    ends = dict(zip(results, made.yields, strict=True))
    map_region(arm, lambda e: substitute(e, ends.get))
    arm.stmts[:0] = made.stmts
