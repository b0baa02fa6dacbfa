"""Helpers at the boundary of generated code: seeds and results.

NumPy only, like `runtime`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, MutableSequence, MutableSet
from typing import Any

import numpy as np

from .runtime import float_zeros


def project(g: Any, x: Any) -> Any:
    """A cotangent as the gradient of an argument.

    Args:
        g: the cotangent; may share memory with anything.
        x: the argument.

    Returns:
        `g` in memory of its own, with the shape of `x` and its dtype if that is
        inexact (else float64); a scalar of the type of `x` for a scalar.

    >>> project(2, 1.0), project(1.0, np.zeros(2, np.float32))
    (2.0, array([1., 1.], dtype=float32))
    """
    if isinstance(x, np.ndarray):
        dtype = x.dtype if np.issubdtype(x.dtype, np.inexact) else np.float64
        if np.iscomplexobj(g) and not np.issubdtype(dtype, np.complexfloating):
            g = np.real(g)
        return np.array(np.broadcast_to(g, x.shape), dtype=dtype)
    if type(x) is complex:
        return complex(g)
    if np.iscomplexobj(g) and not np.iscomplexobj(x):
        g = np.real(g)
    if isinstance(x, np.inexact):
        return x.dtype.type(g)
    return float(g)


def in_form(form: Any, seed: Any) -> Any:
    """A cotangent in the shape of a result; a number stands for as many of them.

    Raises:
        ValueError: it has another shape, or is complex and the result is not.

    >>> in_form(np.zeros(2), 1.0)
    array([1., 1.])
    """
    if np.iscomplexobj(seed) and not np.iscomplexobj(form):
        raise ValueError("the cotangent is complex, and the result is not")
    if np.shape(seed) == np.shape(form):
        return seed
    if np.ndim(seed) == 0:
        return np.full(np.shape(form), seed)
    raise ValueError(
        f"the cotangent has shape {np.shape(seed)}, the result {np.shape(form)}"
    )


def seed_like(y: Any, y_bar: Any) -> Any:
    """The seed of a gradient: `y_bar` in the shape of a result with one element.

    Args:
        y: the result of the function.
        y_bar: the cotangent of its one element.

    Raises:
        TypeError: the result has not exactly one element, or is complex and the
            cotangent is not.

    >>> seed_like(np.array([2.0]), 1.0)
    array([1.])
    """
    if np.iscomplexobj(y) and not np.iscomplexobj(y_bar):
        raise TypeError(
            "the result is complex; a gradient needs a real number: return .real or "
            "abs(…), or say grad(f, holomorphic=True) if the function is"
        )
    if np.size(y) != 1:
        raise TypeError(
            f"the result has shape {np.shape(y)}; "
            "a gradient needs exactly one element: "
            "use sourcegrad.vjp or sourcegrad.jacobian"
        )
    if isinstance(y, np.ndarray):
        return np.full_like(y, y_bar)
    return y_bar


def kept_apart(value: Any) -> Any:
    """A residual in memory of its own: a deep copy of what holds arrays.

    >>> kept_apart(3.0)
    3.0
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return _like(value, map(kept_apart, value))
    if isinstance(value, dict):
        return {k: kept_apart(v) for k, v in value.items()}
    if isinstance(value, (MutableSequence, MutableSet)):  # a set, a deque, a bytearray
        return copy.deepcopy(value)
    return value


def _like(value: Any, items: Iterable[Any]) -> Any:
    """A list or tuple of the type of another one."""
    kind = type(value)
    return kind(*items) if hasattr(value, "_fields") else kind(items)


def is_last(a: Any, index: Any) -> Any:
    """Where a store `a[index] = v` leaves its element: the last writer of each slot.

    Args:
        a: an array.
        index: an index that may name a slot more than once.

    Returns:
        A boolean array of the shape of `a[index]`.

    >>> is_last(np.zeros(3), np.array([0, 0, 2]))
    array([False,  True,  True])
    """
    writer = np.empty(np.shape(a), dtype=np.intp)
    slots = writer[index]
    order = np.arange(slots.size).reshape(slots.shape)
    writer[index] = order
    return writer[index] == order


def zero_buffer(x: Any) -> Any:
    """Zeros that a sweep may accumulate in, in the form of a list or tuple; an item
    that is None, since the program did not come there, takes what adds nothing.

    >>> zero_buffer([(1.0, np.ones(2)), 3.0, None])
    [[0.0, array([0., 0.])], 0.0, 0.0]
    """
    if x is None:  # a list that was never made
        return []
    if isinstance(x, (list, tuple)):
        return [0.0 if item is None else zero_buffer(item) for item in x]
    if isinstance(x, dict):
        return {key: zero_buffer(item) for key, item in x.items()}
    if isinstance(x, np.ndarray):
        return float_zeros(x)
    return 0.0


def formed(g: Any, like: Any) -> Any:
    """The cotangent of what stood in a list until another value took its place, which
    left the number 0.0, in the form of what stood there.

    >>> formed(0.0, [1.5, (2.0, 3.0)]), formed([1.0, [0.0, 2.0]], [1.5, (2.0, 3.0)])
    ([0.0, [0.0, 0.0]], [1.0, [0.0, 2.0]])
    >>> formed(0.0, np.ones(2))
    array([0., 0.])
    """
    if isinstance(g, (list, tuple)) or not isinstance(like, (list, tuple, np.ndarray)):
        return g
    zeros = zero_buffer(like)
    return zeros + g if isinstance(like, np.ndarray) else zeros


