"""Slopes of a function of one real number, for `check_grad`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FIRST_STEP = 0.05
LEVELS = 10
TINY = 1e-30


@dataclass(frozen=True)
class Slope:
    """A slope, the error it may have, and how it was found."""

    value: float
    error: float
    method: str


def differences(phi: Callable[[float], float]) -> Slope:
    """The slope of `phi` at 0 by central differences, extrapolated.

    Each row of the tableau halves the step; the entry with the smallest error estimate
    is taken. Source: Ridders, "Accurate computation of F'(x) and F'(x) F''(x)",
    Advances in Engineering Software 4, 1982.

    >>> round(differences(lambda t: np.exp(2 * t)).value, 9)
    2.0
    """
    best, error = np.nan, np.inf
    last: list[float] = []
    step = FIRST_STEP
    for _ in range(LEVELS):
        row = [(phi(step) - phi(-step)) / (2 * step)]
        if not np.isfinite(row[0]):  # outside the domain: begin nearer
            last = []
        for j, earlier in enumerate(last):
            row.append(row[j] + (row[j] - earlier) / (4.0 ** (j + 1) - 1.0))
            estimate = max(abs(row[-1] - row[-2]), abs(row[-1] - earlier))
            if estimate < error:
                best, error = row[-1], estimate
        last = row if np.isfinite(row[0]) else []
        step /= 2
    return Slope(float(best), float(error), "central differences")


def complex_step(phi: Callable[[complex], complex], near: Slope) -> Slope | None:
    """The slope by complex step, exact to rounding; None where it is not legal.

    It is legal for analytic functions that accept complex numbers. What is not
    analytic (`abs`, comparisons of real parts) shows as a slope unlike `near`.
    Source: Squire and Trapp, "Using complex variables to estimate derivatives of real
    functions", SIAM Review 40, 1998.

    >>> near = differences(lambda t: np.sin(t))
    >>> complex_step(np.sin, near).value
    1.0
    >>> complex_step(np.abs, near) is None
    True
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            value = complex(phi(TINY * 1j)).imag / TINY
    except Exception:  # whatever it raises, it takes no complex numbers
        return None
    margin = 1e-5 * max(abs(value), abs(near.value)) + 10 * near.error
    if not abs(value - near.value) <= margin:
        return None
    return Slope(value, 1e-12 * abs(value), "complex step")


def kink(phi: Callable[[float], float]) -> tuple[float, float] | None:
    """The slopes to the left and to the right where they differ, else None.

    >>> kink(abs)
    (-1.0, 1.0)
    """
    h = 1e-6
    left, right = (phi(0.0) - phi(-h)) / h, (phi(h) - phi(0.0)) / h
    differs = abs(left - right) > 1e-3 * max(abs(left), abs(right))
    return (left, right) if differs else None
