"""Comparison of values and gradients that are trees of numbers."""

from __future__ import annotations

import copy
import dataclasses
import types
from typing import Any

import numpy as np
from numpy.testing import assert_allclose


def assert_same_tree(
    got: Any, expected: Any, rtol: float, atol: float, path: str = ""
) -> None:
    """Asserts equal structure and close numbers; with rtol 0 they are equal, nan too.

    Args:
        got: the tree under test.
        expected: the tree it should be.
        rtol: relative tolerance.
        atol: absolute tolerance.
        path: where in the tree we are, for messages.
    """
    parts = _parts(expected)
    if parts is not None:
        found = _parts(got)
        assert found is not None, f"{path}: {got!r} has no parts, want {expected!r}"
        assert list(found) == list(parts), f"{path}: {list(found)}, want {list(parts)}"
        for key in parts:
            assert_same_tree(found[key], parts[key], rtol, atol, f"{path}[{key!r}]")
        return
    if expected is None or isinstance(expected, str) or callable(expected):
        same = got is expected or got == expected or callable(expected)
        assert same, f"{path}: {got!r}, want {expected!r}"
        return
    assert np.shape(got) == np.shape(expected), f"{path}: {got!r}, want {expected!r}"
    assert_allclose(got, expected, rtol, atol, err_msg=path)


def _parts(x: Any) -> dict[Any, Any] | None:
    if isinstance(x, dict):
        return dict(x)
    if isinstance(x, list | tuple):
        return dict(enumerate(x))
    if dataclasses.is_dataclass(x) or isinstance(x, types.SimpleNamespace):
        return dict(vars(x))
    if type(x).__module__.startswith("tests.") and hasattr(x, "__dict__"):
        return dict(vars(x))
    return None


def copied(x: Any) -> Any:
    """A deep copy of a result."""
    return copy.deepcopy(x)


def seeds_for(y: Any) -> Any:
    """A cotangent of ones for a result with one element."""
    return np.ones_like(y) if isinstance(y, np.ndarray) else 1.0
