"""Helpers of generated code: tables of distances.

NumPy only, so that it can be copied next to emitted code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def square_index(count: int) -> Any:
    """Where the square form of `count` distances takes them from; 0 is the diagonal.

    >>> square_index(3).tolist()
    [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    """
    n = (1 + math.isqrt(1 + 8 * count)) // 2
    table = np.zeros((n, n), int)
    table[np.triu_indices(n, 1)] = np.arange(1, count + 1)
    return table + table.T
