"""What a cache hit costs: the public callable less the generated function."""

import sourcegrad
from benchmarks.timing import Row, time_difference


def product(x: float, y: float, z: float) -> float:
    """Three positional arguments and next to no work."""
    return x * y * z


def measure() -> list[Row]:
    """The rows of this theme."""
    args = (1.5, 2.5, 3.5)
    gradient = sourcegrad.grad(product)
    generated = gradient.compiled(*args)
    microseconds = 1e6 * time_difference(gradient, generated, args)
    return [Row("cache hit, three positional arguments", microseconds, 3.0, "us")]
