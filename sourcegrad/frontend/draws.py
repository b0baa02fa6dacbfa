"""Kinds of random draws, told by drawing from a generator of the compiler's own."""

from __future__ import annotations

import inspect
import random
from typing import Any

import numpy as np

from sourcegrad.kinds import FLOAT, INT, NUMERIC, UNKNOWN, Atom, Kind, draws
from sourcegrad.kinds_sampled import Known, infer_call

_MAKERS: dict[Any, type] = {
    np.random.default_rng: np.random.Generator,
    np.random.Generator: np.random.Generator,
    np.random.RandomState: np.random.RandomState,
    random.Random: random.Random,
}

_METHODS: dict[Any, tuple[type, str]] = {
    method: (owner, name)
    for owner in dict.fromkeys(_MAKERS.values())
    for name, method in inspect.getmembers(owner, callable)
    if not name.startswith("_")
}


def drawn_by_method(owner: Kind, name: str, args: Any, kwargs: Any) -> Kind | None:
    """The kind of `owner.name(…)`; None where `owner` is no generator."""
    return _drawn(owner.type, name, args, kwargs) if draws(owner) else None


def drawn_by(fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Kind | None:
    """The kind of `np.random.normal(…)`, of `Generator.normal(rng, …)` and of a new
    generator; None for other functions.

    >>> drawn_by(np.random.normal, [], {"size": Known(3)}).ndim
    1
    """
    if fn in _MAKERS:
        return Atom(_MAKERS[fn])
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, (np.random.RandomState, random.Random)):
        return _drawn(type(owner), fn.__name__, args, kwargs)
    if fn in _METHODS:
        return _drawn(*_METHODS[fn], args[1:], kwargs)
    return None


_NUMBERS: dict[str, Kind] = {
    **dict.fromkeys(
        "random uniform triangular gauss normalvariate lognormvariate expovariate "
        "vonmisesvariate gammavariate betavariate paretovariate weibullvariate".split(),
        FLOAT,
    ),
    **dict.fromkeys("randint randrange getrandbits _randbelow".split(), INT),
}


def _drawn(owner: type, name: str, args: Any, kwargs: dict[str, Any]) -> Kind:
    if owner is random.Random:
        return _NUMBERS.get(name, UNKNOWN)
    kind = infer_call(_draw, (Known(owner), Known(name), *args), kwargs)
    return NUMERIC if kind == UNKNOWN and ("size" in kwargs or args) else kind


def _draw(owner: type, name: str, *args: Any, **kwargs: Any) -> Any:
    made = np.random.default_rng if owner is np.random.Generator else owner
    return getattr(made(0), name)(*args, **kwargs)
