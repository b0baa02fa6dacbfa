"""`np.mgrid` and `np.ogrid` as operands of active arrays."""

import numpy as np
import pytest

from tests.language.judged import check


def scaled_grid(x):
    return (np.mgrid[0:3, 0:2] * x).sum() * x


def gaussian_on_a_grid(x):
    rows, columns = np.mgrid[-2:3, -2:3]
    return np.exp(-(rows**2 + columns**2) / (2 * x**2)).sum()


def normalised_kernel(x, r=2):
    rows, columns = np.ogrid[-r : r + 1, -r : r + 1]
    kernel = np.exp(-(rows**2 + columns**2) / (2 * x**2))
    return (kernel / kernel.sum()).max()


def one_axis(x):
    return (np.mgrid[0:1:5j] * x * x).sum() + (np.ogrid[1:4] ** x).mean()


PROGRAMS = [scaled_grid, gaussian_on_a_grid, normalised_kernel, one_axis]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_program(f):
    check(f, 1.3)
