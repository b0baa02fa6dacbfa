"""Names the compiler recognises in a user's function; identities at run time."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


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
