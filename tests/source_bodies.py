"""What the source of a function is held against."""

from collections.abc import Callable
from typing import Any

from sourcegrad.source.find import find


def body_of(fn: Callable[..., Any]) -> str:
    """The text of the value of the last return statement."""
    source = find(fn)
    return source.segment(source.tree.body[-1].value)
