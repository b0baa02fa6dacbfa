"""The cache of compiled functions: keys, guards, one lock per function.

An entry is valid while every object its code relies on, callees included, is still
the one it was compiled for (functions, modules, classes), or of the same kind (data).
"""

from __future__ import annotations

import threading
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sourcegrad.frontend.reads import Guard, is_data
from sourcegrad.frontend.signature import spec_of
from sourcegrad.kinds import kind_of
from sourcegrad.rules import registry

_SIMPLE = frozenset({float, int, bool, complex, str, type(None)})
_ndarray = np.ndarray


def signature_key(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What of the arguments decides the compiled code, cheaply.

    >>> signature_key((1.0, np.zeros(2)))
    (<class 'float'>, (dtype('float64'), 1))
    """
    return tuple(
        [
            (a.dtype, a.ndim)
            if a.__class__ is _ndarray
            else a.__class__
            if a.__class__ in _SIMPLE
            else spec_of(a)
            for a in args
        ]
    )


@dataclass(slots=True)
class Entry:
    """One compiled request: its functions, and what they rely on.

    `calls` are the functions for calling: their errors name the user's line. `powers`
    says that a power was taken to be real that is complex for a negative base, and
    that the functions may run again; `warns` that NumPy may warn of what they do.
    `apart` refuses arguments that share memory while one is written; `written` tells
    where those stand, if zero may win where they have their contents back; `changed`
    names the objects from outside that get attributes.
    """

    functions: tuple[Callable[..., Any], ...]
    calls: tuple[Callable[..., Any], ...]
    exact: list[tuple[Callable[[], Any], Any]]
    data: list[tuple[Guard, dict[str, Any]]]
    version: int
    text: str
    filename: str
    repeatable: bool = False
    powers: bool = False
    warns: bool = False
    apart: Callable[..., None] | None = None
    written: tuple[int, ...] = ()
    changed: tuple[str, ...] = ()
    loud: bool = False
    template: Any = None

    def valid(self) -> bool:
        """Whether nothing the code relies on has changed; live data is refreshed."""
        for read, expected in self.exact:
            try:
                if read() is not expected:
                    return False
            except (LookupError, AttributeError, ValueError, TypeError):
                return False
        for guard, namespace in self.data:
            try:
                now = guard.read()
            except (KeyError, AttributeError, ValueError):
                return False
            if now is not guard.expected:
                if is_data(now) and kind_of(now) == guard.kind:
                    guard.expected = now
                    if guard.name in namespace:
                        namespace[guard.name] = now
                else:
                    return False
        return self.version == registry_version()


def registry_version() -> int:
    """Changes when a rule is registered."""
    return registry._state["version"]


def make_entry(
    functions: tuple[Any, ...],
    calls: tuple[Any, ...],
    guards: list[Guard],
    namespace: dict[str, Any],
    text: str,
    filename: str,
    repeatable: bool,
    powers: bool,
    warns: bool,
    apart: Callable[..., None] | None,
    written: tuple[int, ...],
    changed: tuple[str, ...] = (),
    loud: bool = False,
) -> Entry:
    """An entry with its guards sorted by how they are checked."""
    exact = [(g.read, g.expected) for g in guards if g.kind is None]
    data = [(g, namespace) for g in guards if g.kind is not None]
    version = registry_version()
    return Entry(
        functions,
        calls,
        exact,
        data,
        version,
        text,
        filename,
        repeatable,
        powers,
        warns,
        apart,
        written,
        changed,
        loud,
    )


_stores: weakref.WeakKeyDictionary[Any, dict[Any, Entry]] = weakref.WeakKeyDictionary()
_locks: weakref.WeakKeyDictionary[Any, threading.RLock] = weakref.WeakKeyDictionary()
_guard = threading.Lock()


def store_of(fn: types.FunctionType) -> tuple[dict[Any, Entry], threading.RLock]:
    """The entries of one function object, and the lock for adding to them."""
    found = _stores.get(fn)
    if found is None:
        with _guard:
            found = _stores.setdefault(fn, {})
            _locks.setdefault(fn, threading.RLock())
    return found, _locks[fn]
