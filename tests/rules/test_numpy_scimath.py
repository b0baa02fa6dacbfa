"""The rules of `np.emath`, against differences, within and beyond the real domain."""

import numpy as np
import pytest

from .check import check

INSIDE = np.array([0.3, 0.7])
BEYOND = np.array([-1.7, -2.4])
NAMES = "sqrt log log2 log10 arccos arcsin arctanh".split()


@pytest.mark.parametrize("x", [INSIDE, BEYOND, -BEYOND, INSIDE + 0.4j], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_rule(name, x):
    check(getattr(np.emath, name), x)


@pytest.mark.parametrize("x", [INSIDE, BEYOND, INSIDE + 0.4j], ids=str)
def test_two_operands(x):
    check(np.emath.logn, 2.5, x)
    check(np.emath.power, x, 1.5)
