"""What NumPy's functions that write into arrays do, as plain stores.

The frontend builds these bodies in where the call stands, so that the derivative of
each is that of the stores it stands for.  They are read, never run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sourcegrad.runtime_places import (
    cycle,
    cycle_by_place,
    masked_index,
    rounds,
    row_shape,
    rows_shape,
)


def store(a: Any, places: Any, value: Any) -> None:
    """One value for all places."""
    a[places] = value


def store_in_turn(a: Any, places: Any, values: Any) -> None:
    """The values one after the other, from the first again when they are used up."""
    a[places] = np.ravel(values)[cycle(places, values)]


def store_by_place(a: Any, places: Any, values: Any) -> None:
    """`np.putmask(a, mask, values)`: the element at place n is value n."""
    a[places] = np.ravel(values)[cycle_by_place(a, places, values)]


def copy_where(a: Any, values: Any, where: Any) -> None:
    """`np.copyto(a, values, where=where)`, and what a ufunc does with `where`."""
    places = masked_index(a, where)
    a[places] = np.broadcast_to(values, a.shape)[places]


def sorted_in_place(a: Any, axis: Any) -> None:
    """`a.sort(axis)`."""
    a[...] = np.sort(a, axis)


def partitioned_in_place(a: Any, kth: Any, axis: Any) -> None:
    """`a.partition(kth, axis)`."""
    a[...] = np.partition(a, kth, axis)


def at_once(ufunc: Any, a: Any, index: Any) -> None:
    """`ufunc.at(a, index)` where no slot repeats."""
    a[index] = ufunc(a[index])


def at_once_with(ufunc: Any, a: Any, index: Any, value: Any) -> None:
    """`ufunc.at(a, index, value)` where no slot repeats."""
    a[index] = ufunc(a[index], value)


def in_rounds(ufunc: Any, a: Any, index: Any) -> None:
    """`ufunc.at(a, index)`."""
    for places, _ in rounds(a, index):
        a[places] = ufunc(a[places])


def in_rounds_with(ufunc: Any, a: Any, index: Any, value: Any) -> None:
    """`ufunc.at(a, index, value)` of a number."""
    for places, _ in rounds(a, index):
        a[places] = ufunc(a[places], value)


def in_rounds_with_each(ufunc: Any, a: Any, index: Any, values: Any) -> None:
    """`ufunc.at(a, index, values)`."""
    spread = np.broadcast_to(values, rows_shape(a, index))
    flat = np.reshape(spread, row_shape(a, index))
    for places, rows in rounds(a, index):
        a[places] = ufunc(a[places], flat[rows])
