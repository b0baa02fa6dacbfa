"""`Array`: object arrays of duals that behave as float arrays, and their ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.dual import Dual, OracleDomainError, primal
from tests.oracle.scalars import NUMPY, OPERATORS

_COMPARISONS = {
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "equal",
    "not_equal",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "logical_and",
    "logical_or",
    "logical_not",
    "logical_xor",
}
_ALIASES = {
    "fmax": "maximum",
    "fmin": "minimum",
    "fabs": "absolute",
    "mod": "remainder",
}
_ALIASES |= {"true_divide": "divide", "float_power": "power", "degrees": "rad2deg"}
_ALIASES |= {"radians": "deg2rad"}


class Array(np.ndarray):
    """An array of the oracle: floats as objects (duals), integers and bools as such."""

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        return apply_ufunc(ufunc, method, inputs, kwargs)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.dtype == object:
            value = plain(lift(value))
            if value.ndim == 0:
                value = value[()]
        np.ndarray.__setitem__(self, index, value)

    def __reduce__(self) -> Any:
        raise OracleDomainError("pickling an array of the oracle")


def _to_float(x: Any) -> Any:
    return x if isinstance(x, Dual) else np.float64(x)


_LIFT = np.frompyfunc(_to_float, 1, 1)


def plain(a: Any) -> Any:
    """The same memory as a base class array, whose operations are NumPy's own."""
    if isinstance(a, Dual):
        box = np.empty((), object)
        box[()] = a
        return box
    return np.asarray(a)


def wrap(a: Any) -> Any:
    """The result of an operation as the oracle represents it."""
    if not isinstance(a, np.ndarray):
        return a
    if a.dtype.kind == "f":
        a = lift_elements(a)
    return a.view(Array)


def lift_elements(a: np.ndarray) -> np.ndarray:
    """A fresh object array of the same layout whose elements are floats or duals."""
    out = np.empty_like(a, dtype=object, subok=False)
    out[...] = _LIFT(a)
    return out


def lift(a: Any) -> Array:
    """`a` (nested sequences, an array, a number) as an object array; fresh."""
    a = plain(a)
    if a.dtype.kind not in "fiubO":
        raise OracleDomainError(f"an array of dtype {a.dtype}")
    return lift_elements(a).view(Array)


def involves_floats(inputs: Any) -> bool:
    """Whether an operand holds duals or floats kept as objects."""
    return any(
        isinstance(x, Dual) or (isinstance(x, np.ndarray) and x.dtype == object)
        for x in inputs
    )


def scalar_function(ufunc: Any) -> Callable[..., Any]:
    """The function of scalars that a ufunc applies to each element."""
    name = _ALIASES.get(ufunc.__name__, ufunc.__name__)
    if name in _COMPARISONS:
        return lambda *xs: bool(ufunc(*(primal(x) for x in xs)))
    function = OPERATORS.get(name) or NUMPY.get(name)
    if function is None:
        raise OracleDomainError(f"np.{ufunc.__name__}")
    return function


def elementwise(ufunc: Any, inputs: Any) -> Any:
    """One call of a ufunc on duals, broadcast."""
    boxes = [plain(lift(x)) if _is_numeric(x) else plain(x) for x in inputs]
    result = np.frompyfunc(scalar_function(ufunc), len(boxes), 1)(*boxes)
    boolean = ufunc.__name__ in _COMPARISONS
    if isinstance(result, np.ndarray):
        return result.astype(bool).view(Array) if boolean else result.view(Array)
    return np.bool(result) if boolean else result


def _is_numeric(x: Any) -> bool:
    return not isinstance(x, np.ndarray) or x.dtype.kind == "f"


def apply_ufunc(ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """What `ufunc.method(*inputs, **kwargs)` does for arrays of the oracle."""
    out = kwargs.pop("out", (None,))[0]
    where = kwargs.pop("where", True)
    if method == "at":
        return _apply_at(ufunc, *inputs)
    if not involves_floats(inputs):
        result = wrap(getattr(ufunc, method)(*(plain(x) for x in inputs), **kwargs))
    elif method == "__call__" and ufunc.__name__ in ("matmul", "vecdot"):
        from tests.oracle import products

        result = getattr(products, ufunc.__name__)(*inputs)
    elif method == "__call__":
        result = elementwise(ufunc, inputs)
    elif method in ("outer", "reduce", "accumulate"):
        result = _apply_method(ufunc, method, inputs, kwargs)
    else:
        raise OracleDomainError(f"np.{ufunc.__name__}.{method}")
    if out is None:
        return result
    if where is True:
        out[...] = result
    else:
        out[...] = pick(where, result, out)
    return out


def pick(where: Any, a: Any, b: Any) -> Array:
    """`np.where(where, a, b)` of duals."""
    choose = np.frompyfunc(lambda c, x, y: x if c else y, 3, 1)
    picked = choose(plain(where), plain(lift(a)), plain(lift(b)))
    box = plain(picked) if isinstance(picked, Dual) else np.asarray(picked, object)
    return box.view(Array)


def _apply_at(ufunc: Any, target: Any, index: Any, value: Any = None) -> None:
    positions = np.arange(target.size).reshape(target.shape)[index]
    values = np.broadcast_to(plain(lift(value)), np.shape(positions))
    function, flat = scalar_function(ufunc), np.unravel_index(positions, target.shape)
    for where, v in zip(
        zip(*map(np.ravel, flat), strict=True), values.ravel(), strict=True
    ):
        target[where] = function(target[where], v)


def _apply_method(ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
    function = np.frompyfunc(scalar_function(ufunc), 2, 1)
    boxes = (
        [plain(lift(x)) for x in inputs[:2]]
        if method == "outer"
        else [plain(lift(inputs[0]))]
    )
    kwargs = {k: v for k, v in kwargs.items() if k != "dtype" and v is not None}
    if method == "reduce" and "axis" not in kwargs and len(inputs) == 1:
        kwargs["axis"] = 0
    result = getattr(function, method)(*boxes, *inputs[len(boxes) :], **kwargs)
    return result.view(Array) if isinstance(result, np.ndarray) else result
