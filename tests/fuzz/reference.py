"""What a program must give: a plain call, and the oracle's gradient."""

from __future__ import annotations

import contextlib
import dataclasses
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.oracle import dual_vjp
from tests.oracle.dual import singular


class Timeout(Exception):
    """The program did not end in time."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises Timeout in the main thread after as much CPU time; may be nested."""

    def ring(*_: Any) -> None:
        raise Timeout(f"no end within {seconds} s")

    old = signal.signal(signal.SIGPROF, ring)
    left = signal.setitimer(signal.ITIMER_PROF, seconds)[0]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)  # before the signal kills again
        signal.signal(signal.SIGPROF, old)
        signal.setitimer(signal.ITIMER_PROF, left)


def fresh_arguments(values: Any) -> tuple[float, np.ndarray, int]:
    """New arguments `(x, y, n)`."""
    x, y, n = values
    return float(x), np.array(y, float), int(n)


class Unfit(Exception):
    """The program overflows, raises, or sits on a discontinuity."""


@dataclasses.dataclass(frozen=True)
class Reference:
    """What a plain call gives, and the gradient by the oracle."""

    value: Any
    gradient: tuple[Any, Any]
    array_after: np.ndarray


_OF_THE_PROGRAM = (
    ArithmeticError,
    LookupError,
    TypeError,  # also of NumPy, for a float that is stored among ints
    UnboundLocalError,
    ValueError,
)


def reference(f: Callable[..., Any], values: Any) -> Reference:
    """The value by a plain call and the gradient by the oracle.

    Raises:
        Unfit: the program is no fair test.
    """
    args = fresh_arguments(values)
    try:
        value = f(*args)
    except _OF_THE_PROGRAM as error:
        raise Unfit(f"the primal raises {type(error).__name__}: {error}") from None
    if not np.isfinite(value) or abs(value) > 1e6 or not np.isfinite(args[1]).all():
        raise Unfit("the value is not tame")
    singular.clear()
    (again,), gradient = dual_vjp(f, fresh_arguments(values), None, (0, 1))
    if singular:  # as of sqrt(x - x), where the parts of a cotangent are inf - inf
        raise Unfit("a partial is not finite")
    if not np.isclose(again, value, rtol=1e-9, atol=1e-11):
        raise Unfit("rounding changes a branch")
    if not all(np.all(np.abs(g) < 1e8) for g in gradient):
        raise Unfit("the gradient is not tame")
    return Reference(value, gradient, args[1])
