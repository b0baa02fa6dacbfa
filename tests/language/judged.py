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


def check(f: Program, *args: Any, step: float = 1e-3) -> None:
    """Hold the gradient, the tangent and the effects of a program to what they must be.

    Args:
        f: a function of floats and float arrays; its result is a float or an array.
        args: where it is called; every argument is differentiated.
        step: the largest step of the differences.
    """
    plain = copy.deepcopy(args)
    value = copy.deepcopy(f(*plain))
    rng = np.random.default_rng(7)
    seed = rng.normal(size=np.shape(value))
    seed = float(seed) if np.ndim(value) == 0 and not _is_array(value) else seed
    every = tuple(range(len(args)))
    expected = central_difference_grad(
        lambda *xs: np.sum(seed * np.asarray(f(*xs))), args, every, step=step
    )
    _check_reverse(f, args, plain, value, seed, expected)
    _check_forward(f, args, value, seed, expected, rng)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _check_reverse(
    f: Program, args: Any, plain: Any, value: Any, seed: Any, expected: Any
) -> None:
    given = copy.deepcopy(args)
    got, pullback = sourcegrad.vjp(f, *given)
    assert_allclose(got, value, rtol=0, atol=0)
    for mine, theirs in zip(given, plain, strict=True):
        assert_allclose(mine, theirs, rtol=0, atol=0)
    for x in given:
        if isinstance(x, np.ndarray):
            x[...] = np.nan
    first = copy.deepcopy(pullback(seed))
    second = pullback(seed)
    for one, two, right in zip(first, second, expected, strict=True):
        assert_allclose(one, right, rtol=1e-6, atol=1e-7)
        assert_allclose(two, one, rtol=0, atol=0)


def _check_forward(
    f: Program, args: Any, value: Any, seed: Any, expected: Any, rng: Any
) -> None:
    dots = tuple(rng.normal(size=np.shape(x)) for x in args)
    dots = tuple(
        d if isinstance(x, np.ndarray) else float(d)
        for x, d in zip(args, dots, strict=True)
    )
    got, dot = sourcegrad.jvp(f, copy.deepcopy(args), dots)
    assert_allclose(got, value, rtol=0, atol=0)
    right = sum(np.sum(g * d) for g, d in zip(expected, dots, strict=True))
    assert_allclose(np.sum(seed * dot), right, rtol=1e-6, atol=1e-7)