def shadow_view(view: Any, value: Any, shared: bool) -> Any:
    """The cotangent buffer of a reshaped array: a view of its base's where the array
    is a view, else a buffer of its own.

    Args:
        view: the same operation applied to the cotangent of what it was made from.
        value: the array.
        shared: whether the array is a view.

    >>> shadow_view(np.ones(4), np.zeros(4), False).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    return view if shared else float_zeros(value)


def zeros_congruent(x: Any) -> Any:
    """Zeros with the shape and the memory layout of an array.

    So that an operation makes a view of the zeros exactly where it makes one of `x`.

    >>> zeros_congruent(np.ones((2, 6))[:, ::2]).strides
    (48, 16)
    """
    if x.flags.forc or x.size == 0:
        return float_zeros(x)
    if x.dtype == np.int64:
        x = x.view(np.float64)
    spans = [(abs(s), n) for s, n in zip(x.strides, x.shape, strict=True)]
    whole = sum(s * (n - 1) for s, n in spans) + x.itemsize
    buffer = np.zeros(whole, np.uint8)
    start = sum(-s * (n - 1) for s, n in zip(x.strides, x.shape, strict=True) if s < 0)
    return np.ndarray(x.shape, x.dtype, buffer, start, x.strides)


def laid_out(x: Any, like: Any) -> Any:
    """An array in the memory layout of another one, so that an operation makes a view
    of it exactly where it makes one of the other.

    >>> laid_out(np.ones((2, 3)), np.zeros((3, 2)).T).strides
    (8, 16)
    """
    if not isinstance(x, np.ndarray) or x.strides == like.strides:
        return x
    moved = zeros_congruent(like)
    if x.dtype != moved.dtype:
        moved = np.empty_like(like, dtype=x.dtype)
    moved[...] = x
    return moved


def renewed(residuals: Any) -> Any:
    """Residuals in memory of their own, sharing among each other as they did.

    For a pullback that accumulates into buffers which the forward sweep handed on:
    each call works on fresh ones.

    >>> a = np.zeros(3)
    >>> b, v = renewed((a, a[1:]))
    >>> v += 1.0
    >>> b.tolist(), a.tolist()
    ([0.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    >>> row = [0.0]
    >>> rows, first = renewed(([row], row))
    >>> rows[0] is first
    True
    """
    return _renew(residuals, {})


def zeros_sharing(*buffers: Any) -> tuple[Any, ...]:
    """Zeros like each of several arrays or lists of arrays, sharing memory as they do.

    >>> a = np.ones(3)
    >>> b, v = zeros_sharing(a, a[1:])
    >>> v += 1.0
    >>> b.tolist()
    [0.0, 1.0, 1.0]
    """
    found = renewed(buffers)
    _clear(found)
    return tuple(found)


def shared_zeros(arrays: list[Any]) -> list[Any]:
    """Zeros like each array of a list, sharing memory as those do.

    >>> a = np.ones(2)
    >>> first, second = shared_zeros([a, a])
    >>> first += 1.0
    >>> second.tolist()
    [1.0, 1.0]
    """
    return list(zeros_sharing(*arrays))


def _clear(value: Any) -> None:
    if isinstance(value, np.ndarray):
        value[...] = 0.0
    elif isinstance(value, (list, tuple)):
        for item in value:
            _clear(item)


def _renew(value: Any, known: dict[int, Any]) -> Any:
    if type(value) is list:
        if id(value) not in known:
            known[id(value)] = made = []
            made += [_renew(item, known) for item in value]
        return known[id(value)]
    if isinstance(value, (tuple, list)):
        return _like(value, (_renew(item, known) for item in value))
    if isinstance(value, dict):
        return {k: _renew(item, known) for k, item in value.items()}
    if not isinstance(value, np.ndarray):
        return value
    base = value
    while isinstance(base.base, np.ndarray):
        base = base.base
    if id(base) not in known:
        known[id(base)] = np.array(base, order="K", copy=True)
    new = known[id(base)]
    if value is base:
        return new
    if new.strides != base.strides:
        return value.copy()
    offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    memory = new.ravel(order="K")  # a view: a copy in the order of memory has no gaps
    return np.ndarray(value.shape, value.dtype, memory, offset, value.strides)


_NUMBERS = (float, np.float64)


def zero_wins(g: Any, partial: Any) -> Any:
    """The product of a cotangent and a partial in which zero wins over inf and nan.

    So a branch that a mask cut off contributes nothing, whatever its slope is there.

    >>> float(zero_wins(0.0, np.inf)), float(zero_wins(2.0, 3.0))
    (0.0, 6.0)
    """
    if g.__class__ in _NUMBERS and partial.__class__ in _NUMBERS:
        number = float(g) * float(partial)
        won = not math.isfinite(number) and (g == 0.0 or partial == 0.0)
        return np.float64(0.0 if won else number)
    with np.errstate(invalid="ignore"):
        product = np.multiply(g, partial)
    if np.all(np.isfinite(product)):
        return product
    nothing = (np.asarray(g) == 0) | (np.asarray(partial) == 0)
    return np.where(nothing, 0.0, product)[()]


def replaced(found: Any, g: Any) -> Any:
    """What becomes of a cotangent that a hook has seen: None leaves it as it is.

    Args:
        found: what the hook returned.
        g: the cotangent it was given.

    >>> replaced(None, 2.0), replaced(6.0, 2.0)
    (2.0, 6.0)
    """
    return g if found is None else found
