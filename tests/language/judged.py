"""One program held against differences, in both modes, its arguments watched."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.testing import assert_allclose

import sourcegrad
from tests.oracle import central_difference_grad

Program = Callable[..., Any]
DIRECTIONS = 3


def check(f: Program, *args: Any, step: float = 1e-3) -> None:
    """Hold the gradient, the tangent and the effects of a program to what they must be.

    The slopes along a few random directions are compared: an error in any entry of a
    gradient shows in each.

    Args:
        f: a function of floats and float arrays; its result is a float or an array.
        args: where it is called; arguments that are not float are constants.
        step: the largest step of the differences.
    """
    plain = copy.deepcopy(args)
    value = copy.deepcopy(f(*plain))
    rng = np.random.default_rng(7)
    seed = rng.normal(size=np.shape(value))
    seed = seed if isinstance(value, np.ndarray) else float(seed)
    pullback = _check_effects(f, args, plain, value, seed)
    for _ in range(DIRECTIONS):
        dots = tuple(_direction(x, rng) for x in args)
        slope = central_difference_grad(_along(f, args, dots, seed), (0.0,), step=step)
        found = sum(
            np.sum(g * d) for g, d in zip(pullback, dots, strict=True) if d is not None
        )
        assert_allclose(found, slope, rtol=1e-6, atol=1e-7)
        got, dot = sourcegrad.jvp(f, copy.deepcopy(args), dots)
        assert_allclose(got, value, rtol=0, atol=0)
        assert_allclose(np.sum(seed * dot), slope, rtol=1e-6, atol=1e-7)


def _is_active(x: Any) -> bool:
    return isinstance(x, float) or isinstance(x, np.ndarray) and x.dtype.kind == "f"


def _direction(x: Any, rng: Any) -> Any:
    if not _is_active(x):
        return None
    d = rng.normal(size=np.shape(x))
    return d if isinstance(x, np.ndarray) else float(d)


def _along(f: Program, args: Any, dots: Any, seed: Any) -> Callable[[float], Any]:
    """The program along a line, as a function of one number."""

    def at(t: float) -> Any:
        moved = [
            copy.deepcopy(x) if d is None else _moved(x, t * d)
            for x, d in zip(args, dots, strict=True)
        ]
        return np.sum(seed * np.asarray(f(*moved)))

    return at


def _moved(x: Any, d: Any) -> Any:
    """An argument displaced; an array keeps its layout, which a reshape looks at."""
    if not isinstance(x, np.ndarray):
        return x + d
    moved = copy.deepcopy(x)
    moved[...] += d
    return moved


def _check_effects(f: Program, args: Any, plain: Any, value: Any, seed: Any) -> Any:
    """The value, what became of the arguments, and the gradient, the same twice and
    whatever the caller does to its arrays in between."""
    given = copy.deepcopy(args)
    got, pullback = sourcegrad.vjp(f, *given)
    assert_allclose(got, value, rtol=0, atol=0)
    for mine, theirs in zip(given, plain, strict=True):
        assert_allclose(mine, theirs, rtol=0, atol=0)
    for x in given:
        if isinstance(x, np.ndarray) and _is_active(x):
            x[...] = np.nan
    first = copy.deepcopy(pullback(seed))
    for one, two in zip(first, pullback(seed), strict=True):
        if one is not None:
            assert_allclose(two, one, rtol=0, atol=0)
    return first


def sample(low: float, high: float, *shape: int) -> np.ndarray:
    """Numbers between two bounds, the same at every call."""
    return np.random.default_rng(11).uniform(low, high, shape)
