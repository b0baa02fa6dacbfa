"""Which items of a heap go where: the moves that `heapq` makes, as positions.

The order of items is a decision on their values, so a constant; the frontend moves
the items along these paths, and their cotangents go back the same way.
"""

from __future__ import annotations

import heapq
from typing import Any


class _Ranked:
    """A position that compares as the item that stands there."""

    __slots__ = ("item", "place")

    def __init__(self, item: Any, place: int) -> None:
        self.item, self.place = item, place

    def __lt__(self, other: _Ranked) -> bool:
        return bool(self.item < other.item)


def heap_order(items: Any) -> list[int]:
    """Where each item of `heapq.heapify(items)` stood before.

    >>> heap_order([3.0, 1.0, 2.0])
    [1, 0, 2]
    """
    ranked = [_Ranked(item, k) for k, item in enumerate(items)]
    heapq.heapify(ranked)
    return [r.place for r in ranked]


def path_up(items: Any) -> list[int]:
    """The places that the last item of a heap passes on its way up, its own first.

    >>> path_up([1.0, 2.0, 3.0, 0.5])
    [3, 1, 0]
    """
    place = len(items) - 1
    return _up(items, place, 0, items[place])


def _up(items: Any, place: int, start: int, item: Any) -> list[int]:
    """The places from `place` up to where `item` may stand, `start` at most."""
    path = [place]
    while place > start and item < items[(place - 1) >> 1]:
        place = (place - 1) >> 1
        path.append(place)
    return path


def path_down(items: Any, item: Any) -> list[int]:
    """The places that a hole at the root passes until `item` may stand in it.

    As `heapq` has it: the hole sinks to a leaf along the smaller children, and the
    item rises from there.

    >>> path_down([1.0, 2.0, 3.0, 4.0], 3.5)
    [0, 1]
    """
    path, child, end = [0], 1, len(items)
    while child < end:
        right = child + 1
        if right < end and not items[child] < items[right]:
            child = right
        path.append(child)
        child = 2 * child + 1
    while len(path) > 1 and item < items[path[-1]]:
        path.pop()
    return path
