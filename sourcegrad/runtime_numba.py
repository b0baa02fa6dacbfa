"""Numba's version of the helpers in `runtime`: one implementation per kind of argument.

Imported only with backend="numba". Each overload chooses, from the types, the body
that the NumPy helper would have run.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.cpython.unsafe import tuple as unsafe_tuple
from numba.extending import overload

from sourcegrad import runtime, runtime_norms, runtime_project, runtime_special

Body = Callable[..., Any] | None

# An intrinsic: its first parameter, a typing context, is not given in a call.
tuple_setitem: Any = unsafe_tuple.tuple_setitem


def implements(helper: Any) -> Callable[[Callable[..., Body]], Callable[..., Body]]:
    """Register the function below, which chooses a body from types, for a helper.

    Numba compares signatures with their annotations, so bodies get those of the
    function that chose them.
    """

    def register(choose: Callable[..., Body]) -> Callable[..., Body]:
        @functools.wraps(choose)
        def chosen(*args: Any, **kwargs: Any) -> Body:
            body = choose(*args, **kwargs)
            if body is not None:
                body.__annotations__ = {}
            return body

        parameters = inspect.signature(choose).parameters.values()
        bare = [p.replace(annotation=p.empty) for p in parameters]
        chosen.__signature__ = inspect.Signature(bare)  # type: ignore[attr-defined]
        overload(helper)(chosen)
        return choose

    return register


def _array(t: Any) -> bool:
    return isinstance(t, types.Array)


def _scalar(t: Any) -> bool:
    return isinstance(t, (types.Number, types.Boolean))


def _real(t: Any) -> bool:
    """Whether a scalar or array holds real numbers."""
    return not isinstance(getattr(t, "dtype", t), types.Complex)


# ---- shapes ----------------------------------------------------------------------


@implements(runtime.unbroadcast)
def _unbroadcast(g: Any, x: Any) -> Body:
    if _scalar(g) and _scalar(x):
        return lambda g, x: g
    if _array(g) and _scalar(x):
        return lambda g, x: np.sum(g)
    if (_scalar(g) or _array(g)) and _array(x):
        return lambda g, x: runtime.sum_to(g, x.shape)
    return None


@implements(runtime.sum_to)
def _sum_to(g: Any, shape: Any) -> Body:
    if not isinstance(shape, types.BaseTuple):
        return None
    if _scalar(g):
        return lambda g, shape: np.full(shape, g)
    if not _array(g):
        return None
    if g.ndim < len(shape):
        lead = (1,) * (len(shape) - g.ndim)

        def led(g: Any, shape: Any) -> Any:
            return _summed(np.ascontiguousarray(g).reshape(lead + g.shape), shape)

        return led
    if g.ndim == len(shape):
        return lambda g, shape: g if g.shape == shape else _summed(g, shape)
    return lambda g, shape: _summed(g, shape)


def _spread(g: Any, shape: Any) -> Any:
    """`g` broadcast to a shape."""
    raise NotImplementedError  # compiled code only: the overload below


@implements(_spread)
def _spread_compiled(g: Any, shape: Any) -> Body:
    def spread(g: Any, shape: Any) -> Any:
        out = np.empty(shape, g.dtype)
        out[...] = g
        return out

    return spread


def _summed(g: Any, shape: Any) -> Any:
    """The sum of `g` over the axes along which the operand was broadcast."""
    raise NotImplementedError  # compiled code only: the overload below


@implements(_summed)
def _summed_compiled(g: Any, shape: Any) -> Body:
    extra, rank = g.ndim - len(shape), len(shape)

    def summed(g: Any, shape: Any) -> Any:
        kept = shape
        for axis in range(rank):
            if g.shape[extra + axis] == 1:
                kept = tuple_setitem(kept, axis, 1)
        out = np.zeros(kept, g.dtype)
        for index in np.ndindex(g.shape):
            place = index[extra:]
            for axis in range(rank):
                if kept[axis] == 1:
                    place = tuple_setitem(place, axis, 0)
            out[place] += g[index]
        if kept == shape:
            return out
        spread = np.empty(shape, g.dtype)
        spread[...] = out
        return spread

    def summed_vector(g: Any, shape: Any) -> Any:
        if g.shape[0] == 1:
            return np.full(shape, g[0])
        total = g[0] * 0
        for v in g:
            total += v
        return np.full(shape, total)

    if rank == 0:
        return lambda g, shape: np.full(shape, np.sum(g))
    if g.ndim == 1:
        return summed_vector  # less to compile
    return summed


@implements(runtime.expand_reduced)
def _expand_reduced(y_bar: Any, x: Any, axis: Any, keepdims: Any) -> Body:
    if not _array(x):
        return None
    if _scalar(y_bar):
        return lambda y_bar, x, axis, keepdims: np.full(x.shape, y_bar)
    if not _array(y_bar):
        return None
    if y_bar.ndim == x.ndim:
        return lambda y_bar, x, axis, keepdims: _spread(y_bar, x.shape)
    if y_bar.ndim == x.ndim - 1 and isinstance(axis, types.Integer):
        rank = x.ndim

        def expand(y_bar: Any, x: Any, axis: Any, keepdims: Any) -> Any:
            out = np.empty(x.shape, y_bar.dtype)
            axis %= rank
            for index in np.ndindex(x.shape):
                place = index[1:]
                for k in range(rank - 1):
                    place = tuple_setitem(place, k, index[k if k < axis else k + 1])
                out[index] = y_bar[place]
            return out

        return expand
    return None


# ---- zeros, seeds and results ----------------------------------------------------


@implements(runtime.float_zeros)
def _float_zeros(x: Any) -> Body:
    if _array(x) and isinstance(x.dtype, (types.Integer, types.Boolean)):
        return lambda x: np.zeros_like(x, dtype=np.float64)
    return lambda x: np.zeros_like(x)


@implements(runtime.zeros_like)
def _zeros_like(x: Any) -> Body:
    if _array(x):
        return lambda x: runtime.float_zeros(x)
    if isinstance(x, types.Complex):
        return lambda x: 0j
    if _scalar(x):
        return lambda x: 0.0
    if isinstance(x, types.BaseTuple):
        return _each(x, "x", runtime.zeros_like)
    return None


def _each(t: Any, name: str, helper: Any) -> Callable[..., Any]:
    """A body with this parameter that applies a helper to each item of a tuple."""
    items = "".join(f"helper({name}[{i}]), " for i in range(len(t)))
    space: dict[str, Any] = {"helper": helper}
    exec(f"def each({name}):\n    return ({items})\n", space)  # kinds differ: no loop
    return space["each"]


@implements(runtime_project.zero_buffer)
def _zero_buffer(x: Any) -> Body:
    zeros = runtime_project.zero_buffer
    if isinstance(x, types.List | types.UniTuple):
        return lambda x: [zeros(item) for item in x]
    if isinstance(x, types.BaseTuple):
        return None
    return _zeros_like(x)


@implements(runtime_project.zeros_congruent)
def _zeros_congruent(x: Any) -> Body:
    if _array(x) and x.layout in "CF":
        return lambda x: runtime.float_zeros(x)
    return None


@implements(runtime_norms.per_norm)
def _per_norm(g: Any, y: Any) -> Body:
    return lambda g, y: g / (y + (y == 0))


@implements(runtime_project.shadow_view)
def _shadow_view(view: Any, value: Any, shared: Any) -> Body:
    return lambda view, value, shared: view if shared else runtime.float_zeros(value)


@implements(runtime_project.project)
def _project(g: Any, x: Any) -> Body:
    real = _real(x) and not _real(g)
    if _array(x):
        if isinstance(x.dtype, (types.Integer, types.Boolean)):
            return lambda g, x: _filled(g, np.empty(x.shape, np.float64))
        if real:
            return lambda g, x: _filled(np.real(g), np.empty(x.shape, x.dtype))
        return lambda g, x: _filled(g, np.empty(x.shape, x.dtype))
    if x == types.complex64:
        return lambda g, x: np.complex64(g)
    if isinstance(x, types.Complex):
        return lambda g, x: complex(g)
    if not _scalar(x):
        return None
    if _array(g):
        return (lambda g, x: g.item().real) if real else (lambda g, x: g.item())
    if real:
        return lambda g, x: g.real
    if x == types.float32:
        return lambda g, x: np.float32(g)
    return lambda g, x: float(g)


def _filled(g: Any, out: Any) -> Any:
    """`out`, with `g` broadcast into it."""
    raise NotImplementedError  # compiled code only: the overload below


@implements(_filled)
def _filled_compiled(g: Any, out: Any) -> Body:
    def fill(g: Any, out: Any) -> Any:
        out[...] = g
        return out

    return fill


@implements(runtime_project.seed_like)
def _seed_like(y: Any, y_bar: Any) -> Body:
    if not _array(y):
        return lambda y, y_bar: y_bar

    def seed(y: Any, y_bar: Any) -> Any:
        if y.size != 1:
            raise TypeError(
                "a gradient needs a result with exactly one element: "
                "use sourcegrad.vjp or sourcegrad.jacobian"
            )
        return np.full(y.shape, y_bar)

    return seed


@implements(runtime_project.kept_apart)
def _kept_apart(value: Any) -> Body:
    if _array(value):
        return lambda value: value.copy()
    if isinstance(value, types.List):
        kept = runtime_project.kept_apart
        return lambda value: [kept(item) for item in value]
    if isinstance(value, types.BaseTuple):
        return _each(value, "value", runtime_project.kept_apart)
    return lambda value: value


# ---- indexing --------------------------------------------------------------------


def _integers(t: Any) -> bool:
    return _array(t) and isinstance(t.dtype, types.Integer)


def _items(t: Any) -> list[Any]:
    """The types of a tuple's items."""
    return list(t)


