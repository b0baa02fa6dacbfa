"""What numba says about generated text, as an error about the user's line."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable
from typing import Any

from sourcegrad.errors import Location, NumbaUnsupportedError, SourcegradError
from sourcegrad.loader.load import GENERATED
from sourcegrad.loader.notes import definition, location, user_line

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_UNTYPED = re.compile(r"Untyped global name '(\w+)': .*<class 'function'>")
_NAMED = re.compile(
    r"numpy\.([\w.]+)'|<built-in function (\w+)>|<function (\w+) at|attribute '(\w+)'"
    r"|global name '(\w+)'|for '(\w+)|Variable '(\w+)"
)
_SKIP = re.compile(
    r"^(Failed in|During: |File |Cannot determine|- |There are|Invalid use|This error"
    r"|Enable|Overload |\[|raised from|\(?\d+ instance|<source missing|def |\^|$)"
)
_HINTS = (
    'grad(f, backend="python") takes this line as it is',
    "rewrite the line with what numba supports: numbers, arrays, ranges, tuples",
)


def located(
    error: Exception,
    text: str,
    primal: types.FunctionType,
    functions: Iterable[types.FunctionType],
    probe: Callable[[], Exception | None],
) -> SourcegradError:
    """The error to raise for one that numba raised.

    Args:
        error: numba's error about the generated text.
        text: the generated text.
        primal: the user's function.
        functions: all user functions the text is made from.
        probe: compiles the primal itself; numba's error about it, or None. Where the
            primal fails too, that error names the user's line exactly.
    """
    candidates = [primal, *functions]
    own = probe()
    if own is not None:
        where = _user_line(plain(own), candidates)
        if where is not None:
            return _refusal(where, plain(own), "the primal")
    message = plain(error)
    where = _through_comments(message, text, candidates) or definition(primal)
    return _refusal(where, message, "the adjoint")


def unknown_argument(
    fn: types.FunctionType, name: str, value: Any, error: Exception
) -> NumbaUnsupportedError:
    """The error for an argument of a type that numba does not have."""
    return NumbaUnsupportedError(
        f"numba cannot take argument {name!r}, a {type(value).__name__}",
        definition(fn),
        why=f"numba: {plain(error)}",
        hints=(
            f"pass what {fn.__name__} reads of it as numbers, arrays or tuples",
            'grad(f, backend="python") takes it as it is',
        ),
    )


def of_numba(error: BaseException) -> bool:
    """Whether numba raised the error, and not the code that it compiled."""
    if type(error).__module__.split(".")[0] == "numba":
        return True
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    module = traceback.tb_frame.f_globals.get("__name__", "") if traceback else ""
    return module.split(".")[0] in ("numba", "llvmlite")


def plain(error: BaseException) -> str:
    """A message without terminal colours."""
    return _ANSI.sub("", str(error))


def _refusal(where: Location | None, message: str, what: str) -> SourcegradError:
    why = reason(message)
    if where is not None:
        where = _narrowed(where, message)
    return NumbaUnsupportedError(
        f"numba cannot compile {what} of this", where, why, _HINTS
    )


def reason(message: str) -> str:
    """The first line of numba's pages that says what is wrong.

    >>> reason("Failed in nopython mode pipeline (step: x)\\nCannot unify a and b.")
    'numba: Cannot unify a and b.'
    """
    lines = [line.strip() for line in message.splitlines()]
    untyped = _UNTYPED.search(message)
    if untyped:
        return f"{untyped[1]} has no version that numba can compile."
    kept = [n for n, line in enumerate(lines) if not _SKIP.match(line)]
    if not kept:
        return f"numba: {lines[0] if lines else message}"
    first = lines[kept[0]]
    if first.endswith(":"):
        follow = (line for line in lines[kept[0] + 1 :] if line)
        first = f"{first} {next(follow, '').lstrip('> ')}"
    return f"numba: {first}"


def _user_line(message: str, candidates: list[types.FunctionType]) -> Location | None:
    """The last place in the message that lies in one of the user's functions."""
    for file, line in reversed(_PLACE.findall(message)):
        for fn in candidates:
            if _same_file(fn.__code__.co_filename, file):
                where = location(fn, int(line))
                if where is not None:
                    return where
    return None


def _same_file(path: str, shown: str) -> bool:
    """Whether numba's shortened or relative path may mean this file."""
    tail = shown.replace("\\", "/").removeprefix("../").lstrip(".").lstrip("/")
    return path.replace("\\", "/").endswith(tail)


def _through_comments(
    message: str, text: str, candidates: list[types.FunctionType]
) -> Location | None:
    """The primal line that stands in a comment above the generated line."""
    lines = text.splitlines()
    places = [int(n) for f, n in _PLACE.findall(message) if f.startswith(GENERATED)]
    found = (user_line(lines, number, candidates) for number in reversed(places))
    return next((where for where in found if where is not None), None)


def _narrowed(where: Location, message: str) -> Location:
    """The place with its columns around the name that numba complains about."""
    for groups in _NAMED.findall(message):
        name = next(g for g in groups if g).rsplit(".", 1)[-1]
        found = re.search(rf"(?<!\w)(?:\w+\.)*{re.escape(name)}\b", where.text)
        if found:
            return Location(
                where.file,
                where.line,
                found.start(),
                found.end(),
                where.text,
                where.function,
            )
    return where
