"""Data as expressions that give it again."""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

LARGEST_LITERAL = 24


def literal(value: Any) -> str | None:
    """Some data as an expression that gives it again, or None.

    >>> literal((1, "a")), literal(np.array([1.0, 2.0])), literal(object())
    ("(1, 'a')", 'np.array([1.0, 2.0])', None)
    """
    if type(value) in (float, complex):
        return _number(value)
    if value is None or type(value) in (bool, int, str, bytes):
        return repr(value)
    if type(value) in (tuple, list):
        parts = [literal(v) for v in value]
        if len(parts) > LARGEST_LITERAL or None in parts:
            return None
        inner = ", ".join(p for p in parts if p is not None)
        comma = "," if type(value) is tuple and len(parts) == 1 else ""
        return f"({inner}{comma})" if type(value) is tuple else f"[{inner}]"
    if type(value) is dict:
        pairs = [(literal(k), literal(v)) for k, v in value.items()]
        if len(pairs) > LARGEST_LITERAL or any(None in p for p in pairs):
            return None
        return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
    return _numpy_literal(value)


def _number(value: Any) -> str | None:
    """A float as Python reads it back; None for a complex number that is not finite."""
    if cmath.isfinite(value):
        return repr(value)
    return f'float("{value}")' if isinstance(value, float) else None


def _numpy_literal(value: Any) -> str | None:
    if not isinstance(value, (np.ndarray, np.generic)) or value.size > LARGEST_LITERAL:
        return None
    if value.dtype.kind not in "fib" or type(value) not in (
        np.ndarray,
        value.dtype.type,
    ):
        return None
    inner = literal(value.tolist())
    if inner is None or (value.size == 0 and value.shape != (0,)):
        return None
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({inner})"
    plain = value.dtype.name in ("float64", "int64", "bool") and value.size > 0
    dtype = "" if plain else f", dtype=np.{value.dtype.name}"
    return f"np.array({inner}{dtype})"


def is_plain(obj: Any) -> bool:
    """Whether data is written out rather than imported: numbers and strings."""
    if type(obj) is tuple:
        return all(map(is_plain, obj))
    return obj is None or type(obj) in (bool, int, float, complex, str, bytes)
