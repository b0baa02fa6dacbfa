"""Kinds of random draws, told by drawing from a generator of the compiler's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from sourcegrad.kinds import (
    GENERATORS,
    NUMERIC,
    UNKNOWN,
    Atom,
    Kind,
    Known,
    infer_call,
)

_MAKERS: dict[Any, type] = {
    np.random.default_rng: np.random.Generator,
    np.random.Generator: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
}

_METHODS: dict[Any, tuple[type, str]] = {
    method: (owner, name)
    for owner in (np.random.Generator, np.random.RandomState)
    for name, method in vars(owner).items()
    if callable(method) and not name.startswith("_")
}


def drawn_by_method(owner: Kind, name: str, args: Any, kwargs: Any) -> Kind | None:
    """The kind of `owner.name(…)`; None where `owner` is no generator."""
    if owner not in GENERATORS or not isinstance(owner, Atom):
        return None
    return _drawn(owner.type, name, args, kwargs)


def drawn_by(fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Kind | None:
    """The kind of `np.random.normal(…)`, of `Generator.normal(rng, …)` and of a new
    generator; None for other functions.

    >>> drawn_by(np.random.normal, [], {"size": Known(3)}).ndim
    1
    """
    if fn in _MAKERS:
        return Atom(_MAKERS[fn])
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, np.random.RandomState):
        return _drawn(np.random.RandomState, fn.__name__, args, kwargs)
    if fn in _METHODS:
        return _drawn(*_METHODS[fn], args[1:], kwargs)
    return None


def _drawn(owner: type, name: str, args: Any, kwargs: dict[str, Any]) -> Kind:
    kind = infer_call(_draw, (Known(owner), Known(name), *args), kwargs)
    return NUMERIC if kind == UNKNOWN and ("size" in kwargs or args) else kind


def _draw(owner: type, name: str, *args: Any, **kwargs: Any) -> Any:
    made = np.random.default_rng if owner is np.random.Generator else owner
    return getattr(made(0), name)(*args, **kwargs)
