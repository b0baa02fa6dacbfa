"""What is known of an expression when compiling: its value, and whether it holds."""

from __future__ import annotations

import enum
import operator
from typing import TYPE_CHECKING, Any

from sourcegrad.ir import Expr, Lit, Obj, Op, Ref
from sourcegrad.kinds import NONE, Bottom, Unknown
from sourcegrad.kinds_operators import OPERATORS

if TYPE_CHECKING:
    from sourcegrad.frontend.emit import Emitter


UNSETTLED = object()


def literal(expr: Any) -> Any:
    """The value of an expression known when compiling, or `UNSETTLED`.

    >>> literal(Op("neg", (Lit(2),)))
    -2
    """
    if isinstance(expr, Lit):
        return expr.value
    if isinstance(expr, Ref) and expr.value.known is not None:
        return expr.value.known.value
    if isinstance(expr, Op) and expr.op == "neg":
        inner = literal(expr.args[0])
        return -inner if isinstance(inner, (int, float)) else UNSETTLED
    if isinstance(expr, Op) and expr.op == "raw":
        return formatted(expr)
    if isinstance(expr, Op) and expr.op == "tuple":
        items = tuple(map(literal, expr.args))
        return UNSETTLED if any(i is UNSETTLED for i in items) else items
    return UNSETTLED


def formatted(expr: Op) -> Any:
    """An f-string of parts known when compiling."""
    node, names = expr.data
    if type(node).__name__ != "JoinedStr":
        return UNSETTLED
    found = {n: literal(a) for n, a in zip(names, expr.args, strict=True)}
    text = ""
    for part in node.values:
        if type(part).__name__ == "Constant":
            text += part.value
            continue
        simple = part.conversion == -1 and part.format_spec is None
        if not simple or type(part.value).__name__ != "Name":
            return UNSETTLED
        value = found.get(part.value.id, UNSETTLED)
        if type(value) not in (int, str):
            return UNSETTLED
        text += str(value)
    return text


def known(expr: Any) -> bool:
    """Whether `literal` gives a value."""
    return literal(expr) is not UNSETTLED


def only_literals(cond: Expr) -> bool:
    """Whether a condition is made of literals alone, as what kinds decide is."""
    if isinstance(cond, Op) and cond.op in ("not_", "and", "or"):
        return all(map(only_literals, cond.args))
    return isinstance(cond, Lit)


def literal_slice(index: Expr) -> slice | None:
    """The slice that an index of literal bounds is."""
    if not (isinstance(index, Op) and index.op == "slice"):
        return None
    bounds = [literal(bound) for bound in index.args]
    if not all(bound is None or type(bound) is int for bound in bounds):
        return None
    return slice(*bounds)


def literal_truth(cond: Expr) -> bool | None:
    """The truth of a comparison of two literals, or None."""
    if not (isinstance(cond, Op) and cond.op == "compare" and len(cond.args) == 2):
        return None
    if cond.data[0] not in _ORDER or not all(map(known, cond.args)):
        return None
    return bool(_ORDER[cond.data[0]](*map(literal, cond.args)))


_ORDER: dict[str, Any] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def truth(b: Emitter, cond: Expr) -> bool | None:
    """Whether a condition holds, where that is known when compiling."""
    value = literal(cond)
    if value is not UNSETTLED:
        return bool(value)
    if not isinstance(cond, Op):
        return None
    if cond.op == "not_":
        inner = truth(b, cond.args[0])
        return None if inner is None else not inner
    if cond.op in ("and", "or"):
        found = [truth(b, a) for a in cond.args]
        stop = cond.op == "or"
        if stop in found:
            return stop
        return None if None in found else not stop
    if cond.op == "compare" and len(cond.data) == 1:
        return _compare(b, cond.data[0], *cond.args)
    return None


def is_member(expr: Expr) -> bool:
    """Whether an expression is a member of an enumeration."""
    return isinstance(expr, Obj) and isinstance(expr.obj, enum.Enum)


def _compare(b: Emitter, op: str, left: Expr, right: Expr) -> bool | None:
    if is_member(left) and is_member(right):
        one, other = left.obj, right.obj  # type: ignore[attr-defined]
        found = {"is": one is other, "is not": one is not other}
        found |= {"==": one == other, "!=": one != other}
        return found.get(op)
    if op in ("is", "is not"):
        same = _identical(b, left, right)
        return same if same is None or op == "is" else not same
    x, y = literal(left), literal(right)
    if x is UNSETTLED or y is UNSETTLED:
        return None
    if op in ("in", "not in"):
        return (x in y) == (op == "in")
    return bool(OPERATORS[op](x, y))


def _identical(b: Emitter, left: Expr, right: Expr) -> bool | None:
    x, y = literal(left), literal(right)
    if x is not UNSETTLED and y is not UNSETTLED:
        return x is y or (x == y and type(x) is type(y))
    if isinstance(left, Obj) and isinstance(right, Obj) and callable(left.obj):
        return left.obj is right.obj
    if x is None or y is None:
        held = right if x is None else left
        if isinstance(held, Ref) and held.value.maybe_undefined:
            return None
        kind = b.infer(held)
        if isinstance(kind, (Unknown, Bottom)):
            return None
        return kind == NONE
    return None
