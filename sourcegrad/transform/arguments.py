"""The arguments of a transform: which are differentiated, and what they may be."""

from __future__ import annotations

import inspect
import types
from typing import Any

import numpy as np

from sourcegrad.compile.entry import parameter_names
from sourcegrad.errors import NonDifferentiableError
from sourcegrad.forward.trees import leaves

Argnums = int | str | tuple[int | str, ...]


def positional(fn: types.FunctionType) -> bool:
    """Whether every parameter takes one argument given by its position."""
    if len(parameter_names(fn)) == fn.__code__.co_argcount and not fn.__dict__:
        return True
    return all(
        parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        for parameter in inspect.signature(fn).parameters.values()
    )


def star_position(fn: types.FunctionType) -> int | None:
    """The position of `*args` among the parameters of a function."""
    if not fn.__code__.co_flags & inspect.CO_VARARGS:
        return None
    for k, parameter in enumerate(inspect.signature(fn).parameters.values()):
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return k
    return None


def differentiated(
    argnums: Argnums, names: tuple[str, ...], skip: int, title: str, star: int | None
) -> tuple[str, ...]:
    """The parameters that `argnums` stands for; `args[1]` is an element of `*args`."""
    wanted = argnums if isinstance(argnums, tuple) else (argnums,)
    own = names[skip:]
    found = []
    for which in wanted:
        if isinstance(which, str):
            if which == "self" and skip:
                found.append(names[0])
                continue
            if which not in names:
                raise ValueError(
                    f"{title}() has no parameter {which!r}; it has {', '.join(names)}"
                )
            found.append(which)
        elif isinstance(which, (int, np.integer)) and not isinstance(which, bool):
            if star is not None and which >= star - skip:
                found.append(f"{names[star]}[{which - star + skip}]")
                continue
            if not -len(own) <= which < len(own):
                raise ValueError(
                    f"argnums {which} is out of range: "
                    f"{title}() has {len(own)} parameters"
                )
            found.append(own[which])
        else:
            raise TypeError(
                f"argnums must be an int, a name or a tuple of them, not {which!r}"
            )
    return tuple(found)


def check_argument(name: str, value: Any) -> None:
    """Refuse an argument that cannot carry a derivative.

    Raises:
        NonDifferentiableError: an integer array, a string, …
    """
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "fc":
        raise NonDifferentiableError(
            f"argument {name!r} is an array of dtype {value.dtype}, "
            "which has no derivative",
            hints=(f"pass {name}.astype(float)",) if value.dtype.kind in "iub" else (),
        )
    if isinstance(value, (str, bytes, bool)) or value is None:
        raise NonDifferentiableError(
            f"argument {name!r} is {value!r}, a {type(value).__name__}, "
            "which has no derivative",
            hints=("choose another argument with argnums",),
        )


def check_complex(name: str, value: Any) -> None:
    """Refuse a real argument of a holomorphic function.

    Raises:
        NonDifferentiableError: a number or array in it is real.
    """
    for leaf in leaves(value):
        if not np.iscomplexobj(leaf):
            raise NonDifferentiableError(
                f"holomorphic=True, but argument {name!r} is real",
                hints=(f"pass {name} + 0j", "leave holomorphic out"),
            )
