"""The stand-ins for `numpy`, `math` and the builtins that a program names."""

from __future__ import annotations

import builtins
import math
import types
from typing import Any

import numpy as np

from tests.oracle import creation, nested, products, scalars, shaping
from tests.oracle.dual import Dual, OracleDomainError, primal
from tests.oracle.reductions import REDUCTIONS
from tests.oracle.ufuncs import Array, apply_ufunc, plain

_PASSED_ON = {
    "pi e inf nan newaxis euler_gamma ndarray generic number integer inexact floating "
    "bool int8 int16 int32 int64 intp uint8 errstate seterr s_ r_ index_exp random "
    "ndindex indices ix_ finfo iinfo broadcast_shapes dtype True_ False_ isscalar tri "
    "tril_indices triu_indices diag_indices ravel_multi_index isin unique"
}
PASSED_ON = frozenset(word for words in _PASSED_ON for word in words.split())


class FloatStandIn(type):
    """The metaclass of the stand-ins for float types: duals are instances."""

    is_float_stand_in = True
    real: type = float

    def __instancecheck__(cls, instance: Any) -> builtins.bool:
        return isinstance(primal(instance), cls.real)

    def __subclasscheck__(cls, subclass: type) -> builtins.bool:
        return subclass is Dual or issubclass(subclass, cls.real)

    def __eq__(cls, other: Any) -> builtins.bool:
        return other in (cls.real, Dual) or other is cls

    def __hash__(cls) -> int:
        return hash(cls.real)

    def __call__(cls, x: Any = 0.0) -> Any:
        if isinstance(x, np.ndarray):
            if x.size != 1:
                raise TypeError("only 0-dimensional arrays can be converted")
            x = plain(x).ravel()[0]
        return x if isinstance(x, Dual) else cls.real(x)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.real, name)


def float_stand_in(real: type) -> FloatStandIn:
    """A class that converts, and is asked about, as `real` is."""
    made = FloatStandIn(real.__name__, (), {})
    made.real = real
    return made


def _ufunc_caller(ufunc: Any) -> Any:
    """A stand-in for a ufunc: its call and its methods."""

    class Caller:
        __name__ = ufunc.__name__

        def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
            inputs, kwargs = _positional_out(ufunc, inputs, kwargs)
            return apply_ufunc(ufunc, "__call__", inputs, kwargs)

        def __getattr__(self, method: str) -> Any:
            return lambda *inputs, **kwargs: apply_ufunc(ufunc, method, inputs, kwargs)

    return Caller()


def _positional_out(ufunc: Any, inputs: Any, kwargs: Any) -> Any:
    if len(inputs) > ufunc.nin:
        kwargs = kwargs | {"out": inputs[ufunc.nin]}
        inputs = inputs[: ufunc.nin]
    if kwargs.get("out") is not None and not isinstance(kwargs["out"], tuple):
        kwargs = kwargs | {"out": (kwargs["out"],)}
    inputs = tuple(creation.array(x) if _is_sequence(x) else x for x in inputs)
    return inputs, {k: v for k, v in kwargs.items() if v is not None}


def _is_sequence(x: Any) -> builtins.bool:
    return isinstance(x, list | tuple)


class ModuleStandIn(types.ModuleType):
    """A module whose unknown attributes are outside of the oracle's domain."""

    def __init__(self, name: str, table: dict[str, Any]) -> None:
        super().__init__(name)
        self.__dict__.update(table)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise OracleDomainError(f"{self.__name__}.{name}")


def _public(module: types.ModuleType) -> dict[str, Any]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, types.FunctionType)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }


def _numpy() -> ModuleStandIn:
    table: dict[str, Any] = {name: getattr(np, name) for name in PASSED_ON}
    table |= {
        name: _ufunc_caller(value)
        for name, value in vars(np).items()
        if isinstance(value, np.ufunc)
    }
    linear = ("solve", "inv", "det", "cholesky", "norm")
    table |= {k: v for k, v in _public(products).items() if k not in linear}
    table |= _public(creation) | _public(shaping) | shaping.MOVES | shaping.JOINS
    table |= REDUCTIONS | {"average": REDUCTIONS["mean"], "round": shaping.round_}
    table |= {"around": shaping.round_, "sinc": sinc, "nan_to_num": nan_to_num}
    table |= {"ascontiguousarray": creation.array, "asanyarray": creation.asarray}
    table |= {"array_equal": array_equal, "allclose": allclose, "bool_": np.bool}
    table |= {"float64": float_stand_in(np.float64), "isclose": allclose}
    for name in ("is_float", "real_dtype", "through", "joining", "round_", "astype"):
        table.pop(name, None)
    linalg = {name: getattr(products, name) for name in linear}
    linalg["LinAlgError"] = np.linalg.LinAlgError
    table["linalg"] = ModuleStandIn("numpy.linalg", linalg)
    return ModuleStandIn("numpy", table)


def sinc(x: Any) -> Any:
    """`np.sinc` away from zero."""
    y = x * math.pi
    return np.sin(y) / y if isinstance(x, np.ndarray) else scalars.np_sin(y) / y


