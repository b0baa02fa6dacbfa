"""What is compared for each program: both modes, both packagings, higher orders."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

import sourcegrad
from tests.fuzz.comparing import (
    Check,
    direction,
    require,
    require_close,
    require_slope,
    same_bits,
)
from tests.fuzz.orders import higher_orders
from tests.fuzz.plan import Plan
from tests.fuzz.reference import Reference, fresh_arguments


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
    for name, check in higher_orders(plan.orders).items():
        yield name, True, check
