"""Arrays made from nothing or from sequences: floats become objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracle.dual import Dual, OracleDomainError, primal
from tests.oracle.ufuncs import Array, lift, plain, wrap


def is_float(dtype: Any) -> bool:
    """Whether the dtype given to a creation function means floats."""
    if dtype is None or getattr(dtype, "is_float_stand_in", False):
        return True
    return np.dtype(dtype).kind in "fO"


def real_dtype(dtype: Any) -> Any:
    """The NumPy dtype that a dtype argument of the program stands for."""
    return np.float64 if getattr(dtype, "is_float_stand_in", False) else dtype


def full(shape: Any, value: Any, dtype: Any = None, order: str = "C") -> Any:
    """`np.full`."""
    if dtype is not None and not is_float(dtype):
        return np.full(shape, value, real_dtype(dtype)).view(Array)
    if dtype is None and isinstance(value, int | np.integer | bool | np.bool):
        return np.full(shape, value).view(Array)
    out = np.empty(shape, object, order=order).view(Array)
    out[...] = value
    return out


def zeros(shape: Any, dtype: Any = None, order: str = "C") -> Any:
    """`np.zeros`."""
    return full(shape, 0.0 if is_float(dtype) else 0, dtype, order)


def ones(shape: Any, dtype: Any = None, order: str = "C") -> Any:
    """`np.ones`."""
    return full(shape, 1.0 if is_float(dtype) else 1, dtype, order)


def empty(shape: Any, dtype: Any = None, order: str = "C") -> Any:
    """`np.empty`, whose contents are nan so that reading them shows."""
    return full(shape, np.nan if is_float(dtype) else 0, dtype, order)


def full_like(a: Any, value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """`np.full_like`."""
    a = array(a, copy=False)
    if is_float(dtype if dtype is not None else a.dtype):
        out = np.empty_like(plain(a), object, shape=shape).view(Array)
        out[...] = value
        return out
    kind = real_dtype(dtype) if dtype is not None else None
    return np.full_like(plain(a), primal(value), kind, shape=shape).view(Array)


def zeros_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """`np.zeros_like`."""
    return full_like(a, 0.0, dtype, shape)


def ones_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """`np.ones_like`."""
    return full_like(a, 1.0, dtype, shape)


def empty_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """`np.empty_like`; floats are nan."""
    return full_like(a, np.nan if array(a).dtype == object else 0, dtype, shape)


def array(a: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """`np.array`: floats and duals as objects, integers and booleans as they are."""
    if isinstance(a, Array) and not copy and dtype is None:
        return a
    raw = plain(a) if isinstance(a, np.ndarray | Dual) else _from_sequence(a)
    if dtype is not None and not is_float(dtype):
        raw = _primals(raw).astype(real_dtype(dtype))
    elif dtype is not None or raw.dtype.kind in "fO":
        raw = plain(lift(raw))
    elif raw.dtype.kind not in "iub":
        raise OracleDomainError(f"an array of dtype {raw.dtype}")
    else:
        raw = raw.copy()
    if raw.ndim < ndmin:
        raw = raw.reshape((1,) * (ndmin - raw.ndim) + raw.shape)
    return raw.view(Array)


def _from_sequence(a: Any) -> np.ndarray:
    """The array of nested sequences whose leaves may be arrays of the oracle."""
    if isinstance(a, list | tuple) and any(
        isinstance(x, Dual | np.ndarray | list | tuple) for x in a
    ):
        parts = [array(x) for x in a]
        shapes = {p.shape for p in parts}
        if len(shapes) != 1:
            raise ValueError("setting an array element with a sequence")
        if all(p.dtype != object for p in parts):
            return np.array([plain(p) for p in parts])
        out = np.empty((len(parts), *shapes.pop()), object)
        for k, part in enumerate(parts):
            out[k] = plain(part) if part.ndim else part[()]
        return out
    if isinstance(a, list | tuple) and not a:
        return np.empty(0, object)
    return np.asarray(a)


def _primals(a: np.ndarray) -> np.ndarray:
    if a.dtype != object:
        return a
    return np.frompyfunc(primal, 1, 1)(a).astype(float)


def asarray(a: Any, dtype: Any = None) -> Any:
    """`np.asarray`: no copy of an array."""
    same = dtype is None or (
        isinstance(a, Array) and is_float(dtype) == (a.dtype == object)
    )
    return a if isinstance(a, Array) and same else array(a, dtype)


def arange(*args: Any, dtype: Any = None) -> Any:
    """`np.arange` of constants."""
    kind = real_dtype(dtype)
    return wrap(np.arange(*(primal(a) for a in args), dtype=kind))


def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True) -> Any:
    """`np.linspace` with active end points."""
    grid = np.arange(num) / max(num - 1 if endpoint else num, 1)
    return lift(grid) * (stop - start) + start


def eye(*args: Any, dtype: Any = None, **options: Any) -> Any:
    """`np.eye`."""
    return wrap(np.eye(*args, dtype=real_dtype(dtype) or float, **options))


def fromiter(items: Any, dtype: Any, count: int = -1) -> Any:
    """`np.fromiter`."""
    del count
    return array(list(items), dtype)


def fromfunction(function: Any, shape: Any) -> Any:
    """`np.fromfunction`, which hands over float index grids."""
    return function(*(wrap(k.astype(float)) for k in np.indices(shape)))


def meshgrid(*arrays: Any, indexing: str = "xy") -> Any:
    """`np.meshgrid`."""
    grids = np.meshgrid(*(plain(array(a)) for a in arrays), indexing=indexing)
    return tuple(g.view(Array) for g in grids)
