"""One checker for every rule, run as the plain Python it is: no compiler needed.

The oracle is differences of the function itself, extrapolated to sixth order. The
adjoint and the tangent are each held against it in random directions, by the
pairing `real(sum(x_bar * x_dot))`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sourcegrad.rules import lookup
from sourcegrad.rules.registry import Rule, is_static  # noqa: F401
from sourcegrad.runtime import is_zero, unbroadcast

STEP = 2e-3


# ------------------------------------------------------------------- trees


def is_active(x: Any) -> bool:
    """Whether a leaf can carry a derivative."""
    return not isinstance(x, (bool, str)) and np.asarray(x).dtype.kind in "fc"


def random_like(x: Any, rng: np.random.Generator) -> Any:
    """Random numbers in the structure of `x`; None where it carries no derivative."""
    if isinstance(x, (list, tuple)):
        parts = [random_like(v, rng) for v in x]
        return None if all(p is None for p in parts) else parts
    if x is None or not is_active(x):
        return None
    values = rng.normal(size=np.shape(x))
    if np.iscomplexobj(x):
        values = values + 1j * rng.normal(size=np.shape(x))
    if isinstance(x, (np.ndarray, np.generic)):
        return np.asarray(values, dtype=x.dtype)[()]
    return complex(values) if isinstance(x, complex) else float(values)


def moved(x: Any, x_dot: Any, step: float) -> Any:
    """`x + step * x_dot`, through lists and tuples."""
    if x_dot is None:
        return x
    if isinstance(x, (list, tuple)):
        return type(x)(moved(v, d, step) for v, d in zip(x, x_dot, strict=True))
    return x + step * x_dot


def pair(x_bar: Any, x_dot: Any) -> float:
    """`real(sum(x_bar * x_dot))`, through lists and tuples."""
    if x_bar is None or x_dot is None:
        return 0.0
    if isinstance(x_dot, (list, tuple)):
        return math.fsum(pair(a, b) for a, b in zip(x_bar, x_dot, strict=True))
    return float(np.real(np.sum(np.asarray(x_bar) * np.asarray(x_dot))))


def combine(weights: list[float], values: list[Any]) -> Any:
    """The weighted sum of equal structures."""
    if isinstance(values[0], (list, tuple)):
        columns = zip(*values, strict=True)
        return [combine(weights, list(column)) for column in columns]
    if values[0] is None or not is_active(values[0]):
        return None
    total = sum(w * np.asarray(v) for w, v in zip(weights, values, strict=True))
    return total


def differences(f: Any, operands: list[Any], dots: list[Any]) -> Any:
    """The directional derivative of `f(*operands)`, to sixth order in the step."""
    steps = [k * STEP for k in (-3, -2, -1, 1, 2, 3)]
    weights = [w / (60.0 * STEP) for w in (-1, 9, -45, 45, -9, 1)]
    values = [
        f(*(moved(x, d, h) for x, d in zip(operands, dots, strict=True))) for h in steps
    ]
    return combine(weights, values)


# ------------------------------------------------------------------ checks


def bind(rule: Rule, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the names that the rule gives them."""
    bound: dict[str, Any] = {}
    for parameter, value in zip(rule.parameters, args, strict=False):
        bound[parameter.name] = value
    assert len(bound) == len(args), "the rule takes fewer arguments than the call"
    return {**bound, **kwargs}


def filled(x_dot: Any) -> Any:
    """A tangent with 0.0 for the parts that carry none."""
    if isinstance(x_dot, list):
        return [filled(d) for d in x_dot]
    return 0.0 if x_dot is None else x_dot


def call(fn: Any, leading: list[Any], bound: dict[str, Any]) -> Any:
    """Call a rule with its arguments by name, but for positional-only ones."""
    import inspect

    rest = dict(bound)
    for p in list(inspect.signature(fn).parameters.values())[len(leading) :]:
        if p.kind is p.POSITIONAL_ONLY:
            leading = [*leading, rest.pop(p.name, p.default)]
    return fn(*leading, **rest)


def reverse(rule: Rule, y: Any, y_bar: Any, bound: dict[str, Any]) -> list[Any]:
    """The cotangents of the operands, as the compiler makes them from the rule."""
    if rule.kind == "elementwise":
        partials = call(rule.fn, [y], bound)
        partials = partials if isinstance(partials, tuple) else (partials,)
        operands = list(bound.values())
        return [
            None if p is None else projected(unbroadcast(y_bar * p, x), x)
            for p, x in zip(partials, operands, strict=False)
        ]
    bars = call(rule.fn, [y, y_bar], bound)
    bars = bars if len(rule.operands) > 1 and isinstance(bars, tuple) else (bars,)
    return [projected(g, x) for g, x in zip(bars, bound.values(), strict=False)]


def projected(g: Any, x: Any) -> Any:
    """The real part for a real operand, as the compiler takes it."""
    if isinstance(x, (list, tuple)) or g is None:
        return g
    return np.real(g) if np.iscomplexobj(g) and not np.iscomplexobj(x) else g


