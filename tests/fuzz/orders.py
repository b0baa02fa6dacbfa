"""Second and third derivatives in every mix of the modes, against duals of duals.

At order two a slope of the program is derived once more, at order three a slope of a
slope: the inner ones along a direction each, the outer one by reverse mode (a gradient)
or along one more direction.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import sourcegrad
from tests.fuzz.comparing import Check, direction, require_close, require_slope
from tests.fuzz.reference import Reference, fresh_arguments
from tests.oracle import dual_gradient_along
from tests.oracle.dual import singular

RTOL = 1e-7
TOO_LARGE = 1e8
MODES = ("reverse", "forward")
NO_TANGENT = (None,)


def gradient_along(f: Any) -> Any:
    """The slope of `f` along a direction, by reverse mode."""

    def slope(x: Any, y: Any, n: Any, a: Any, b: Any) -> Any:
        x_bar, y_bar = sourcegrad.grad(f, (0, 1))(x, y, n)
        return x_bar * a + np.sum(y_bar * b)

    return slope


def tangent_along(f: Any) -> Any:
    """The slope of `f` along a direction, by forward mode."""

    def slope(x: Any, y: Any, n: Any, a: Any, b: Any) -> Any:
        _, out = sourcegrad.jvp(f, (x, y, n), (a, b, None))
        return out

    return slope


def gradient_again(f: Any) -> Any:
    """The slope of a slope along a second direction, by reverse mode."""

    def again(x: Any, y: Any, n: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        x_bar, y_bar = sourcegrad.grad(f, (0, 1))(x, y, n, a, b)
        return x_bar * c + np.sum(y_bar * d)

    return again


def tangent_again(f: Any) -> Any:
    """The slope of a slope along a second direction, by forward mode."""

    def again(x: Any, y: Any, n: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        _, out = sourcegrad.jvp(f, (x, y, n, a, b), (c, d, None, None, None))
        return out

    return again


SLOPES: tuple[dict[str, Callable[[Any], Any]], ...] = (
    {"reverse": gradient_along, "forward": tangent_along},
    {"reverse": gradient_again, "forward": tangent_again},
)


def mix(outer: str, *inner: str) -> Check:
    """The check of one mix of modes, the outermost first."""

    def check(f: Any, values: Any, wanted: Reference) -> None:
        directions = [direction(values, number) for number in range(len(inner))]
        expected = _gradient_along(f, values, directions)
        if expected is None:
            return
        slope = f
        for slopes, mode in zip(SLOPES, reversed(inner), strict=False):
            slope = slopes[mode](slope)
        seeds = list(itertools.chain(*directions))
        args = (*fresh_arguments(values), *seeds)
        what = " over ".join((outer, *inner))
        if outer == "reverse":
            got = sourcegrad.grad(slope, (0, 1))(*args)
            return require_close(got, expected, what, RTOL)
        v = direction(values, len(inner))
        _, got = sourcegrad.jvp(slope, args, (*v, None, *NO_TANGENT * len(seeds)))
        return require_slope(got, expected, v, what)

    return check


_known: dict[Any, Any] = {}


def _gradient_along(f: Any, values: Any, directions: Any) -> Any:
    """By duals of duals, once per program and arguments; None where it is not tame."""
    key = (f, values, len(directions))
    if key not in _known:
        _known.clear()
        vectors = [np.array([v[0], *v[1]]) for v in directions]
        singular.clear()
        found = dual_gradient_along(f, fresh_arguments(values), vectors, (0, 1))
        tame = not singular and all(np.all(np.abs(h) < TOO_LARGE) for h in found)
        _known[key] = found if tame else None
    return _known[key]


def mixes(order: int) -> dict[str, Check]:
    """The checks of every mix of an order, by name."""
    names = itertools.product(MODES, repeat=order)
    return {" over ".join(modes): mix(*modes) for modes in names}


ORDERS = mixes(2) | mixes(3)


def higher_orders(highest: int) -> dict[str, Check]:
    """The checks of every order above one, up to the highest."""
    return {k: v for order in range(2, highest + 1) for k, v in mixes(order).items()}
