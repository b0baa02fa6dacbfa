"""Small functions of every construct: generated code against adjoints by hand."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

import sourcegrad
from benchmarks import language_arrays, language_scalars
from benchmarks.checks import difference, require_close
from benchmarks.timing import Row, time_ratio

BOUND = 2.0
NUMBER = 1.3
VECTOR = np.array([0.3, 0.8, 1.7])


def pairs(module: ModuleType) -> list[tuple[Callable[..., Any], Callable[..., Any]]]:
    """The functions of a module that have an adjoint beside them, in order."""
    names = [name for name in vars(module) if f"{name}_gradient" in vars(module)]
    return [(getattr(module, n), getattr(module, f"{n}_gradient")) for n in names]


def slopes(primal: Callable[..., float], x: Any) -> Any:
    """The gradient of a function of a number or a vector, by central differences."""
    if isinstance(x, float):
        return difference(primal, [x], 0)

    def of_parts(*parts: float) -> float:
        return float(primal(np.array(parts)))

    return [difference(of_parts, x.tolist(), k) for k in range(len(x))]


def case(primal: Callable[..., Any], hand: Callable[..., Any], x: Any) -> Row:
    """One function; both gradients are checked before they are timed."""
    name = primal.__name__
    expected = slopes(primal, x)
    given = np.copy(x) if isinstance(x, np.ndarray) else x
    require_close(f"hand-written {name}", hand(given), expected, rtol=1e-7)
    given = np.copy(x) if isinstance(x, np.ndarray) else x
    generated = sourcegrad.grad(primal).compiled(given)
    require_close(f"generated {name}", generated(given), expected, rtol=1e-7)
    ratio = time_ratio(generated, (given,), hand, (given,), rounds=101)
    return Row(f"{name}: generated / hand-written", ratio, BOUND)


def measure() -> list[Row]:
    """The rows of this theme."""
    scalars = [case(*pair, NUMBER) for pair in pairs(language_scalars)]
    return scalars + [case(*pair, VECTOR) for pair in pairs(language_arrays)]
