"""Constants as text, strings quoted as black quotes them."""

from __future__ import annotations

import math
import re
from typing import Any

_ESCAPED_OR_QUOTE = re.compile(r"\\.|\"")
_OTHER_QUOTE = {"\\'": "'", '"': '\\"'}


def constant_text(value: Any) -> str:
    """The text of a constant.

    >>> constant_text("a\\n"), constant_text(-1.5), constant_text(float("inf"))
    ('"a\\\\n"', '-1.5', '1e309')
    """
    if isinstance(value, str | bytes):
        return _quoted(value)
    if value is Ellipsis:
        return "..."
    if isinstance(value, float) and math.isnan(value):
        return "1e309 - 1e309"
    if isinstance(value, float) and math.isinf(value):
        return "1e309" if value > 0 else "-1e309"
    if isinstance(value, complex):
        return _complex_text(value)
    return repr(value)


def _quoted(value: str | bytes) -> str:
    """A string with double quotes where that needs no further escapes."""
    text = repr(value)
    start = text.index(text[-1]) + 1
    body = text[start:-1]
    if text[-1] == '"' or body.count('"') > body.count("'"):
        return text
    body = _ESCAPED_OR_QUOTE.sub(lambda m: _OTHER_QUOTE.get(m[0], m[0]), body)
    return f'{text[: start - 1]}"{body}"'


def _complex_text(value: complex) -> str:
    imaginary = constant_text(value.imag).replace("1e309", "1e309j")
    if math.isfinite(value.imag):
        imaginary += "j"
        imaginary = imaginary.replace(".0j", "j")
    if value.real == 0 and math.copysign(1, value.real) == math.copysign(1, value.imag):
        return imaginary  # -2j has -0.0 as its real part
    sign = " - " if imaginary.startswith("-") else " + "
    return constant_text(value.real) + sign + imaginary.removeprefix("-")
