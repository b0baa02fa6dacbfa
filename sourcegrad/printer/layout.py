"""Breaks a statement that is too long into lines, as black does.

The method is black's right-hand split: the last bracket pair that helps is opened,
its content goes on lines of its own, and is split at its loosest operators where it
does not fit. Pairs of empty text stand for parentheses that black may add around
the right side of a statement. This works on tokens, so it cannot change the
meaning; black's source (`linegen.py`, `lines.py`) is the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from sourcegrad.printer.tokens import COMMA, DOT, Leaf, add_invisible_parentheses, read

WIDTH = 88


class CannotSplitError(Exception):
    """A way to split a line does not apply to it."""


@dataclass
class Line:
    """Tokens on one line of output."""

    leaves: list[Leaf]
    depth: int
    inside: bool = False  # inside brackets: may be broken at any operator
    explode: bool = False  # a display that goes one element a line
    is_def: bool = False
    delimiters: dict[int, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        level = 0
        for i, leaf in enumerate(self.leaves):
            level -= leaf.bracket == ")"
            # A line is never broken before its first token.
            if leaf.priority and level == 0 and (i or leaf.priority == COMMA):
                self.delimiters[i] = leaf.priority
            level = max(level + (leaf.bracket == "("), 0)

    def __str__(self) -> str:
        text = "".join((" " if leaf.space else "") + leaf.text for leaf in self.leaves)
        return "    " * self.depth + text.lstrip()

    def fits(self, width: int = WIDTH) -> bool:
        """Whether the line is short enough."""
        return len(str(self)) <= width


def wrap(text: str, indentation: int) -> str:
    """Break one statement's text into lines of at most 88 columns where possible.

    Args:
        text: a simple statement, or the header of a compound one, on one line.
        indentation: how many levels deep it stands.

    Returns:
        The lines; all but the first with their indentation.

    >>> terms = [f"weight_{i} * x[{i}]" for i in range(6)]
    >>> print(wrap("total = " + " + ".join(terms), 0))
    total = (
        weight_0 * x[0]
        + weight_1 * x[1]
        + weight_2 * x[2]
        + weight_3 * x[3]
        + weight_4 * x[4]
        + weight_5 * x[5]
    )
    """
    if 4 * indentation + len(text) <= WIDTH or "\n" in text:
        return text
    leaves = read(text)
    add_invisible_parentheses(leaves)
    line = Line(leaves, indentation, is_def=text.startswith(("def ", "async def ")))
    return "\n".join(map(str, _transform(line))).lstrip()


# ---- splitting -------------------------------------------------------------------


Splitter = Callable[[Line, bool], list[Line]]


def _transform(line: Line, forced: bool = False) -> list[Line]:
    """The line, or the lines that it is split into."""
    if line.fits() and not line.explode:
        return [line]
    if line.is_def:
        ways = [_left_hand_split]
    elif line.inside:
        ways = [_delimiter_split, _right_hand_split]
    else:
        ways = [_right_hand_split]
    for way in ways:
        try:
            return _run(line, way, forced)
        except CannotSplitError:
            continue
    return [line]


def _run(line: Line, way: Splitter, forced: bool) -> list[Line]:
    optional = [leaf for leaf in _outer_brackets(line) if not leaf.text]
    before = str(line)
    parts = way(line, forced)
    if any(str(part) == before for part in parts):
        raise CannotSplitError("unchanged")
    result = [piece for part in parts for piece in _transform(part, forced)]
    visible = any(leaf.text for leaf in optional)
    if way is not _right_hand_split or forced or not optional or visible:
        return result
    if result[0].fits():
        return result
    texts = [leaf.text for leaf in line.leaves]
    second = _run(line, way, forced=True)
    if all(piece.fits() for piece in second):
        return second
    _restore(line, texts)
    return result


def _outer_brackets(line: Line) -> Iterator[Leaf]:
    level = 0
    for leaf in line.leaves:
        level -= leaf.bracket == ")"
        if leaf.bracket and level == 0:
            yield leaf
        level += leaf.bracket == "("


def _left_hand_split(line: Line, forced: bool) -> list[Line]:
    """Open the parameter list of a definition."""
    opening = next(i for i, leaf in enumerate(line.leaves) if leaf.text == "(")
    closing = line.leaves.index(_partner(line.leaves[opening]))
    body = line.leaves[opening + 1 : closing]
    if not body:
        raise CannotSplitError("no parameters")
    if not any(leaf.text == "," for leaf in body):
        body.append(Leaf(",", priority=COMMA))
    return list(_three(line, opening, body, closing))


def _partner(leaf: Leaf) -> Leaf:
    assert leaf.partner is not None
    return leaf.partner


def _three(
    line: Line, opening: int, body: list[Leaf], closing: int
) -> tuple[Line, Line, Line]:
    """Head, indented body and tail of a line opened at a bracket pair."""
    content = Line(body, line.depth + 1, inside=True)
    last_is_comma = body[-1].text == ","
    inner = [p for i, p in content.delimiters.items() if i < len(body) - last_is_comma]
    content.explode = max(inner, default=0) == COMMA and (
        last_is_comma or line.leaves[opening].atom
    )
    head = Line(line.leaves[: opening + 1], line.depth)
    tail = Line(line.leaves[closing:], line.depth)
    return head, content, tail


def _delimiter_split(line: Line, forced: bool) -> list[Line]:
    """Break at all delimiters of the highest priority."""
    last = len(line.leaves) - 1
    found = {i: p for i, p in line.delimiters.items() if i != last}
    if not found:
        raise CannotSplitError("no delimiters")
    priority = max(found.values())
    cuts = [i for i, p in found.items() if p == priority]
    if priority == DOT and len(cuts) == 1:
        raise CannotSplitError("a lone attribute")
    offset = 1 if priority == COMMA else 0
    edges = [0, *(i + offset for i in cuts), last + 1]
    pieces = [line.leaves[i:j] for i, j in pairwise(edges) if i < j]
    if priority == COMMA and pieces[-1][-1].text != ",":
        pieces[-1] = [*pieces[-1], Leaf(",", priority=COMMA)]
    return [Line(piece, line.depth, inside=line.inside) for piece in pieces]


@dataclass
class _Opened:
    """A line opened at one bracket pair."""

    head: Line
    body: Line
    tail: Line
    opening: Leaf
    closing: Leaf

    @property
    def lines(self) -> list[Line]:
        return [part for part in (self.head, self.body, self.tail) if part.leaves]


def _open_last(line: Line, omit: frozenset[int]) -> _Opened:
    """Open the last bracket pair whose closing bracket is not to be omitted."""
    leaves = line.leaves
    for closing in range(len(leaves) - 1, -1, -1):
        leaf = leaves[closing]
        if leaf.bracket != ")" or id(leaf) in omit:
            continue
        opening = next((i for i in range(closing) if leaves[i] is leaf.partner), None)
        if opening is None:
            break
        body = leaves[opening + 1 : closing]
        if not body:
            continue  # nothing to put on lines of its own
        return _Opened(*_three(line, opening, body, closing), leaves[opening], leaf)
    raise CannotSplitError("no brackets")


def _right_hand_split(line: Line, forced: bool) -> list[Line]:
    """Open the last bracket pair that leaves a first line that fits."""
    texts = [leaf.text for leaf in line.leaves]
    for omit in _trailers_to_omit(line):
        lines = _split_right(line, omit, forced)
        if lines[0].fits():
            return lines
        _restore(line, texts)
    return _split_right(line, frozenset(), forced)


def _restore(line: Line, texts: list[str]) -> None:
    """Make parentheses invisible again that an attempt has made visible."""
    for leaf, text in zip(line.leaves, texts, strict=True):
        leaf.text = text


def _split_right(line: Line, omit: frozenset[int], forced: bool) -> list[Line]:
    opened = _open_last(line, omit)
    invisible = not opened.opening.text and not opened.closing.text
    if invisible and not forced and _can_omit_parentheses(opened):
        omit = omit | {id(opened.closing)}
        try:
            inner = _open_last(line, omit)
            if _prefers_inner(inner, opened):
                return _split_right(line, omit, forced)
        except CannotSplitError:
            if len(opened.body.leaves) < 2 and not opened.body.fits():
                raise
    opened.opening.text = opened.opening.text or "("
    opened.closing.text = opened.closing.text or ")"
    return opened.lines


def _trailers_to_omit(line: Line) -> Iterator[frozenset[int]]:
    """Growing sets of closing brackets of trailers that may stay closed."""
    omit: set[int] = set()
    yield frozenset()
    inner: set[int] = set()
    length = 4 * line.depth
    opening: Leaf | None = None
    closing: Leaf | None = None
    for i in range(len(line.leaves) - 1, -1, -1):
        leaf = line.leaves[i]
        length += len(leaf)
        if length > WIDTH:
            return
        if opening is not None:
            if leaf is opening:
                opening = None
            elif leaf.bracket == ")":
                inner.add(id(leaf))
        elif leaf.bracket == ")":
            if i and line.leaves[i - 1].bracket == "(":
                inner.add(id(leaf))
                continue
            if closing is not None:
                omit |= {id(closing), *inner}
                inner.clear()
                yield frozenset(omit)
            if leaf.text:
                opening, closing = leaf.partner, leaf


def _can_omit_parentheses(opened: _Opened) -> bool:
    """Whether a right side reads as well without parentheses around it."""
    body = opened.body
    if not body.delimiters:
        return True
    priority = max(body.delimiters.values())
    if list(body.delimiters.values()).count(priority) > 1:
        return False
    if priority == DOT:
        return True
    first, second, last = body.leaves[0], body.leaves[1], body.leaves[-1]
    if first.bracket == "(" and second.bracket != ")" and _tail_fits(body, first):
        return True
    if last.text in (")", "}") or (last.text == "]" and _partner(last).atom):
        if body.leaves[-2].bracket == "(":
            return False
        return _start_fits(body, _partner(last))
    return False


def _tail_fits(body: Line, first: Leaf) -> bool:
    """Whether what follows a leading bracket pair fits on a line."""
    length = 4 * body.depth
    remainder = False
    for leaf in body.leaves:
        remainder = remainder or leaf is first.partner
        if remainder:
            length += len(leaf)
            if length > WIDTH:
                return False
            if leaf.bracket == "(":
                remainder = False
    return True


def _start_fits(body: Line, opening: Leaf) -> bool:
    """Whether what precedes the last bracket pair fits, or can be split itself."""
    length = 4 * body.depth
    for leaf in body.leaves:
        length += len(leaf)
        if leaf is opening:
            return length <= WIDTH
        if leaf.bracket == "(":
            return True
    return False


def _prefers_inner(inner: _Opened, outer: _Opened) -> bool:
    """Whether to open a pair inside the right side instead of parentheses around it."""
    head = outer.head.leaves
    if len(head) < 2 or head[-2].text != "=":
        return True
    if not any(leaf.bracket for leaf in head[:-1]) or not outer.head.fits(WIDTH - 1):
        return True
    equals = sum(leaf.text == "=" for leaf in head)
    if equals > 1 and equals > sum(leaf.text == "=" for leaf in inner.head.leaves):
        return False
    for leaf in reversed(inner.head.leaves):
        if leaf.text == "=":
            break
        if leaf.bracket == ")":
            return True
    return any(leaf.text == "=" for leaf in inner.head.leaves) and inner.head.fits()
