"""The keyword arguments that `functools.partial` objects bind, as they are now.

p = functools.partial(f, k=3.0)
g = sourcegrad.grad(p)
p.keywords["k"] = 5.0               # what p does from now on, and so what g does
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sourcegrad.errors import NonDifferentiableError
from sourcegrad.source.library import FORMS


class Keywords(Mapping[str, Any]):
    """What layers of partial objects bind, read from them at each use.

    Args:
        layers: the `keywords` of each, outermost first: that one wins.
        forms: the options that are part of the text of a library function, as they
            were when that text was made; None where there is no such text.

    >>> inner, outer = {"k": 1.0, "m": 2.0}, {"k": 3.0}
    >>> keywords = Keywords([outer, inner])
    >>> dict(keywords)
    {'k': 3.0, 'm': 2.0}
    >>> outer["k"] = 4.0
    >>> dict(keywords)
    {'k': 4.0, 'm': 2.0}
    """

    def __init__(
        self, layers: list[Mapping[str, Any]], forms: dict[str, bool] | None = None
    ) -> None:
        self.layers, self.forms = layers, forms

    def _now(self) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for layer in self.layers:
            merged = {**layer, **merged}
        if self.forms is None:
            return merged
        if forms_of(merged) != self.forms:
            raise NonDifferentiableError(
                "a keyword of a functools.partial changed since its derivative was "
                "asked for, which decides how many results there are",
                hints=("make a new functools.partial, and differentiate that",),
            )
        return {k: v for k, v in merged.items() if k not in FORMS}

    def __getitem__(self, name: str) -> Any:
        return self._now()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def __repr__(self) -> str:
        return repr(self._now())


def forms_of(given: Mapping[str, Any]) -> dict[str, bool]:
    """The options that are part of the text of a library function.

    >>> forms_of({"return_sign": 1, "axis": 0})
    {'return_sign': True}
    """
    return {k: bool(v) for k, v in given.items() if k in FORMS}
