"""Memory that is one thing or another: `v = w if far else np.ones(2)`.

Beside memory that has a shadow stands that shadow, beside new memory stand zeros:

    v_bar = w_bar if far else np.zeros_like(v)
"""

from __future__ import annotations

from collections.abc import Callable

from sourcegrad.analysis.views import view_bases
from sourcegrad.ir import Expr, Lit, Obj, Op

Start = Callable[[Expr], Expr]
_DISPLAYS = ("list", "tuple", "dict")


def is_choice(expr: Expr) -> bool:
    """Whether an expression is `a if test else b`, or `[a, b][k]`."""
    if not isinstance(expr, Op):
        return False
    if expr.op == "ifexp":
        return True
    base = expr.args[0] if expr.op == "getitem" else None
    return isinstance(base, Op) and base.op in _DISPLAYS


def arms(expr: Expr) -> list[Expr]:
    """What a choice, of choices maybe, may give."""
    if not (isinstance(expr, Op) and is_choice(expr)):
        return [expr]
    return [arm for side in _sides(expr) for arm in arms(side)]


def found_in(expr: Expr) -> bool:
    """Whether a choice may give memory that is there already, and has another name."""
    return any(view_bases(arm) or isinstance(arm, Obj) for arm in arms(expr))


def beside_each(expr: Expr, start: Start) -> Expr:
    """The choice between what `start` gives for each arm; None stays None."""
    if not (isinstance(expr, Op) and is_choice(expr)):
        return expr if expr == Lit(None) else start(expr)
    sides = [beside_each(side, start) for side in _sides(expr)]
    if expr.op == "ifexp":
        return Op("ifexp", (expr.args[0], *sides))
    base, index = expr.args
    assert isinstance(base, Op)
    if base.op == "dict":
        keys = base.args[::2]
        pairs = zip(keys, sides, strict=True)
        sides = [e for pair in pairs for e in pair]
    return Op("getitem", (Op(base.op, tuple(sides), base.data), index))


def _sides(expr: Op) -> tuple[Expr, ...]:
    """What stands at the two sides of a condition, or in a display."""
    if expr.op == "ifexp":
        return expr.args[1:]
    base = expr.args[0]
    assert isinstance(base, Op)
    return base.args[1::2] if base.op == "dict" else base.args
