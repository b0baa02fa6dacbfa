"""Loops along lists that grow or shrink meanwhile.

    for task in queue:                    it = iter(queue)
        total += cost(task)         ->    while it.place < len(queue):
        if …:                                 …
            queue.append(task / 2)

A loop along active elements runs by index, as often as the list was long at first.
Python reads on while there is another item, so where the body changes the length of
the list, the loop reads it through a cursor (see `cursors`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sourcegrad.frontend import cursors
from sourcegrad.frontend.context import Restart
from sourcegrad.frontend.structs import Abstract
from sourcegrad.frontend.walks import called, operands
from sourcegrad.ir import Append, CallFn, Expr, Obj, Op, Ref, Region, Stmt, Value
from sourcegrad.ir_walk import stmt_exprs, walk, walk_expr
from sourcegrad.kinds import UNKNOWN, ListKind


def is_resized(b: Any, target: Any) -> bool:
    """Whether the loop that binds a target turned out to resize a list of its own."""
    return ("resized", b.site(target)) in b.context.derived


def require_fixed(b: Any, target: Any, parts: list[Expr], built: list[Stmt]) -> None:
    """Let the loop read through a cursor, if its body changes the length of a list it
    runs along.

    Args:
        b: the builder.
        target: what the loop binds.
        parts: the sequences that it runs along.
        built: the statements of the loop.

    Raises:
        Restart: it does.
    """
    lists = [
        p.value
        for p in parts
        if isinstance(p, Ref) and isinstance(p.value.kind, ListKind)
    ]
    if not lists or b.tentative:
        return
    changed = list(_resized(Region(stmts=built)))
    if any(_may_be_one(b, c, held) for c in changed for held in lists):
        b.context.derived["resized", b.site(target)] = True
        raise Restart


def _resized(region: Region) -> Iterator[Value]:
    """The lists whose length may change in a region."""
    for stmt in walk(region):
        if isinstance(stmt, Append) and isinstance(stmt.base, Ref):
            yield stmt.base.value
        if isinstance(stmt, CallFn):
            written = stmt.callee.written
            for k, arg in enumerate(stmt.args):
                if isinstance(arg, Ref) and isinstance(arg.value.kind, ListKind):
                    if written is None or k in written:
                        yield arg.value
        for expr in stmt_exprs(stmt):
            for part in walk_expr(expr):
                if isinstance(part, Op) and part.op == "pop":
                    if isinstance(part.args[0], Ref):
                        yield part.args[0].value


def _may_be_one(b: Any, changed: Value, held: Value) -> bool:
    """Whether two values may be the same list: not two displays, of which the changed
    one was put nowhere."""
    if changed is held or changed in b.put_lists:
        return True
    made = b.made.get(changed)
    new = isinstance(made, Op) and made.op in ("list", "mul", "add")
    return not new and (changed.kind == UNKNOWN or isinstance(changed.kind, ListKind))


def reading_on(b: Any, source: Abstract, node: Any) -> Abstract:
    """What a loop runs along that reads its lists item by item, as long as there are
    any."""
    fn = called(source) if isinstance(source, Op) else None
    if isinstance(source, Op) and (fn is enumerate or fn is zip):
        args, kw = operands(source)
        inner = [a if k and fn is enumerate else _cursor(b, a, node, fn)
                 for k, a in enumerate(args)]  # fmt: skip
        return b.lockstep(fn, inner, kw, node)
    made = _cursor(b, source, node, fn)
    if not cursors.is_cursor(made):
        return made
    return b.generator_of(Obj(cursors.remaining, "remaining"), [made], {}, node)


def _cursor(b: Any, source: Abstract, node: Any, fn: Any) -> Abstract:
    inner = called(source) if isinstance(source, Op) else None
    if inner is zip and fn is enumerate:
        return reading_on(b, source, node)
    if inner is reversed or inner is enumerate:
        raise b.unsupported(
            node, f"{inner.__name__} of a list whose length the loop changes",
            "loop over a copy, or by an index with while",
        )  # fmt: skip
    return b.call_value(b.binder.bind(iter, "iter"), [source], {}, node)
