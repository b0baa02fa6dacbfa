"""Heaps and lists of pairs in which a number stands beside a name."""

from __future__ import annotations

import heapq

import numpy as np
import pytest

from tests.language.judged import check

Y = np.array([0.7, -1.1, 0.4])


def shortest_path_of_named_nodes(x, y):
    edges = {
        "a": [("b", x * x + 0.1), ("c", 1.0)],
        "b": [("c", 0.3), ("d", 2.0 + y[0])],
        "c": [("d", x)],
        "d": [],
    }
    distance = {name: float("inf") for name in edges}
    distance["a"] = 0.0
    queue = [(0.0, "a")]
    while queue:
        here, name = heapq.heappop(queue)
        if here > distance[name]:
            continue
        for other, weight in edges[name]:
            there = here + weight
            if there < distance[other]:
                distance[other] = there
                heapq.heappush(queue, (there, other))
    return distance["d"]


def last_of_named_pairs(x, y):
    pairs = [(v * x, name) for v, name in zip(y, "abc", strict=True)]
    total, trips = 0.0, 0
    while pairs and trips < 5:
        trips += 1
        value, name = pairs.pop()
        total += value * len(name)
        if len(pairs) == 1:
            pairs[0] = (value * 2.0, "last")
            pairs.append((total, "more"))
    return total


@pytest.mark.parametrize(
    "f", [shortest_path_of_named_nodes, last_of_named_pairs], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("x", [0.763, 0.2])
def test_program(f, x):
    check(f, x, Y.copy())
