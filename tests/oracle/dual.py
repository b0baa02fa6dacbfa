"""Dual numbers: a value and its derivatives by directions, nested for higher orders.

A `Dual` behaves as the float that it stands for: it compares, converts to int and
prints as its value. It has no `__float__`, so that storing one into a real float
array raises instead of losing the derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class OracleDomainError(Exception):
    """The program uses something that the oracle has no stand-in for."""


class Dual:
    """`value + dot * epsilon` of one nesting level.

    Args:
        value: a float, or a Dual of a lower level.
        dot: the derivative: a float, a vector of them (one per direction), or a lower
            Dual.
        level: duals of a higher level treat those of lower ones as plain values.
    """

    __slots__ = ("dot", "level", "value")

    def __init__(self, value: Any, dot: Any, level: int = 1) -> None:
        self.value = value
        self.dot = dot
        self.level = level

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        from tests.oracle.ufuncs import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, kwargs)

    def __bool__(self) -> bool:
        return bool(primal(self))

    def __int__(self) -> int:
        return int(primal(self))

    __trunc__ = __int__

    def __hash__(self) -> int:
        return hash(primal(self))

    def __repr__(self) -> str:
        return repr(primal(self))

    def __str__(self) -> str:
        return str(primal(self))

    def __format__(self, spec: str) -> str:
        return format(primal(self), spec)

    def __round__(self, digits: int | None = None) -> Any:
        return (
            round(primal(self), digits)
            if digits is not None
            else round(float(primal(self)))
        )

    def __floor__(self) -> int:
        return int(np.floor(primal(self)))

    def __ceil__(self) -> int:
        return int(np.ceil(primal(self)))

    @property
    def real(self) -> Dual:
        """The number itself: every dual is real."""
        return self

    @property
    def imag(self) -> float:
        """Zero."""
        return 0.0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a NumPy scalar."""
        return ()

    @property
    def ndim(self) -> int:
        """The number of dimensions of a NumPy scalar."""
        return 0

    @property
    def size(self) -> int:
        """The number of elements of a NumPy scalar."""
        return 1

    def conjugate(self) -> Dual:
        """The number itself."""
        return self

    def item(self) -> Dual:
        """The number itself, as a NumPy scalar gives its Python float."""
        return self

    def is_integer(self) -> bool:
        """Whether the value is whole."""
        return float(primal(self)).is_integer()


def primal(x: Any) -> Any:
    """The number under every level of duals.

    >>> primal(Dual(Dual(2.0, 1.0), 3.0, level=2))
    2.0
    """
    while isinstance(x, Dual):
        x = x.value
    return x


def is_zero(x: Any) -> bool:
    """Whether a number is zero together with all its derivatives."""
    if isinstance(x, Dual):
        return is_zero(x.value) and is_zero(x.dot)
    return not np.any(x)


# The partials met that were inf or nan, for those who want to know.
singular: list[Any] = []


def scale(partial: Any, dot: Any) -> Any:
    """`partial * dot` where a zero wins over inf and nan."""
    if not np.all(np.isfinite(primal(partial))):
        singular.append(partial)
    if is_zero(partial) or is_zero(dot):
        return dot * 0.0 if not isinstance(dot, Dual) else 0.0
    if isinstance(dot, np.ndarray):
        with np.errstate(all="ignore"):
            product = np.asarray(primal(partial) * dot)
        product[dot == 0] = 0.0
        return product
    return partial * dot


def plus(a: Any, b: Any) -> Any:
    """The sum of two derivatives, either of which may be None (absent)."""
    if a is None:
        return b
    return a if b is None else a + b


def numpy_float(x: Any) -> Any:
    """`x` with its value as a NumPy float, whose division by zero does not raise."""
    if isinstance(x, Dual):
        return Dual(numpy_float(x.value), x.dot, x.level)
    return np.float64(x)


def level_of(*xs: Any) -> int:
    """The highest nesting level among the operands; 0 for none."""
    return max((x.level for x in xs if isinstance(x, Dual)), default=0)


def split(x: Any, level: int) -> tuple[Any, Any]:
    """The value and the derivative of `x` at one level; None for no derivative."""
    if isinstance(x, Dual) and x.level == level:
        return x.value, x.dot
    return x, None
