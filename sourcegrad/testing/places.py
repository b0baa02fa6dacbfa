"""Where the differentiated arguments stand among those of all parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


class Places:
    """Reads and replaces arguments by name; `xs[1]` is an element of `*xs`.

    >>> places = Places(("x", "xs"))
    >>> places.read((1.0, (2.0, 3.0)), "xs[1]")
    3.0
    >>> places.replaced((1.0, (2.0, 3.0)), "xs[0]", 5.0)
    [1.0, (5.0, 3.0)]
    >>> places.position("xs[1]")
    2
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)

    def split(self, name: str) -> tuple[int, int | None]:
        """The index of the parameter, and that of the element in it."""
        found = _ELEMENT.fullmatch(name)
        if found is None:
            return self.names.index(name), None
        return self.names.index(found[1]), int(found[2])

    def position(self, name: str) -> int:
        """The position of the argument in a call."""
        index, element = self.split(name)
        return index + (element or 0)

    def argnums(self, wrt: Sequence[str]) -> tuple[int | str, ...]:
        """What to ask a transform for.

        >>> Places(("x", "xs")).argnums(("x", "xs[1]"))
        ('x', 2)
        """
        return tuple(n if n in self.names else self.position(n) for n in wrt)

    def parameters(self, wrt: Sequence[str]) -> tuple[str, ...]:
        """The parameters that hold these arguments.

        >>> Places(("x", "xs")).parameters(("xs[0]", "xs[1]"))
        ('xs',)
        """
        return tuple(dict.fromkeys(self.names[self.split(n)[0]] for n in wrt))

    def read(self, values: Sequence[Any], name: str) -> Any:
        """The argument."""
        index, element = self.split(name)
        return values[index] if element is None else values[index][element]

    def replaced(self, values: Sequence[Any], name: str, value: Any) -> list[Any]:
        """The arguments with another one in this place."""
        index, element = self.split(name)
        made = list(values)
        if element is None:
            made[index] = value
        else:
            inner = list(made[index])
            inner[element] = value
            made[index] = tuple(inner)
        return made
