"""Where the elements of a set operation stand: positions, which carry no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np


def unique_places(
    ar: Any, axis: Any = None, equal_nan: bool = True
) -> tuple[Any, Any, Any]:
    """First positions of the distinct elements, in their order; inverse; counts.

    >>> unique_places(np.array([3.0, 1.0, 3.0]))[0].tolist()
    [1, 0]
    """
    _, first, inverse, counts = np.unique(
        ar,
        return_index=True,
        return_inverse=True,
        return_counts=True,
        axis=axis,
        equal_nan=equal_nan,
    )
    return first, inverse, counts


def values_places(x: Any) -> Any:
    """First positions of the elements of `np.unique_values(x)`, in its own order.

    NumPy 2.3 leaves that order open: it is that of a hash table for some dtypes.

    >>> values_places(np.array([3.0, 1.0, 3.0])).tolist()
    [1, 0]
    """
    _, first = np.unique(x, return_index=True, equal_nan=False)
    ordered, got = np.ravel(x)[first], np.unique_values(x)
    where = np.argsort(got, kind="stable")
    places = np.empty_like(first)
    places[where] = first[np.argsort(ordered, kind="stable")]
    return places


def common_places(ar1: Any, ar2: Any, assume_unique: bool = False) -> tuple[Any, Any]:
    """Positions of the common elements in the first and in the second array.

    >>> common_places(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0]))
    (array([1, 2]), array([1, 0]))
    """
    _, first, second = np.intersect1d(
        ar1, ar2, assume_unique=assume_unique, return_indices=True
    )
    return first, second


def lone_places(ar1: Any, ar2: Any) -> Any:
    """First positions in `ar1` of its elements that are not in `ar2`, in order.

    >>> lone_places(np.array([3.0, 1.0, 3.0, 2.0]), np.array([2.0])).tolist()
    [1, 0]
    """
    _, first = np.unique(ar1, return_index=True)
    return first[np.isin(np.ravel(ar1)[first], ar2, invert=True)]


def trimmed(filt: Any, trim: str = "fb") -> slice:
    """The part of an array of one dimension between zeros at its ends.

    >>> trimmed(np.array([0.0, 2.0, 0.0, 1.0, 0.0]))
    slice(1, 4, None)
    """
    held = np.flatnonzero(filt)
    if not held.size:
        return slice(0, 0)
    start = int(held[0]) if "f" in trim.lower() else 0
    stop = int(held[-1]) + 1 if "b" in trim.lower() else len(filt)
    return slice(start, stop)
