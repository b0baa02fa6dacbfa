"""Programs on graphs: edges as arguments, neighbours in lists and dicts, queues."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

import sourcegrad
from tests.passes.texts import assert_right

EDGES = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)]
WEIGHTS = np.array([0.5, 0.8, 0.3, 0.9, 1.0])


def shortest_paths(w, edges):
    neighbours = {i: [] for i in range(4)}
    for (a, b), length in zip(edges, w):
        neighbours[a].append((b, length))
        neighbours[b].append((a, length))
    distance = {0: 0.0}
    heap = [(0.0, 0)]
    done = set()
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v, length in neighbours[u]:
            if v not in distance or d + length < distance[v]:
                distance[v] = d + length
                heapq.heappush(heap, (d + length, v))
    return sum(distance.values())


def shortest_paths_in_lists(w, edges):
    neighbours = [[] for _ in range(4)]
    for (a, b), length in zip(edges, w):
        neighbours[a].append((b, length))
    distance = [math.inf] * 4
    distance[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v, length in neighbours[u]:
            if d + length < distance[v]:
                distance[v] = d + length
                heapq.heappush(heap, (d + length, v))
    return sum(distance)


def flow_over_edges(w, edges):
    level = [1.0, 0.5, 0.2, 0.1]
    for _ in range(3):
        change = [0.0] * 4
        for k, (a, b) in enumerate(edges):
            q = w[k] * (level[a] - level[b])
            change[a] -= 0.1 * q
            change[b] += 0.1 * q
        level = [v + c for v, c in zip(level, change)]
    return sum(v * v for v in level)


def reached_in_order(w, edges):
    neighbours = {i: [] for i in range(4)}
    for a, b in edges:
        neighbours[a].append(b)
    seen, queue, total = {0}, [0], 0.0
    while queue:
        u = queue.pop(0)
        total = total * w[u] + w[u]
        for v in neighbours[u]:
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return total


@pytest.mark.parametrize(
    "f",
    [shortest_paths, shortest_paths_in_lists, flow_over_edges, reached_in_order],
    ids=lambda f: f.__name__,
)
def test_reverse_and_forward(f):
    gradient = assert_right(f, WEIGHTS.copy(), EDGES)
    _, pullback = sourcegrad.vjp(f, WEIGHTS.copy(), EDGES)
    np.testing.assert_allclose(pullback(1.0)[0], gradient, 1e-12)
    v = np.array([0.4, -1.1, 0.7, 0.2, -0.3])
    _, slope = sourcegrad.jvp(f, (WEIGHTS.copy(), EDGES), (v, None))
    np.testing.assert_allclose(slope, gradient @ v, 1e-12)


def test_pairs_that_are_no_arguments_of_the_derivative_keep_their_kinds():
    def line(w, data):
        total = 0.0
        for t, y in data:
            total += (w * t - y) ** 2
        return total

    text = sourcegrad.grad(line).source(0.7, [(1.0, 2.0), (2.0, 3.5), (3.0, 7.0)])
    assert "hasattr" not in text
    assert_right(line, 0.7, [(1.0, 2.0), (2.0, 3.5), (3.0, 7.0)])
