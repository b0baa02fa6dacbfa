"""Which expressions have no effect, and which depend on when they are evaluated."""

from __future__ import annotations

import contextlib
import threading
import warnings
from typing import Any

import gast
import numpy as np

from sourcegrad.frontend.library_kinds import PURE_BUILTINS
from sourcegrad.ir import Expr, Obj, Op
from sourcegrad.ir_walk import walk_expr
from sourcegrad.rules import registry
from sourcegrad.rules.methods import METHODS, VARIADIC

# Context managers of which nobody sees that they were entered.
CALM = (np.errstate, warnings.catch_warnings, contextlib.nullcontext, threading.Lock)


def pure(expr: Expr) -> bool:
    """Whether evaluating an expression has no effect that anyone could see."""
    return not effects_of(expr)


def effects_of(expr: Expr) -> list[Expr]:
    """The operations in an expression that have, or may have, an effect."""
    return [e for e in walk_expr(expr) if not _pure_node(e)]


def _pure_node(e: Expr) -> bool:
    if not isinstance(e, Op):
        return True
    if e.op in ("pop", "usercall"):
        return False
    if e.op == "raw":
        return not any(
            isinstance(n, (gast.Call, gast.Await)) for n in gast.walk(e.data[0])
        )
    if e.op == "call":
        fn = e.args[0]
        if isinstance(fn, Obj):
            return pure_function(fn.obj)
        return isinstance(fn, Op) and fn.op == "attr" and fn.data in _PURE_METHODS
    return True


_PURE_METHODS = frozenset(METHODS) | frozenset(VARIADIC) | {
    "items", "keys", "values", "get", "index", "count", "is_integer", "bit_length",
    "startswith", "endswith", "split", "strip", "join", "upper", "lower", "format",
}  # fmt: skip
_PURE_METHODS = _PURE_METHODS - {
    "sort",
    "fill",
    "resize",
    "put",
    "partition",
    "itemset",
}


def pure_function(obj: Any) -> bool:
    """Whether a library function or builtin has no effect and is repeatable."""
    if getattr(type(obj), "__hash__", None) is None:
        return False
    if obj in PURE_BUILTINS or isinstance(obj, type) and issubclass(obj, BaseException):
        return True
    if getattr(obj, "__sourcegrad_quiet__", False):  # generated, and looked through
        return True
    rule = registry.lookup(obj)
    return rule is not None and rule.pure
