"""The adjoint of every common rule against one written by hand, on large arrays.

Timed is the pullback alone, for a cotangent that is given; for factorisations, which
both sides may use again on the way back, it is the function and the pullback.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import sourcegrad
from benchmarks import rules_arrays, rules_elementwise, rules_scipy
from benchmarks.checks import difference, require_close
from benchmarks.timing import Row, time_ratio

BOUND = 1.15
ROUNDS = 31
STEP = 1e-4


def check(name: str, f: Callable[..., Any], g: Any, x: Any, x_bar: Any) -> None:
    """A hand-written cotangent against central differences along one direction."""
    rng = np.random.default_rng(14)
    direction = STEP * rng.standard_normal(x.shape)
    for edge in (0.2, 0.4, 0.7):  # where the functions in the table have kinks
        direction[np.abs(x - edge) < 20.0 * STEP] = 0.0
    direction[x > 0.88] = 0.0  # which element is the largest must not change

    def along(t: float) -> float:
        return float(np.real(np.sum(f(x + t * direction) * g)))

    scale = np.sum(np.abs(x_bar * direction)) or 1.0
    slope = np.sum(x_bar * direction) / scale
    require_close(name, slope, difference(along, [0.0], 0) / scale, rtol=1e-5)


def cotangent(f: Callable[..., Any], x: Any) -> Any:
    """A cotangent for the result."""
    rng, y = np.random.default_rng(11), f(x)
    g = rng.standard_normal(np.shape(y))
    if np.iscomplexobj(y):
        g = g + 1j * rng.standard_normal(np.shape(y))
    return g if g.shape else float(g)


def pullback(name: str, f: Callable[..., Any], hand: Callable[..., Any], x: Any) -> Row:
    """The adjoint of one rule; both are checked before they are timed."""
    g = cotangent(f, x)
    y, back = sourcegrad.vjp(f, x)
    found = hand(g, x, y)
    check(f"hand-written {name}", f, g, x, found)
    require_close(f"generated {name}", back(g)[0], found, rtol=1e-9)
    ratio = time_ratio(back, (g,), hand, (g, x, y), rounds=ROUNDS)
    return Row(f"adjoint of {name}: generated / hand-written", ratio, BOUND)


def factorisation(
    name: str, f: Callable[..., Any], hand: Callable[..., Any], x: Any
) -> Row:
    """The function and its adjoint."""
    g = cotangent(f, x)

    def generated(g: Any, x: Any) -> Any:
        y, back = sourcegrad.vjp(f, x)
        return y, back(g)[0]

    value, found = hand(g, x)
    require_close(f"value of {name}", value, f(x), rtol=1e-9)
    check(f"hand-written {name}", f, g, x, found)
    require_close(f"generated {name}", generated(g, x)[1], found, rtol=1e-8)
    ratio = time_ratio(generated, (g, x), hand, (g, x), rounds=ROUNDS)
    return Row(f"{name} and adjoint: generated / hand-written", ratio, BOUND)


def measure(only: Sequence[str] = ()) -> list[Row]:
    """The rows of this theme.

    Args:
        only: names of rows; all, if empty.
    """
    rng = np.random.default_rng(12)
    x = rng.uniform(0.1, 0.9, 1_000_000)
    rows = [
        pullback(name, f, hand, x)
        for name, f, hand in rules_elementwise.ROWS
        if not only or name in only
    ]
    for table in (rules_arrays, rules_scipy):
        for kind, entries in (
            (pullback, table.ROWS),
            (factorisation, table.FACTORISATIONS),
        ):
            for name, shape, f, hand in entries:
                if not only or name in only:
                    rows.append(kind(name, f, hand, rng.uniform(0.1, 0.9, shape)))
    return rows
