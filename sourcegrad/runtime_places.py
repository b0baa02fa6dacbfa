"""Helpers for stores: which slots of an array a function such as `np.put` writes.

NumPy only, like `runtime`.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def flat_index(a: Any, index: Any) -> Any:
    """The index of `a` for the elements `a.flat[index]`.

    Args:
        a: an array.
        index: an integer, a slice, an array of integers or a mask, which counts the
            elements in row-major order.

    >>> flat_index(np.zeros((2, 3)), -2)
    (1, 1)
    """
    if isinstance(index, (int, np.integer)) and not isinstance(index, bool):
        place = int(index) + a.size if index < 0 else int(index)
        if not 0 <= place < a.size:
            raise IndexError(f"index {index} is out of bounds for size {a.size}")
        return tuple(map(int, np.unravel_index(place, a.shape)))
    return np.unravel_index(_counted(a, index), a.shape)


def _counted(a: Any, index: Any) -> Any:
    """The row-major positions of `a.flat[index]`, none negative."""
    if index is Ellipsis:
        return np.arange(a.size)
    if isinstance(index, slice):
        return np.arange(*index.indices(a.size))
    places = np.ravel(index)
    if places.dtype == bool:
        return np.flatnonzero(places)
    if places.size == 0:
        return places.astype(np.intp)
    return np.where(places < 0, places + a.size, places)


def put_index(a: Any, ind: Any, mode: Any = "raise") -> Any:
    """The index of `a` for the elements that `np.put(a, ind, v, mode)` writes.

    >>> [i.tolist() for i in put_index(np.zeros((2, 3)), [7, -1], "wrap")]
    [[0, 1], [1, 2]]
    """
    places = np.ravel(ind)
    if mode == "wrap":
        places = places % a.size
    elif mode == "clip":
        places = np.clip(places, 0, a.size - 1)
    return flat_index(a, places)


def diagonal_index(a: Any, wrap: Any = False) -> Any:
    """The index of `a` for the elements that `np.fill_diagonal` writes.

    >>> [i.tolist() for i in diagonal_index(np.zeros((3, 2)))]
    [[0, 1], [0, 1]]
    """
    if a.ndim == 2:
        columns = a.shape[1]
        return flat_index(a, slice(0, None if wrap else columns**2, columns + 1))
    if a.ndim < 2 or len(set(a.shape)) > 1:
        raise ValueError("np.fill_diagonal needs two axes, or more of equal length")
    places = np.arange(a.shape[0])
    return (places,) * a.ndim


def along_index(a: Any, indices: Any, axis: Any) -> Any:
    """The index of `a` for the elements that `np.put_along_axis` writes.

    >>> [i.tolist() for i in along_index(np.zeros((2, 3)), np.array([[2], [0]]), 1)]
    [[[0], [1]], [[2], [0]]]
    """
    if axis is None:
        return flat_index(a, indices)
    axis = axis % a.ndim
    grid = np.ix_(*(range(n) for n in a.shape))
    return tuple(indices if k == axis else grid[k] for k in range(a.ndim))


def masked_index(a: Any, mask: Any) -> Any:
    """The index of `a` for the elements where a mask is true, in row-major order.

    >>> [i.tolist() for i in masked_index(np.zeros((2, 2)), [True, False])]
    [[0, 1], [0, 0]]
    """
    return np.nonzero(np.broadcast_to(mask, a.shape))


def cycle(places: Any, values: Any) -> Any:
    """Which of the values goes to which place, when they are used over and over.

    >>> cycle((np.array([4, 5, 6]),), np.zeros(2)).tolist()
    [0, 1, 0]
    """
    count = np.size(places[0]) if places else 1
    return np.arange(count) % max(np.size(values), 1)


def cycle_by_place(a: Any, places: Any, values: Any) -> Any:
    """Which of the values goes to which place, counted by the places themselves.

    >>> cycle_by_place(np.zeros(5), (np.array([1, 4]),), np.zeros(3)).tolist()
    [1, 1]
    """
    return np.ravel_multi_index(places, a.shape) % max(np.size(values), 1)


def of_integers(a: Any, index: Any) -> Any:
    """An index of integers as it is; for another, arrays that index the same slots.

    >>> [i.tolist() for i in of_integers(np.zeros((2, 3)), (slice(None), [0, 2]))]
    [[[0, 0], [1, 1]], [[0, 2], [0, 2]]]
    """
    parts = index if isinstance(index, tuple) else (index,)
    plain = not any(isinstance(p, slice) or p is None or p is ... for p in parts)
    if plain and all(np.asarray(p).dtype.kind in "iu" for p in parts):
        return index
    return np.unravel_index(np.arange(a.size).reshape(a.shape)[index], a.shape)


def rounds(a: Any, index: Any) -> list[tuple[Any, Any]]:
    """A store in which slots repeat, as stores in which none does.

    Args:
        a: an array.
        index: an array of integers, or a tuple of such arrays; any other is taken for
            the arrays that index the same slots.

    Returns:
        For each round the index of its slots, and which elements of the (flattened)
        index they are; the n-th writer of a slot is in round n.

    >>> [(p.tolist(), k.tolist()) for p, k in rounds(np.zeros(3), [0, 2, 0])]
    [([0, 2], [0, 1]), ([0], [2])]
    """
    index = of_integers(a, index)
    parts = index if isinstance(index, tuple) else (index,)
    columns = [np.ravel(i) for i in np.broadcast_arrays(*parts)]
    sizes = a.shape[: len(columns)]
    columns = [np.where(i < 0, i + n, i) for i, n in zip(columns, sizes, strict=True)]
    slots = np.ravel_multi_index(columns, sizes)
    order = np.argsort(slots, kind="stable")
    first = np.searchsorted(slots[order], slots[order])
    turn = np.empty(slots.size, np.intp)
    turn[order] = np.arange(slots.size) - first
    found = []
    for k in range(int(turn.max(initial=-1)) + 1):
        rows = np.flatnonzero(turn == k)
        places = tuple(i[rows] for i in columns)
        found.append((places if isinstance(index, tuple) else places[0], rows))
    return found


def rows_shape(a: Any, index: Any) -> tuple[int, ...]:
    """The shape of `a[index]`, of which `rounds` counts the leading elements.

    >>> rows_shape(np.zeros((3, 2)), [0, 0])
    (2, 2)
    """
    index = of_integers(a, index)
    parts = index if isinstance(index, tuple) else (index,)
    return np.broadcast_shapes(*map(np.shape, parts)) + a.shape[len(parts) :]


def row_shape(a: Any, index: Any) -> tuple[int, ...]:
    """The shape of what a flattened `rows_shape` has, rows first.

    >>> row_shape(np.zeros((3, 2)), [0, 0])
    (-1, 2)
    """
    index = of_integers(a, index)
    count = len(index) if isinstance(index, tuple) else 1
    return (-1, *a.shape[count:])
