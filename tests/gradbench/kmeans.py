"""The cost of k-means clustering; its Newton step needs the Hessian's diagonal."""

from __future__ import annotations

import numpy as np


def broadcast(centroids, points):
    distances = ((points[:, None, :] - centroids[None, :, :]) ** 2).sum(axis=2)
    return distances.min(axis=1).sum()


def expanded(centroids, points):
    a = np.sum(points**2, axis=1)[:, np.newaxis]
    b = np.sum(centroids**2, 1)
    cross = points @ centroids.T
    return np.sum(np.min(a + b - 2 * cross, axis=1))


def by_point(centroids, points):
    total = 0.0
    for p in points:
        total += np.min(np.sum((centroids - p) ** 2, axis=1))
    return total


def assigned(centroids, points):
    nearest = np.argmin(
        np.linalg.norm(points[:, None] - centroids[None], axis=-1), axis=1
    )
    return np.sum((points - centroids[nearest]) ** 2)


def three_loops(centroids, points):
    n, d = points.shape
    k = centroids.shape[0]
    total = 0.0
    for i in range(n):
        best = np.inf
        for j in range(k):
            distance = 0.0
            for a in range(d):
                delta = points[i, a] - centroids[j, a]
                distance += delta * delta
            if distance < best:
                best = distance
        total += best
    return total


def with_minimum(centroids, points):
    cost = 0.0
    for i in range(len(points)):
        closest = 1e300
        for j in range(len(centroids)):
            closest = min(closest, np.sum((points[i] - centroids[j]) ** 2))
        cost += closest
    return cost


WHOLE = (broadcast, expanded, by_point, assigned)
LOOPS = (three_loops, with_minimum)