def nan_to_num(a: Any) -> Any:
    """`np.nan_to_num` of finite values."""
    return a


def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8) -> builtins.bool:
    """`np.allclose`, of the values."""
    values = [shaping.MOVES["ravel"](creation.array(x)) for x in (a, b)]
    real = [np.array([primal(v) for v in x], float) for x in values]
    return np.allclose(real[0], real[1], rtol, atol)


def array_equal(a: Any, b: Any) -> builtins.bool:
    """`np.array_equal`, of the values."""
    return shaping.shape(a) == shaping.shape(b) and allclose(a, b, 0.0, 0.0)


def _math_call(function: Any) -> Any:
    def call(*xs: Any) -> Any:
        return function(
            *(plain(x).ravel()[0] if isinstance(x, np.ndarray) else x for x in xs)
        )

    return call


def _constant_math(function: Any) -> Any:
    return lambda *xs, **options: function(*(primal(x) for x in xs), **options)


def _log(x: Any, base: Any = None) -> Any:
    log = scalars.MATH["log"]
    return log(x) if base is None else log(x) / log(base)


def _hypot(*xs: Any) -> Any:
    if len(xs) == 2:
        return scalars.MATH["hypot"](*xs)
    return scalars.MATH["sqrt"](sum(x * x for x in xs))


def _fsum(xs: Any) -> Any:
    return sum(xs)


def _math_prod(xs: Any, *, start: Any = 1) -> Any:
    for x in xs:
        start = start * x
    return start


def _dist(p: Any, q: Any) -> Any:
    return _hypot(*(a - b for a, b in zip(p, q, strict=True)), 0.0, 0.0)


def _math() -> ModuleStandIn:
    table = {
        name: _constant_math(value)
        for name, value in vars(math).items()
        if name in ("floor", "ceil", "trunc", "isnan", "isinf", "isfinite", "comb")
        or name in ("isclose", "factorial", "gcd", "isqrt")
    }
    table |= {name: getattr(math, name) for name in ("pi", "e", "inf", "nan", "tau")}
    table |= {name: _math_call(function) for name, function in scalars.MATH.items()}
    table |= {"log": _log, "hypot": _hypot, "fsum": _fsum, "dist": _dist}
    table["prod"] = _math_prod
    return ModuleStandIn("math", table)


_DERIVATIVES = {
    "grad": nested.nested_grad,
    "value_and_grad": nested.nested_value_and_grad,
}
NUMPY = _numpy()
MATH = _math()
FLOAT = float_stand_in(float)


def _pow(a: Any, b: Any, mod: Any = None) -> Any:
    return a**b if mod is None else pow(a, b, mod)


BUILTINS: dict[str, Any] = vars(builtins) | {"float": FLOAT, "pow": _pow}


def stand_in(x: Any) -> Any:
    """The stand-in for a module, a library function or a type, or None.

    Raises:
        OracleDomainError: `x` belongs to NumPy but has no stand-in.
    """
    if x is float:
        return FLOAT
    if getattr(x, "__module__", "") == "sourcegrad.api":
        return _DERIVATIVES.get(getattr(x, "__name__", ""))
    if isinstance(x, types.ModuleType):
        by_name = {"numpy": NUMPY, "math": MATH, "numpy.linalg": NUMPY.linalg}
        return by_name.get(x.__name__)
    module = getattr(x, "__module__", None)
    if module == "math":
        return getattr(MATH, x.__name__)
    if isinstance(x, np.ufunc) or str(module).partition(".")[0] == "numpy":
        return _numpy_object(x)
    return None


def _numpy_object(x: Any) -> Any:
    if isinstance(x, np.ndarray | np.generic | np.random.Generator):
        return None
    for home, standing in ((np.linalg, NUMPY.linalg), (np, NUMPY)):
        for name, value in vars(home).items():
            if value is x:
                return getattr(standing, name)
    return None


def install_array_methods() -> None:
    """Gives `Array` the methods of arrays that the real ones would get wrong."""
    for name in ("sum prod mean var std max min any all argmax argmin").split():
        setattr(Array, name, _method(REDUCTIONS[name]))
    for name in ("cumsum", "cumprod", "argsort"):
        setattr(Array, name, _method(REDUCTIONS[name]))
    Array.dot = _method(products.dot)  # type: ignore[method-assign]
    Array.clip = _method(shaping.clip)  # type: ignore[method-assign]
    Array.round = _method(shaping.round_)  # type: ignore[method-assign]
    Array.astype = _method(shaping.astype)  # type: ignore[method-assign]
    Array.trace = _method(products.trace)  # type: ignore[method-assign]
    Array.put = _method(shaping.put)  # type: ignore[method-assign]
    Array.fill = _fill  # type: ignore[method-assign]
    Array.sort = _sort  # type: ignore[method-assign]


def _method(function: Any) -> Any:
    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return method


def _fill(self: Array, value: Any) -> None:
    self[...] = value


def _sort(self: Array, axis: int = -1, **_options: Any) -> None:
    self[...] = REDUCTIONS["sort"](self, axis)


install_array_methods()
