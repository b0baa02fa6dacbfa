"""Activity: which values are useful, that is, may influence an output of interest.

Whether a value is *varied* is known from the frontend, which infers it together with
kinds.  A value is active if it is both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

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
)
from sourcegrad.ir_walk import refs, walk


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

    for targets, exprs in definitions(body):
        depend(targets, exprs)
    for stmt in walk(body):
        if isinstance(stmt, CallFn):
            written = [v for k in sorted(stmt.callee.written or ())
                       for v in refs(stmt.args[k])]  # fmt: skip
            depend([*stmt.targets, *written], stmt.args)
    return sources


def definitions(body: Region) -> Iterator[tuple[list[Value], list[Expr]]]:
    """Values, and what they are made of: by assignments, stores, branches and loops.

    Args:
        body: the region; calls of pairs in it are left to the caller.
    """
    for stmt in walk(body):
        match stmt:
            case Assign(target=target, expr=expr):
                yield [target], [expr]
            case Unpack(targets=targets, expr=expr):
                yield list(targets), [expr]
            case (
                Store(base=Ref(value=base), value=value)
                | Append(base=Ref(value=base), value=value)
            ):
                yield [base], [value]
            case If():
                for k, result in enumerate(stmt.results):
                    arms = (stmt.then, stmt.orelse)
                    yield [result], [e for r in arms for e in r.yields[k : k + 1]]
            case Loop():
                for k, param in enumerate(stmt.body.params):
                    yield [param], [stmt.inits[k], *stmt.body.yields[k : k + 1]]
                    if k < len(stmt.results):
                        yield [stmt.results[k]], [Ref(param)]
