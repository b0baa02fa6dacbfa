"""Reductions and scans of dual arrays."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.dual import level_of, primal
from tests.oracle.scalars import NUMPY
from tests.oracle.ufuncs import Array, lift, plain, wrap


def reduction(fold: Callable[[list[Any]], Any], integer: Any) -> Callable[..., Any]:
    """A reduction over axes.

    Args:
        fold: the result for the list of elements.
        integer: NumPy's own function, for arrays of integers and booleans.
    """

    def reduce(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **options: Any
    ) -> Any:
        keepdims = options.pop("keepdims", False)
        ddof = {k: v for k, v in options.items() if k == "ddof"}
        a = _array(a)
        if a.dtype != object:
            return wrap(integer(plain(a), axis=axis, keepdims=keepdims, **ddof))
        result = _fold_axes(functools.partial(fold, **ddof), a, axis, keepdims)
        if out is None:
            return result
        out[...] = result
        return out

    return reduce


def _array(a: Any) -> Any:
    from tests.oracle.creation import array

    return a if isinstance(a, np.ndarray) and a.dtype.kind in "Oiub" else array(a)


def _fold_axes(fold: Callable[..., Any], a: Any, axis: Any, keepdims: bool) -> Any:
    a = plain(a)
    axes = range(a.ndim) if axis is None else np.atleast_1d(axis)
    axes = tuple(int(k) % max(a.ndim, 1) for k in axes)
    kept = [k for k in range(a.ndim) if k not in axes]
    moved = a.transpose([*kept, *axes])
    shape = moved.shape[: len(kept)]
    out = np.empty(shape, object)
    for at in np.ndindex(*shape):
        out[at] = fold(list(moved[at].ravel()) if axes else [moved[at]])
    if keepdims:
        out = out.reshape([1 if k in axes else n for k, n in enumerate(a.shape)])
    out = out.view(Array)
    if a.size and isinstance(out.ravel()[0] if out.size else None, bool | np.bool):
        out = plain(out).astype(bool).view(Array)
    return out[()] if out.ndim == 0 else out


def _sum(xs: list[Any]) -> Any:
    return functools.reduce(operator.add, xs, np.float64(0.0))


def _prod(xs: list[Any]) -> Any:
    return functools.reduce(operator.mul, xs, np.float64(1.0))


def _mean(xs: list[Any]) -> Any:
    return _sum(xs) / len(xs)


def _var(xs: list[Any], ddof: int = 0) -> Any:
    mean = _mean(xs)
    return _sum([(x - mean) * (x - mean) for x in xs]) / (len(xs) - ddof)


def _std(xs: list[Any], ddof: int = 0) -> Any:
    return NUMPY["sqrt"](_var(xs, ddof))


def _extreme(pick: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """max or min, whose ties share the cotangent equally."""

    def fold(xs: list[Any]) -> Any:
        best = pick([primal(x) for x in xs])
        ties = [x for x in xs if primal(x) == best]
        if level_of(*ties) == 0 or len(ties) == 1:
            return ties[0]
        return _mean(ties)

    return fold


def _median(xs: list[Any]) -> Any:
    ordered, half = sorted(xs, key=primal), len(xs) // 2
    if len(xs) % 2:
        return ordered[half]
    return (ordered[half - 1] + ordered[half]) * 0.5


def _position(pick: Callable[..., int]) -> Callable[[list[Any]], int]:
    return lambda xs: np.int64(pick([primal(x) for x in xs]))


def _arg(pick: Any, integer: Any) -> Callable[..., Any]:
    fold = reduction(_position(pick), integer)

    def arg(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        found = fold(a, axis=axis, keepdims=keepdims)
        if isinstance(found, np.ndarray):
            return plain(found).astype(int).view(Array)
        return found

    return arg


def _scan(combine: Callable[[Any, Any], Any], integer: Any) -> Callable[..., Any]:
    def scan(
        a: Any, axis: int | None = None, dtype: Any = None, out: Any = None
    ) -> Any:
        a = _array(a)
        if a.dtype != object:
            return wrap(integer(plain(a), axis=axis))
        a = plain(lift(a.ravel() if axis is None else a))
        result = np.frompyfunc(combine, 2, 1).accumulate(a, axis=axis or 0)
        if out is not None:
            out[...] = result
        return result.view(Array) if out is None else out

    return scan


def ptp(a: Any, axis: Any = None) -> Any:
    """The range of the values."""
    return REDUCTIONS["max"](a, axis=axis) - REDUCTIONS["min"](a, axis=axis)


def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """`np.diff`."""
    a = _array(a)
    for _ in range(n):
        a = np.moveaxis(a, axis, -1)
        a = np.moveaxis(a[..., 1:] - a[..., :-1], -1, axis)
    return a


def argsort(a: Any, axis: int = -1, **_options: Any) -> Any:
    """`np.argsort`, stable."""
    values = np.frompyfunc(primal, 1, 1)(plain(lift(a))).astype(float)
    return np.argsort(values, axis=axis, kind="stable").view(Array)


def sort(a: Any, axis: int = -1, **_options: Any) -> Any:
    """`np.sort`."""
    a = _array(a)
    order = plain(argsort(a, axis))
    return np.take_along_axis(plain(a), order, axis).view(Array)


def _any(xs: list[Any]) -> bool:
    return any(bool(x) for x in xs)


def _all(xs: list[Any]) -> bool:
    return all(bool(x) for x in xs)


REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": reduction(_sum, np.sum),
    "prod": reduction(_prod, np.prod),
    "mean": reduction(_mean, np.mean),
    "var": reduction(_var, np.var),
    "std": reduction(_std, np.std),
    "max": reduction(_extreme(max), np.max),
    "min": reduction(_extreme(min), np.min),
    "amax": reduction(_extreme(max), np.max),
    "amin": reduction(_extreme(min), np.min),
    "median": reduction(_median, np.median),
    "any": reduction(_any, np.any),
    "all": reduction(_all, np.all),
    "count_nonzero": reduction(lambda xs: sum(map(bool, xs)), np.count_nonzero),
    "argmax": _arg(np.argmax, np.argmax),
    "argmin": _arg(np.argmin, np.argmin),
    "cumsum": _scan(operator.add, np.cumsum),
    "cumprod": _scan(operator.mul, np.cumprod),
    "ptp": ptp,
    "diff": diff,
    "sort": sort,
    "argsort": argsort,
}
