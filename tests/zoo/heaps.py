"""Heaps, bisection and key functions: where an item goes is a decision on values."""

import bisect
import heapq
import math

import numpy as np

from tests.zoo import case, program

X = np.array([0.7, 1.9, 0.3, 1.2, 2.4])
ROADS = {0: [(1, 0), (2, 1)], 1: [(3, 2)], 2: [(1, 3), (3, 4)], 3: []}


@case(X.copy())
@program("heapq.heappush", "heapq.heappop", mutation=True)
def popped_in_order(x):
    heap = []
    for v in x:
        heapq.heappush(heap, v * v)
    total = 0.0
    weight = 1.0
    while heap:
        total = total + weight * heapq.heappop(heap)
        weight += 1.0
    return total


@case(X.copy())
@program("heapq.heapify", "tuples in a heap", mutation=True)
def merged_pairs(x):
    heap = [(v, i) for i, v in enumerate(x)]
    heapq.heapify(heap)
    total = 0.0
    while len(heap) > 1:
        a, i = heapq.heappop(heap)
        b, j = heapq.heappop(heap)
        total += (a + b) * (1 + i)
        heapq.heappush(heap, (a + b, 10 + i + j))
    return total


@case(X.copy())
@program("heapq.heappush", "shortest path", mutation=True)
def shortest_path(x):
    distance = {node: math.inf for node in ROADS}
    distance[0] = 0.0
    queue = [(0.0, 0)]
    while queue:
        d, u = heapq.heappop(queue)
        if d > distance[u]:
            continue
        for v, edge in ROADS[u]:
            new = d + x[edge]
            if new < distance[v]:
                distance[v] = new
                heapq.heappush(queue, (new, v))
    return distance[3] ** 2 + distance[1]


@case(X.copy())
@program("heapq.heapreplace", "heapq.heappushpop", "heapq.nlargest", mutation=True)
def replaced_and_largest(x):
    heap = []
    for k in range(3):
        heapq.heappush(heap, (x[k], k, "item"))
    v, _, _ = heapq.heapreplace(heap, (x[3], 3, "d"))
    u, _, _ = heapq.heappushpop(heap, (x[4], 4, "e"))
    a = heapq.nlargest(2, x)
    b = heapq.nsmallest(2, [x[0], x[1] * x[2], x[3]], key=lambda t: -t)
    return v * u + heap[0][0] + a[0] * a[1] + b[0] / b[1]


@case(X.copy())
@program("bisect.bisect_left", "bisect.insort", mutation=True)
def inserted_in_order(x):
    ordered = []
    for v in x:
        bisect.insort(ordered, v)
    k = bisect.bisect_left(ordered, 1.0)
    j = bisect.bisect_right(ordered, 2.0)
    return ordered[k] * ordered[j - 1] + 2.0 * ordered[1] + ordered[4] ** 2


@case(X.copy())
@program("list.sort", "tuples in a list", mutation=True)
def sorted_pairs(x):
    pairs = [(v, i) for i, v in enumerate(x)]
    pairs.sort(key=lambda pair: pair[0])
    total = pairs[3][0] + pairs[-1][0] * pairs[2][0]
    for rank, (v, i) in enumerate(pairs):
        total += v * v * rank * (i + 1)
    while pairs:
        v, i = pairs.pop()
        total = 0.5 * total + v * i
    return total


@case(X.copy())
@program("max of a dict by key", "sorted items of a dict", mutation=True)
def ranked_by_score(x):
    scores = {i: v * v for i, v in enumerate(x)}
    best = max(scores, key=scores.get)
    worst = min(scores, key=lambda k: scores[k])
    total = scores[best] * scores[worst]
    for rank, (k, v) in enumerate(sorted(scores.items(), key=lambda kv: kv[1])):
        total += rank * v * (k + 1)
    order = sorted(range(len(x)), key=x.__getitem__)
    return total + x[order[0]] * max(scores.values())
