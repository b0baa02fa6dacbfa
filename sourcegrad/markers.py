"""Names the compiler recognises in a user's function; identities at run time."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def stop_gradient(x: T) -> T:
    """`x`, which every transform takes as a constant.

    Args:
        x: a number, array or container.

    Returns:
        `x` itself.

    >>> stop_gradient(3.0)
    3.0
    """
    return x


def on_adjoint(x: T, hook: Callable[[Any], Any]) -> T:
    """`x`; in the reverse sweep `hook` runs on its cotangent.

    Args:
        x: a number or array.
        hook: called with the cotangent gathered from all later uses of the result; what
            it returns replaces the cotangent, None leaves it.

    Returns:
        `x` itself.

    >>> on_adjoint(3.0, print)
    3.0
    """
    return x


@overload
def checkpoint(f: F) -> F: ...


@overload
def checkpoint(f: Iterable[T], *, budget: int) -> Iterable[T]: ...


def checkpoint(f: Any, *, budget: int | None = None) -> Any:
    """A function that keeps its arguments only, and runs again in the reverse sweep;
    or what a loop runs along, of which only some trips keep their state.

        @checkpoint
        def layer(x, w): ...

        for i in checkpoint(range(n), budget=100): ...

        for i in checkpoint(itertools.count(), budget=100):  # a while loop
            if done: break

    Args:
        f: a function without side effects; or, with a budget, the iterable of a `for`
            loop: a range, `itertools.count()`, or a sequence.
        budget: how many states of the loop are kept at a time. The trips in between
            run again in the reverse sweep: as few times as can be where the number
            of trips is known, and nearly so where the loop breaks.

    Returns:
        The function, marked for the compiler; the iterable itself.

    Raises:
        TypeError: an iterable comes without a budget.
        ValueError: the budget is not a positive whole number.

    >>> checkpoint(abs)(-2), list(checkpoint(range(3), budget=2))
    (2, [0, 1, 2])
    """
    if budget is not None:
        return _checked(f, budget)
    if not callable(f):
        raise TypeError("checkpoint of a loop needs a budget: the number of snapshots")
    if not isinstance(f, types.FunctionType):
        return f
    marked = types.FunctionType(
        f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__
    )
    functools.update_wrapper(marked, f)
    vars(marked).pop("__wrapped__")
    marked.__kwdefaults__ = f.__kwdefaults__
    marked.__sourcegrad_checkpoint__ = True  # type: ignore[attr-defined]
    return marked


def _checked(iterable: Any, budget: int) -> Any:
    if isinstance(budget, bool) or operator.index(budget) < 1:
        raise ValueError(f"budget must be a positive whole number, not {budget!r}")
    return iterable
