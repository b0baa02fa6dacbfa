"""Helpers of generated code: incomplete elliptic integrals in their parameter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .runtime import not_differentiable


def ellipkinc_slope(phi: Any, m: Any) -> Any:
    """The derivative of `scipy.special.ellipkinc(phi, m)` in `m`, at 0 too.

    By Carlson's integral R_D within a quarter of a turn (DLMF 19.25.13).

    >>> round(float(ellipkinc_slope(1.2, 0.3)), 12)
    0.290429521848
    """
    from scipy import special

    turns, sine, square = _reduced(phi)
    delta = 1.0 - m * sine * sine
    part = sine**3 / 6.0 * special.elliprd(square, 1.0, delta)
    whole = special.elliprd(0.0, 1.0, 1.0 - np.asarray(m)) / 3.0
    return np.where(turns == 0, part, part + turns * whole)[()]


def ellipeinc_slope(phi: Any, m: Any) -> Any:
    """The derivative of `scipy.special.ellipeinc(phi, m)` in `m`, at 0 too.

    >>> round(float(ellipeinc_slope(1.2, 0.3)), 12)
    -0.237732382075
    """
    from scipy import special

    turns, sine, square = _reduced(phi)
    delta = 1.0 - m * sine * sine
    part = -(sine**3) / 6.0 * special.elliprd(square, delta, 1.0)
    whole = -special.elliprd(0.0, 1.0 - np.asarray(m), 1.0) / 3.0
    return np.where(turns == 0, part, part + turns * whole)[()]


def once(value: Any, close: Any) -> Any:
    """A first derivative, whose formula has none where operands are `close`.

    >>> once(2.0, False)
    2.0
    """
    return value


def differ(close: Any) -> float:
    """The partial of `once`.

    Raises:
        NonDifferentiableError: operands are close to each other.

    >>> differ(np.array([False]))
    1.0
    """
    if np.any(close):
        not_differentiable(
            "Carlson's integrals have no rule for a second derivative where an operand "
            "equals the last one",
        )
    return 1.0


def _reduced(phi: Any) -> tuple[Any, Any, Any]:
    """Half turns in an angle, and sine and squared cosine of the rest."""
    turns = np.round(np.asarray(phi) / math.pi)
    rest = phi - turns * math.pi
    return turns, np.sin(rest), np.cos(rest) ** 2
