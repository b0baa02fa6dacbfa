"""What the primal may raise, where nothing else would tell.

A derivative need not compute the value of its function: that of `math.log(x) + int(s)`
reads neither the logarithm nor the number. But where the function raises it has no
derivative, so that dead code keeps what may raise, for the sake of the exception:

    y = math.log(x)           math.log(x)
    y_bar = 1.0        --->   x_bar = 1.0 / x
    x_bar = y_bar / x

It does not keep an operation whose derivative raises where it does, as that of `1 / x`,
nor what the reverse sweep evaluates again in the same case.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from sourcegrad.analysis.activity import is_useful
from sourcegrad.analysis.effects import Effects
from sourcegrad.ir import (
    Assign,
    Expr,
    If,
    Lit,
    Loop,
    Obj,
    Op,
    Ref,
    Region,
    Stmt,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import defined, regions, stmt_exprs, walk_expr
from sourcegrad.kinds import (
    INT,
    STR,
    Kind,
    Num,
    TupleKind,
    is_array,
    is_scalar,
)
from sourcegrad.rules import registry
from sourcegrad.rules.methods import METHODS

Infer = Callable[[Expr], Kind]
_Path = frozenset[tuple[int, int]]

_LAZY = frozenset({"and", "or", "ifexp", "compare"})
_ELEMENTWISE = frozenset({"add", "sub", "mul", "truediv", "floordiv", "mod", "pow"})
_OF_TEXT = (builtins.int, builtins.float, builtins.complex)
_PRODUCTS = (np.dot, np.inner, np.matmul, np.vdot)
_CAREFUL_BUILTINS = (*_OF_TEXT, divmod, pow, round, min, max, ord, chr)


class Raising:
    """Tells of the statements of a primal which parts may raise.

    Args:
        body: the primal, before anything of a derivative stands in it.
        useful: the values that influence an output of interest.
        effects: its alias classes.
        infer: tells kinds.
    """

    def __init__(
        self, body: Region, useful: set[Any], effects: Effects, infer: Infer
    ) -> None:
        self.infer = infer
        self.active: dict[Stmt, bool] = {}
        self.paths: dict[Stmt, _Path] = {}
        self.bounded: dict[Value, Expr] = {}
        self.again: dict[Expr, list[_Path]] = {}
        for stmt, path in _placed(body, frozenset()):
            self.active[stmt] = any(
                v.varied and is_useful(v, useful, effects) for v in defined(stmt)
            )
            self.paths[stmt] = path
            if isinstance(stmt, Loop):
                self.bounded |= _bounds(stmt, effects)

    def meet(self, reverse: Region) -> None:
        """Note what a reverse sweep, which names its mirrors, evaluates again."""
        self.again.clear()
        for stmt, path in _placed(reverse, frozenset()):
            for expr in stmt_exprs(stmt):
                for e in walk_expr(expr):
                    if isinstance(e, Op):
                        self.again.setdefault(e, []).append(path)
        for e in reverse.yields:
            self.again.setdefault(e, []).append(frozenset())

    def __call__(self, stmt: Stmt) -> list[Expr]:
        """The expressions that tell, where the statement is left out."""
        if stmt not in self.active:
            return []
        path = self.paths[stmt]
        return [
            e
            for e in dict.fromkeys(self.told(stmt))
            if not any(other <= path for other in self.again.get(e, ()))
        ]

    def told(self, stmt: Stmt) -> list[Expr]:
        """The same, with what the reverse sweep evaluates."""
        match stmt:
            case Assign(expr=e) | Unpack(expr=e):
                return self.parts(e, self.active[stmt])
            case If(cond=e):
                return self.parts(e, False)
            case Loop(sort="for", iterable=Expr() as e):
                return self.parts(e, False)
        return []

    def parts(self, e: Expr, active: bool = False) -> list[Expr]:
        """The largest expressions in a tree that may raise."""
        if not isinstance(e, Op) or e.op == "raw":
            return []
        if self.may_raise(e, active):
            return [e]
        found = [self.parts(a) for a in e.args]
        if e.op in _LAZY and any(found[1:]):
            return [e]
        return [part for parts in found for part in parts]

    def may_raise(self, e: Op, active: bool) -> bool:
        """Whether an operation may raise by itself.

        Args:
            e: the operation.
            active: its derivative is computed as well.
        """
        if e.op == "call":
            return self.call_raises(e, active)
        kinds = [self.infer(a) for a in e.args]
        if e.op == "matmul":
            return _may_miss(e.args, kinds, active)
        if e.op in ("truediv", "floordiv", "mod", "pow") and not any(map(_calm, kinds)):
            divides = e.op == "truediv" and active
            return not divides and not _never_zero(e.op, e.args[1])
        if active:
            return False
        if e.op == "getitem":
            return not (_always_there(kinds[0], e.args[1]) or self.is_bounded(e))
        return e.op in _ELEMENTWISE and _may_disagree(kinds)

    def is_bounded(self, e: Op) -> bool:
        """Whether the index runs over the length of what is read."""
        base, index = e.args
        return isinstance(index, Ref) and self.bounded.get(index.value) == base

    def call_raises(self, e: Op, active: bool) -> bool:
        """The same of a call."""
        fn, operands = _function(e)
        home = str(getattr(fn, "__module__", ""))
        if fn is None or home.partition(".")[0] == "sourcegrad":
            return False  # a part of a derivative that nobody asks for need not exist
        kinds = [self.infer(a) for a in operands]
        if any(fn is careful for careful in _CAREFUL_BUILTINS):
            return not (all(map(_is_whole, kinds)) or _converts(fn, kinds))
        rule = registry.lookup(fn)
        if rule is None:
            return False
        if any(fn is product for product in _PRODUCTS):
            return _may_miss(operands, kinds, active)
        if rule.raises or active:
            return rule.raises is True or bool(rule.raises and not active)
        if rule.kind == "elementwise":
            return _may_disagree(kinds)
        if len(kinds) == 1 and vars(np).get(getattr(fn, "__name__", "")) is fn:
            return False  # such as a sum over all axes
        return rule.kind in ("adjoint", "composite")


def _placed(region: Region, path: _Path) -> Iterator[tuple[Stmt, _Path]]:
    """The statements of a region, each with the arms of primal statements around it."""
    for stmt in region.stmts:
        yield stmt, path
        mirror = getattr(stmt, "mirror", None) or stmt
        for k, inner in enumerate(regions(stmt)):
            yield from _placed(inner, path | {(id(mirror), k)})


def _bounds(loop: Loop, effects: Effects) -> dict[Value, Expr]:
    """The target of a loop over `range(len(c))`, and `c`."""
    match loop.iterable:
        case Op(op="call", args=(Obj(obj=builtins.range), Op(op="call") as length)):
            fn, *args = length.args
            if isinstance(fn, Obj) and fn.obj is len and isinstance(args[0], Ref):
                if not effects.is_mutated(args[0].value):
                    return {loop.targets[0]: args[0]}
    return {}


def nothing(stmt: Stmt) -> list[Expr]:
    """Of no statement anything is kept for what it may raise."""
    return []


def _function(e: Op) -> tuple[Any, tuple[Expr, ...]]:
    """The library function of a call or of a method, and its operands."""
    fn, *operands = e.args
    if isinstance(fn, Obj):
        return fn.obj, tuple(operands)
    if isinstance(fn, Op) and fn.op == "attr" and fn.data in METHODS:
        return METHODS[fn.data], (fn.args[0], *operands)
    return None, ()


def _calm(kind: Kind) -> bool:
    """Whether arithmetic on it warns instead of raising, or is none."""
    return kind == STR or (
        isinstance(kind, Num) and kind.flavor in ("np", "array") and kind.dtype != "O"
    )


def _is_whole(kind: Kind) -> bool:
    dtype = kind.dtype if isinstance(kind, Num) and is_scalar(kind) else None
    return kind == INT or str(dtype).startswith(("int", "uint"))


def _converts(fn: Any, kinds: list[Kind]) -> bool:
    """Whether `float(x)` or `complex(x)` is of a number."""
    return fn is not builtins.int and fn in _OF_TEXT and all(map(is_scalar, kinds))


def _never_zero(op: str, right: Expr) -> bool:
    """Whether the right operand is a number that no left one is wrong for."""
    known = isinstance(right, Lit) and isinstance(right.value, (int, float))
    if not known:
        return False
    assert isinstance(right, Lit)
    return right.value >= 0 if op == "pow" else right.value != 0


def _may_miss(operands: Sequence[Expr], kinds: list[Kind], active: bool) -> bool:
    """Whether a product may find lengths that differ, and its adjoint does not.

    The product of two vectors is a number: its cotangent has no shape to tell.
    """
    first, second = operands[:2], kinds[:2]
    known = [k.shape for k in second if isinstance(k, Num) and k.shape is not None]
    if len(first) == 2 and (first[0] == first[1] or _is_pair(known)):
        return False
    return not active or all(map(_may_be_vector, second))


def _is_pair(known: list[Any]) -> bool:
    return len(known) == 2 and known[0] == known[1]


def _may_be_vector(kind: Kind) -> bool:
    return not isinstance(kind, Num) or kind.ndim in (None, 1)


def _always_there(kind: Kind, index: Expr) -> bool:
    """Whether a container is known to have an item."""
    if isinstance(index, Op) and index.op == "slice":
        return True
    if isinstance(kind, TupleKind) and isinstance(index, Lit):
        at, n = index.value, len(kind.items)
        return isinstance(at, int) and -n <= at < n
    return False


def _may_disagree(kinds: list[Kind]) -> bool:
    """Whether two operands are arrays that need not have one shape."""
    arrays = [k for k in kinds if is_array(k) and getattr(k, "ndim", None) != 0]
    tokens = {getattr(k, "shape", None) for k in arrays}
    return len(arrays) > 1 and (len(tokens) > 1 or None in tokens)
