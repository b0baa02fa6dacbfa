"""`isinstance` tests that kinds decide."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import numpy as np

from sourcegrad.frontend.known import UNSETTLED, formatted, literal
from sourcegrad.ir import Expr, Lit, Obj, Op
from sourcegrad.kinds import Atom, Foreign, Kind, ListKind, Num, TupleKind

if TYPE_CHECKING:
    from sourcegrad.frontend.emit import Emitter


def fold_isinstance(b: Emitter, e: Op, args: list[Expr]) -> Expr:
    classes = _classes(args[1])
    if classes is None:
        return e
    value = literal(args[0])
    if value is not UNSETTLED:
        return Lit(isinstance(value, classes))
    kind = b.infer(args[0])
    types = _types(kind)
    if types is None:
        return e
    return Lit(issubclass(types, classes))


def _classes(expr: Expr) -> tuple[type, ...] | None:
    if isinstance(expr, Obj) and isinstance(expr.obj, type):
        return (expr.obj,)
    if isinstance(expr, Op) and expr.op == "raw":
        return formatted(expr)
    if isinstance(expr, Op) and expr.op == "tuple":
        inner = [_classes(a) for a in expr.args]
        return None if None in inner else tuple(c for i in inner if i for c in i)
    return None


def _types(kind: Kind) -> type | None:
    """The type that all values of a kind have."""
    match kind:
        case Num(flavor="py" | "np", dtype="number"):
            return None
        case Num(flavor="py", dtype=str(dtype)):
            return getattr(builtins, dtype)
        case Num(flavor="np", dtype=str(dtype)):
            return np.dtype(dtype).type
        case Num(flavor="array"):
            return np.ndarray
        case TupleKind():
            return tuple
        case ListKind():
            return list
        case Atom(type=t) | Foreign(type=t):
            return t
    return None
