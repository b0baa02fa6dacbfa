"""Taylor coefficients: `taylor`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sourcegrad.compile.entry import before_compiling, bind
from sourcegrad.errors import SourcegradError
from sourcegrad.forward.trees import as_tangent, mapped, parts, rebuilt
from sourcegrad.forward_api import Jvp, jvp


class Taylor(Jvp):
    """Value and coefficients, as a function of the parameters and a direction."""

    what = "taylor"

    def __init__(
        self,
        f: Callable[..., Any],
        order: int,
        argnums: tuple[int, ...] = (0,),
        backend: str = "python",
    ) -> None:
        super().__init__(f, argnums, backend=backend)
        self._request = replace(self._request, order=order)


def taylor(
    f: Callable[..., Any], x: Any, v: Any, order: int, *, backend: str = "python"
) -> list[Any]:
    """The coefficients of `f(x + t v)` as a power series in `t`.

    Args:
        f: a function of one argument.
        x: where to expand: a number, an array or a container of them.
        v: the direction, with the structure of `x`.
        order: the highest power.
        backend: "python" or "numba".

    Returns:
        `[c_0, …, c_order]` with `f(x + t v) = sum of c_k t**k`, each with the structure
        of the result. Time and text grow with the square of the order, for a chain of
        powers with its cube.

    Raises:
        ValueError: the order is negative, or `v` does not fit `x`.
        SourcegradError: `f` cannot be differentiated.

    >>> taylor(lambda x: 1 / (1 - x), 0.0, 1.0, 3)
    [1.0, 1.0, 1.0, 1.0]
    """
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order < 0:
        raise ValueError(f"the order must be a number 0, 1, 2, …, not {order!r}")
    direction = as_tangent(x, v, "the direction")
    if order == 0:
        return [f(x)]
    transform = Taylor(f, int(order), backend=backend)
    given = (*transform._args, x)
    values = bind(transform._fn, given, dict(transform._kwargs))
    try:
        transform._entry(values)
    except SourcegradError as error:
        if order == 1 or not nestable(x):
            raise
        return nested(f, x, direction, int(order), error)
    return list(transform.run(values, (direction,)))


def nestable(x: Any) -> bool:
    """Whether `x + t v` moves an argument: a number or an array."""
    return parts(x) is None


def nested(
    f: Callable[..., Any], x: Any, v: Any, order: int, error: SourcegradError
) -> list[Any]:
    """The coefficients by forward mode over forward mode, for programs that no power
    series passes through (solutions of equations); its cost doubles with each order."""

    def along(t: float) -> Any:
        return f(x + t * v)

    slopes: list[Callable[[float], Any]] = [along]
    try:
        for k in range(order):
            slopes.append(slope_of(slopes[-1]))
            if k == 0:
                slopes[-1](0.0)
        return [_over(g(0.0), math.factorial(k)) for k, g in enumerate(slopes)]
    except SourcegradError:
        raise error from None


def slope_of(g: Callable[[float], Any]) -> Callable[[float], Any]:
    """The derivative of a function of one number."""

    def slope(t: float) -> Any:
        return jvp(g, (t,), (1.0,))[1]

    return slope


def _over(tree: Any, number: int) -> Any:
    if number == 1:
        return tree
    inner = parts(tree)
    if inner is not None:
        return rebuilt(tree, [_over(part, number) for part in inner.values()])
    return mapped(lambda leaf: leaf / number, tree)


@before_compiling
def _known_inside_functions() -> None:
    from sourcegrad.frontend import nested as nested_calls

    nested_calls.SPECIAL[taylor] = nested_calls.taylor_call
