"""Objects whose methods serve for constants of a library's classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .registry import EXTRAS, load_extras

Fn = TypeVar("Fn", bound=Callable[..., Any])

_LIBRARIES = frozenset(name.partition(".")[0] for name in EXTRAS)
_stand_ins: dict[type, Callable[..., Any]] = {}


def stand_in(*classes: type) -> Callable[[Fn], Fn]:
    """The function makes the object whose methods serve for one of these classes.

    An operator between an object of such a class, which is a constant, and an active
    operand is followed as that of the object that the function makes of the constant.
    """

    def register(fn: Fn) -> Fn:
        for cls in classes:
            _stand_ins[cls] = fn
        return fn

    return register


def stand_ins_known() -> bool:
    """Whether a library is in use whose objects have others to stand in for them.

    >>> isinstance(stand_ins_known(), bool)
    True
    """
    load_extras()
    return bool(_stand_ins)


def stand_in_of(cls: type) -> Callable[..., Any] | None:
    """What makes a stand-in for objects of a class, or None.

    >>> stand_in_of(int) is None
    True
    """
    if cls.__module__.partition(".")[0] not in _LIBRARIES:
        return None
    found = (_stand_ins.get(base) for base in cls.__mro__)
    return next((fn for fn in found if fn is not None), None)
