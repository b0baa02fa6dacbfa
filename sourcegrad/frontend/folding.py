"""Simplification of the expressions of rules, and what is known when compiling.

Only derived code is folded: in the user's code `1.0 * x` may change a type.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

from sourcegrad.frontend import algebra
from sourcegrad.frontend.folding_types import fold_isinstance
from sourcegrad.frontend.known import UNSETTLED, known, literal, truth
from sourcegrad.ir import Expr, Lit, Obj, Op, Ref, call
from sourcegrad.ir_walk import walk_expr
from sourcegrad.kinds import INT, Atom, Kind, Num, is_array, is_float, is_scalar
from sourcegrad.kinds_operators import OPERATORS
from sourcegrad.rules.registry import is_static
from sourcegrad.runtime import float_zeros, is_zero, unbroadcast
from sourcegrad.runtime_linalg import is_inner_product
from sourcegrad.runtime_shapes import unnest

if TYPE_CHECKING:
    from sourcegrad.frontend.emit import Emitter


def fold(b: Emitter, e: Op) -> Expr:
    """The expression, simplified.

    Raises nothing: what cannot be simplified comes back as it is.
    """
    e = shape_only(e)
    if b.deriving:
        e = of_floats(b, e)
    if e.op == "call":
        return _fold_call(b, e)
    if e.op in _ELEMENTWISE:
        e = algebra.spread(b, e)
    if e.op in ("mul", "neg"):
        filled = algebra.scaled_fill(b, e, fold)
        if filled is not None:
            return filled
    if e.op in ("not_", "compare", "and", "or"):
        known_truth = truth(b, e)
        return e if known_truth is None else Lit(known_truth)
    if e.op == "attr" and e.data == "ndim":
        ndim = getattr(b.infer(e.args[0]), "ndim", None)
        return e if ndim is None else Lit(ndim)
    rule = _FOLDS.get(e.op)
    numbers = [literal(a) for a in e.args]
    if e.op in OPERATORS and all(type(n) in (int, float) for n in numbers):
        value = _computed(e.op, numbers)
        if value is not None:
            return Lit(value)
    return rule(b, e) if rule else e


_LIKE_ARGUMENT = {"zeros_like": 1, "full_like": 1, "ones_like": 1, "unbroadcast": 2}


def shape_only(e: Op) -> Op:
    """The expression with operands of which only shape and dtype count replaced by
    what they were computed from."""
    if e.op == "attr" and e.data in ("shape", "size", "dtype"):
        return Op(e.op, (_like(e.args[0]),), e.data)
    if e.op == "call" and isinstance(e.args[0], Obj):
        k = _LIKE_ARGUMENT.get(getattr(e.args[0].obj, "__name__", ""))
        if k is not None and k < len(e.args):
            args = (*e.args[:k], _like(e.args[k]), *e.args[k + 1 :])
            return Op(e.op, args, e.data)
    return e


_MADE_LIKE: dict[str, Any] = {
    "zeros_like": np.zeros,
    "ones_like": np.ones,
    "full_like": np.full,
}


def of_floats(b: Any, e: Op) -> Op:
    """`np.zeros(x.shape)` for `np.zeros_like(x)` where `x` may be of ints: what a rule
    makes is to hold derivatives."""
    fn = e.args[0] if e.op == "call" and not e.data else None
    name = getattr(fn.obj, "__name__", "") if isinstance(fn, Obj) else ""
    made = _MADE_LIKE.get(name)
    if made is None or fn.obj is not getattr(np, name):  # type: ignore[union-attr]
        return e
    kind = b.infer(e.args[1])
    dtype = kind.dtype if isinstance(kind, Num) else None
    root = b.binder.bind(np, "np")
    if dtype in ("number", "int64"):
        shape = fold(b, Op("attr", (e.args[1],), "shape"))
        return call(Obj(made, f"{root.path}.{made.__name__}"), shape, *e.args[2:])
    if not b.context.whole or dtype is not None or "ones" in name:
        return e  # active arrays are of floats
    if "zeros" in name:
        return call(b.binder.bind(float_zeros, "float_zeros"), e.args[1])
    shape = call(Obj(np.shape, f"{root.path}.shape"), e.args[1])
    return call(Obj(made, f"{root.path}.{made.__name__}"), shape, *e.args[2:])


def _like(e: Expr) -> Expr:
    return Ref(e.value.like) if isinstance(e, Ref) and e.value.like is not None else e


def _computed(op: str, numbers: list[Any]) -> Any:
    try:
        value = OPERATORS[op](*numbers)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return value if type(value) in (int, float) else None


def _is(expr: Expr, number: float) -> bool:
    value = literal(expr) if isinstance(expr, Lit) else UNSETTLED
    return type(value) in (int, float) and value == number


def _negated(expr: Expr) -> Expr | None:
    if isinstance(expr, Op) and expr.op == "neg":
        return expr.args[0]
    if isinstance(expr, Lit) and type(expr.value) in (int, float) and expr.value < 0:
        return Lit(-expr.value)
    return None


def _neg(b: Emitter, x: Expr) -> Expr:
    return fold(b, Op("neg", (x,)))


def _floating(b: Emitter, x: Expr) -> bool:
    kind = b.infer(x)
    return isinstance(kind, Num) and is_float(kind.dtype)


def _whole(b: Emitter, x: Expr) -> bool:
    """Whether a value is made of ints, which a division by 1 makes floats."""
    kind = b.infer(x)
    return isinstance(kind, Num) and not is_float(kind.dtype)


def _pops(e: Expr) -> bool:
    """Whether an expression takes an item off a list, which must happen."""
    return any(isinstance(part, Op) and part.op == "pop" for part in walk_expr(e))


def _fold_mul(b: Emitter, e: Op) -> Expr:
    x, y = e.args
    if (_is(x, 0) or _is(y, 0)) and not (_pops(x) or _pops(y)):
        return Lit(0.0)
    if _is(x, 1) and _floating(b, y):
        return y
    if _is(y, 1) and _floating(b, x):
        return x
    if _is(x, -1):
        return _neg(b, y)
    if _is(y, -1):
        return _neg(b, x)
    for one, other, first in ((x, y, True), (y, x, False)):
        inner = _negated(one)
        if inner is not None and not isinstance(one, Lit):
            pair = (inner, other) if first else (other, inner)
            return _neg(b, fold(b, Op("mul", pair)))
    return algebra.product(b, e, fold)


def _integers(b: Emitter, e: Op) -> Expr | None:
    """`n - 1 - 1` is `n - 2`, and `n - 1 + 1` is `n`, for an integer n."""
    x, y = e.args
    if not (isinstance(x, Op) and x.op in ("add", "sub") and b.infer(x.args[0]) == INT):
        return None
    first, second = literal(x.args[1]), literal(y)
    if type(first) is not int or type(second) is not int:
        return None
    first = first if x.op == "add" else -first
    total = first + (second if e.op == "add" else -second)
    if total == 0:
        return x.args[0]
    return Op("add" if total > 0 else "sub", (x.args[0], Lit(abs(total))))


def _fold_add(b: Emitter, e: Op) -> Expr:
    x, y = e.args
    whole = _integers(b, e)
    if whole is not None:
        return whole
    if _is(x, 0):
        return y
    if _is(y, 0):
        return x
    inner = _negated(y)
    if inner is not None and isinstance(y, Op):
        return fold(b, Op("sub", (x, inner)))
    return e


def _fold_sub(b: Emitter, e: Op) -> Expr:
    x, y = e.args
    whole = _integers(b, e)
    if whole is not None:
        return whole
    if _is(y, 0):
        return x
    if _is(x, 0):
        return _neg(b, y)
    inner = _negated(y)
    if inner is not None and isinstance(y, Op):
        return fold(b, Op("add", (x, inner)))
    return e


def _fold_neg(b: Emitter, e: Op) -> Expr:
    (x,) = e.args
    if isinstance(x, Op) and x.op == "neg":
        return x.args[0]
    if isinstance(x, Op) and x.op == "sub":
        return Op("sub", (x.args[1], x.args[0]))
    if isinstance(x, Lit) and type(x.value) in (int, float):
        return Lit(-x.value)
    return e


def _fold_truediv(b: Emitter, e: Op) -> Expr:
    x, y = e.args
    if _is(y, 1) and not _whole(b, x):
        return x
    inner = _negated(x)
    if inner is not None and isinstance(x, Op):
        return _neg(b, Op("truediv", (inner, y)))
    return e


def _fold_pow(b: Emitter, e: Op) -> Expr:
    x, y = e.args
    if _is(y, 1):
        return x
    return e


def _fold_getitem(b: Emitter, e: Op) -> Expr:
    base, index = e.args
    if isinstance(base, Op) and isinstance(index, Lit) and isinstance(index.value, int):
        if base.op in ("tuple", "list") and index.value < len(base.args):
            return base.args[index.value]
        if (
            base.op == "call"
            and isinstance(base.args[0], Obj)
            and base.args[0].obj is tuple
        ):
            if len(base.args) == 2:
                return Op("getitem", (base.args[1], index))
    return e


def _fold_ifexp(b: Emitter, e: Op) -> Expr:
    known_truth = truth(b, e.args[0])
    return e if known_truth is None else e.args[1 if known_truth else 2]


_ELEMENTWISE = frozenset({"add", "sub", "mul", "truediv", "compare"})
_FOLDS: dict[str, Any] = {
    "mul": _fold_mul,
    "add": _fold_add,
    "sub": _fold_sub,
    "neg": _fold_neg,
    "truediv": _fold_truediv,
    "pow": _fold_pow,
    "getitem": _fold_getitem,
    "ifexp": _fold_ifexp,
}


def _fold_call(b: Emitter, e: Op) -> Expr:
    if e.data and isinstance(e.args[0], Obj) and None not in e.data:
        e = algebra.without_defaults(e)
    fn, *args = e.args
    if not isinstance(fn, Obj) or e.data:
        return e
    if fn.obj is unbroadcast and _same_shape(b.infer(args[0]), b.infer(args[1])):
        return args[0]
    if fn.obj is np.where and len(args) == 3:
        return algebra.chosen(b, e)
    if fn.obj in (np.conj, np.real) and len(args) == 1 and _is_real(b, args[0]):
        return args[0]
    if fn.obj is unnest:
        return _unnested(b, *args) or e
    if fn.obj is np.shape and len(args) == 1:
        return _shape(b.infer(args[0]), args[0]) or e
    if fn.obj is np.ndim and len(args) == 1:
        ndim = _ndim(b.infer(args[0]))
        return e if ndim is None else Lit(ndim)
    if fn.obj is is_zero and len(args) == 1:
        return Lit(isinstance(args[0], Lit) and args[0].value == 0.0)
    if fn.obj in (max, min, abs, len, int) and all(known(a) for a in args):
        return Lit(fn.obj(*map(literal, args)))
    if fn.obj is is_inner_product:
        return Lit(known(args[0]) and is_inner_product(literal(args[0])))
    if fn.obj is is_static:
        return Lit(isinstance(literal(args[0]), (int, float, complex)))
    if fn.obj is builtins.isinstance and len(args) == 2:
        return fold_isinstance(b, e, args)
    if fn.obj is len and isinstance(args[0], Op) and args[0].op in ("tuple", "list"):
        return Lit(len(args[0].args))
    if fn.obj is np.iscomplexobj:
        kind = b.infer(args[0])
        if isinstance(kind, Num) and kind.dtype is not None:
            return Lit(kind.dtype.startswith(("complex", "clong")))
    return e


def _is_real(b: Emitter, x: Expr) -> bool:
    """Whether an expression is a real number or array of a known type."""
    kind = b.infer(x)
    if not isinstance(kind, Num) or kind.dtype is None or kind.flavor == "any":
        return False
    return kind.dtype.startswith(("float", "longdouble"))


def _same_shape(kind: Kind, other: Kind) -> bool:
    if is_scalar(kind) and is_scalar(other):
        return True
    if not (isinstance(kind, Num) and isinstance(other, Num)):
        return False
    return kind.shape is not None and kind.shape == other.shape


def _unnested(b: Emitter, g: Expr, nested: Expr) -> Expr | None:
    """The cotangent of a display of numbers and arrays, item by item."""
    if not (isinstance(nested, Op) and nested.op in ("tuple", "list")):
        return None
    flat = [isinstance(b.infer(item), Num) for item in nested.args]
    if not (isinstance(g, Ref) and all(flat)):
        return None
    parts = tuple(Op("getitem", (g, Lit(k))) for k in range(len(nested.args)))
    return Op(nested.op, parts)


def _shape(kind: Kind, x: Expr) -> Expr | None:
    """The shape of an operand: an attribute of an array, nothing of a number."""
    if is_scalar(kind):
        return Op("tuple", ())
    return Op("attr", (x,), "shape") if is_array(kind) else None


def _ndim(kind: Kind) -> int | None:
    if isinstance(kind, Num):
        return kind.ndim
    return 0 if isinstance(kind, Atom) else None
