"""Whether what a transform gives is finite, or complex."""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np

_SMALL, _LARGE = 10_000, 1 << 16


def is_complex(tree: Any) -> bool:
    """Whether there is a complex number in what a transform takes or gives."""
    if isinstance(tree, (tuple, list)):
        return any(map(is_complex, tree))
    if isinstance(tree, dict):
        return any(map(is_complex, tree.values()))
    return np.iscomplexobj(tree)


def finite(tree: Any) -> bool:
    """Whether all in a result is finite."""
    if isinstance(tree, np.ndarray):
        return _finite_array(tree)
    if isinstance(tree, (float, complex, np.inexact)):
        return cmath.isfinite(tree)
    if isinstance(tree, (tuple, list)):
        return all(map(finite, tree))
    if isinstance(tree, dict):
        return all(map(finite, tree.values()))
    if hasattr(tree, "__dict__") and not callable(tree):
        return all(map(finite, vars(tree).values()))
    return True


def _finite_array(x: np.ndarray) -> bool:
    """Whether all of an array is finite; a sum, where that is, shows it soonest."""
    if x.dtype.kind not in "fc":
        return True
    if x.size <= _SMALL:  # BLAS would share more out among threads
        if cmath.isfinite(np.vdot(x, x)):
            return True
    elif x.size > _LARGE:
        with np.errstate(all="ignore"):
            if np.isfinite(x.sum()):
                return True
    return bool(np.isfinite(x).all())
