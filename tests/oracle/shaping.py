"""Functions that move, choose and write elements of dual arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.creation import array, asarray, is_float, zeros
from tests.oracle.dual import Dual, OracleDomainError, primal
from tests.oracle.ufuncs import Array, lift, pick, plain


def through(function: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy function that only moves elements, applied to arrays of the oracle."""

    def move(a: Any, *args: Any, **kwargs: Any) -> Any:
        args = tuple(plain(x) if isinstance(x, np.ndarray) else x for x in args)
        moved = function(plain(asarray(a)), *args, **kwargs)
        if isinstance(moved, list | tuple):
            return type(moved)(m.view(Array) for m in moved)
        return moved.view(Array) if isinstance(moved, np.ndarray) else moved

    return move


_MOVES = (
    "reshape ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims roll flip "
    "fliplr flipud rot90 repeat tile take take_along_axis diag diagonal diagflat triu "
    "tril broadcast_to split array_split hsplit vsplit delete atleast_1d atleast_2d "
    "resize compress unravel_index matrix_transpose permute_dims copy"
).split()
MOVES = {name: through(getattr(np, name)) for name in _MOVES}


def joining(function: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy function that joins a sequence of arrays."""

    def join(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        parts = [array(a) for a in arrays]
        if any(p.dtype == object for p in parts):
            parts = [lift(p) for p in parts]
        return function([plain(p) for p in parts], *args, **kwargs).view(Array)

    return join


_JOINS = ("concatenate", "stack", "hstack", "vstack", "dstack", "column_stack")
JOINS = {name: joining(getattr(np, name)) for name in _JOINS}


def append(a: Any, values: Any, axis: Any = None) -> Any:
    """`np.append`."""
    a, values = array(a), array(values)
    parts = [a, values] if axis is not None else [a.ravel(), values.ravel()]
    return JOINS["concatenate"](parts, axis=axis or 0)


def where(condition: Any, *choices: Any) -> Any:
    """`np.where`, both forms."""
    condition = plain(asarray(condition)).astype(bool)
    if not choices:
        return tuple(k.view(Array) for k in np.where(condition))
    a, b = (array(x) for x in choices)
    if a.dtype != object and b.dtype != object:
        return np.where(condition, plain(a), plain(b)).view(Array)
    return pick(condition, a, b)


def nonzero(a: Any) -> Any:
    """`np.nonzero`."""
    return where(a)


def flatnonzero(a: Any) -> Any:
    """`np.flatnonzero`."""
    return where(asarray(a).ravel())[0]


def select(conditions: Any, choices: Any, default: Any = 0.0) -> Any:
    """`np.select`: the first condition that holds."""
    result = lift(default)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = pick(condition, choice, result)
    return result


def clip(a: Any, low: Any = None, high: Any = None, out: Any = None) -> Any:
    """`np.clip`."""
    result = lift(a)
    if low is not None:
        result = np.maximum(result, low)
    if high is not None:
        result = np.minimum(result, high)
    if out is None:
        return result if np.ndim(a) or isinstance(a, np.ndarray) else result[()]
    out[...] = result
    return out


def pad(a: Any, width: Any, mode: str = "constant", constant_values: Any = 0.0) -> Any:
    """`np.pad` with constants."""
    if mode != "constant":
        raise OracleDomainError(f"np.pad of mode {mode}")
    a = lift(a)
    pairs = np.broadcast_to(np.asarray(width), (a.ndim, 2))
    shape = [n + int(p.sum()) for n, p in zip(a.shape, pairs, strict=True)]
    out = zeros(shape)
    out[...] = constant_values
    starts = zip(a.shape, pairs, strict=True)
    out[tuple(slice(int(p[0]), int(p[0]) + n) for n, p in starts)] = a
    return out


def round_(a: Any, decimals: int = 0) -> Any:
    """`np.round`: a constant."""
    if isinstance(a, np.ndarray):
        return lift(
            np.round(np.frompyfunc(primal, 1, 1)(plain(a)).astype(float), decimals)
        )
    return np.round(primal(a), decimals)


def copyto(target: Any, source: Any, where: Any = True) -> None:
    """`np.copyto`."""
    source = np.broadcast_to(plain(array(source)), target.shape)
    target[...] = source if where is True else pick(where, source, target)


def put(target: Any, index: Any, values: Any) -> None:
    """`np.put`: flat positions, values repeated as needed."""
    index, values = np.ravel(plain(array(index))), lift(values).ravel()
    for k, position in enumerate(index):
        where = np.unravel_index(int(position) % target.size, target.shape)
        target[where] = values[k % values.size]


def place(target: Any, mask: Any, values: Any) -> None:
    """`np.place`: the next value at each true position."""
    values = lift(values).ravel()
    for k, at in enumerate(np.argwhere(plain(mask))):
        target[tuple(at)] = values[k % values.size]


def putmask(target: Any, mask: Any, values: Any) -> None:
    """`np.putmask`: the value of the same position, repeated as needed."""
    values = lift(values).ravel()
    for at in np.argwhere(plain(mask)):
        position = np.ravel_multi_index(tuple(at), target.shape)
        target[tuple(at)] = values[position % values.size]


def fill_diagonal(target: Any, value: Any) -> None:
    """`np.fill_diagonal`."""
    values = np.broadcast_to(plain(lift(value)), (min(target.shape),))
    for k, v in enumerate(values):
        target[(k,) * target.ndim] = v


def astype(a: Any, dtype: Any, copy: bool = True) -> Any:
    """The method `astype`."""
    return a if not copy and is_float(dtype) and a.dtype == object else array(a, dtype)


def ndim(a: Any) -> int:
    """`np.ndim`."""
    return 0 if isinstance(a, Dual) else np.ndim(a)


def shape(a: Any) -> tuple[int, ...]:
    """`np.shape`."""
    return () if isinstance(a, Dual) else array(a).shape


def size(a: Any) -> int:
    """`np.size`."""
    return 1 if isinstance(a, Dual) else int(array(a).size)


def interp(x: Any, xp: Any, fp: Any) -> Any:
    """`np.interp` with active points and values, flat outside of the grid."""
    x_array, xp, fp = lift(x), lift(xp), lift(fp)
    out = zeros(x_array.shape)
    for at in np.ndindex(*x_array.shape):
        k = int(np.searchsorted([primal(v) for v in xp], primal(x_array[at])))
        if k in (0, len(xp)):
            out[at] = fp[min(k, len(xp) - 1)]
        else:
            slope = (fp[k] - fp[k - 1]) / (xp[k] - xp[k - 1])
            out[at] = fp[k - 1] + (x_array[at] - xp[k - 1]) * slope
    return out if np.ndim(plain(x)) else out[()]


def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """`np.searchsorted`: a constant."""
    values = [primal(x) for x in a]
    if isinstance(v, np.ndarray):
        return np.searchsorted(values, [primal(x) for x in v], side).view(Array)
    return np.searchsorted(values, primal(v), side)
