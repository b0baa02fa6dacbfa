"""Forward mode, second derivatives and Jacobians against code written by hand."""

from collections.abc import Callable
from typing import Any

import numpy as np

import sourcegrad
from benchmarks import hand_tangents as hand
from benchmarks.checks import require_close
from benchmarks.hand_digits import loss_and_gradient
from benchmarks.hand_digits_hvp import hessian_product
from benchmarks.timing import Row, time_ratio, time_ratio_to_many
from examples import digits_network
from sourcegrad.forward_api import Jvp

BOUND, JACOBIAN_BOUND = 1.2, 1.3
STEP = 1e-5


def slope_of(f: Callable[..., Any], x: Any, x_dot: Any, *rest: Any) -> Any:
    """The derivative of ``f`` along a direction, by central differences (O(h^4))."""

    def central(h: float) -> Any:
        return (f(x + h * x_dot, *rest) - f(x - h * x_dot, *rest)) / (2.0 * h)

    return (4.0 * central(STEP / 2.0) - central(STEP)) / 3.0


def tangent(
    name: str, primal: Callable[..., Any], by_hand: Callable[..., Any], x: Any,
    x_dot: Any, *rest: Any,
) -> Row:  # fmt: skip
    """``jvp`` by the first argument."""
    expected = slope_of(primal, x, x_dot, *rest)
    value, found = by_hand(x, *rest, x_dot)
    require_close(f"value of {name}", value, primal(x, *rest), rtol=1e-12)
    require_close(f"hand-written tangent of {name}", found, expected, rtol=1e-6)
    generated = Jvp(primal).compiled(x, *rest)
    require_close(
        f"tangent of {name}", generated(x, *rest, x_dot)[1], found, rtol=1e-10
    )
    args = (x, *rest, x_dot)
    ratio = time_ratio(generated, args, by_hand, args, rounds=101)
    return Row(f"{name}: jvp / hand-written tangent", ratio, BOUND)


def rosenbrock_hvp() -> Row:
    """Forward over reverse of a function of 1e5 numbers."""
    rng = np.random.default_rng(6)
    x, v = rng.standard_normal(100_000), rng.standard_normal(100_000)
    small = (x[:9], v[:9])
    expected = slope_of(hand.rosenbrock_gradient, *small)
    require_close("hand-written hvp", hand.rosenbrock_hvp(*small), expected, rtol=1e-6)
    product = sourcegrad.hvp(hand.rosenbrock)
    require_close("hvp", product(x, v), hand.rosenbrock_hvp(x, v), rtol=1e-10)
    sweep = product.sweep().compiled(x)
    ratio = time_ratio(sweep, (x, 1.0, v), hand.rosenbrock_hvp, (x, v), rounds=101)
    return Row("Rosenbrock of 1e5: hvp / hand-written", ratio, BOUND)


def digits_hvp() -> Row:
    """Forward over reverse of the digits loss."""
    rng = np.random.default_rng(7)
    params = digits_network.initial_parameters()
    images = rng.random((1, 8, 8, 50))
    targets = np.eye(10)[:, rng.integers(0, 10, 50)].copy()
    dots = {k: rng.standard_normal(v.shape) for k, v in params.items()}

    def shifted(t: float) -> dict[str, Any]:
        moved = {k: v + t * dots[k] for k, v in params.items()}
        return loss_and_gradient(moved, images, targets)[1]

    found = hessian_product(params, images, targets, dots)
    h = 1e-7
    above, below = shifted(h), shifted(-h)
    product = sourcegrad.hvp(digits_network.loss)
    args = (params, images, targets, dots)
    generated = product(*args)
    for name in params:
        expected = (above[name] - below[name]) / (2.0 * h)
        require_close(f"hand-written hvp {name}", found[name], expected, rtol=1e-4)
        require_close(f"hvp {name}", generated[name], found[name], rtol=1e-9)
    *primals, last = args
    sweep = product.sweep().compiled(*primals)
    ratio = time_ratio(sweep, (*primals, 1.0, last), hessian_product, args, rounds=101)
    return Row("digits loss: hvp / hand-written", ratio, BOUND)


def jacobians() -> list[Row]:
    """A Jacobian of 50 inputs against the sweeps that it needs."""
    rng = np.random.default_rng(8)
    weights, x = rng.standard_normal((400, 50)) / 20.0, rng.standard_normal(50)
    rows = []
    unit = np.zeros(50)
    unit[3] = 1.0
    for mode, weight in (("forward", weights), ("reverse", weights[:50])):
        matrix = sourcegrad.jacobian(hand.mixture, mode=mode)
        expected = hand.mixture_tangent(x, weight, unit)[1]
        require_close(f"Jacobian, {mode}", matrix(x, weight)[:, 3], expected, rtol=1e-9)
        if mode == "forward":
            _, sweep = sourcegrad.linearize(lambda x, w=weight: hand.mixture(x, w), x)
            seed = unit
        else:
            _, sweep = sourcegrad.vjp(lambda x, w=weight: hand.mixture(x, w), x)
            seed = np.eye(len(weight))[0]
        ratio = time_ratio_to_many(matrix, (x, weight), sweep, (seed,), 50)
        name = f"Jacobian of 50 inputs, {mode} / 50 sweeps"
        rows.append(Row(name, ratio, JACOBIAN_BOUND))
    return rows


def measure() -> list[Row]:
    """The rows of this theme."""
    rng = np.random.default_rng(9)
    state, direction = rng.random(1000), rng.standard_normal(1000)
    weights = rng.standard_normal((300, 50))
    return [
        tangent("Newton", hand.newton, hand.newton_tangent, 1234.5, 1.0, 1e-10),
        tangent(
            "diffusion", hand.diffusion, hand.diffusion_tangent, state, direction, 50
        ),
        tangent(
            "layer", hand.mixture, hand.mixture_tangent, state[:50], direction[:50],
            weights,
        ),
        rosenbrock_hvp(),
        digits_hvp(),
        *jacobians(),
    ]  # fmt: skip
