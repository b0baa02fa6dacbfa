"""Functions defined by an equation: the solver finds the value, the equation the
derivative."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


class ImplicitFunction:
    """What an equation defines: `x` as a function of the other arguments of `f`.

    Plainly called it runs the solver; the compiler knows it by its class.
    """

    def __init__(self, f: Callable[..., Any], solver: Callable[..., Any]) -> None:
        self.f = f
        self.solver = solver
        self.__name__ = f"{getattr(f, '__name__', 'f')}_{self.what}"
        self.__doc__ = f"The {self.what} of {getattr(f, '__name__', 'f')}."

    what = "root"

    def __call__(self, x0: Any, *args: Any) -> Any:
        """The solution that the solver finds from `x0`."""
        return solve(self, x0, *args)

    def __repr__(self) -> str:
        return f"<{self.what} of {self.f!r}>"


def solve(implicit: ImplicitFunction, x0: Any, *args: Any) -> Any:
    """The solution of an equation; the compiler knows this function.

    Args:
        implicit: the equation and its solver.
        x0: where the solver starts.
        args: the other operands of the equation.
    """
    f = functools.partial(_with_last, implicit.f, args) if args else implicit.f
    found = implicit.solver(f, x0)
    return getattr(found, "x", found)


def _with_last(f: Callable[..., Any], args: tuple[Any, ...], x: Any) -> Any:
    return f(x, *args)


class ImplicitRoot(ImplicitFunction):
    """`implicit_root(f, solver)`."""


class ImplicitFixedPoint(ImplicitFunction):
    """`implicit_fixed_point(f, solver)`."""

    what = "fixed_point"


def implicit_root(f: Callable[..., Any], solver: Callable[..., Any]) -> ImplicitRoot:
    """The function `(x0, *args) -> x` with `f(x, *args) = 0`.

    Args:
        f: the residual, with as many numbers as `x`.
        solver: called as `solver(residual, x0)` with a function of `x` alone; it
            returns the root, or an object that has it as its attribute `x`. It is
            never differentiated.

    Returns:
        A function of the start and of the other arguments of `f`. Every transform
        differentiates it by the implicit function theorem, to any order; the start
        has no derivative.

    Raises:
        numpy.linalg.LinAlgError: when differentiated, if the root is not isolated.

    >>> def newton(residual, x):
    ...     for _ in range(40):
    ...         x = x - residual(x) / (2 * x)
    ...     return x
    >>> implicit_root(lambda x, a: x * x - a, newton)(1.0, 9.0)
    3.0
    """
    return ImplicitRoot(f, solver)


def implicit_fixed_point(
    f: Callable[..., Any], solver: Callable[..., Any]
) -> ImplicitFixedPoint:
    """The function `(x0, *args) -> x` with `x = f(x, *args)`.

    Args:
        f: the map, whose result has the shape of `x`.
        solver: called as `solver(map, x0)`; as for `implicit_root`.

    Returns:
        As for `implicit_root`.

    >>> def iterate(step, x):
    ...     for _ in range(60):
    ...         x = step(x)
    ...     return x
    >>> implicit_fixed_point(lambda x, a: (x + a / x) / 2, iterate)(1.0, 16.0)
    4.0
    """
    return ImplicitFixedPoint(f, solver)
