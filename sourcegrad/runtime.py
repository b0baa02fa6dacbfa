"""Helpers that generated code may call: few, small, NumPy only.

Each has a derivative rule in `rules/runtime_rules.py`, so that generated code can be
differentiated again. The file imports nothing of this package at the top: it can be
copied next to emitted code.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np


def unbroadcast(g: Any, x: Any) -> Any:
    """The cotangent of `x` before it was broadcast to the shape of `g`.

    Args:
        g: a cotangent whose shape is that of `x` after broadcasting.
        x: the operand; only its shape is read. A Python number gives a scalar.

    >>> unbroadcast(np.ones((2, 3)), np.zeros((1, 3)))
    array([[2., 2., 2.]])
    >>> unbroadcast(np.ones((2, 3)), 1.5).item()
    6.0
    """
    try:
        if g.shape == x.shape:
            return g
    except AttributeError:  # a Python number
        pass
    return sum_to(g, _shape(x))


def _shape(x: Any) -> Any:
    """As `np.shape`, which makes an array of every Python number."""
    if isinstance(x, (float, int, complex)):
        return ()
    return x.shape if isinstance(x, np.ndarray) else np.shape(x)


def sum_to(g: Any, shape: Any) -> Any:
    """The cotangent of an operand of this shape, before it was broadcast.

    As `unbroadcast`, for an operand of which nothing but the shape is kept.

    >>> sum_to(np.ones((2, 3)), (2, 1))
    array([[3.],
           [3.]])
    """
    have = _shape(g)
    if have == shape:
        return g
    if not shape:
        return np.sum(g)
    extra = len(have) - len(shape)
    if extra < 0:  # a cotangent of fewer axes, of an operand or a number, spreads
        have = (1,) * -extra + have
        g, extra = np.reshape(g, have), 0
    axes = [i for i, n in enumerate(shape, extra) if n == 1 and have[i] != 1]
    if extra:
        axes[:0] = range(extra)
    if axes:
        g = g.sum(axis=tuple(axes), keepdims=True)
    if extra:
        g = g.reshape(g.shape[extra:])
    return g if g.shape == shape else np.array(np.broadcast_to(g, shape))


def expand_reduced(y_bar: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    """The cotangent of a reduction's result, broadcast to the shape of its operand.

    For an axis that is known at run time only.

    >>> expand_reduced(np.array([1.0, 2.0]), np.zeros((2, 3)), 1, False)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if axis is not None and not keepdims:
        y_bar = np.expand_dims(y_bar, axis)
    return np.broadcast_to(y_bar, np.shape(x))


def zeros_like(x: Any) -> Any:
    """A zero cotangent for `x`: a number, an array, or a container of those.

    What carries no derivative (a bool array, a string, None) gets None.  Where all
    there is is None, as for a name before it is bound, 0.0 is what adds nothing.

    >>> zeros_like((1.5, [2.0], {"w": np.ones(2)}))
    (0.0, [0.0], {'w': array([0., 0.])})
    """
    return 0.0 if x is None else _zeros_like(x)


def _zeros_like(x: Any) -> Any:
    if isinstance(x, (float, int)) and not isinstance(x, bool):
        return 0.0
    if isinstance(x, (np.ndarray, np.inexact)):
        return float_zeros(x)[()] if x.dtype.kind in "fciu" else None
    if isinstance(x, complex):
        return 0j
    if isinstance(x, tuple):
        parts = [_zeros_like(v) for v in x]
        return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)
    if isinstance(x, list):
        return [_zeros_like(v) for v in x]
    if isinstance(x, dict):
        return {k: _zeros_like(v) for k, v in x.items()}
    return None


