"""What older versions of NumPy and SciPy lack, so that tests leave it out."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy

NUMPY = tuple(map(int, np.__version__.split(".")[:2]))
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


def known(cases: Iterable[Any], module: Any, *names: str) -> list[Any]:
    """The cases whose function names none of those that a module does not have.

    Args:
        cases: tuples with a function first.
        module: of which the function uses attributes.
        names: attributes that are new in some version.
    """
    lacking = {name for name in names if not hasattr(module, name)}
    return [c for c in cases if not lacking & set(c[0].__code__.co_names)]


def options_to_come() -> set[str]:
    """The functions whose rules have options that this version does not have yet."""
    found = set()
    if NUMPY < (2, 3):
        found.add("numpy.unique")
    if SCIPY < (1, 14):
        found.add("scipy.interpolate.Akima1DInterpolator")
    return found
