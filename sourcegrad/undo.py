"""What arguments held before a program wrote them, so that it can run again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


class Undo:
    """The contents of arrays before a call.

    Args:
        values: arguments of which `possible` tells whether all are arrays.

    >>> a = np.ones(2)
    >>> undo = Undo([a])
    >>> a *= 3.0
    >>> undo()
    >>> a
    array([1., 1.])
    """

    __slots__ = ("possible", "_held")

    def __init__(self, values: Sequence[Any]) -> None:
        arrays = [v for v in values if isinstance(v, np.ndarray)]
        self.possible = len(arrays) == len(values)
        self._held = [(a, a.copy()) for a in arrays] if self.possible else []

    def __call__(self) -> None:
        """Give the arrays back what they held."""
        for array, before in self._held:
            array[...] = before
