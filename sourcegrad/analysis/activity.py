"""Activity: which values are useful, that is, may influence an output of interest.

Whether a value is *varied* is known from the frontend, which infers it together with
kinds.  A value is active if it is both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sourcegrad.analysis.effects import Effects
from sourcegrad.ir import (
    Append,
    Assign,
    CallFn,
    Expr,
    If,
    Loop,
    Ref,
    Region,
    Store,
    Unpack,
    Value,
    refs,
    walk,
)


def run(body: Region, outputs: Iterable[Value], effects: Effects) -> set[Value]:
    """The useful values of a function body.

    Args:
        body: the region of the function.
        outputs: the values of interest.
        effects: its alias classes: a store into a useful class is useful, and so is
            one into what a useful container holds.
    """
    sources = _dependences(body, effects)
    useful: set[Value] = set()
    work = list(outputs)
    while work:
        value = work.pop()
        for v in (value, *effects.reach(value)):
            if v not in useful:
                useful.add(v)
                work += sources.get(v, ())
    return useful


def is_useful(value: Value, useful: set[Value], effects: Effects) -> bool:
    """Whether a value or the memory it shares is useful."""
    return value in useful or effects.find(value) in useful


def _dependences(body: Region, fx: Effects) -> dict[Value, list[Value]]:
    sources: dict[Value, list[Value]] = defaultdict(list)

    def depend(targets: Iterable[Value], exprs: Iterable[Expr]) -> None:
        found = [v for e in exprs for v in refs(e)]
        for target in targets:
            sources[target] += found
            sources[fx.find(target)] += found

    for stmt in walk(body):
        match stmt:
            case Assign(target=target, expr=expr):
                depend([target], [expr])
            case Unpack(targets=targets, expr=expr):
                depend(targets, [expr])
            case CallFn(targets=targets, args=args):
                written = [v for k in sorted(stmt.callee.written or ())
                           for v in refs(args[k])]  # fmt: skip
                depend([*targets, *written, *map(fx.find, written)], args)
            case (
                Store(base=Ref(value=base), value=value)
                | Append(base=Ref(value=base), value=value)
            ):
                depend([base, fx.find(base)], [value])
            case If():
                for k, result in enumerate(stmt.results):
                    arms = [
                        r.yields[k]
                        for r in (stmt.then, stmt.orelse)
                        if k < len(r.yields)
                    ]
                    depend([result], arms)
            case Loop():
                for k, param in enumerate(stmt.body.params):
                    inner = stmt.body.yields[k : k + 1]
                    depend([param], [stmt.inits[k], *inner])
                    if k < len(stmt.results):
                        depend([stmt.results[k]], [Ref(param)])
    return sources
