"""Array code: the digits network's loss, against a hand-written NumPy adjoint."""

from typing import Any

import numpy as np

import sourcegrad
from benchmarks.checks import good_adjoint, require_close
from benchmarks.hand_digits import Params, loss_and_gradient
from benchmarks.memory import peak_bytes
from benchmarks.timing import Row, time_ratio
from examples import digits_network

BATCH = 50


def check_yardstick(params: Params, images: Any, targets: Any) -> None:
    """Value and gradient of the hand-written adjoint, by a random direction each."""
    value, gradient = loss_and_gradient(params, images, targets)
    expected = digits_network.loss(params, images, targets)
    require_close("hand-written digits value", value, expected, rtol=1e-12)
    rng = np.random.default_rng(3)
    step = 1e-6
    for name, leaf in params.items():
        direction = rng.standard_normal(leaf.shape)
        above = {**params, name: leaf + step * direction}
        below = {**params, name: leaf - step * direction}
        slope = (
            digits_network.loss(above, images, targets)
            - digits_network.loss(below, images, targets)
        ) / (2.0 * step)
        product = np.sum(gradient[name] * direction)
        require_close(f"hand-written digits {name}", product, slope, rtol=1e-6)


def measure() -> list[Row]:
    """The rows of this theme."""
    rng = np.random.default_rng(2)
    params = digits_network.initial_parameters()
    images = rng.random((1, 8, 8, BATCH))
    targets = np.eye(10)[:, rng.integers(0, 10, BATCH)].copy()
    args = (params, images, targets)
    check_yardstick(*args)
    generated = sourcegrad.value_and_grad(digits_network.loss).compiled(*args)
    value, gradient = generated(*args)
    hand_value, hand_gradient = loss_and_gradient(*args)
    require_close("generated digits value", value, hand_value, rtol=1e-12)
    for name in params:
        require_close(
            f"generated {name}", gradient[name], hand_gradient[name], rtol=1e-9
        )
    time = time_ratio(generated, args, loss_and_gradient, args)
    memory = peak_bytes(generated, args) / peak_bytes(loss_and_gradient, args)
    return [
        good_adjoint("digits network", digits_network.loss, loss_and_gradient, args),
        Row("digits network: generated / hand-written, time", time, 1.1),
        Row("digits network: generated / hand-written, peak memory", memory, 1.05),
    ]
