"""What every hand-written adjoint must pass before it serves as a yardstick."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.timing import Row, time_ratio


def difference(f: Callable[..., float], args: list[float], k: int) -> float:
    """The central difference of ``f`` by argument ``k``, with one extrapolation.

    Richardson's: (4 D(h/2) - D(h)) / 3 cancels the error of order h squared.
    """

    def central(h: float) -> float:
        above, below = list(args), list(args)
        above[k] += h
        below[k] -= h
        return (f(*above) - f(*below)) / (2.0 * h)

    h = 1e-3 * max(1.0, abs(args[k]))
    return (4.0 * central(h / 2.0) - central(h)) / 3.0


def require_close(name: str, actual: Any, expected: Any, rtol: float) -> None:
    """Stop the run where a yardstick, or the generated code, is wrong.

    Raises:
        AssertionError: the two differ by more than ``rtol`` relatively.

    >>> require_close("two", 2.0, 2.0 + 1e-12, rtol=1e-9)
    """
    np.testing.assert_allclose(
        actual, expected, rtol=rtol, atol=rtol, err_msg=f"{name} is wrong"
    )


def require_slope(
    name: str,
    primal: Callable[..., Any],
    gradient: Callable[..., Any],
    args: tuple[Any, ...],
) -> None:
    """Check a gradient by the first argument along one random direction.

    Raises:
        AssertionError: it is not the slope that central differences find.
    """
    x, *rest = args
    direction = np.random.default_rng(5).standard_normal(np.shape(x))

    def along(t: float) -> float:
        return float(primal(x + t * direction, *rest))

    product = np.sum(gradient(*args) * direction)
    require_close(name, product, difference(along, [0.0], 0), rtol=1e-7)


def good_adjoint(
    name: str,
    primal: Callable[..., Any],
    hand: Callable[..., Any],
    args: tuple[Any, ...],
    rounds: int = 401,
    bound: float = 3.0,
) -> Row:
    """A hand-written adjoint costs at most three times its primal.

    For programs of single additions the bound is four (Griewank and Walther,
    "Evaluating Derivatives", 3.3: the cheap gradient principle).
    """
    ratio = time_ratio(hand, args, primal, args, rounds)
    return Row(f"{name}: hand-written / primal", ratio, bound)
