"""Arguments as trees of float leaves; gradients with the same structure."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

Leaf = Callable[[Any], Any]


def is_scalar(x: Any) -> bool:
    """Whether `x` is a number that can carry a gradient: a float, or a Python int."""
    return isinstance(x, float | np.floating | int) and not isinstance(x, bool)


def is_leaf(x: Any) -> bool:
    """Whether `x` is a float number or array."""
    return is_scalar(x) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")


def children(x: Any) -> dict[Any, Any] | None:
    """The parts of a container or object by key, or None for a leaf."""
    if isinstance(x, dict):
        return dict(x)
    if isinstance(x, list | tuple):
        return dict(enumerate(x))
    if isinstance(x, np.ndarray | np.generic | type | functools.partial):
        return None
    if isinstance(x, types.FunctionType | types.MethodType | types.ModuleType):
        return None
    if hasattr(x, "__dict__"):
        return dict(vars(x))
    return None


def leaves(x: Any) -> list[Any]:
    """The leaves that carry a gradient, depth first.

    >>> leaves({"a": 1.0, "b": (2.0, "text")})
    [1.0, 2.0]
    """
    if is_leaf(x):
        return [x]
    parts = children(x)
    return [] if parts is None else [v for p in parts.values() for v in leaves(p)]


def gradient_like(x: Any, gradients: list[np.ndarray]) -> Any:
    """The gradient of `x`, whose leaves take theirs from the front of the list."""
    if is_leaf(x):
        g = gradients.pop(0)
        if isinstance(x, np.ndarray):
            return g.reshape(x.shape).astype(x.dtype)
        return type(x)(g.item()) if isinstance(x, np.floating) else float(g.item())
    parts = children(x)
    if parts is None:
        return None
    made = {k: gradient_like(v, gradients) for k, v in parts.items()}
    return rebuild(x, made)


def rebuild(x: Any, parts: dict[Any, Any]) -> Any:
    """A container of the type of `x` with other parts."""
    if isinstance(x, dict):
        return type(x)(parts)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*parts.values())
    if isinstance(x, list | tuple):
        return type(x)(parts.values())
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return dataclasses.replace(x, **parts)
    return types.SimpleNamespace(**{k: v for k, v in parts.items() if v is not None})


def place(x: Any, leaf: Leaf, put: Callable[[Any, Any, Any], None]) -> Any:
    """Replaces each float leaf inside `x` in place.

    Args:
        x: a leaf, or a container whose leaves are set through `put`.
        leaf: what becomes of a leaf.
        put: `put(container, key, value)`.

    Returns:
        The replaced leaf, or `x` itself, changed.
    """
    if is_leaf(x) or (isinstance(x, np.ndarray) and x.dtype == object):
        return leaf(x)
    if isinstance(x, tuple):
        return rebuild(x, {k: place(v, leaf, put) for k, v in enumerate(x)})
    for key, value in (children(x) or {}).items():
        new = place(value, leaf, put)
        if new is not value:
            put(x, key, new)
    return x


def set_part(container: Any, key: Any, value: Any) -> None:
    """Stores one part of a list, dict or object."""
    if isinstance(container, list | dict):
        container[key] = value
    else:
        object.__setattr__(container, key, value)
