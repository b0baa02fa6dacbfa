"""The public calls: transforms of functions into functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sourcegrad.transform.arguments import Argnums
from sourcegrad.transform.base import Transform


class Gradient(Transform):
    """`grad(f)`."""

    what = "grad"


class ValueAndGradient(Transform):
    """`value_and_grad(f)`."""

    what = "value_and_grad"


def grad(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    holomorphic: bool = False,
    backend: str = "python",
) -> Gradient:
    """The gradient of a function whose result has exactly one element.

    Args:
        f: the function; its source is read, not its execution.
        argnums: the parameter to differentiate by: position or name, or a tuple.
        has_aux: `f` returns `(value, aux)`; the gradient comes as `(gradient, aux)`.
        holomorphic: `f` is a holomorphic function of complex numbers; without, a
            complex result is an error. A real result has the gradient that JAX gives
            it in a complex argument, df/dx - i df/dy.
        backend: "python" or "numba".

    Returns:
        A function of the same arguments that gives the gradient, with the structure
        of the argument.

    Raises:
        SourcegradError: when called, if `f` cannot be differentiated; it names the
            file, the line and what to do.

    >>> grad(lambda x: x * x)(3.0)
    6.0
    """
    return Gradient(
        f, argnums, has_aux=has_aux, backend=backend, holomorphic=holomorphic
    )


def value_and_grad(
    f: Callable[..., Any],
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    holomorphic: bool = False,
    backend: str = "python",
) -> ValueAndGradient:
    """The value, bit for bit what `f` returns, and the gradient; see `grad`.

    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    return ValueAndGradient(
        f, argnums, has_aux=has_aux, backend=backend, holomorphic=holomorphic
    )
