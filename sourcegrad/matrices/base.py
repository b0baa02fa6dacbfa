"""The base of what is made of several sweeps, and the values that its sweeps move."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from sourcegrad.compile.entry import bind, parameter_names
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.forward.trees import leaves, varying
from sourcegrad.source.written import call_of
from sourcegrad.transform.arguments import Argnums
from sourcegrad.transform.base import Transform

MODES = ("auto", "forward", "reverse")


class Matrix:
    """Base of what is made of several sweeps, or of one sweep over another.

    It has the name and doc of what it does; `source` is the text of its sweep.
    """

    title = "jacobian"
    last: tuple[str, ...] = ()

    def __init__(self, f: Callable[..., Any], argnums: Argnums, backend: str) -> None:
        self.f, self.argnums, self.backend = f, argnums, backend
        name = getattr(f, "__name__", "f")
        self.__name__ = self.__qualname__ = f"{name}_{self.title}"
        self.__doc__ = f"{self.title.capitalize()} of {name}."
        self.__wrapped__ = f

    def sweep(self) -> Transform:
        """The transform that is run, once or several times."""
        raise NotImplementedError

    def source(self, *args: Any, stage: str | None = None) -> str:
        """The generated text of one sweep for arguments like these."""
        return self.sweep().source(*args, stage=stage)

    def show(self, *args: Any, **options: Any) -> None:
        """Print the generated text."""
        print(self.source(*args, **options))

    @functools.cached_property
    def __sourcegrad_function__(self) -> types.FunctionType:
        """A function that does the same, for transforms of this one."""
        return call_of(self, self.f, self.title, self.last)

    def __repr__(self) -> str:
        return f"<{self.title} of {self.f!r}>"

    def __reduce__(self) -> Any:
        return type(self), (self.f, self.argnums, self.backend)


def moved_values(transform: Transform, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of the differentiated parameters, or elements of `*args`, with None
    for what carries no derivative in them."""
    names = parameter_names(transform._fn)
    found = []
    for wanted in transform._request.wrt:
        base, _, place = wanted.partition("[")
        value = values[names.index(base)]
        if place:
            k = int(place.rstrip("]"))
            if k >= len(value):
                raise ValueError(
                    f"argnums is out of range: there is no argument {wanted}"
                )
            value = value[k]
        found.append(varying(value))
    return tuple(found)


def all_values(transform: Transform, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """The arguments of all parameters, bound and default ones included."""
    if not kwargs and transform._plain and len(args) == transform._count:
        return tuple(args)
    return bind(
        transform._fn, (*transform._args, *args), {**transform._kwargs, **kwargs}
    )


def require_real(moved: tuple[Any, ...], holomorphic: bool, name: str) -> None:
    """Refuse complex arguments, unless the function is said to be holomorphic.

    Raises:
        NonDifferentiableError: the matrix of a function of complex numbers is that of
            its real and imaginary parts, unless it is holomorphic.
    """
    if not holomorphic and is_complex(moved):
        raise NonDifferentiableError(
            f"{name} has a complex argument",
            why="the derivative of a function that is not holomorphic is no number",
            hints=(
                "for a holomorphic function: holomorphic=True",
                "for a real result: jacobian(f, mode='reverse')",
                "else differentiate by the real and the imaginary part",
            ),
        )


def is_complex(tree: Any) -> bool:
    """Whether any number of a tree is complex."""
    return any(map(np.iscomplexobj, leaves(tree)))
