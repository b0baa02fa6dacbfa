"""Methods of what is only at run time known to be an array: items of lists that hold
other things too.

Every program is held against differences, in both modes, by `judged.check`.
"""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check


def made(x, n):
    v = []
    for i in range(n):
        v.append([x * (i + 1), x[0] * x[1]])
    v[0] = 2.0
    return v


def sums(x, n):
    v = []
    for _ in range(n):
        v.append([np.ones(3) * x[0], x[0] * x[1]])
    for i in range(n):
        v[i] = 0.4 * x[0] + v[i][0].sum()
    return v[0] + v[1]


def shapes(x, n):
    v, total = made(x, n), 0.0
    for i in range(1, n):
        a = v[i][0]
        total += a.reshape(1, 2)[0, 1] * a.reshape((2, 1))[0, 0] + a.reshape(-1)[1]
        total += a.T[0] + a.transpose()[1] * a.ravel()[0] + a.squeeze()[0]
        total += a.repeat(2)[3] * a.flatten()[1] + a.copy()[0] + a.astype(float)[1]
    return total


def reductions(x, n):
    v, total = made(x, n), 0.0
    for i in range(1, n):
        a = v[i][0]
        total += a.max() * a.clip(0.2, 0.6).sum() + a.dot(x) + a.std() + a.cumsum()[1]
        total += a.mean(axis=0) * a.prod() + a.compress([False, True])[0]
        total += a.clip(min=0.1, max=0.95)[0] * a.tolist()[1] + a[1:].item()
    return total


@pytest.mark.parametrize("program", [sums, shapes, reductions])
def test_arrays(program):
    check(program, np.array([0.3, 0.8]), 3)


def copies_lists(x, n):
    v, total = [], 0.0
    for i in range(n):
        v.append([[x[0] * i], x[0] * x[1]])
    v[0] = 2.0
    for i in range(1, n):
        total += v[i][0].copy()[0]
    return total


def test_what_is_no_array_is_an_error_at_run_time():
    with pytest.raises(sourcegrad.KindError, match=r"unknown.py:\d+:\d+: what 'copy'"):
        sourcegrad.grad(copies_lists)(np.array([0.3, 0.8]), 3)
