"""Products and broadcasting in derived code, brought to the form a person writes.

x * (2.0 * y)                              ->  2.0 * x * y
np.broadcast_to(s, y.shape) * y            ->  s * y
np.expand_dims(s, 0) * y                   ->  s * y    (y has one dimension more)
np.full_like(y, s) * y                     ->  s * y
2.0 * np.full_like(y, s)                   ->  np.full_like(y, 2.0 * s)
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from sourcegrad.ir import Expr, Lit, Obj, Op
from sourcegrad.kinds import Kind, Num, is_array, is_complex, is_scalar

if TYPE_CHECKING:
    from sourcegrad.frontend.emit import Emitter

Fold = Callable[["Emitter", Op], Expr]


def product(b: Emitter, e: Op, fold: Fold) -> Expr:
    """A product with its numbers first and without needless parentheses.

    Args:
        b: infers kinds.
        e: the product; its operands are folded.
        fold: folds what is made from it.
    """
    x, y = e.args
    if _number(y) and not _number(x):
        return fold(b, Op("mul", (y, x)))
    if _number(x) and isinstance(y, Op) and y.op == "mul" and _number(y.args[0]):
        both = _times(x, y.args[0])
        if both is not None:
            return fold(b, Op("mul", (both, y.args[1])))
    if _number(x) and isinstance(y, Op) and y.op == "neg":
        return fold(b, Op("mul", (Lit(-x.value), y.args[0])))  # type: ignore[attr-defined]
    if _number(x) and isinstance(y, Op) and y.op == "truediv" and _number(y.args[1]):
        ratio = _over(x, y.args[1])
        if ratio is not None:
            return fold(b, Op("mul", (ratio, y.args[0])))
    if isinstance(y, Op) and y.op == "truediv" and y.args[0] in (Lit(1.0), Lit(1)):
        return fold(b, Op("truediv", (x, y.args[1])))
    if isinstance(y, Op) and y.op in ("mul", "truediv") and _may_regroup(b, x, y):
        first, second = y.args
        return fold(b, Op(y.op, (fold(b, Op("mul", (x, first))), second)))
    return e


def _number(e: Expr) -> bool:
    return isinstance(e, Lit) and type(e.value) in (int, float)


def _times(x: Expr, y: Expr) -> Lit | None:
    assert isinstance(x, Lit) and isinstance(y, Lit)
    value = x.value * y.value
    return Lit(value) if math.isfinite(value) else None


def _over(x: Expr, y: Expr) -> Lit | None:
    """The ratio of two numbers; None where it reads worse than they do, as 2 / 3."""
    assert isinstance(x, Lit) and isinstance(y, Lit)
    ratio = x.value / y.value if y.value else 0.0
    longer = len(repr(ratio)) > len(repr(x.value)) + len(repr(y.value))
    return None if longer or not 1e-100 < abs(ratio) < 1e100 else Lit(ratio)


def _may_regroup(b: Emitter, x: Expr, y: Op) -> bool:
    """Whether `x * (a * b)` may become `x * a * b` at no cost."""
    kind, inner = b.infer(x), b.infer(y)
    if is_scalar(kind):
        return True
    if is_scalar(inner):
        return False
    token = _token(kind)
    return token is None or token == _token(inner)


def _token(kind: Kind) -> Any:
    return kind.shape if isinstance(kind, Num) and is_array(kind) else None


def spread(b: Emitter, e: Op) -> Op:
    """An elementwise operation without operands that are spread only to fit the other.

    Args:
        b: infers kinds.
        e: a binary operation or comparison.
    """
    if len(e.args) != 2:
        return e
    x, y = e.args
    narrow_x, narrow_y = narrow(b, x, b.infer(y)), narrow(b, y, b.infer(x))
    if narrow_x is x and narrow_y is y:
        return e
    new = Op(e.op, (narrow_x, y) if narrow_x is not x else (x, narrow_y), e.data)
    new.kind = b.infer(e)
    return new


def narrow(b: Emitter, e: Expr, other: Kind) -> Expr:
    """What is spread to a shape, where it stands beside an array of that shape.

    Args:
        b: infers kinds.
        e: an expression, maybe one that spreads a number or array.
        other: the kind of the array that it is combined with.
    """
    if not (
        isinstance(e, Op)
        and e.op == "call"
        and isinstance(e.args[0], Obj)
        and not e.data
    ):
        return e
    fn, args = e.args[0].obj, e.args[1:]
    like = b.infer(e)
    if fn is np.full_like and len(args) == 2 and _fills(b.infer(args[1]), like, other):
        return args[1]
    if fn is np.broadcast_to and _token(like) is not None:
        return narrow(b, args[0], other) if _token(like) == _token(other) else e
    if fn is np.expand_dims and isinstance(args[1], Lit) and args[1].value == 0:
        inner = b.infer(args[0])
        dims = inner.ndim if isinstance(inner, Num) else None
        if dims and isinstance(other, Num) and other.ndim == dims + 1:
            return args[0]
    return e


def _fills(number: Kind, kind: Kind, other: Kind) -> bool:
    """Whether a number does for an array filled with it beside another array."""
    if not (
        isinstance(number, Num) and isinstance(kind, Num) and isinstance(other, Num)
    ):
        return False
    if _token(kind) is None or _token(kind) != _token(other):
        return False
    return kind.dtype == other.dtype and (
        number.flavor == "py" or number.dtype == kind.dtype
    )


def scaled_fill(b: Emitter, e: Op, fold: Fold) -> Op | None:
    """A number times an array filled with one, as an array filled with the product."""
    if e.op == "mul":
        x, y = e.args if _is_fill(e.args[1]) else reversed(e.args)
        kind = b.infer(x)
        if not (is_scalar(kind) and isinstance(kind, Num) and kind.flavor == "py"):
            return None
    else:
        x, y = None, e.args[0]
    if not _is_fill(y):
        return None
    assert isinstance(y, Op)
    if x is not None and is_complex(b.infer(x)) and not is_complex(b.infer(y)):
        return None  # the array would take the real part only
    operands = (y.args[2],) if x is None else (x, y.args[2])
    made = Op("call", (*y.args[:2], fold(b, Op(e.op, operands))), ())
    made.kind = b.infer(y)
    return made


def _is_fill(e: Expr) -> bool:
    """Whether an expression is `np.full_like(array, number)`."""
    if not (isinstance(e, Op) and e.op == "call" and isinstance(e.args[0], Obj)):
        return False
    return e.args[0].obj is np.full_like and len(e.args) == 3 and not e.data


def chosen(b: Emitter, e: Op) -> Op:
    """`np.where` without arrays that are filled only to fit the condition.

    np.where(mask, np.full_like(x, s), 0.0)  ->  np.where(mask, s, 0.0)
    """
    fn, mask, *choices = e.args
    token = _token(b.infer(mask))
    if len(choices) != 2 or token is None:
        return e
    plain = [
        c.args[2] if _is_fill(c) and _same_double(b.infer(c), token) else c  # type: ignore[attr-defined]
        for c in choices
    ]
    if plain == choices:
        return e
    made = Op("call", (fn, mask, *plain), ())
    made.kind = b.infer(e)
    return made


def _same_double(kind: Kind, token: Any) -> bool:
    return _token(kind) == token and isinstance(kind, Num) and kind.dtype == "float64"


def without_defaults(e: Op) -> Op:
    """A call without the keyword operands that say what is so anyway.

    >>> e = Op("call", (Obj(np.reshape, "np.reshape"), Lit(0), Lit("C")), ("order",))
    >>> without_defaults(e)
    call(np.reshape, 0 ())
    """
    assert isinstance(e.args[0], Obj)
    start = len(e.args) - len(e.data)
    defaults = _defaults(e.args[0].obj)
    kept = [
        (name, arg)
        for name, arg in zip(e.data, e.args[start:], strict=True)
        if not (
            isinstance(arg, Lit) and name in defaults and arg == Lit(defaults[name])
        )
    ]
    if len(kept) == len(e.data):
        return e
    return Op(
        "call", (*e.args[:start], *(a for _, a in kept)), tuple(n for n, _ in kept)
    )


def _defaults(fn: Any) -> dict[str, Any]:
    return _signature_defaults(fn) if callable(fn) else {}


@functools.cache
def _signature_defaults(fn: Any) -> dict[str, Any]:
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: p.default for p in parameters if p.default is not p.empty}
