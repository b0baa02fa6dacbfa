"""Peak memory of a call."""

import tracemalloc
from collections.abc import Callable
from typing import Any

from benchmarks.timing import no_collector


def peak_bytes(f: Callable[..., Any], args: tuple[Any, ...]) -> int:
    """The most memory that one warm call of ``f`` holds beyond its arguments.

    >>> import numpy as np
    >>> peak_bytes(np.ones, (1000,)) >= 8000
    True
    """
    f(*args)
    with no_collector():
        tracemalloc.start()
        try:
            f(*args)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
