"""Where a function comes from: a library, this package, or the user's program."""

from __future__ import annotations

from typing import Any

REPORTS = ("logging", "warnings", "pprint")  # what they are told is only shown


def module_of(obj: Any) -> str:
    """The package that an object comes from."""
    return str(getattr(obj, "__module__", None) or "").split(".")[0]


def is_library(fn: Any) -> bool:
    """Whether a Python function belongs to NumPy or SciPy: their sources are written
    for more than arrays, so a rule is needed."""
    return str(fn.__module__).split(".")[0] in ("numpy", "scipy")


def is_own(fn: Any) -> bool:
    """Whether a function is one of ours: the body of a rule, or a helper of one."""
    return str(fn.__module__).startswith(f"{__package__.partition('.')[0]}.")


def is_stand_in(fn: Any) -> bool:
    """Whether a function is one of the frontend's, written for one of a library."""
    return str(fn.__module__).startswith(f"{__package__}.")
