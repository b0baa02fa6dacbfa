"""What is taken from a stack has the name under which it was put there."""

from __future__ import annotations

import re

import numpy as np

from tests.passes.texts import assert_right, text


class Filter:
    def __init__(self, q, r):
        self.q, self.r = q, r
        self.x, self.p = 0.0, 1.0

    def update(self, z):
        self.p += self.q
        k = self.p / (self.p + self.r)
        self.x += k * (z - self.x)
        self.p *= 1 - k


def innovations(params, zs):
    f, total = Filter(params[0], params[1]), 0.0
    for z in zs:
        pred = f.x
        f.update(z)
        total += (z - pred) ** 2 / (f.p + params[1])
    return total


def names(found: str) -> list[str]:
    return [part.strip() for part in found.split(",")]


def test_names_of_both_sweeps_agree():
    args = np.array([0.1, 0.2]), np.array([1.0, 2.0, 3.0])
    made = text(innovations, *args)
    (put,) = re.findall(r"saved\.append\(\((.*)\)\)", made)
    (taken,) = re.findall(r"(.*) = saved\.pop\(\)", made)
    pairs = list(zip(names(put), names(taken), strict=True))
    assert len(pairs) > 2
    assert all(a == b for a, b in pairs if a.isidentifier()), pairs
    assert_right(innovations, *args)
