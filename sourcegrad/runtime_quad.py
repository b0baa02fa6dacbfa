"""Helpers of generated code: the points of an integral that `quad` has found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .runtime import not_differentiable

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_DEEPEST = 80


def finite_end(x: Any) -> Any:
    """A limit, and 0 in place of an infinite one.

    >>> float(finite_end(2.0)), float(finite_end(-np.inf))
    (2.0, 0.0)
    """
    return np.float64(x) if np.isfinite(x) else np.float64(0.0)


def quad_points(
    func: Any, low: Any, high: Any, args: Any = (), **options: Any
) -> tuple[Any, ...]:
    """The points and weights that stand for `scipy.integrate.quad`.

    Point k is `from_low[k] * low + from_high[k] * high + shift[k]`, its weight
    `by_low[k] * low + by_high[k] * high + fixed[k]`, where an infinite limit counts
    as 0. They are those of Gauss' rule on the intervals that `quad` ended with, which
    are halved where that changes the sum (at a singularity, `quad` extrapolates).
    Points move with a finite limit as far as the next place where the integrand has
    a kink: that place stays where it is.

    Args:
        func: the integrand.
        low: the lower limit.
        high: the upper limit.
        args: more operands of the integrand.
        options: of `quad`, how it searches.

    Returns:
        `from_low, from_high, shift, by_low, by_high, fixed`.

    Raises:
        NonDifferentiableError: no such sum comes near the integral.

    >>> *_, by_low, by_high, fixed = quad_points(np.exp, 0.0, 1.0)
    >>> round(float(by_high.sum()), 12), round(float(fixed.sum()), 12)
    (1.0, 0.0)
    """
    from scipy import integrate

    found = integrate.quad(func, low, high, args, full_output=1, **options)
    args = args if isinstance(args, tuple) else (args,)
    if low == high:
        one, none = np.ones(1), np.zeros(1)
        return one, none, none, -one, one, none
    facts = found[2]
    count = facts["last"]
    intervals = list(zip(facts["alist"][:count], facts["blist"][:count], strict=True))
    if np.isfinite(low) and np.isfinite(high):
        t, w, edges = _settled(lambda t: func(t, *args), intervals, found[0])
        x, w = t, w * (1.0 if high > low else -1.0)
    else:
        x, w, edges = _unfolded(func, low, high, args, intervals, found[0])
    places = list(options.get("points", ()))
    breaks = sorted([*places, *_kinks(lambda t: func(t, *args), edges)])
    return _moving(x, w, low, high, breaks)


def _unfolded(
    func: Any, low: Any, high: Any, args: Any, intervals: Any, integral: float
) -> tuple[Any, Any, list[float]]:
    """Points of an infinite range, by `x = end + (1 - t) / t` as QUADPACK has it."""
    if np.isfinite(low):
        sides = [(low, 1.0 if high > low else -1.0)]
    elif np.isfinite(high):
        sides = [(high, 1.0 if low > high else -1.0)]
    else:
        sides = [(0.0, 1.0), (0.0, -1.0)]

    def folded(t: float) -> Any:
        away = (1.0 - t) / t
        return sum(func(end + side * away, *args) for end, side in sides) / (t * t)

    t, w, edges = _settled(folded, intervals, integral)
    sign = -1.0 if high < low else 1.0
    x = np.concatenate([end + side * (1.0 - t) / t for end, side in sides])
    w = np.concatenate([sign * w / (t * t) for _ in sides])
    found = [end + side * (1 / e - 1) for end, side in sides for e in edges if e > 0]
    return x, w, sorted(found)


def _kinks(f: Callable[[float], Any], edges: list[float]) -> list[float]:
    """The inner edges at which the slope jumps, and the places closed in upon."""
    found: list[float] = []
    span = edges[-1] - edges[0]
    for before, e, after in zip(edges, edges[1:], edges[2:], strict=False):
        if min(e - before, after - e) < 1e-9 * span:
            far = min(e - edges[0], edges[-1] - e) > 1e-4 * span
            if far and not (found and e - found[-1] < 1e-3 * span):
                found.append(e)
            continue
        d = 1e-3 * min(e - before, after - e)
        values = [float(f(e + k * d)) for k in (-2, -1, 0, 1, 2)]
        bends = np.abs(np.diff(values, 2))
        size = np.max(np.abs(np.diff(values)))
        if bends[1] > 10.0 * max(bends[0], bends[2]) + 1e-3 * size:
            found.append(e)
    return found


def _moving(
    x: Any, w: Any, low: Any, high: Any, breaks: list[float]
) -> tuple[Any, ...]:
    """Points as combinations of the limits that move them."""
    zero = np.zeros_like(x)
    if not (np.isfinite(low) or np.isfinite(high)):
        return zero, zero, x, zero, zero, w
    if not breaks:
        if np.isfinite(low) and np.isfinite(high):
            part, rate = (x - low) / (high - low), w / (high - low)
            return 1.0 - part, part, zero, -rate, rate, zero
        end = low if np.isfinite(low) else high
        one = zero + 1.0
        ends = (one, zero) if np.isfinite(low) else (zero, one)
        return *ends, x - end, zero, zero, w
    shift, fixed, columns = x.copy(), w.copy(), []
    for end, other in ((low, high), (high, low)):
        share, rate = zero.copy(), zero.copy()
        if np.isfinite(end):
            near = breaks[0] if end < other else breaks[-1]
            inner = (x - near) * (end - near) > 0
            share[inner] = (x[inner] - near) / (end - near)
            rate[inner] = w[inner] / (end - near)
            shift[inner] = near * (1.0 - share[inner])
            fixed[inner] = -near * rate[inner]
        columns.append((share, rate))
    (from_low, by_low), (from_high, by_high) = columns
    return from_low, from_high, shift, by_low, by_high, fixed


def _settled(
    f: Callable[[float], Any], intervals: list[tuple[float, float]], integral: float
) -> tuple[Any, Any, list[float]]:
    """Points, weights and edges of intervals, halved until the sum stays the same."""
    todo = [(a, b, _gauss(f, a, b), 0) for a, b in intervals]
    size = sum(abs(value) for _, _, value, _ in todo) + abs(integral)
    done: list[tuple[float, float]] = []
    total = 0.0
    while todo:
        a, b, value, depth = todo.pop()
        middle = 0.5 * (a + b)
        halves = (_gauss(f, a, middle), _gauss(f, middle, b))
        if abs(sum(halves) - value) > 1e-12 * size and depth < _DEEPEST:
            todo += [(a, middle, halves[0], depth + 1)]
            todo += [(middle, b, halves[1], depth + 1)]
            continue
        done += [(a, middle), (middle, b)]
        total += sum(halves)
    if not abs(abs(total) - abs(integral)) <= 1e-7 * size + 1e-12:
        not_differentiable(
            "no sum over points comes near this integral, so that it has no derivative",
            "the integrand is singular, oscillates or is cut off",
            "split the integral where the integrand is not smooth",
        )
    first, last = np.array(sorted(done)).T
    half = 0.5 * (last - first)
    t = np.add.outer(np.zeros_like(_NODES), 0.5 * (first + last))
    t = t + np.outer(_NODES, half)
    edges = [float(e) for e in np.append(first, last[-1])]
    return np.ravel(t), np.ravel(np.outer(_WEIGHTS, half)), edges


def _gauss(f: Callable[[float], Any], a: float, b: float) -> float:
    """Gauss' rule on one interval."""
    half, middle = 0.5 * (b - a), 0.5 * (a + b)
    pairs = zip(_NODES, _WEIGHTS, strict=True)
    return float(half * sum(w * f(middle + half * x) for x, w in pairs))
