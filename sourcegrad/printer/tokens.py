"""The tokens of one statement, with where black may break lines between them."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

COMPREHENSION, COMMA, TERNARY, LOGIC, COMPARATOR, DOT = 20, 18, 16, 14, 10, 1
_OPERATORS = {
    **{"|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5},
    **{"*": 4, "/": 4, "//": 4, "%": 4, "@": 4, "**": 2},
    **dict.fromkeys(("<", ">", "==", "!=", "<=", ">="), COMPARATOR),
}
_VALUE_KEYWORDS = {"None", "True", "False"}
_BEFORE_PARENTHESES = {"return", "if", "elif", "while", "assert", "del"}
_SKIPPED = {tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER}


@dataclass(eq=False)
class Leaf:
    """A token, with what is needed to break lines beside it."""

    text: str
    space: bool = False
    bracket: str = ""  # "(" opens, ")" closes, "" neither
    partner: Leaf | None = None
    priority: int = 0  # of a line break at this delimiter
    atom: bool = False  # an opening bracket that starts a display or parentheses

    def __len__(self) -> int:
        return len(self.text) + self.space


def read(text: str) -> list[Leaf]:
    """The tokens of a statement, with brackets matched and priorities set."""
    leaves = [Leaf(token, space) for token, space in _tokens(text)]
    _match_brackets(leaves)
    _set_priorities(leaves)
    return leaves


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """The tokens, each with whether a blank precedes it; an f-string is one token."""
    start = (
        getattr(tokenize, "FSTRING_START", None),
        getattr(tokenize, "TSTRING_START", None),
    )
    end = getattr(tokenize, "FSTRING_END", None), getattr(tokenize, "TSTRING_END", None)
    # A header such as `if x:` is complete for the tokenizer without its body.
    depth, begin, last = 0, 0, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _SKIPPED:
            continue
        if token.type in start:
            begin = begin if depth else token.start[1]
            depth += 1
        elif token.type in end:
            depth -= 1
        elif not depth:
            begin = token.start[1]
        if not depth:
            yield text[begin : token.end[1]], begin > last
            last = token.end[1]


def _match_brackets(leaves: list[Leaf]) -> None:
    stack: list[Leaf] = []
    for i, leaf in enumerate(leaves):
        if leaf.text in ("(", "[", "{"):
            leaf.bracket = "("
            leaf.atom = i == 0 or not _ends_operand(leaves[i - 1])
            stack.append(leaf)
        elif leaf.text in (")", "]", "}"):
            leaf.bracket = ")"
            leaf.partner = stack.pop()
            leaf.partner.partner = leaf


def _ends_operand(leaf: Leaf) -> bool:
    """Whether what follows this token continues an expression (call, operator)."""
    if leaf.bracket:
        return leaf.bracket == ")"
    text = leaf.text
    if keyword.iskeyword(text):
        return text in _VALUE_KEYWORDS
    return text == "..." or text[-1].isalnum() or text[-1] in "_\"'."


def _set_priorities(leaves: list[Leaf]) -> None:
    """Mark where lines may break, level of brackets by level of brackets."""
    levels: list[dict[str, int]] = [{"lambda": 0, "target": 0, "for": 0}]
    for i, leaf in enumerate(leaves):
        if leaf.bracket == "(":
            levels.append({"lambda": 0, "target": 0, "for": 0})
            continue
        if leaf.bracket == ")":
            levels.pop()
            continue
        previous = leaves[i - 1] if i else None
        after = leaves[i + 1].text if i + 1 < len(leaves) else ""
        leaf.priority = _priority(leaf, previous, after, levels[-1], len(levels) > 1)


def _priority(
    leaf: Leaf, previous: Leaf | None, after: str, level: dict[str, int], inside: bool
) -> int:
    text = leaf.text
    if level["lambda"]:
        level["lambda"] -= text == ":"
        return 0
    if text == "in" and level["target"]:
        level["target"] = 0
        return 0
    if text == "for" or (text == "async" and after == "for"):
        hidden = previous is not None and previous.text == "async"
        level["target"] = level["for"] = 1
        return COMPREHENSION if inside and not hidden else 0
    if level["target"] or previous is None:
        return 0
    if text == "lambda":
        level["lambda"] += 1
        return 0
    return _plain_priority(text, previous, after, in_comprehension=bool(level["for"]))


def _plain_priority(
    text: str, previous: Leaf, after: str, in_comprehension: bool
) -> int:
    if text == ",":
        return COMMA
    if text == ".":
        return DOT if previous.bracket == ")" else 0
    if text in _OPERATORS:
        return _OPERATORS[text] if _ends_operand(previous) else 0
    if text in ("and", "or"):
        return LOGIC
    if text == "if" and in_comprehension:
        return COMPREHENSION
    if text in ("if", "else"):
        return TERNARY
    if (
        text == "is"
        or (text == "in" and previous.text != "not")
        or (text == "not" and after == "in" and previous.text != "is")
    ):
        return COMPARATOR
    return 0


_ASSIGN = set("= := += -= *= /= //= %= @= **= &= |= ^= <<= >>=".split())
_NOT_ASSIGNED = _BEFORE_PARENTHESES | {"for"}


def add_invisible_parentheses(leaves: list[Leaf]) -> None:
    """Put empty pairs around the expressions that black may parenthesise."""
    first = leaves[0].text
    ends_with_colon = leaves[-1].text == ":"
    inner = _inner_indices(leaves)
    cuts: list[int] = []  # an expression starts after each
    in_lambda = False
    for i, leaf in enumerate(leaves):
        if i in inner:
            continue
        in_lambda = in_lambda or leaf.text == "lambda"
        if i == 0 and first in _BEFORE_PARENTHESES:
            cuts.append(i)
        elif first == "assert" and leaf.priority == COMMA:
            cuts.append(i)
        elif first == "for" and leaf.text == "in" and not cuts:
            cuts.append(i)
        elif leaf.text in _ASSIGN and not in_lambda and first not in _NOT_ASSIGNED:
            cuts.append(i)
    if not cuts:
        return
    if leaves[cuts[0]].text == "=" and any(
        leaves[i].priority == COMMA for i in range(cuts[0]) if i not in inner
    ):
        _enclose(leaves, 0, cuts[0])  # a, b = ...
        cuts = [i + 2 for i in cuts]
    stops = [*cuts[1:], len(leaves) - ends_with_colon]
    for start, stop in reversed(list(zip(cuts, stops, strict=True))):
        _enclose(leaves, start + 1, stop)


def _inner_indices(leaves: list[Leaf]) -> set[int]:
    """Indices of the tokens inside brackets."""
    level = 0
    inner = set()
    for i, leaf in enumerate(leaves):
        level -= leaf.bracket == ")"
        if level:
            inner.add(i)
        level += leaf.bracket == "("
    return inner


def _enclose(leaves: list[Leaf], start: int, stop: int) -> None:
    if start >= stop:
        return
    first = leaves[start]
    if first.text == "(" and first.partner is leaves[stop - 1]:
        return  # has its own parentheses
    opening = Leaf("", first.space, "(", atom=True)
    closing = Leaf("", False, ")", opening)
    opening.partner = closing
    first.space = False
    leaves.insert(stop, closing)
    leaves.insert(start, opening)
