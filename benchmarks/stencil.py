"""Programs that write arrays in place: time and memory against hand-written adjoints.

A linear stencil records nothing; filling an array in a loop costs O(n).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import sourcegrad
from benchmarks import hand_stencil
from benchmarks.checks import good_adjoint, require_close, require_slope
from benchmarks.memory import peak_bytes
from benchmarks.timing import Row, time_ratio

TIME, MEMORY, GROWTH = 1.3, 1.05, 2.3
STEPS = 200


def against_hand(
    name: str,
    primal: Callable[..., Any],
    hand: Callable[..., Any],
    args: tuple[Any, ...],
) -> list[Row]:
    """Time and peak memory of one program's gradient by its first argument."""
    require_slope(f"hand-written {name}", primal, hand, args)
    generated = sourcegrad.grad(primal).compiled(*args)
    require_close(f"generated {name}", generated(*args), hand(*args), rtol=1e-10)
    time = time_ratio(generated, args, hand, args, rounds=61)
    memory = peak_bytes(generated, args) / peak_bytes(hand, args)
    return [
        good_adjoint(name, primal, hand, args, rounds=31, bound=4.0),
        Row(f"{name}: generated / hand-written, time", time, TIME),
        Row(f"{name}: generated / hand-written, peak memory", memory, MEMORY),
    ]


def growth(name: str, primal: Callable[..., Any], n: int) -> Row:
    """The time for 2n elements over that for n."""
    x, doubled = np.linspace(0.1, 1.0, n), np.linspace(0.1, 1.0, 2 * n)
    generated = sourcegrad.grad(primal).compiled(x, 0.5)
    ratio = time_ratio(generated, (doubled, 0.5), generated, (x, 0.5), rounds=21)
    return Row(f"{name}: 2n elements / n elements", ratio, GROWTH)


def measure() -> list[Row]:
    """The rows of this theme."""
    rng = np.random.default_rng(4)
    plate, rod = rng.random((64, 64)), rng.random(2000)
    heat = (plate, 0.1, STEPS)
    hand = hand_stencil
    return [
        *against_hand(
            "heat, swapped buffers", hand.heat_swap, hand.heat_swap_gradient, heat
        ),
        *against_hand(
            "heat, in place", hand.heat_in_place, hand.heat_in_place_gradient, heat
        ),
        *against_hand(
            "loop of stores", hand.recurrence, hand.recurrence_gradient, (rod, 0.5)
        ),
        *against_hand(
            "Gauss-Seidel", hand.smoothing, hand.smoothing_gradient, (rod[:200], 10)
        ),
        growth("loop of stores", hand.recurrence, 20_000),
    ]
