"""Arrays of which no axis has length one: between two of them nothing is stretched.

    y = np.zeros(3)
    s = x[1] * x[2]          # so x is longer than one
    z = y * x                # and as long as y

Where the forward sweep has come to its end, what stands at its top level has run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sourcegrad.ir import (
    BINARY,
    Assign,
    Expr,
    Lit,
    Obj,
    Op,
    Ref,
    Region,
    Store,
    Unpack,
    Value,
)
from sourcegrad.ir_walk import stmt_exprs, walk
from sourcegrad.kinds import Num, is_array, is_scalar

_MADE = (np.zeros, np.ones, np.empty, np.full)


class Extents:
    """What the top level of a function's body tells of the axes of its arrays.

    Args:
        body: the body of the primal.
    """

    def __init__(self, body: Region) -> None:
        self._long = {_key(v) for stmt in body.stmts for v in _long(stmt)}
        for stmt in walk(body):
            if isinstance(stmt, Assign) and self._gives_long(stmt):
                self._long.add(_key(stmt.target))

    def same(self, one: Ref, operands: list[Expr]) -> bool:
        """Whether an array surely has the shape of what it is combined with.

        Args:
            one: the array.
            operands: all operands, itself too; numbers do not matter.
        """
        given = [e for e in operands if not isinstance(e, Lit)]
        refs = [e for e in given if isinstance(e, Ref)]
        arrays = [e for e in refs if not is_scalar(e.value.kind)]
        known = len(refs) == len(given) and one in arrays
        return (
            known
            and len({_ndim(e) for e in arrays}) == 1
            and all(
                is_array(e.value.kind) and _key(e.value) in self._long for e in arrays
            )
        )

    def _gives_long(self, stmt: Assign) -> bool:
        """Whether a result has no axis of length one: it is made so, or stretched."""
        e, ndim = stmt.expr, _ndim(Ref(stmt.target))
        if not (isinstance(e, Op) and e.op in BINARY and e.op != "matmul"):
            return _makes_long(e)
        arrays = [a for a in e.args if isinstance(a, Ref) and _ndim(a) == ndim]
        return ndim is not None and any(_key(a.value) in self._long for a in arrays)


def _key(value: Value) -> Any:
    """A value, or what it shares with all values of its shape."""
    token = getattr(value.kind, "shape", None)
    return value if token is None else token


def _long(stmt: Any) -> Iterator[Value]:
    """The arrays that a statement shows to have no axis of length one."""
    if isinstance(stmt, Unpack) and isinstance(stmt.expr, Ref):
        if len(stmt.targets) > 1 and _ndim(stmt.expr) == 1:
            yield stmt.expr.value
    if isinstance(stmt, Store) and isinstance(stmt.base, Ref) and stmt.index:
        if _reaches(stmt.index, _ndim(stmt.base)):
            yield stmt.base.value
    for top in stmt_exprs(stmt):
        for e in _surely(top):
            if isinstance(e, Op) and e.op == "getitem" and isinstance(e.args[0], Ref):
                if _reaches(e.args[1], _ndim(e.args[0])):
                    yield e.args[0].value


def _surely(e: Expr) -> Iterator[Expr]:
    """The sub-expressions that are evaluated whatever the others give."""
    if isinstance(e, Op) and e.op in ("and", "or", "ifexp", "raw"):
        yield from _surely(e.args[0]) if e.op != "raw" else ()
        return
    yield e
    args = e.args if isinstance(e, Op) else ()
    if isinstance(e, Op) and e.op == "compare":
        args = args[:2]  # a chain ends at the first comparison that fails
    for arg in args:
        yield from _surely(arg)


def _ndim(e: Ref) -> int | None:
    kind = e.value.kind
    return kind.ndim if isinstance(kind, Num) and is_array(kind) else None


def _reaches(index: Expr, ndim: int | None) -> bool:
    """Whether an index picks, on every axis, an item that an axis of one has not."""
    parts = index.args if isinstance(index, Op) and index.op == "tuple" else (index,)
    return len(parts) == ndim and all(map(_beyond, parts))


def _beyond(part: Expr) -> bool:
    if isinstance(part, Op) and part.op == "neg" and isinstance(part.args[0], Lit):
        return type(part.args[0].value) is int and part.args[0].value > 1
    if not (isinstance(part, Lit) and type(part.value) is int):
        return False
    return part.value > 0 or part.value < -1


def _makes_long(e: Expr) -> bool:
    """Whether an expression makes an array of given lengths, none of them one."""
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj)):
        return False
    if len(e.args) < 2 or not any(e.args[0].obj is fn for fn in _MADE):
        return False
    if e.data and len(e.args) - len(e.data) < 2:
        return False
    shape = e.args[1]
    lengths = shape.args if isinstance(shape, Op) and shape.op == "tuple" else (shape,)
    return all(
        isinstance(n, Lit) and type(n.value) is int and n.value > 1 for n in lengths
    )
