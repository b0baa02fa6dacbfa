"""Inputs of the programs, made from the seeds that the golden values belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

SEED = 31337
GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> dict[str, np.ndarray]:
    """The golden values of a case.

    They come from hand-differentiated programs and agree with independent ones.
    """
    with np.load(GOLDEN / f"{name}.npz") as file:
        return {key: file[key] for key in file}


def gmm(d: int, k: int, n: int = 1000) -> tuple[Any, ...]:
    """alpha, mu, q, l, x, gamma, m of a mixture."""
    rng = np.random.default_rng(SEED)
    x = rng.normal(size=(n, d))
    alpha = rng.normal(size=k)
    mu = rng.uniform(size=(k, d))
    q = rng.normal(size=(k, d))
    below = rng.normal(size=(k, d * (d - 1) // 2))
    return alpha, mu, q, below, x, 1.0, 0


def ba(n: int, m: int, p: int) -> tuple[np.ndarray, ...]:
    """Cameras, points, weights, observations and features.

    They are repeated, as in the suite, which no program takes advantage of.
    """
    rng = np.random.default_rng(5)
    camera = np.concatenate([
        rng.uniform(-1.1, -0.6, 3), rng.uniform(30.0, 55.0, 3),
        [rng.uniform(350.0, 450.0)], rng.uniform(-9.0, 9.0, 2), [0.09, 0.003],
    ])  # fmt: skip
    point = np.array([7.2, 0.0, 3.0]) + 0.1 * rng.normal(size=3)
    weight = rng.uniform(0.2, 0.9)
    feature = rng.uniform(200.0, 900.0, 2)
    seen = np.stack([np.arange(p) % n, np.arange(p) % m], axis=1)
    tiled = (np.tile(camera, (n, 1)), np.tile(point, (m, 1)), np.full(p, weight))
    return *tiled, seen, np.tile(feature, (p, 1))


def _motion(rng: np.random.Generator, offset: np.ndarray) -> np.ndarray:
    left, _, right = np.linalg.svd(rng.normal(size=(3, 3)))
    turn = left @ right
    if np.linalg.det(turn) < 0:
        turn[:, 0] = -turn[:, 0]
    motion = np.eye(4)
    motion[:3, :3], motion[:3, 3] = turn, offset
    return motion


def _parents() -> np.ndarray:
    fingers = [0 if k % 4 == 0 else k for k in range(20)]
    return np.array([-1, *fingers, 0])


def hand(c: int, vertices: int, on_triangles: bool) -> dict[str, Any]:
    """A hand of random bones: its model, correspondences, points and parameters."""
    rng = np.random.default_rng(11)
    parents = _parents()
    relatives = np.stack([_motion(rng, 0.1 * rng.normal(size=3)) for _ in parents])
    absolutes: list[np.ndarray] = []
    for parent, own in zip(parents, relatives, strict=True):
        absolutes.append(own if parent < 0 else absolutes[parent] @ own)
    inverses = np.stack([np.linalg.inv(a) for a in absolutes])
    flat = 0.15 * rng.normal(size=(vertices, 3))
    positions = np.concatenate([flat, np.ones((vertices, 1))], axis=1)
    weights = np.zeros((vertices, len(parents)))
    for row in weights:
        which = rng.choice(len(parents), size=3, replace=False)
        share = rng.uniform(0.1, 1.0, 3)
        row[which] = share / share.sum()
    triangles = np.stack(
        [rng.choice(vertices, size=3, replace=False) for _ in range(1084)]
    )
    theta = rng.normal(size=26)
    points = rng.normal(size=(c, 3))
    which = rng.integers(0, len(triangles) if on_triangles else vertices, c)
    us = rng.uniform(0.0, 1.0, (c, 2)) if on_triangles else np.zeros((0, 2))
    return {
        "model": (parents, relatives, inverses, positions, weights, False),
        "theta": theta, "us": us, "triangles": triangles,
        "correspondences": which, "points": points,
    }  # fmt: skip


def lstm(layers: int = 2, c: int = 1024, b: int = 14) -> tuple[np.ndarray, ...]:
    """Parameters, state, and a sequence of random bits."""
    rng = np.random.default_rng(3)
    main = rng.random((2 * layers, 4 * b))
    extra = rng.random((3, b))
    state = rng.random((2 * layers, b))
    return main, extra, state, rng.integers(0, 2, (c, b)).astype(float)


def lse(n: int = 2500) -> np.ndarray:
    """Numbers between 0 and 1."""
    return np.random.default_rng(SEED).random(n)


def lse_wide(n: int = 200) -> np.ndarray:
    """Numbers far apart, so that few of them carry the sum."""
    return 20.0 * np.random.default_rng(4).normal(size=n)


def det(n: int = 5) -> np.ndarray:
    """A square matrix."""
    return np.random.default_rng(SEED).random((n, n))


def kmeans(k: int = 10, n: int = 1000, d: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Centroids, which are the last points, and points."""
    points = np.random.default_rng(SEED).random((n, d))
    return points[-k:].copy(), points


def llsq(m: int = 128) -> np.ndarray:
    """Coefficients of a polynomial."""
    return np.random.default_rng(SEED).random(m)


def ode(n: int = 6) -> np.ndarray:
    """Factors near 1, so that their product can be seen."""
    return np.random.default_rng(8).uniform(0.8, 1.6, n)
