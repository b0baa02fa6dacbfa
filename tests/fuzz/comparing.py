"""How results are compared with what they must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.fuzz.reference import Reference

RTOL = 1e-8
Check = Callable[[Any, Any, Reference], None]


class Wrong(Exception):
    """A result that differs from what it must be."""


def require(condition: Any, text: str) -> None:
    """Raises Wrong unless the condition holds."""
    if not condition:
        raise Wrong(text)


def require_close(got: Any, wanted: Any, what: str, rtol: float = RTOL) -> None:
    """Compares a pair of gradients by x and y."""
    for name, g, w in zip(("x", "y"), got, wanted, strict=True):
        require(np.shape(g) == np.shape(w), f"{what}: shape of the gradient of {name}")
        size = 1.0 + np.max(np.abs(w))
        good = np.allclose(g, w, rtol=rtol, atol=rtol * size)
        require(good, f"{what}: gradient of {name} is {g!r}, want {w!r}")


def same_bits(a: Any, b: Any) -> bool:
    """Whether two results are equal bit for bit and of one type."""
    return type(a) is type(b) and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def direction(values: Any, number: int = 0) -> tuple[float, np.ndarray]:
    """A direction in x and y that depends on nothing but their sizes."""
    rng = np.random.default_rng(number)
    return float(rng.normal()), rng.normal(size=len(values[1]))


def inner(gradient: Any, v: tuple[float, np.ndarray]) -> float:
    """The gradient times a direction."""
    return float(gradient[0] * v[0] + np.sum(gradient[1] * v[1]))


def require_slope(got: Any, gradient: Any, v: Any, what: str) -> None:
    """The identity of dot products: the tangent is the gradient times the direction."""
    wanted = inner(gradient, v)
    size = 1.0 + abs(gradient[0] * v[0]) + float(np.sum(np.abs(gradient[1] * v[1])))
    require(np.shape(got) == (), f"{what}: the tangent has shape {np.shape(got)}")
    good = abs(float(got) - wanted) <= RTOL * size
    require(good, f"{what}: the tangent is {got!r}, want {wanted!r}")
