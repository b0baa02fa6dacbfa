"""Functions of one array, written as methods and subscripts: shorter, and faster.

    np.reshape(x, shape)     ->  x.reshape(shape)
    np.sum(x, axis=0)        ->  x.sum(axis=0)
    np.copy(x)               ->  x.copy()
    np.transpose(x)          ->  x.T
    np.expand_dims(x, 1)     ->  x[:, None]
    (x.T @ y).T              ->  y.T @ x

Done last, since what the compiler knows it knows of the functions, and only where the
operand is certainly an array.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sourcegrad.frontend.builder import Builder
from sourcegrad.ir import Expr, Lit, Obj, Op, Region, Stmt, attr, call, getitem
from sourcegrad.ir_walk import map_stmt, regions
from sourcegrad.kinds import Num, is_array

_ALL = Op("slice", (Lit(None), Lit(None), Lit(None)))
_PLACES: dict[int, Expr] = {
    0: Lit(None),
    1: Op("tuple", (_ALL, Lit(None))),
    -1: Op("tuple", (Lit(Ellipsis), Lit(None))),
}


def run(b: Builder, stmts: Iterable[Stmt]) -> None:
    """Write calls in the statements of a reverse sweep as methods, in place.

    Args:
        b: infers kinds.
        stmts: the statements; those they own are changed too.
    """
    for stmt in stmts:
        map_stmt(stmt, lambda e: method(b, e))
        for region in regions(stmt):
            run(b, region.stmts)
            ends(b, region)


def ends(b: Builder, region: Region) -> None:
    """Write calls in what a region yields as methods."""
    region.yields = [method(b, e) for e in region.yields]


def method(b: Builder, e: Expr) -> Expr:
    """The expression with calls written as methods."""
    if not isinstance(e, Op):
        return e
    args = tuple(method(b, a) for a in e.args)
    new: Op = e
    if not all(a is o for a, o in zip(args, e.args, strict=True)):
        new = Op(e.op, args, e.data)
        new.kind = b.infer(e)
    made = _written(b, new) if new.op == "call" else _transposed(b, new)
    if made is None:
        return new
    if isinstance(made, Op):
        made.kind = b.infer(e)
    return made


def _written(b: Builder, e: Op) -> Expr | None:
    fn = e.args[0]
    if not isinstance(fn, Obj) or len(e.args) < 2 + len(e.data or ()):
        return None
    _, x, *rest = e.args
    kind = b.infer(x)
    if not (is_array(kind) and isinstance(kind, Num) and kind.ndim):
        return None  # operations on arrays without dimensions give scalars
    if fn.obj is np.sum:
        return Op("call", (attr(x, "sum"), *rest), e.data)
    if e.data:
        return None
    if fn.obj is np.reshape and len(rest) == 1:
        return call(attr(x, "reshape"), rest[0])
    if fn.obj is np.swapaxes and len(rest) == 2:
        return call(attr(x, "swapaxes"), *rest)
    if fn.obj is np.copy and not rest:
        return call(attr(x, "copy"))
    if fn.obj is np.transpose and not rest:
        return _transposed(b, attr(x, "T")) or attr(x, "T")
    if fn.obj is np.expand_dims and isinstance(rest[0], Lit):
        place = _PLACES.get(rest[0].value)
        return None if place is None else getitem(x, place)
    return None


def _transposed(b: Builder, e: Op) -> Expr | None:
    """`(x.T @ y).T` is `y.T @ x`, and `x.T.T` is `x`."""
    if e.op != "attr" or e.data != "T":
        return None
    inner = e.args[0]
    if isinstance(inner, Op) and inner.op == "attr" and inner.data == "T":
        return inner.args[0]
    if not (isinstance(inner, Op) and inner.op == "matmul"):
        return None
    x, y = inner.args
    flat = [k for k in map(b.infer, inner.args) if isinstance(k, Num) and k.ndim == 2]
    if isinstance(x, Op) and x.op == "attr" and x.data == "T" and len(flat) == 2:
        return Op("matmul", (attr(y, "T"), x.args[0]))
    return None
