"""The errors that sourcegrad raises, and how they are shown.

Every error says what is refused, where (file, line, column, the line with a
caret), why, and what to write instead. The cause stands below the place, because
terminals are read from the bottom.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Location:
    """A place in the user's source.

    Args:
        file: path of the file, or a name such as `<stdin>`.
        line: line number in that file, from 1.
        col: column in characters, from 0.
        end_col: column after the last character on that line, or None.
        text: the source line.
        function: name of the function that the line belongs to, or "".

    >>> str(Location("model.py", 14, 8, 12, "    w = root(g, x0)", "price"))
    'model.py:14:9'
    """

    file: str
    line: int
    col: int
    end_col: int | None
    text: str
    function: str

    def __str__(self) -> str:
        return f"{_shown_path(self.file)}:{self.line}:{self.col + 1}"

    def render(self) -> str:
        """The place, its source line, and a caret line under the expression.

        >>> where = Location("model.py", 14, 8, 19, "    w = root(g, x0)", "price")
        >>> print(where.render())
        model.py:14:9 in price()
            w = root(g, x0)
                ^^^^^^^^^^^
        """
        head = f"{self} in {self.function}()" if self.function else str(self)
        code = self.text.strip()
        if not code:
            return head
        return f"{head}\n    {code}\n    {self._carets(code)}"

    def _carets(self, code: str) -> str:
        indent = len(self.text) - len(self.text.lstrip())
        start = min(max(self.col - indent, 0), len(code))
        end = len(code) if self.end_col is None else self.end_col - indent
        marked = code[start : max(end, start + 1)]
        return _blank(code[:start]) + "^" * max(len(_blank(marked).expandtabs()), 1)


def _shown_path(file: str) -> str:
    """The path as a user reads it: relative where the file is below here."""
    if not os.path.isabs(file):
        return file
    try:
        relative = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if relative.startswith(os.pardir) else relative


def _blank(text: str) -> str:
    """As many blanks as `text` is wide; tabs stay, wide characters count twice."""
    return "".join(
        "\t" if c == "\t" else "  " if unicodedata.east_asian_width(c) in "WF" else " "
        for c in text
        if not unicodedata.combining(c)
    )


class SourcegradError(Exception):
    """The base of all errors of sourcegrad.

    Args:
        message: what is refused, in a few words.
        where: the place in the user's source, if there is one.
        why: one sentence with the reason.
        hints: ways out, each a line the user can write.
        code: a stable code such as "SG204"; each subclass has its own default.

    >>> where = Location("model.py", 14, 8, 19, "    w = root(g, x0)", "price")
    >>> print(MissingRuleError("root has no derivative rule", where,
    ...     why="It is compiled code.", hints=["w = stop_gradient(root(g, x0))"]))
    model.py:14:9 in price()
        w = root(g, x0)
            ^^^^^^^^^^^
    SG204  root has no derivative rule
      It is compiled code.
      a) w = stop_gradient(root(g, x0))
    """

    default_code = "SG000"

    def __init__(
        self,
        message: str,
        where: Location | None = None,
        why: str = "",
        hints: Sequence[str] = (),
        code: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.why = why
        self.hints = (hints,) if isinstance(hints, str) else tuple(hints)
        self.code = code or self.default_code

    def __str__(self) -> str:
        lines = [self.where.render()] if self.where is not None else []
        lines.append(f"{self.code}  {self.message}")
        if self.why:
            lines.append(f"  {self.why}")
        for i, hint in enumerate(self.hints):
            first, *rest = hint.splitlines() or [""]
            lines.append(f"  {_letter(i)}) {first}")
            lines.extend(f"     {line}" for line in rest)
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        # BaseException would call the class with `args`, which hold the message
        # only; the third item carries notes (PEP 678) and what a subclass adds.
        fields = (self.message, self.where, self.why, self.hints, self.code)
        return type(self), fields, dict(self.__dict__)


def _letter(i: int) -> str:
    return chr(ord("a") + i) if i < 26 else str(i + 1)


class SourceUnavailableError(SourcegradError):
    """The Python source of a function cannot be found, or is not what runs."""

    default_code = "SG101"


class UnsupportedSyntaxError(SourcegradError):
    """The function uses a construct that sourcegrad does not differentiate."""

    default_code = "SG201"


class NumbaUnsupportedError(UnsupportedSyntaxError):
    """Numba cannot compile the function; the Python backend may."""

    default_code = "SG202"


class MissingBackendError(SourcegradError, ImportError):
    """A backend needs a package that is not installed."""

    default_code = "SG103"


class MissingRuleError(SourcegradError):
    """A value that carries a derivative goes into a function without a rule."""

    default_code = "SG204"


class NonDifferentiableError(SourcegradError, TypeError):
    """A derivative is asked for where none exists (integers, strings, ...)."""

    default_code = "SG301"


class KindError(SourcegradError, TypeError):
    """An argument is of a kind that this transform cannot take."""

    default_code = "SG302"


class AliasError(SourcegradError):
    """Arrays share memory in a way that the adjoint cannot follow."""

    default_code = "SG401"


class RuleDefinitionError(SourcegradError, ValueError):
    """A derivative rule is not written as rules must be."""

    default_code = "SG501"


class GradientMismatch(SourcegradError, AssertionError):
    """A gradient differs from the reference that `check_grad` computed."""

    default_code = "SG601"


class UnreachedInputWarning(UserWarning):
    """A requested input does not reach the result: its gradient is zero."""
