"""Which statements have effects that someone could notice when they run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import gast

from sourcegrad.analysis.writes import writes_outside
from sourcegrad.frontend.purity import CALM, effects_of
from sourcegrad.ir import (
    Expr,
    Lit,
    Obj,
    Op,
    Region,
    Scoped,
    attr,
    call,
    stmt_exprs,
    walk,
)

SOMETHING = Lit("an effect")


@dataclass
class Quiet:
    """What the user's functions do that are called as they are: `effects` holds, for
    each, the operations with an effect that its body was seen to have."""

    effects: dict[FunctionType, set[Expr]] = field(default_factory=dict)

    def saw(self, fn: FunctionType, body: Region) -> None:
        """Note what a function does, built for one call of it."""
        found = self.effects.setdefault(fn, set())
        found |= set(noticed(body))
        if writes_outside(body):
            found.add(SOMETHING)

    def unseen(self, fn: FunctionType) -> None:
        """Note that it is not known what a function does in one call of it."""
        self.effects.setdefault(fn, set()).add(SOMETHING)

    def is_quiet(self, body: Region) -> bool:
        """Whether no statement of a region has an effect outside."""
        todo, done = list(noticed(body)), set()
        while todo:
            e = todo.pop()
            fn = called(e)
            if not isinstance(fn, FunctionType) or fn not in self.effects:
                return False
            if fn not in done:
                done.add(fn)
                todo += self.effects[fn]
        return True


def noticed(body: Region) -> Iterator[Expr]:
    """The operations of a region with effects outside, but for what it pops and for
    calls of what is generated too."""
    for stmt in walk(body):
        if isinstance(stmt, Scoped) and not is_unseen(stmt):
            yield SOMETHING
        for expr in stmt_exprs(stmt):
            for e in effects_of(expr):
                if isinstance(e, Op) and e.op == "raw":
                    yield from noticed_in_tree(e)
                elif not is_followed(e):
                    yield e


def noticed_in_tree(e: Op) -> Iterator[Expr]:
    """The same of the calls in a tree of the user's that is kept as it is."""
    tree, names = e.data
    held = dict(zip(names, e.args, strict=True))
    for node in gast.walk(tree):
        if isinstance(node, gast.Await):
            yield SOMETHING
        elif isinstance(node, gast.Call):
            fn = found_in_tree(node.func, held)
            if fn is None and isinstance(node.func, gast.Attribute):
                yield from effects_of(call(attr(SOMETHING, node.func.attr)))
            else:
                yield from effects_of(call(SOMETHING if fn is None else fn))


def found_in_tree(node: Any, held: dict[str, Expr]) -> Obj | None:
    """The object that a name, or an attribute of one of a module, stands for."""
    if isinstance(node, gast.Name):
        found = held.get(node.id)
        return found if isinstance(found, Obj) else None
    if not isinstance(node, gast.Attribute):
        return None
    of = found_in_tree(node.value, held)
    if of is None or not isinstance(of.obj, ModuleType):
        return None
    return Obj(getattr(of.obj, node.attr), f"{of.path}.{node.attr}")


def called(e: Expr) -> Any:
    """The function that an operation calls, where that is known."""
    fn = e.args[0] if isinstance(e, Op) and e.op == "call" else None
    return fn.obj if isinstance(fn, Obj) else None


def is_followed(e: Expr) -> bool:
    """Whether what an operation does is known: it pops, or calls what is built too."""
    return isinstance(e, Op) and e.op == "pop" or isinstance(called(e), tuple)


def is_unseen(stmt: Scoped) -> bool:
    """Whether nobody sees that a block was entered."""
    if stmt.sort in ("attempt", "finally"):
        return True
    return all(any(called(e) is fn for fn in CALM) for e in stmt.header)
