"""Helpers for lists whose elements are active: which position goes where.

NumPy only, like `runtime`.
"""

from __future__ import annotations

from typing import Any


def order_of(keys: Any, reverse: Any = False) -> list[int]:
    """The positions of the keys in ascending order, as `sorted` orders them.

    Args:
        keys: a sequence of keys.
        reverse: whether the largest comes first; equal keys keep their order.

    >>> order_of([2.0, 1.0, 2.0]), order_of([2.0, 1.0, 2.0], True)
    ([1, 0, 2], [0, 2, 1])
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=bool(reverse))


def set_order(items: Any) -> list[int]:
    """Where the elements of `set(items)` stand in the sequence, in the set's order.

    >>> set_order([2, 1, 2])
    [1, 0]
    """
    return [list(items).index(item) for item in set(items)]


def pairs_of(source: Any) -> list[Any]:
    """What `dict(source)` is made of.

    >>> pairs_of({"a": 1.0}), pairs_of(zip("a", [1.0]))
    ([('a', 1.0)], [('a', 1.0)])
    """
    return list(source.items() if hasattr(source, "keys") else source)


def slice_positions(n: int, start: Any, stop: Any, step: Any) -> list[int]:
    """The positions that a slice takes from a sequence of `n` elements.

    >>> slice_positions(4, None, None, -2)
    [3, 1]
    """
    return list(range(*slice(start, stop, step).indices(n)))


def slice_start(n: int, start: Any, stop: Any) -> int:
    """Where `items[start:stop] = …` puts its first element.

    >>> slice_start(4, 3, 1), slice_start(4, -1, None)
    (3, 3)
    """
    return slice(start, stop).indices(n)[0]


def slice_end(n: int, start: Any, stop: Any) -> int:
    """Behind the last element that `items[start:stop] = …` replaces.

    >>> slice_end(4, 3, 1), slice_end(4, 1, -1)
    (3, 3)
    """
    first, last, _ = slice(start, stop).indices(n)
    return max(first, last)


def insertion(n: int, index: int) -> int:
    """Where `items.insert(index, x)` puts an element into `n` elements.

    >>> insertion(3, -1), insertion(3, 7), insertion(3, -5)
    (2, 3, 0)
    """
    return max(0, index + n) if index < 0 else min(index, n)


def position(n: int, index: int) -> int:
    """The position a valid index stands for in a sequence of `n` elements.

    Raises:
        IndexError: there is no such element.

    >>> position(3, -1)
    2
    """
    return range(n)[index]


__all__ = [
    "insertion",
    "order_of",
    "position",
    "slice_end",
    "slice_positions",
    "slice_start",
]


def add_nested(buffer: Any, parts: Any) -> None:
    """Accumulate the cotangent of a container of containers, leaf by leaf.

    >>> buffer = [1.0, [2.0, 3.0]]
    >>> add_nested(buffer, (10.0, [20.0, 30.0])); buffer
    [11.0, [22.0, 33.0]]
    """
    if not isinstance(parts, (list, tuple)):
        return  # the number 0.0: nothing reached the container
    for k, part in enumerate(parts):
        add_item(buffer, k, part)


def add_item(buffer: Any, index: Any, part: Any) -> None:
    """Accumulate the cotangent of an item or a slice; an item may be a number, an array
    or a container; None is the cotangent of what carries no derivative.

    >>> buffer = [1.0, [2.0, 3.0]]
    >>> add_item(buffer, 0, 1.0); add_item(buffer, 1, (1.0, 1.0)); buffer
    [2.0, [3.0, 4.0]]
    >>> add_item(buffer, slice(1, 2), [[0.5, 0.5]]); buffer
    [2.0, [3.5, 4.5]]
    """
    if part is None:
        return
    if isinstance(index, slice) and isinstance(buffer, list):
        if isinstance(part, (list, tuple)):  # else 0.0: nothing reached the slice
            for k, own in zip(range(len(buffer))[index], part, strict=True):
                add_item(buffer, k, own)
        return
    if isinstance(buffer[index], list):
        add_nested(buffer[index], part)
    elif isinstance(part, (list, tuple)):
        buffer[index] = [0.0] * len(part)
        add_nested(buffer[index], part)
    else:
        buffer[index] = buffer[index] + part


def common_length(*lengths: int) -> int:
    """How often `zip(…, strict=True)` of sequences of these lengths runs.

    Raises:
        ValueError: they differ.

    >>> common_length(3, 3)
    3
    """
    for k, length in enumerate(lengths):
        if length != lengths[0]:
            which = "shorter" if length < lengths[0] else "longer"
            raise ValueError(f"zip() argument {k + 1} is {which} than argument 1")
    return lengths[0]
