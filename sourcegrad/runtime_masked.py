"""Helpers of generated code: reductions of the elements that a mask keeps.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sourcegrad.runtime_norms import per_norm


def kept_count(a: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    """How many elements of `a` a mask keeps along `axis`, in the precision of `a`.

    >>> kept_count(np.zeros((2, 3)), 1, False, np.array([True, False, True]))
    array([2., 2.])
    """
    kept = np.broadcast_to(where, np.shape(a))
    dtype = np.real(np.zeros((), np.result_type(a, 0.0))).dtype
    return np.sum(kept, axis=axis, keepdims=keepdims, dtype=dtype)


def freedom(a: Any, axis: Any, keepdims: Any, where: Any, ddof: Any) -> Any:
    """The degrees of freedom in a variance, nan where there are none left.

    >>> freedom(np.zeros((2, 3)), 1, False, np.array([[True], [False]]), 1)
    array([ 2., nan])
    """
    left = kept_count(a, axis, keepdims, where) - ddof
    return np.where(left > 0, left, np.nan).astype(np.result_type(left))[()]


def root(v: Any) -> Any:
    """The square root of a variance, which has the gradient 0 by convention at 0.

    >>> float(root(4.0))
    2.0
    """
    return np.sqrt(v)


def root_slope(y: Any) -> Any:
    """The derivative of `y = root(v)`, and a number, no inf, at 0.

    >>> float(root_slope(2.0)), float(root_slope(0.0))
    (0.25, 0.5)
    """
    return per_norm(0.5, y)


def log_shift(a: Any, axis: Any, where: Any) -> Any:
    """What to take from exponents for a stable sum: their maximum if it is finite.

    >>> log_shift(np.array([1.0, 3.0]), 0, np.array([True, False]))
    array([1.])
    """
    peak = np.max(a, axis=axis, keepdims=True, initial=-np.inf, where=where)
    return np.where(np.isfinite(peak), peak, 0.0).astype(np.result_type(a))


def extreme(
    a: Any, axis: Any, keepdims: Any, initial: Any, where: Any, largest: bool
) -> Any:
    """`np.max(a, axis, initial=initial, where=where)`, or `np.min` of them.

    >>> float(extreme(np.array([1.0, 3.0]), None, False, 2.0, True, False))
    1.0
    """
    pick = np.max if largest else np.min
    given = {} if initial is None else {"initial": initial}
    return pick(a, axis=axis, keepdims=keepdims, where=where, **given)


def extreme_share(
    y: Any, a: Any, axis: Any, keepdims: Any, initial: Any, where: Any
) -> tuple[Any, Any]:
    """The parts of the elements and of `initial` in their extreme `y`, with all axes.

    >>> share, started = extreme_share(2.0, np.array([1.0, 2.0]), 0, False, 2.0, True)
    >>> share, started
    (array([0. , 0.5]), array([0.5]))
    """
    if axis is None:
        y = np.reshape(y, (1,) * np.ndim(a))
    elif not keepdims:
        y = np.expand_dims(y, axis)
    chosen = (a == y) & where
    count = np.sum(chosen, axis=axis, keepdims=True, dtype=np.result_type(y))
    started = initial is not None and np.equal(y, initial)
    count = count + started
    return chosen / count, started / count
