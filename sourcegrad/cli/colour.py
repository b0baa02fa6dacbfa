"""Generated text in the colours of a terminal."""

from __future__ import annotations

import io
import keyword
import os
import token
import tokenize
from typing import Any

_RESET = "\x1b[0m"
_COLOURS = {
    "keyword": "\x1b[35m",
    "number": "\x1b[36m",
    "string": "\x1b[32m",
    "comment": "\x1b[2;3m",
    "cotangent": "\x1b[33m",
    "name": "\x1b[1m",
}


def wanted(stream: Any, refused: bool) -> bool:
    """Whether to write colours to a stream: it is a terminal and nobody objects.

    The environment variable `NO_COLOR` objects too (https://no-color.org).
    """
    return not refused and not os.environ.get("NO_COLOR") and stream.isatty()


def highlight(text: str) -> str:
    r"""Python text with escape sequences around its tokens; nothing else changes.

    >>> highlight("x_bar = 1")
    '\x1b[33mx_bar\x1b[0m = \x1b[36m1\x1b[0m'
    """
    lines = text.splitlines(keepends=True)
    out: list[str] = []
    row, col = 1, 0
    previous = ""
    for tok in tokenize.generate_tokens(io.StringIO(text).readline):
        style = _style(tok, previous)
        previous = tok.string
        if style is None:
            continue
        out.append(_between(lines, (row, col), tok.start))
        inner = _between(lines, tok.start, tok.end)
        out.append(f"{_COLOURS[style]}{inner}{_RESET}")
        row, col = tok.end
    out.append(_between(lines, (row, col), (len(lines) + 1, 0)))
    return "".join(out)


def _style(tok: tokenize.TokenInfo, previous: str) -> str | None:
    if tok.type == token.NAME:
        if keyword.iskeyword(tok.string):
            return "keyword"
        if previous == "def":
            return "name"
        return "cotangent" if "_bar" in tok.string else None
    styles = {token.NUMBER: "number", token.STRING: "string", token.COMMENT: "comment"}
    return styles.get(tok.type)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text from one position to another, as (row from 1, column from 0)."""
    (row, col), (last, stop) = start, end
    if row == last:
        return lines[row - 1][col:stop] if row <= len(lines) else ""
    parts = [lines[row - 1][col:]] if row <= len(lines) else []
    parts += lines[row : last - 1]
    if last <= len(lines):
        parts.append(lines[last - 1][:stop])
    return "".join(parts)
