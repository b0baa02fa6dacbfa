"""Which statements have effects that someone could notice when they run again."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import gast

from sourcegrad.analysis.writes import writes_outside
from sourcegrad.frontend.purity import CALM, effects_of
from sourcegrad.ir import (
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Plain,
    Ref,
    Region,
    Scoped,
    Value,
    attr,
    call,
)
from sourcegrad.ir_walk import stmt_exprs, walk
from sourcegrad.kinds import Num, draws

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
    own = made_here(body)
    for stmt in walk(body):
        if isinstance(stmt, Scoped) and not is_unseen(stmt):
            yield SOMETHING
        if isinstance(stmt, Plain) and stmt.puts:
            yield SOMETHING
        for expr in stmt_exprs(stmt):
            for e in effects_of(expr):
                if isinstance(e, Op) and e.op == "raw":
                    yield from noticed_in_tree(e)
                elif not (
                    is_followed(e)
                    or is_own(e, own)
                    or is_own_generator(e, own)
                    or changes_own(e, own)
                    or draws_from_own(e, own)
                ):
                    yield e


_CONTAINERS = (set, dict, list, deque, Counter, OrderedDict)
_CHANGES = frozenset(
    "add discard remove append insert clear popitem setdefault appendleft popleft "
    "rotate reverse update extend intersection_update difference_update "
    "symmetric_difference_update".split()
)


# By their names: `numpy.random` is not imported for this.
_MAKERS = frozenset(
    "default_rng Generator RandomState PCG64 MT19937 Philox SFC64 Random".split()
)
_SHUFFLES = frozenset(("shuffle", "permuted", "bit_generator"))


def is_own_generator(e: Expr, own: set[Value]) -> bool:
    """Whether an expression makes a generator of random numbers from a seed that is a
    number: it draws the same in each run."""
    fn = called(e)
    home = str(getattr(fn, "__module__", ""))
    known = home == "random" or home.startswith("numpy.random")
    if not known or getattr(fn, "__name__", "") not in _MAKERS:
        return False
    if not isinstance(e, Op) or len(e.args) != 2:
        return False
    seed = e.args[1]
    if isinstance(seed, Ref):
        return seed.value in own or isinstance(seed.value.kind, Num)
    return isinstance(seed, Lit) and type(seed.value) is int


def made_here(body: Region) -> set[Value]:
    """The lists, dicts, sets and seeded generators that a region makes."""
    own: set[Value] = set()
    for stmt in walk(body):
        if isinstance(stmt, Assign) and (
            is_own(stmt.expr, own) or is_own_generator(stmt.expr, own)
        ):
            own.add(stmt.target)
    return own


def is_own(e: Expr, own: set[Value]) -> bool:
    """Whether an expression makes a list, dict or set, and changes nothing in that."""
    if not isinstance(e, Op):
        return False
    if e.op in ("list", "dict", "set", "raw"):
        return True
    fn = called(e)
    kept = any(fn is c for c in _CONTAINERS)
    return kept and all(reads_own(a, own) for a in e.args[1:])


def reads_own(e: Expr, own: set[Value]) -> bool:
    """Whether iterating over an operand changes nothing that others hold."""
    if isinstance(e, Ref):
        return e.value in own or isinstance(e.value.kind, Num)
    return isinstance(e, Lit) or called(e) is range or is_own(e, own)


def changes_own(e: Expr, own: set[Value]) -> bool:
    """Whether an operation only changes a container that was made here."""
    if not (isinstance(e, Op) and e.op == "call"):
        return False
    fn = e.args[0]
    if not (isinstance(fn, Op) and fn.op == "attr" and fn.data in _CHANGES):
        return False
    base = fn.args[0]
    if not (isinstance(base, Ref) and base.value in own):
        return False
    one = fn.data in ("add", "discard", "remove", "append", "insert", "appendleft")
    return one or all(reads_own(a, own) for a in e.args[1:])


def draws_from_own(e: Expr, own: set[Value]) -> bool:
    """Whether an operation draws from a generator that was made here."""
    if not isinstance(e, Op) or e.op != "call":
        return False
    fn = e.args[0]
    if not (isinstance(fn, Op) and fn.op == "attr" and isinstance(fn.args[0], Ref)):
        return False
    drawn = fn.args[0].value in own and draws(fn.args[0].value.kind)
    return drawn and fn.data not in _SHUFFLES and "out" not in (e.data or ())


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
