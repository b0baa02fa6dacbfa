"""Helpers of sweeps for a stack of seeds: the seeds lie along the first axis.

NumPy only, like `runtime`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .runtime import float_zeros


def repeated(x: Any, count: int) -> Any:
    """What is the same for every seed, once per seed, in memory of its own.

    >>> repeated(1.5, 2), repeated(np.zeros(3), 2).shape
    (array([1.5, 1.5]), (2, 3))
    """
    x = np.asarray(x)
    return np.array(np.broadcast_to(x, (count, *x.shape)))


def zeros_each(x: Any, count: int) -> Any:
    """Zeros like `x`, once per seed.

    >>> zeros_each(np.ones(2, np.float32), 2)
    array([[0., 0.],
           [0., 0.]], dtype=float32)
    """
    zeros = float_zeros(x)
    return np.zeros((count, *zeros.shape), zeros.dtype)


def unbroadcast_each(g: Any, x: Any) -> Any:
    """`unbroadcast(g, x)` for each cotangent of a stack.

    >>> unbroadcast_each(np.ones((4, 2, 3)), np.zeros((1, 3))).shape
    (4, 1, 3)
    """
    return sum_to_each(g, np.shape(x))


def sum_to_each(g: Any, shape: Any) -> Any:
    """`sum_to(g, shape)` for each cotangent of a stack.

    >>> sum_to_each(np.ones((4, 2, 3)), ())
    array([6., 6., 6., 6.])
    """
    count, have = g.shape[0], g.shape[1:]
    if have == shape:
        return g
    extra = len(have) - len(shape)
    if extra < 0:  # a cotangent of fewer axes, of an operand or a number, spreads
        have, extra = (1,) * -extra + have, 0
        g = g.reshape(count, *have)
    axes = [i + 1 for i, n in enumerate(shape, extra) if n == 1 and have[i] != 1]
    axes[:0] = range(1, extra + 1)
    if axes:
        g = g.sum(axis=tuple(axes), keepdims=True)
    g = g.reshape(count, *g.shape[extra + 1 :])
    return g if g.shape[1:] == shape else np.broadcast_to(g, (count, *shape))


def project_each(g: Any, x: Any) -> Any:
    """`project(g, x)` for each cotangent of a stack.

    >>> project_each(np.array([1.0, 2.0]), np.zeros(2, np.float32))
    array([[1., 1.],
           [2., 2.]], dtype=float32)
    """
    kind = np.asarray(x)
    dtype = kind.dtype if np.issubdtype(kind.dtype, np.inexact) else np.float64
    if np.iscomplexobj(g) and not np.issubdtype(dtype, np.complexfloating):
        g = np.real(g)
    shape = np.shape(x)
    g = g.reshape(g.shape[0], *(1,) * (len(shape) + 1 - g.ndim), *g.shape[1:])
    return np.array(np.broadcast_to(g, (g.shape[0], *shape)), dtype=dtype)


def numbers_each(g: Any) -> Any:
    """`float(g)` for each cotangent of a stack.

    >>> numbers_each(np.array([1.0, 2.0], np.float32))
    array([1., 2.])
    """
    return np.array(g, dtype=np.float64)
