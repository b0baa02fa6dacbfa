"""What is compared for each program: both modes, both packagings, both orders."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import sourcegrad
from tests.fuzz.plan import Plan
from tests.fuzz.reference import Reference, fresh_arguments
from tests.oracle import dual_hessian_vector

RTOL = 1e-8
TOO_LARGE = 1e8
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


def require_primal(value: Any, array: Any, wanted: Reference) -> None:
    """The value bit for bit, and the argument as a plain call leaves it."""
    require(same_bits(value, wanted.value), f"value {value!r}, want {wanted.value!r}")
    require(np.array_equal(array, wanted.array_after), "the argument differs")


def check_joint(f: Any, values: Any, wanted: Reference) -> None:
    """value_and_grad: value bit for bit, gradient, arguments as a call leaves them."""
    args = fresh_arguments(values)
    value, gradient = sourcegrad.value_and_grad(f, (0, 1))(*args)
    require_primal(value, args[1], wanted)
    require_close(gradient, wanted.gradient, "value_and_grad")
    shared = np.shares_memory(gradient[1], args[1])
    require(not shared, "the gradient shares memory with the argument")


def check_grad(f: Any, values: Any, wanted: Reference) -> None:
    """grad, without the value."""
    alone = sourcegrad.grad(f, (0, 1))(*fresh_arguments(values))
    require_close(alone, wanted.gradient, "grad")


def check_split(f: Any, values: Any, wanted: Reference) -> None:
    """vjp: value, pullback called twice after the caller changed its array."""
    args = fresh_arguments(values)
    value, pullback = sourcegrad.vjp(f, *args)
    require_primal(value, args[1], wanted)
    args[1][...] = np.nan
    first = copy.deepcopy(pullback(1.0)[:2])
    require_close(first, wanted.gradient, "pullback")
    again = pullback(1.0)[:2]
    require_close(again, wanted.gradient, "second call of the pullback")
    twice = pullback(2.0)[:2]
    doubled = tuple(2.0 * g for g in wanted.gradient)
    require_close(twice, doubled, "pullback of a doubled cotangent")


# --------------------------------------------------------------------- forward mode


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


def check_forward(f: Any, values: Any, wanted: Reference) -> None:
    """jvp: value, tangent, arguments as a call leaves them."""
    args, v = fresh_arguments(values), direction(values)
    value, slope = sourcegrad.jvp(f, args, (*v, None))
    require_primal(value, args[1], wanted)
    require_slope(slope, wanted.gradient, v, "jvp")


def check_linearize(f: Any, values: Any, wanted: Reference) -> None:
    """linearize: value, and the pushforward of two directions."""
    value, pushforward = sourcegrad.linearize(f, *fresh_arguments(values))
    require(same_bits(value, wanted.value), f"value {value!r}, want {wanted.value!r}")
    for number in (1, 2):
        v = direction(values, number)
        require_slope(pushforward(*v, 0), wanted.gradient, v, f"pushforward {number}")


def check_stacks(f: Any, values: Any, wanted: Reference) -> None:
    """Stacks of seeds: the rows of what the sweeps give one by one."""
    _, pullback = sourcegrad.vjp(f, *fresh_arguments(values))
    seeds = (1.0, -0.5, 2.0)
    x_bars, y_bars = pullback.batched(np.array(seeds))[:2]
    for seed, x_bar, y_bar in zip(seeds, x_bars, y_bars, strict=True):
        scaled = tuple(seed * g for g in wanted.gradient)
        require_close((x_bar, y_bar), scaled, "row of the pullback of a stack")
    _, pushforward = sourcegrad.linearize(f, *fresh_arguments(values))
    directions = [direction(values, number) for number in (1, 2, 3)]
    dots = [np.array(column) for column in zip(*directions, strict=True)]
    slopes = pushforward.batched(*dots, np.zeros(3))
    for v, slope in zip(directions, slopes, strict=True):
        require_slope(slope, wanted.gradient, v, "row of the pushforward of a stack")


# -------------------------------------------------------------------- second order


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


def _over(slope_of: Callable[[Any], Any], outer: str) -> Check:
    """The check of one mix: an outer mode over the slope by an inner one."""

    def check(f: Any, values: Any, wanted: Reference) -> None:
        v = direction(values)
        hv = _hessian_vector(f, values, v)
        if hv is None:
            return
        slope = slope_of(f)
        args = (*fresh_arguments(values), *v)
        if outer == "reverse":
            got = sourcegrad.grad(slope, (0, 1))(*args)
            return require_close(got, hv, "Hessian times direction", 1e-7)
        w = direction(values, 1)
        _, got = sourcegrad.jvp(slope, args, (*w, None, None, None))
        return require_slope(got, hv, w, "second tangent")

    return check


_known: dict[Any, Any] = {}


def _hessian_vector(f: Any, values: Any, v: Any) -> Any:
    """By duals of duals, once per program and arguments; None where it is not tame."""
    key = (f, values)
    if key not in _known:
        _known.clear()
        flat = np.array([v[0], *v[1]])
        hv = dual_hessian_vector(f, fresh_arguments(values), flat, (0, 1))
        tame = all(np.all(np.abs(h) < TOO_LARGE) for h in hv)
        _known[key] = hv if tame else None
    return _known[key]


ORDERS: dict[str, Check] = {
    "reverse over reverse": _over(gradient_along, "reverse"),
    "forward over reverse": _over(gradient_along, "forward"),
    "reverse over forward": _over(tangent_along, "reverse"),
    "forward over forward": _over(tangent_along, "forward"),
}


def checks(plan: Plan) -> Iterator[tuple[str, bool, Check]]:
    """Names, whether the code is optimised, and the checks of a plan."""
    first: dict[str, Check] = {"joint": check_joint, "split": check_split}
    if plan.forward:
        first["forward"] = check_forward
    if plan.thorough:
        first |= {"grad": check_grad, "linearize": check_linearize}
        first["stacks"] = check_stacks
    for name, check in first.items():
        yield name, True, check
    if plan.raw:
        for name, check in first.items():
            yield f"{name} raw", False, check
    if plan.orders:
        for name, check in ORDERS.items():
            yield name, True, check