def forward(
    rule: Rule, y: Any, args: tuple[Any, ...], kwargs: Any, dots: dict[str, Any]
) -> Any:
    """The tangent of the result, as the compiler makes it from the rule."""
    bound = bind(rule, args, kwargs)
    if rule.kind == "elementwise":
        partials = call(rule.fn, [y], bound)
        partials = partials if isinstance(partials, tuple) else (partials,)
        terms = zip(partials, bound, strict=False)
        return sum(
            p * dots[n] for p, n in terms if p is not None and dots.get(n) is not None
        )
    if rule.tangent is not None:
        import inspect

        names = list(inspect.signature(rule.tangent).parameters)
        given = {n: v for n, v in bound.items() if n in names}
        for name, dot in dots.items():
            if f"{name}_dot" in names:
                given[f"{name}_dot"] = 0.0 if dot is None else dot
        return call(rule.tangent, [y], given)
    if rule.linear:
        new = tuple(
            filled(dots[n]) if dots.get(n) is not None else v
            for n, v in zip(bound, args, strict=False)
        )
        return rule.target(*new, **kwargs)
    return None


def check(
    target: Any,
    *args: Any,
    parts: tuple[int, ...] | None = None,
    wrt: tuple[int, ...] | None = None,
    rtol: float = 2e-7,
    oracle: Any = None,
    **kwargs: Any,
) -> None:
    """Hold the rule of `target` against differences, at one call.

    Args:
        target: a callable with a rule.
        args: the arguments of the call; all that can be active are varied.
        parts: of a result of several parts, those that get a cotangent.
        wrt: positions of the arguments to vary, if not all.
        rtol: relative tolerance.
        oracle: a smooth extension of the target to be differenced in its place.
        kwargs: options of the call.
    """
    rule = lookup(target)
    assert rule is not None, f"no rule for {target}"
    if rule.kind == "composite":
        assert rule.fn is not None
        same(rule.fn(*args, **kwargs), target(*args, **kwargs), 1e-12, "definition")
        return
    f = oracle or target
    rng = np.random.default_rng(11)
    bound = bind(rule, args, kwargs)
    y = target(*args, **kwargs)
    for _ in range(3):
        y_bar = random_like(y, rng)
        if parts is not None:
            y_bar = [g if i in parts else 0.0 for i, g in enumerate(y_bar)]
        y_bar = seed(y, y_bar)
        dots = [
            random_like(x, rng) if wrt is None or i in wrt else None
            for i, x in enumerate(args)
        ]
        expected = differences(lambda *v: f(*v, **kwargs), list(args), dots)
        if rule.fn is not None:
            bars = reverse(rule, y, y_bar, bound)
            for g, x in zip(bars, args, strict=False):
                check_form(g, x)
            got = math.fsum(pair(g, d) for g, d in zip(bars, dots, strict=False))
            want = pair_parts(y_bar, expected)
            scale = 1.0 + abs(want)
            assert abs(got - want) <= rtol * scale, f"adjoint {got} not {want}"
        by_name = dict(zip(bound, dots, strict=False))
        y_dot = forward(rule, y, args, kwargs, by_name)
        if y_dot is not None:
            same(y_dot, expected, rtol, "tangent")


def seed(y: Any, y_bar: Any) -> Any:
    """The cotangent as the compiler gives it: a tuple for a tuple, 0.0 for nothing."""
    if isinstance(y, tuple):
        return tuple(0.0 if g is None else g for g in y_bar)
    return y_bar


def pair_parts(y_bar: Any, y_dot: Any) -> float:
    """The pairing of the result; what has no derivative is left out."""
    if isinstance(y_bar, (list, tuple)):
        pairs = zip(y_bar, y_dot, strict=True)
        return math.fsum(pair_parts(a, b) for a, b in pairs)
    return 0.0 if y_dot is None or is_zero(y_bar) else pair(y_bar, y_dot)


def check_form(g: Any, x: Any) -> None:
    """A cotangent has the shape of its operand and does not widen its dtype."""
    if g is None or isinstance(x, (list, tuple)):
        return
    assert np.shape(g) == np.shape(x), f"shape {np.shape(g)} not {np.shape(x)}"
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "fc":
        wide = np.finfo(np.asarray(g).dtype).eps if is_active(g) else np.inf
        assert wide >= np.finfo(x.dtype).eps, f"{np.asarray(g).dtype} not {x.dtype}"


def same(got: Any, want: Any, rtol: float, what: str) -> None:
    """Equal up to rounding, part by part."""
    if isinstance(want, (list, tuple)):
        for a, b in zip(got, want, strict=True):
            same(a, b, rtol, what)
    elif want is not None:
        assert np.shape(got) == np.shape(want), f"{what}: shape {np.shape(got)}"
        scale = 1.0 + np.max(np.abs(want), initial=0.0)
        np.testing.assert_allclose(got, want, rtol=0, atol=rtol * scale, err_msg=what)
