"""What the tests of passes share: generated text, and slopes by differences."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

import sourcegrad


def text(f: Callable[..., Any], *args: Any, packaging: str = "joint") -> str:
    """The generated functions, without imports and comments."""
    made = sourcegrad.value_and_grad(f).source(*args, packaging=packaging)
    lines = made[made.index("def ") :].splitlines()
    return "\n".join(n for n in lines if not n.lstrip().startswith("#"))


def statement(source: str, start: str) -> str:
    """The first statement of a text that starts so, stripped."""
    for line in source.splitlines():
        if line.strip().startswith(start):
            return line.strip()
    raise AssertionError(f"no statement starts with {start!r} in\n{source}")


def slope(f: Callable[..., float], args: tuple[Any, ...], direction: Any) -> float:
    """The derivative in the first argument along a direction, by differences."""
    h = 1e-6
    first, *rest = args
    above = f(first + h * direction, *copy.deepcopy(rest))
    below = f(first - h * direction, *copy.deepcopy(rest))
    return float((above - below) / (2.0 * h))


def assert_right(f: Callable[..., float], *args: Any) -> Any:
    """The gradient in the first argument agrees with differences; returns it."""
    x = args[0]
    value, gradient = sourcegrad.value_and_grad(f)(*copy.deepcopy(args))
    assert value == f(*copy.deepcopy(args))
    rng = np.random.default_rng(4)
    for _ in range(3):
        direction = rng.normal(size=np.shape(x))
        expected = slope(f, copy.deepcopy(args), direction)
        np.testing.assert_allclose(np.sum(gradient * direction), expected, 1e-6, 1e-7)
    return gradient