@implements(runtime.scatter_add)
def _scatter_add(x_bar: Any, index: Any, g: Any) -> Body:
    if _integers(index):
        return _scatter_one(x_bar, index, g)
    if isinstance(index, types.BaseTuple) and any(map(_integers, _items(index))):
        return _scatter_tuple(index, g)

    def add(x_bar: Any, index: Any, g: Any) -> None:
        x_bar[index] += g

    return add


def _scatter_one(x_bar: Any, index: Any, g: Any) -> Body:
    """One array of integers: its elements name rows."""
    row = _array(g) and g.ndim == index.ndim + x_bar.ndim - 1

    def add(x_bar: Any, index: Any, g: Any) -> None:
        for place in np.ndindex(index.shape):
            x_bar[index[place]] += g[place]

    def spread(x_bar: Any, index: Any, g: Any) -> None:
        for place in np.ndindex(index.shape):
            x_bar[index[place]] += g

    return add if row else spread


def _scatter_tuple(index: Any, g: Any) -> Body:
    """Integers and arrays of integers of one shape, an element for each."""
    arrays = [i for i, t in enumerate(index) if _array(t)]
    rank = index[arrays[0]].ndim
    plain = all(_integers(t) or isinstance(t, types.Integer) for t in index)
    if not plain or any(index[i].ndim != rank for i in arrays):
        return None
    place = ", ".join(
        f"index[{i}][k]" if _array(t) else f"index[{i}]" for i, t in enumerate(index)
    )
    term = "g[k]" if _array(g) else "g"
    space: dict[str, Any] = {"np": np}
    exec(
        f"def add(x_bar, index, g):\n"
        f"    for k in np.ndindex(index[{arrays[0]}].shape):\n"
        f"        x_bar[{place}] += {term}\n",
        space,
    )
    return space["add"]


