"""The user's line behind a line of generated text: found in the comments above it."""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Sequence
from typing import Any

from sourcegrad.errors import Location, SourcegradError, SourceUnavailableError
from sourcegrad.loader.load import GENERATED, lines_of
from sourcegrad.loader.places import place
from sourcegrad.source.find import find

_COMMENT = re.compile(r"# line (\d+): (.*)")
_SWEEP = re.compile(r"\s*# (forward|reverse) sweep$")


def user_line(
    lines: Sequence[str], number: int, functions: Sequence[types.FunctionType]
) -> Location | None:
    """The primal line that stands in a comment above a generated line.

    Args:
        lines: the generated text.
        number: the line there, counted from 1.
        functions: the user's functions that the text is made from, the main one first.

    Returns:
        The place; that of the main function's definition for a line of the reverse
        sweep above all comments; None for a line of the forward sweep.
    """
    for line in reversed(lines[:number]):
        found = _COMMENT.search(line)
        if found:
            return _commented(int(found[1]), found[2].rstrip(), functions)
        sweep = _SWEEP.match(line)
        if sweep:
            return definition(functions[0]) if sweep[1] == "reverse" else None
        if line.startswith("def "):
            break
    return None


def _commented(
    line: int, start: str, functions: Sequence[types.FunctionType]
) -> Location | None:
    for fn in functions:
        where = location(fn, line)
        if where is not None and where.text.strip().startswith(start):
            return where
    return None


def location(fn: types.FunctionType, line: int) -> Location | None:
    """A line of the file of a function; None where there is no source."""
    try:
        source = find(fn)
    except SourceUnavailableError:
        return None
    text = source.line_text(line)
    if not text:
        return None
    col = len(text) - len(text.lstrip())
    return Location(source.filename, line, col, len(text.rstrip()), text, source.name)


def definition(fn: types.FunctionType) -> Location | None:
    """The first line of a function."""
    try:
        line = find(fn).tree.lineno
    except SourceUnavailableError:
        return None
    return location(fn, line)


def noted(
    fn: Callable[..., Any], functions: Sequence[types.FunctionType]
) -> Callable[..., Any]:
    """The generated function, whose errors name the user's line in a note (PEP 678)."""

    @functools.wraps(fn)
    def call(*args: Any) -> Any:
        try:
            return fn(*args)
        except Exception as error:
            add_note(error, functions)
            raise

    return call


def add_note(error: Exception, functions: Sequence[types.FunctionType]) -> None:
    """Name the user's line in a note, unless the error names one already."""
    if isinstance(error, SourcegradError) and error.where is not None:
        return
    found = None
    traceback = error.__traceback__
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name.startswith(GENERATED):
            found = _note(name, traceback.tb_lineno, functions) or found
        traceback = traceback.tb_next
    if found is not None and found not in getattr(error, "__notes__", ()):
        error.add_note(found)


def _note(
    name: str, number: int, functions: Sequence[types.FunctionType]
) -> str | None:
    """What to say about an error in a line of generated text."""
    above = user_line(lines_of(name), number, functions)
    where = place(name, number) or above
    what = "run" if above is None else "adjoint"
    return None if where is None else f"in the {what} of {where}: {where.text.strip()}"
