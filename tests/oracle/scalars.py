"""The elementwise functions of duals: each value as NumPy or `math` computes it."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.dual import (
    Dual,
    is_zero,
    level_of,
    numpy_float,
    plus,
    primal,
    scale,
    split,
)

Scalar = Callable[..., Any]


def unary(base: Scalar, partial: Scalar) -> Scalar:
    """A function of one dual.

    Args:
        base: the function of plain numbers.
        partial: `partial(y, x)`, its derivative, of duals.
    """

    def apply(x: Any) -> Any:
        if not isinstance(x, Dual):
            return base(x)
        y = apply(x.value)
        with np.errstate(all="ignore"):
            slope = partial(numpy_float(y), numpy_float(x.value))
            return Dual(y, scale(slope, x.dot), x.level)

    return apply


def binary(base: Scalar, partials: Scalar) -> Scalar:
    """A function of two duals.

    Args:
        base: the function of plain numbers.
        partials: `partials(y, a, b)`, two functions without arguments, so that only
            the one that is wanted is computed.
    """

    def apply(a: Any, b: Any) -> Any:
        level = level_of(a, b)
        if level == 0:
            return base(a, b)
        (a, a_dot), (b, b_dot) = split(a, level), split(b, level)
        y, dot = apply(a, b), None
        with np.errstate(all="ignore"):
            slopes = partials(numpy_float(y), numpy_float(a), numpy_float(b))
            for slope, part in zip(slopes, (a_dot, b_dot), strict=True):
                if part is not None:
                    dot = plus(dot, scale(slope(), part))
        return Dual(y, dot, level)

    return apply


def constant(base: Scalar) -> Scalar:
    """A function whose derivative is zero wherever it exists."""
    return lambda *xs: base(*(primal(x) for x in xs))


def half_at_tie(wins: Callable[[Any, Any], bool]) -> Scalar:
    """The partials of maximum or minimum: ties share equally."""

    def partials(_y: Any, a: Any, b: Any) -> tuple[Scalar, Scalar]:
        a, b = primal(a), primal(b)
        share = 0.5 if a == b else float(wins(a, b))
        return (lambda: np.float64(share)), (lambda: np.float64(1.0 - share))

    return partials


def power_partials(y: Any, a: Any, b: Any) -> tuple[Scalar, Scalar]:
    """The partials of `a ** b`; a zero exponent makes the first one zero."""

    def by_base() -> Any:
        return np.float64(0.0) if is_zero(b) else b * a ** (b - 1.0)

    return by_base, lambda: np.float64(0.0) if is_zero(a) else y * np_log(a)


def _partials(by_a: Scalar, by_b: Scalar) -> Scalar:
    return lambda y, a, b: ((lambda: by_a(y, a, b)), (lambda: by_b(y, a, b)))


_ONE = np.float64(1.0)
_BINARY_PARTIALS: dict[str, Scalar] = {
    "add": _partials(lambda y, a, b: _ONE, lambda y, a, b: _ONE),
    "subtract": _partials(lambda y, a, b: _ONE, lambda y, a, b: -_ONE),
    "multiply": _partials(lambda y, a, b: b, lambda y, a, b: a),
    "divide": _partials(lambda y, a, b: 1.0 / b, lambda y, a, b: -y / b),
    "power": power_partials,
    "remainder": _partials(
        lambda y, a, b: _ONE, lambda y, a, b: -np.floor(primal(a) / primal(b))
    ),
    "fmod": _partials(
        lambda y, a, b: _ONE, lambda y, a, b: -np.trunc(primal(a) / primal(b))
    ),
    "arctan2": _partials(
        lambda y, a, b: b / (a * a + b * b), lambda y, a, b: -a / (a * a + b * b)
    ),
    "hypot": _partials(
        lambda y, a, b: a / y if y else 0.0 * a, lambda y, a, b: b / y if y else 0.0 * b
    ),
    "logaddexp": _partials(
        lambda y, a, b: np_exp(a - y), lambda y, a, b: np_exp(b - y)
    ),
    "maximum": half_at_tie(operator.gt),
    "minimum": half_at_tie(operator.lt),
    "copysign": _partials(
        lambda y, a, b: np.sign(primal(a)) * np.sign(primal(y)),
        lambda y, a, b: np.float64(0.0),
    ),
}
_UNARY_PARTIALS: dict[str, Scalar] = {
    "sin": lambda y, x: np_cos(x),
    "cos": lambda y, x: -np_sin(x),
    "tan": lambda y, x: 1.0 + y * y,
    "exp": lambda y, x: y,
    "exp2": lambda y, x: y * math.log(2.0),
    "expm1": lambda y, x: y + 1.0,
    "log": lambda y, x: 1.0 / x,
    "log2": lambda y, x: 1.0 / (x * math.log(2.0)),
    "log10": lambda y, x: 1.0 / (x * math.log(10.0)),
    "log1p": lambda y, x: 1.0 / (1.0 + x),
    "sqrt": lambda y, x: 0.5 / y,
    "cbrt": lambda y, x: 1.0 / (3.0 * y * y),
    "square": lambda y, x: 2.0 * x,
    "reciprocal": lambda y, x: -y * y,
    "negative": lambda y, x: -_ONE,
    "positive": lambda y, x: _ONE,
    "absolute": lambda y, x: np.float64(np.sign(primal(x))),
    "sinh": lambda y, x: np_cosh(x),
    "cosh": lambda y, x: np_sinh(x),
    "tanh": lambda y, x: 1.0 - y * y,
    "arcsin": lambda y, x: 1.0 / np_sqrt(1.0 - x * x),
    "arccos": lambda y, x: -1.0 / np_sqrt(1.0 - x * x),
    "arctan": lambda y, x: 1.0 / (1.0 + x * x),
    "arcsinh": lambda y, x: 1.0 / np_sqrt(1.0 + x * x),
    "arccosh": lambda y, x: 1.0 / np_sqrt(x * x - 1.0),
    "arctanh": lambda y, x: 1.0 / (1.0 - x * x),
    "deg2rad": lambda y, x: np.float64(math.pi / 180.0),
    "rad2deg": lambda y, x: np.float64(180.0 / math.pi),
    "erf": lambda y, x: np_exp(-x * x) * (2.0 / math.sqrt(math.pi)),
    "erfc": lambda y, x: np_exp(-x * x) * (-2.0 / math.sqrt(math.pi)),
}
_OPERATOR = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "power": operator.pow,
    "remainder": operator.mod,
    "negative": operator.neg,
    "positive": operator.pos,
    "absolute": abs,
}
_MATH_NAME = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "absolute": "fabs",
    "power": "pow",
    "deg2rad": "radians",
    "rad2deg": "degrees",
}
_CONSTANT = ("floor", "ceil", "trunc", "rint", "sign", "floor_divide", "heaviside")


def _table(base_of: Callable[[str], Scalar | None]) -> dict[str, Scalar]:
    table: dict[str, Scalar] = {}
    for names, make in ((_UNARY_PARTIALS, unary), (_BINARY_PARTIALS, binary)):
        for name, partial in names.items():
            base = base_of(name)
            if base is not None:
                table[name] = make(base, partial)
    return table


# The operators of Python keep the semantics of the plain operands (division by zero
# raises for a float, gives inf for a NumPy scalar).
OPERATORS = _table(_OPERATOR.get)
NUMPY = _table(lambda name: getattr(np, name, None)) | {
    name: constant(getattr(np, name)) for name in _CONSTANT
}
MATH = {
    _MATH_NAME.get(name, name): function
    for name, function in _table(
        lambda name: getattr(math, _MATH_NAME.get(name, name), None)
    ).items()
}
np_sin, np_cos, np_sinh, np_cosh = (NUMPY[k] for k in ("sin", "cos", "sinh", "cosh"))
np_exp, np_log, np_sqrt = (NUMPY[k] for k in ("exp", "log", "sqrt"))


def _binary_method(function: Scalar, reverse: bool) -> Scalar:
    ufunc = next(k for k, v in OPERATORS.items() if v is function)

    def method(self: Dual, other: Any) -> Any:
        left, right = (other, self) if reverse else (self, other)
        if isinstance(other, np.ndarray):
            return getattr(np, ufunc)(left, right)
        if not isinstance(other, int | float | np.number | np.bool | Dual):
            return NotImplemented
        return function(left, right)

    return method


def _install_operators() -> None:
    names = {
        "add": "add",
        "sub": "subtract",
        "mul": "multiply",
        "truediv": "divide",
        "pow": "power",
        "mod": "remainder",
    }
    for python, ufunc in names.items():
        function = OPERATORS[ufunc]
        setattr(Dual, f"__{python}__", _binary_method(function, False))
        setattr(Dual, f"__r{python}__", _binary_method(function, True))
    for python, ufunc in {
        "neg": "negative",
        "pos": "positive",
        "abs": "absolute",
    }.items():
        setattr(Dual, f"__{python}__", OPERATORS[ufunc])
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "floordiv", "rfloordiv"):
        setattr(Dual, f"__{name}__", _primal_method(name))
    Dual.__divmod__ = lambda a, b: (a // b, a % b)  # type: ignore[attr-defined]


def _primal_method(name: str) -> Scalar:
    base = name.removeprefix("r") if name == "rfloordiv" else name
    function = getattr(operator, base)

    def method(self: Dual, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return function(np.asarray(primal(self)), other)
        if not isinstance(other, int | float | np.number | np.bool | Dual):
            return NotImplemented
        left, right = primal(self), primal(other)
        return function(right, left) if name == "rfloordiv" else function(left, right)

    return method


_install_operators()
