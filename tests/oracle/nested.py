"""`grad` and `value_and_grad` called inside of a program that runs on duals."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.dual import Dual
from tests.oracle.trees import rebuild
from tests.oracle.ufuncs import Array, lift, plain

# Above the levels of the outermost run; each derivative in progress has its own.
_FIRST_LEVEL = 10
_active_levels: list[int] = []


def nested_grad(f: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """The gradient of a function of duals, one run per element."""
    pair = nested_value_and_grad(f, argnums)
    return lambda *args: pair(*args)[1]


def nested_value_and_grad(
    f: Callable[..., Any], argnums: Any = 0
) -> Callable[..., Any]:
    """The value and the gradient of a function of duals.

    Args:
        f: a function that sees the stand-ins.
        argnums: a position or a tuple of them.
    """
    wanted = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    def run(*args: Any) -> Any:
        level = _FIRST_LEVEL + len(_active_levels)
        _active_levels.append(level)
        try:
            total = sum(_size(args[n]) for n in wanted)
            slopes, value = [], None
            for k in range(total):
                value, slope = _along(f, args, wanted, k, level)
                slopes.append(slope)
        finally:
            _active_levels.pop()
        stream = iter(slopes)
        made = tuple(_map(args[n], lambda _: next(stream)) for n in wanted)
        return value, made[0] if isinstance(argnums, int) else made

    return run


def _along(
    f: Callable[..., Any], args: Any, wanted: tuple[int, ...], k: int, level: int
) -> tuple[Any, Any]:
    count = itertools.count()
    seeded = list(args)
    for n in wanted:
        seeded[n] = _map(args[n], lambda x: Dual(x, float(next(count) == k), level))
    y = f(*seeded)
    if isinstance(y, np.ndarray):
        y = plain(y).ravel()[0]
    if isinstance(y, Dual) and y.level == level:
        return y.value, y.dot
    return y, 0.0


def _is_number(x: Any) -> bool:
    return isinstance(x, Dual | float | np.floating | int) and not isinstance(x, bool)


def _size(x: Any) -> int:
    count = itertools.count()
    _map(x, lambda _: next(count))
    return next(count)


def _map(x: Any, function: Callable[[Any], Any]) -> Any:
    """A copy of a container with a function applied to every number."""
    if _is_number(x):
        return function(x)
    if isinstance(x, np.ndarray):
        out = plain(lift(x))
        for at in np.ndindex(*out.shape):
            out[at] = function(out[at])
        return out.view(Array)
    if isinstance(x, dict):
        return rebuild(x, {k: _map(v, function) for k, v in x.items()})
    if isinstance(x, list | tuple):
        return rebuild(x, {k: _map(v, function) for k, v in enumerate(x)})
    return x