def float_zeros(x: Any) -> Any:
    """Zeros that can hold the cotangent of an array, also of one of ints.

    >>> float_zeros(np.array([1, 2])), float_zeros(np.ones(1, np.float32))
    (array([0., 0.]), array([0.], dtype=float32))
    """
    x = np.asarray(x)
    dtype = x.dtype if x.dtype.kind in "fc" else np.float64
    # `np.zeros_like` would write each zero; the memory that this asks for holds them.
    return np.zeros(x.shape, dtype, "F" if x.flags.fnc else "C")


def scatter_add(x_bar: Any, index: Any, g: Any) -> None:
    """`x_bar[index] += g`, right for integer arrays that name an element twice.

    >>> x_bar = np.zeros(3)
    >>> scatter_add(x_bar, np.array([0, 0, 2]), 1.0)
    >>> x_bar
    array([2., 0., 1.])
    """
    if may_repeat(index):
        np.add.at(x_bar, index, g)
    else:
        x_bar[index] += g


def may_repeat(index: Any) -> bool:
    """Whether an index may name an element more than once.

    >>> may_repeat((slice(2), np.array([1, 1]))), may_repeat(np.array([True, False]))
    (True, False)
    """
    if isinstance(index, tuple):
        return any(may_repeat(i) for i in index)
    if isinstance(index, np.ndarray):
        return index.ndim > 0 and index.dtype != np.bool_
    if isinstance(index, (list, range)):
        return np.asarray(index).dtype != np.bool_
    return False


def add_at_zeros(x: Any, index: Any, g: Any) -> Any:
    """Zeros in the shape and dtype of `x`, with `g` added at `index`.

    >>> add_at_zeros(np.ones(4), np.array([1, 1, -1]), 1.0)
    array([0., 2., 0., 1.])
    """
    x_bar = float_zeros(x)
    scatter_add(x_bar, index, g)
    return x_bar


def is_zero(g: Any) -> bool:
    """Whether `g` is the cotangent of a part of a result that nothing used.

    >>> is_zero(0.0), is_zero(np.zeros(2))
    (True, False)
    """
    return isinstance(g, float) and not isinstance(g, np.generic) and g == 0.0


def above(x: Any, y: Any) -> Any:
    """1 where x > y, 1/2 where they are equal, 0 elsewhere.

    The share that `x` has in `maximum(x, y)`; boolean where no element is tied.

    >>> above(np.array([1.0, 2.0, 3.0]), 2.0)
    array([0. , 0.5, 1. ])
    """
    greater, tied = np.greater(x, y), np.equal(x, y)
    if not np.any(tied):
        return greater
    return np.where(tied, np.result_type(x, y, np.float16).type(0.5), greater)


def one_less(n: Any, x: Any) -> Any:
    """The exponent `n - 1` of the derivative of `x ** n`, and 1 where both are 0.

    There the derivative is 0, as for all of `x ** 0`.

    >>> one_less(np.array([0.0, 3.0]), np.array([0.0, 2.0]))
    array([1., 2.])
    """
    if np.all(n):
        return n - 1
    return np.where((n == 0) & (x == 0), 1.0, n - 1)


def log_or_zero(x: Any) -> Any:
    """log(x), 0 where x is 0, and nan where x is negative.

    The factor of the derivative of `x ** n` in `n`.

    >>> log_or_zero(0.0), log_or_zero(1.0)
    (0.0, 0.0)
    >>> log_or_zero(np.array([0.0, 1.0, np.e]))
    array([0., 0., 1.])
    """
    if isinstance(x, (int, float)):
        return math.log(x) if x > 0 else 0.0 if x == 0 else math.nan
    with np.errstate(invalid="ignore"):
        return np.log(np.where(x == 0, 1.0, x))


def not_differentiable(message: str, why: str = "", hint: str = "") -> NoReturn:
    """Raise NonDifferentiableError: there is no derivative at this point.

    Raises:
        NonDifferentiableError: always.
    """
    from sourcegrad.errors import NonDifferentiableError

    raise NonDifferentiableError(message, why=why, hints=(hint,) if hint else ())
