"""Texts that generated code makes."""

from __future__ import annotations


def record_text(of_class: str, /, **texts: str) -> str:
    """What `repr` shows of a dataclass, from the `repr` of its fields.

    >>> record_text("Point", x="1.0", y="[2]")
    'Point(x=1.0, y=[2])'
    """
    fields = ", ".join(f"{name}={text}" for name, text in texts.items())
    return f"{of_class}({fields})"
