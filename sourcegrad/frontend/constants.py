"""Expressions of literals, evaluated when compiling: which keys a program picks."""

from __future__ import annotations

import operator
from typing import Any

from sourcegrad.frontend.known import UNSETTLED, literal
from sourcegrad.ir import Expr, Obj, Op

_ORDER = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda item, holder: item in holder,
    "not in": lambda item, holder: item not in holder,
}


# What an expression may raise: it does so when the program gets there.
_RAISED = (AttributeError, LookupError, TypeError, ValueError)


def constant(expr: Expr) -> Any:
    """The value of an expression of literals and of methods of strings, or
    `UNSETTLED`.

    >>> from sourcegrad.ir import Lit
    >>> key = Lit("_rate")
    >>> constant(Op("call", (Op("attr", (key,), "startswith"), Lit("_")), ()))
    True
    >>> constant(Op("compare", (key, Op("tuple", (Lit("a"), Lit("b")))), ("in",)))
    False
    """
    value = literal(expr)
    if value is not UNSETTLED or not isinstance(expr, Op):
        return value
    if expr.op == "call":
        return _called(expr)
    if expr.op == "raw" or expr.op not in _CONSTANT:
        return UNSETTLED
    args = [constant(a) for a in expr.args]
    if any(a is UNSETTLED for a in args) or (expr.op == "compare" and len(args) != 2):
        return UNSETTLED
    try:
        return _CONSTANT[expr.op](expr.data, *args)
    except _RAISED:
        return UNSETTLED


def _called(expr: Op) -> Any:
    """The value of a method of a string, or of the length of one."""
    fn, *rest = expr.args
    args = [constant(a) for a in rest]
    if any(a is UNSETTLED for a in args) or expr.data:
        return UNSETTLED
    if isinstance(fn, Obj) and fn.obj is len and isinstance(args[0], str | tuple):
        return len(args[0])
    if not (isinstance(fn, Op) and fn.op == "attr"):
        return UNSETTLED
    base = constant(fn.args[0])
    try:
        return getattr(base, fn.data)(*args) if isinstance(base, str) else UNSETTLED
    except _RAISED:
        return UNSETTLED


_CONSTANT: dict[str, Any] = {
    "not_": lambda _, value: not value,
    "and": lambda _, *values: next((v for v in values if not v), values[-1]),
    "or": lambda _, *values: next((v for v in values if v), values[-1]),
    "tuple": lambda _, *values: values,
    "list": lambda _, *values: list(values),
    "add": lambda _, left, right: left + right,
    "slice": lambda _, *bounds: slice(*bounds),
    "getitem": lambda _, base, index: base[index],
    "compare": lambda ops, left, right: _ORDER[ops[0]](left, right),
}
