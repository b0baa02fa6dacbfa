"""Partials of a derivative in which zero wins: they divide as NumPy does.

Such a derivative is asked for where one is not finite, so a division by zero must be
inf or nan; Python's numbers would raise where the primal, of NumPy, did not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sourcegrad.ir import Expr, Lit, Obj, Op, call
from sourcegrad.kinds import Num


def divided_by_numpy(b: Any, expr: Expr) -> Expr:
    """An expression whose quotients of what may be Python integers are NumPy's.

    Python's floats need no care here: the operands of a rule are NumPy's already.

    Args:
        b: the builder of the derivative.
        expr: a partial, as its rule gave it.
    """
    if not isinstance(expr, Op):
        return expr
    args = tuple(divided_by_numpy(b, a) for a in expr.args)
    if expr.op == "truediv" and _may_be_whole(b, expr.args[1]):
        root = b.binder.bind(np, "np")
        return call(Obj(np.divide, f"{root.path}.divide"), *args)
    return Op(expr.op, args, expr.data)


def _may_be_whole(b: Any, denominator: Expr) -> bool:
    kind = b.infer(denominator)
    if isinstance(denominator, Lit):
        return False
    if not isinstance(kind, Num):
        return True
    return kind.flavor not in ("array", "np") and kind.dtype not in ("float", "complex")


def weighed(expr: Any, g: Any, times: Expr) -> Any:
    """A contribution in which zero wins in the products of a cotangent and a partial.

    Args:
        expr: what a rule gave, in which `g` times something else may stand.
        g: the cotangent.
        times: the function that multiplies so.
    """
    if not isinstance(expr, Op) or not isinstance(g, Expr):
        return expr
    if expr.op == "mul" and g in expr.args and expr.args[0] != expr.args[1]:
        (partial,) = (a for a in expr.args if a != g)
        return expr if isinstance(partial, Lit) else call(times, g, partial)
    args = tuple(weighed(a, g, times) for a in expr.args)
    return Op(expr.op, args, expr.data)
