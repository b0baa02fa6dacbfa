"""Names the compiler recognises in a user's function; identities at run time."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, TypeVar

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


def checkpoint(f: F) -> F:
    """A function that keeps its arguments only, and runs again in the reverse sweep.

    Args:
        f: a function without side effects.

    Returns:
        The function, marked for the compiler.

    >>> checkpoint(abs)(-2)
    2
    """
    if not isinstance(f, types.FunctionType):
        return f
    marked = types.FunctionType(
        f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__
    )
    functools.update_wrapper(marked, f)
    vars(marked).pop("__wrapped__")
    marked.__kwdefaults__ = f.__kwdefaults__
    marked.__sourcegrad_checkpoint__ = True  # type: ignore[attr-defined]
    return marked  # type: ignore[return-value]
