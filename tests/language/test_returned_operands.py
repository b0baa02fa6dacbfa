"""A function of its own that gives back what it was handed: one array by two names."""

from __future__ import annotations

import numpy as np
import pytest

import sourcegrad
from tests.language.judged import check

Y = np.array([0.7, 0.3, 0.2, 0.9])


def scale_of(y):
    scale = 0.0
    for k in range(2, 5):
        if y[k % 4] >= 0.88 or y[1] >= 0.91:
            scale += y[0]
        else:
            scale *= 2.0
    for k in range(3):
        scale = scale * 2.0
        if scale > 3.0:
            break
    while scale < 3.0:
        scale = scale * 2.0 + 1.0
    return y, scale


def result_not_read(y):
    y = y * 1.0
    scale_of(y)
    y[2] = y[1] * 3.0
    return np.sum(y * y)


def operand_written(y):
    y = y * 1.0
    same, scale = scale_of(y)
    y[2] = y[1] * 3.0
    return np.sum(y * same) * scale


def result_written(y):
    y = y * 1.0
    same, scale = scale_of(y)
    same[2] = y[1] * 3.0
    return np.sum(y * y) + scale


PROGRAMS = [result_not_read, operand_written, result_written]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    assert "scale_of_forward" in sourcegrad.grad(operand_written).source(Y)
    check(f, Y.copy())
