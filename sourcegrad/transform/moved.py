"""Which primals of `vjp` and `linearize` vary: those by which there is a derivative."""

from __future__ import annotations

from typing import Any

from sourcegrad.transform.base import Transform


def moving(
    transform: Transform, places: tuple[int, ...], primals: Any, values: Any
) -> tuple[int, ...]:
    """The positions of the primals to differentiate by: all of them, but for ints if
    it is these that a function has no derivative by (the order of a Bessel function).

    Args:
        transform: the transform by all of them.
        places: their positions.
        primals: the arguments of the call.
        values: those of all parameters.
    """
    rest = tuple(k for k in places if type(primals[k]) is not int)
    if rest == places or not rest or not _lacks_partials(transform, values):
        return places
    made = type(transform)(transform.f, rest, backend=transform.backend)
    return places if _lacks_partials(made, values) else rest


def _lacks_partials(transform: Transform, values: Any) -> bool:
    return "no_partial(" in transform._entry(values).text
