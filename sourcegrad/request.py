"""What is asked of the compiler: the request, and options for tests."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass


class _Options(threading.local):
    """The options of a thread; the attributes of the class are the defaults."""

    optimise = True
    verify = False


_options = _Options()


@contextlib.contextmanager
def options(
    *, optimise: bool | None = None, verify: bool | None = None
) -> Iterator[None]:
    """Options of the compiler, for tests; None leaves one as it is.

    Args:
        optimise: whether to simplify and to fold temporaries.
        verify: whether to check the IR after each pass.
    """
    before = _options.optimise, _options.verify
    _options.optimise = before[0] if optimise is None else optimise
    _options.verify = before[1] if verify is None else verify
    try:
        yield
    finally:
        _options.optimise, _options.verify = before


def optimising() -> bool:
    """Whether the compiler simplifies."""
    return _options.optimise


def verifying() -> bool:
    """Whether the compiler checks its IR after each pass."""
    return _options.verify


def verify_everywhere() -> None:
    """Check the IR in every thread, for a test run."""
    _Options.verify = True


@dataclass(frozen=True)
class Request:
    """What to generate.

    `what` is "grad", "value_and_grad" or "vjp", "jvp", "tangent" or "taylor" (to the
    `order`); `wrt` names parameters; `several` tells that gradients come as a tuple;
    `careful` that zero wins in every product of a cotangent and a partial; `stands_in`
    that a tangent takes the place of a gradient, and so must not pass by hooks that
    change it; `holomorphic` that the function is one of complex numbers with a
    derivative there; `compiled` that the text will be compiled, where arithmetic costs
    less than memory; `complex_powers` that a power of a real number may be complex.
    """

    what: str
    wrt: tuple[str, ...]
    several: bool = False
    has_aux: bool = False
    careful: bool = False
    batched: bool = False
    stands_in: bool = False
    holomorphic: bool = False
    order: int = 1
    compiled: bool = False
    complex_powers: bool = False