@implements(runtime.add_at_zeros)
def _add_at_zeros(x: Any, index: Any, g: Any) -> Body:
    scatter = runtime.scatter_add

    def add(x: Any, index: Any, g: Any) -> Any:
        x_bar = runtime.float_zeros(x)
        scatter(x_bar, index, g)
        return x_bar

    return add


# ---- partials --------------------------------------------------------------------


@implements(runtime.is_zero)
def _is_zero(g: Any) -> Body:
    if isinstance(g, types.Float):
        return lambda g: g == 0.0
    return lambda g: False


@implements(runtime.above)
def _above(x: Any, y: Any) -> Body:
    if _scalar(x) and _scalar(y):
        return lambda x, y: 1.0 if x > y else 0.5 if x == y else 0.0
    return lambda x, y: np.where(x > y, 1.0, np.where(x == y, 0.5, 0.0))


@implements(runtime.one_less)
def _one_less(n: Any, x: Any) -> Body:
    if _scalar(n) and _scalar(x):
        return lambda n, x: 1.0 if n == 0 and x == 0 else n - 1.0
    return lambda n, x: np.where((n == 0) & (x == 0), 1.0, n - 1.0)


@implements(runtime.log_or_zero)
def _log_or_zero(x: Any) -> Body:
    if _array(x):
        return lambda x: np.log(np.where(x == 0, 1.0, x))
    return lambda x: math.log(x) if x > 0 else 0.0 if x == 0 else math.nan


@implements(runtime_special.quotient)
def _quotient(x: Any, y: Any) -> Body:
    if _scalar(x) and _scalar(y):
        return lambda x, y: x / y if x != 0 else x * 0.0
    return lambda x, y: np.where(x == 0, x * 0.0, x / y)
