"""The user's line behind each statement of generated text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from sourcegrad.errors import Location
from sourcegrad.loader.load import GENERATED, lines_of

# By function: the place of each statement, in the order of the text.
Places = dict[str, list[Location | None]]

_known: dict[str, Places] = {}  # by the name of the text


def places_of(functions: Sequence[Any]) -> Places:
    """The places that printed functions carry on their statements.

    Args:
        functions: trees of function definitions; a statement of them may have an
            attribute `place`.

    >>> tree = ast.parse("def f(x):\\n    y = x\\n    return y")
    >>> here = Location("model.py", 7, 4, 8, "    y = x", "f")
    >>> tree.body[0].body[0].place = here
    >>> [str(place) for place in places_of(tree.body)["f"]]
    ['None', 'model.py:7:5', 'None']
    """
    return {
        fn.name: [getattr(node, "place", None) for node in _statements(fn)]
        for fn in functions
    }


def remember(name: str, places: Places) -> None:
    """Keep the places of a text under the name that it is registered under."""
    _known[name] = places


def place(name: str, number: int) -> Location | None:
    """The user's line behind a line of a registered text.

    Through generated text that was itself made from generated text, as a Hessian's is,
    it is followed to what a user wrote.

    Args:
        name: the name of the text.
        number: the line there, counted from 1.
    """
    seen = set()
    while (name, number) not in seen:
        seen.add((name, number))
        found = _within(name, number)
        if found is None or not found.file.startswith(GENERATED):
            return found
        name, number = found.file, found.line
    return None


def _within(name: str, number: int) -> Location | None:
    """The place of the statement that a line of the text belongs to."""
    places = _known.get(name)
    if places is None:
        return None
    for fn in ast.parse("".join(lines_of(name))).body:
        if isinstance(fn, ast.FunctionDef) and fn.lineno <= number <= _end(fn):
            pairs = zip(_statements(fn), places.get(fn.name, ()), strict=False)
            over = [p for s, p in pairs if s.lineno <= number <= _end(s)]
            return over[-1] if over else None
    return None


def _end(node: Any) -> int:
    return int(node.end_lineno or node.lineno)


def _statements(node: Any) -> Iterator[Any]:
    """A statement and those in it, in the order of the text."""
    yield node
    for block in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, block, None) or ():
            yield from _statements(inner)
